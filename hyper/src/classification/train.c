/* Training a classifier: which pixels, their components, and what is learnt from them.
 *
 * There are two scans. The first collects every valid labelled pixel with a random key that depends
 * on the seed and its coordinates only; all members get all of these pixels in order, and choose
 * the same ones. The second collects the components of those chosen. Every member then learns from
 * the same numbers in the same order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/classify.h>

#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include <xta/moments.h>
#include <xta/options.h>

#include "classification/classifier.h"
#include "classification/discriminant.h"
#include "numeric/philox.h"
#include "parallel/communicator.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/tile.h"

enum { DEFAULT_COMPONENTS = 30 };

/* Records one after the other, found by one thread of a scan. */
typedef struct records {
    unsigned char *bytes;
    size_t n, capacity; /* in bytes */
} records;

typedef struct collecting {
    const xta_classifier *classifier; /* the second scan; NULL in the first */
    const xta_label_map *truth;
    uint64_t seed;
    size_t record_bytes;
    uint64_t limit; /* in bytes, for each thread */
} collecting;

static xta_status add_record(const collecting *job, records *r, const void *record, xta_error *err)
{
    if (r->n + job->record_bytes > r->capacity) {
        size_t capacity = r->capacity > 0 ? 2 * r->capacity : 4096 + job->record_bytes;
        unsigned char *bytes = capacity <= job->limit ? realloc(r->bytes, capacity) : NULL;
        if (bytes == NULL) {
            return xta_error_set(err, XTA_ENOMEM, 0,
                                 "the labelled pixels take more than %llu bytes; raise the memory "
                                 "limit or use fewer components",
                                 (unsigned long long)job->limit);
        }
        r->bytes = bytes;
        r->capacity = capacity;
    }
    memcpy(r->bytes + r->n, record, job->record_bytes);
    r->n += job->record_bytes;
    return XTA_OK;
}

static uint64_t pixel_key(uint64_t seed, int64_t line, int64_t sample)
{
    uint32_t counter[4] = {(uint32_t)line, (uint32_t)sample, (uint32_t)((uint64_t)line >> 32),
                           (uint32_t)((uint64_t)sample >> 32)};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, out[4];
    xta__philox(counter, key, out);
    return (uint64_t)out[0] << 32 | out[1];
}

static xta_status tile_classes(const xta_label_map *truth, const hyper_tile *tile, int32_t *classes,
                               xta_error *err)
{
    const int64_t lines[2] = {tile->line, tile->line + TILE_LINES};
    const int64_t samples[2] = {tile->sample, tile->sample + TILE_SAMPLES};
    return xta_label_map_read(truth, lines, samples, classes, err);
}

/* First scan: every valid labelled pixel. */
static xta_status collect_labelled(void *user, void *partial, const hyper_tile *tile,
                                   xta_error *err)
{
    const collecting *job = user;
    int32_t classes[TILE_PIXELS];
    xta_status status = tile_classes(job->truth, tile, classes, err);
    for (size_t k = 0; status == XTA_OK && k < TILE_PIXELS; k++) {
        if (classes[k] == 0 || !tile->valid[k]) {
            continue;
        }
        labelled_pixel pixel = {.line = xta__tile_line(tile, k),
                                .sample = xta__tile_sample(tile, k),
                                .class_number = classes[k]};
        pixel.key = pixel_key(job->seed, pixel.line, pixel.sample);
        status = add_record(job, partial, &pixel, err);
    }
    return status;
}

/* Second scan: the index among the trained pixels, then the components. */
static xta_status collect_features(void *user, void *partial, const hyper_tile *tile,
                                   xta_error *err)
{
    const collecting *job = user;
    const xta_classifier *c = job->classifier;
    xta_status status = XTA_OK;
    double *features = NULL;
    double *record = malloc(job->record_bytes);
    if (record == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the components of a pixel");
    }
    for (size_t k = 0; status == XTA_OK && k < TILE_PIXELS; k++) {
        size_t at = xta__classifier_find(c, xta__tile_line(tile, k), xta__tile_sample(tile, k));
        if (!tile->valid[k] || at == c->n_trained) {
            continue;
        }
        if (features == NULL) {
            features = malloc(TILE_PIXELS * c->n_components * sizeof *features);
            if (features == NULL) {
                status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for components of a tile");
                break;
            }
            xta__classifier_features(c, tile->x, features);
        }
        uint64_t place = at;
        memcpy(record, &place, sizeof place);
        memcpy(record + 1, features + k * c->n_components, c->n_components * sizeof *record);
        status = add_record(job, partial, record, err);
    }
    free(features);
    free(record);
    return status;
}

/* Collective. Run a scan that collects records and give every member all of them. */
static xta_status collect_records(xta_scene *scene, collecting *job, bool features,
                                  unsigned char **all, size_t *n_bytes, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);
    size_t n_partials = (size_t)xta__scene_threads(scene);
    records *partials = calloc(n_partials, sizeof *partials);
    records mine = {0};
    size_t *lengths = NULL;
    xta_status status = XTA_OK;
    *all = NULL;
    *n_bytes = 0;
    job->limit = xta__scene_memory(scene) / (2 * n_partials);
    if (partials == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu threads", n_partials);
    }
    status = xta__agree(xta__scene_communicator(scene), status, err);
    if (status == XTA_OK) {
        scan_job scan = {.what = features ? "training pixels" : "labelled pixels",
                         .user = job,
                         .tile = features ? collect_features : collect_labelled,
                         .partials = partials,
                         .partial_bytes = sizeof *partials};
        status = xta__scan(scene, (line_range){info.line_lo, info.line_hi}, &scan, err);
    }
    for (size_t k = 0; partials != NULL && k < n_partials; k++) {
        mine.n += partials[k].n;
    }
    if (status == XTA_OK && (mine.bytes = malloc(mine.n + 1)) == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu bytes of pixels", mine.n);
    }
    status = xta__agree(xta__scene_communicator(scene), status, err);
    for (size_t k = 0, at = 0; status == XTA_OK && k < n_partials; at += partials[k++].n) {
        memcpy(mine.bytes + at, partials[k].bytes != NULL ? partials[k].bytes : mine.bytes,
               partials[k].n);
    }
    if (status == XTA_OK) {
        status =
            xta__gather(xta__scene_communicator(scene), mine.bytes, mine.n, all, &lengths, err);
    }
    for (int r = 0; status == XTA_OK && r < xta_communicator_size(xta__scene_communicator(scene));
         r++) {
        *n_bytes += lengths[r];
    }
    for (size_t k = 0; partials != NULL && k < n_partials; k++) {
        free(partials[k].bytes);
    }
    free(partials);
    free(mine.bytes);
    free(lengths);
    return status;
}

static int by_class_and_key(const void *a, const void *b)
{
    const labelled_pixel *p = a, *q = b;
    if (p->class_number != q->class_number) {
        return p->class_number < q->class_number ? -1 : 1;
    }
    if (p->key != q->key) {
        return p->key < q->key ? -1 : 1;
    }
    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return p->sample < q->sample ? -1 : p->sample > q->sample;
}

static int by_pixel(const void *a, const void *b)
{
    const labelled_pixel *p = a, *q = b;
    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return p->sample < q->sample ? -1 : p->sample > q->sample;
}

/* How many of n pixels are trained on: at least one, and not all of them. */
static size_t n_to_train(double train, size_t n)
{
    double want = train * (double)n;
    size_t count = (size_t)want;
    count += (double)count < want ? 1 : 0;
    count = count < 1 ? 1 : count;
    return count < n ? count : n - 1;
}

/* Choose the pixels to train on; the classes are sorted ascending. */
static xta_status choose_pixels(xta_classifier *c, labelled_pixel *all, size_t n, double train,
                                xta_error *err)
{
    qsort(all, n, sizeof *all, by_class_and_key);
    c->trained = all;
    c->class_number = calloc(n + 1, sizeof *c->class_number);
    if (c->class_number == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for classes");
    }
    for (size_t from = 0, end; from < n; from = end) {
        for (end = from; end < n && all[end].class_number == all[from].class_number;) {
            end++;
        }
        if (end - from < 2) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "class %d has a single valid pixel: none would be left to be "
                                 "scored; leave the class out of the truth",
                                 all[from].class_number);
        }
        size_t count = n_to_train(train, end - from);
        c->class_number[c->model.n_classes++] = all[from].class_number;
        memmove(all + c->n_trained, all + from, count * sizeof *all);
        c->n_trained += count;
    }
    if (c->model.n_classes < 2) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu classes have valid pixels in this scene; two or more are needed. "
                             "Look whether the truth lies where the scene does",
                             c->model.n_classes);
    }
    qsort(c->trained, c->n_trained, sizeof *c->trained, by_pixel);
    return XTA_OK;
}

static xta_status choose_basis(xta_classifier *c, xta_scene *scene, const xta_classifier_options *o,
                               xta_error *err)
{
    xta_moments *moments = NULL;
    xta_basis *basis = NULL;
    if (o->full_band) {
        c->n_components = c->n_bands;
        return XTA_OK;
    }
    xta_status status = xta_moments_new(NULL, &moments, err);
    if (status == XTA_OK) {
        status = xta_moments_update(moments, scene, err);
    }
    if (status == XTA_OK) {
        xta_basis_options want = XTA_BASIS_OPTIONS_INIT;
        want.n_components = c->n_components;
        status = xta_pct(moments, &want, &basis, err);
    }
    if (status == XTA_OK) {
        size_t n = c->n_components * c->n_bands;
        c->vectors = malloc(n * sizeof *c->vectors);
        if (c->vectors == NULL) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a basis");
        } else {
            memcpy(c->vectors, xta_basis_inquire(basis).vectors, n * sizeof *c->vectors);
        }
    }
    xta_basis_free(basis);
    xta_moments_free(moments);
    return xta__agree(xta__scene_communicator(scene), status, err);
}

static size_t class_index(const xta_classifier *c, int32_t number)
{
    size_t at = 0;
    while (c->class_number[at] != number) {
        at++;
    }
    return at;
}

/* Sort the records of the second scan by pixel, and learn from them. */
static xta_status learn_from_records(xta_classifier *c, const xta_classifier_options *o,
                                     const unsigned char *all, size_t n_bytes, xta_error *err)
{
    size_t d = c->n_components, record = (d + 1) * sizeof(double);
    double *features = malloc(c->n_trained * d * sizeof *features);
    size_t *class_of = calloc(c->n_trained, sizeof *class_of);
    training t = {c->n_trained, d, c->model.n_classes, features, class_of};
    xta_status status = XTA_OK;
    if (features == NULL || class_of == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu training pixels", t.n);
    }
    for (size_t at = 0; status == XTA_OK && at < n_bytes; at += record) {
        uint64_t place;
        memcpy(&place, all + at, sizeof place);
        memcpy(features + place * d, all + at + sizeof place, d * sizeof *features);
    }
    for (size_t k = 0; status == XTA_OK && k < c->n_trained; k++) {
        class_of[k] = class_index(c, c->trained[k].class_number);
    }
    if (status == XTA_OK) {
        status = xta__discriminant_train(&t, o->method, o->equal_priors, &c->model, err);
    }
    free(features);
    free(class_of);
    return status;
}

/* Collective. From a scene to a trained classifier. */
static xta_status train_classifier(xta_classifier *c, xta_scene *scene, const xta_label_map *truth,
                                   const xta_classifier_options *o, xta_error *err)
{
    collecting job = {.truth = truth, .seed = o->seed, .record_bytes = sizeof(labelled_pixel)};
    unsigned char *all = NULL;
    size_t n_bytes = 0;
    xta_status status = collect_records(scene, &job, false, &all, &n_bytes, err);
    if (status == XTA_OK) {
        status = choose_pixels(c, (labelled_pixel *)(void *)all, n_bytes / sizeof(labelled_pixel),
                               o->train, err);
        all = c->trained != NULL ? NULL : all;
    }
    status = xta__agree(xta__scene_communicator(scene), status, err);
    if (status == XTA_OK) {
        status = choose_basis(c, scene, o, err);
    }
    if (status == XTA_OK) {
        free(all);
        all = NULL;
        job.classifier = c;
        job.record_bytes = (c->n_components + 1) * sizeof(double);
        status = collect_records(scene, &job, true, &all, &n_bytes, err);
    }
    if (status == XTA_OK) {
        status = learn_from_records(c, o, all, n_bytes, err);
    }
    free(all);
    return xta__agree(xta__scene_communicator(scene), status, err);
}

static xta_status settle_options(const xta_scene_info *info, xta_classifier_options *o,
                                 xta_error *err)
{
    o->train = o->train == 0 ? 0.1 : o->train;
    if (!(o->train > 0 && o->train < 1)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "a share of %g to train on: it must be above 0 and below 1", o->train);
    }
    if (o->method != XTA_LDA && o->method != XTA_GAUSSIAN_ML) {
        return xta_error_set(err, XTA_EARG, 0, "%d is no method of classification", (int)o->method);
    }
    if (o->n_components > info->n_bands) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu components of a scene with %zu bands in use: take at most these",
                             o->n_components, info->n_bands);
    }
    if (o->n_components == 0) {
        o->n_components = info->n_bands < DEFAULT_COMPONENTS ? info->n_bands : DEFAULT_COMPONENTS;
    }
    return XTA_OK;
}

xta_status xta_classifier_train(xta_scene *scene, const xta_label_map *truth,
                                const xta_classifier_options *options, xta_classifier **classifier,
                                xta_error *err)
{
    xta_classifier_options o = XTA_CLASSIFIER_OPTIONS_INIT;
    xta_scene_info info = xta_scene_inquire(scene);
    xta_classifier *c = calloc(1, sizeof *c);
    xta_status status = xta_options_read(&o, sizeof o, options, "xta_classifier_options", err);
    status = status == XTA_OK ? settle_options(&info, &o, err) : status;
    *classifier = NULL;
    if (status == XTA_OK && c != NULL) {
        c->n_bands = info.n_bands;
        c->n_components = o.n_components;
        c->band = malloc(info.n_bands * sizeof *c->band);
    }
    if (status == XTA_OK && (c == NULL || c->band == NULL)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a classifier");
    }
    status = xta__agree(xta__scene_communicator(scene), status, err);
    if (status == XTA_OK) {
        memcpy(c->band, info.band, info.n_bands * sizeof *c->band);
        status = train_classifier(c, scene, truth, &o, err);
    }
    if (status == XTA_OK) {
        *classifier = c;
    } else {
        xta_classifier_free(c);
    }
    return status;
}
