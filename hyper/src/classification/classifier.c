/* A trained classifier at work: the components of a tile, its labels, and the confusion matrix of
 * the pixels that it was not trained on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "classification/classifier.h"

#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "classification/confusion.h"
#include "numeric/eigen.h"
#include "parallel/communicator.h"
#include "scene/scan.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "state/blob.h"

void xta__classifier_features(const xta_classifier *c, const double *x, double *features)
{
    if (c->vectors == NULL) {
        memcpy(features, x, TILE_PIXELS * c->n_bands * sizeof *features);
        return;
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, TILE_PIXELS, (int)c->n_components,
                (int)c->n_bands, 1, x, (int)c->n_bands, c->vectors, (int)c->n_bands, 0, features,
                (int)c->n_components);
}

size_t xta__classifier_find(const xta_classifier *c, int64_t line, int64_t sample)
{
    size_t lo = 0, hi = c->n_trained;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const labelled_pixel *p = c->trained + middle;
        if (p->line < line || (p->line == line && p->sample < sample)) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    bool there =
        lo < c->n_trained && c->trained[lo].line == line && c->trained[lo].sample == sample;
    return there ? lo : c->n_trained;
}

size_t xta_classifier_n_trained(const xta_classifier *classifier)
{
    return classifier->n_trained;
}

bool xta_classifier_trained_on(const xta_classifier *classifier, int64_t line, int64_t sample)
{
    return xta__classifier_find(classifier, line, sample) < classifier->n_trained;
}

void xta_classifier_free(xta_classifier *c)
{
    if (c != NULL) {
        xta__discriminant_clear(&c->model);
        free(c->band);
        free(c->vectors);
        free(c->class_number);
        free(c->trained);
        free(c);
    }
}

typedef struct applying {
    const xta_classifier *c;
    xta_scene_info info;
    xta_array *labels;
    const xta_label_map *truth;
} applying;

/* Memory and counts of one thread. */
typedef struct applying_partial {
    double *features, *scratch;
    xta_confusion *confusion;
} applying_partial;

static xta_status partial_new(const xta_classifier *c, applying_partial *p, xta_error *err)
{
    p->features = malloc(TILE_PIXELS * c->n_components * sizeof *p->features);
    p->scratch = malloc(TILE_PIXELS * (c->n_components + c->model.n_classes) * sizeof *p->scratch);
    if (p->features == NULL || p->scratch == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory to classify a tile");
    }
    return xta_confusion_new(&p->confusion, err);
}

static void partial_clear(applying_partial *p)
{
    free(p->features);
    free(p->scratch);
    xta_confusion_free(p->confusion);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Write the pixels of a tile that lie in the scene. */
static xta_status write_tile(const applying *job, const hyper_tile *tile, const int32_t *labels,
                             xta_error *err)
{
    xta_box box = {.ndim = 2};
    box.lo[0] = greatest(tile->line, job->info.line_lo);
    box.hi[0] = least(tile->line + TILE_LINES, job->info.line_hi);
    box.lo[1] = greatest(tile->sample, job->info.sample_lo);
    box.hi[1] = least(tile->sample + TILE_SAMPLES, job->info.sample_hi);
    const int64_t strides[2] = {TILE_SAMPLES * (int64_t)sizeof *labels, (int64_t)sizeof *labels};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_I32;
    io.strides = strides;
    io.threads = 1;
    const int32_t *first =
        labels + (box.lo[0] - tile->line) * TILE_SAMPLES + (box.lo[1] - tile->sample);
    return xta_array_write(job->labels, &box, &io, first, err);
}

/* Count the pixels that were not trained on; the others get class 0, which means not labelled. */
static xta_status score_tile(const applying *job, applying_partial *p, const hyper_tile *tile,
                             const int32_t *labels, xta_error *err)
{
    int32_t truth[TILE_PIXELS];
    const int64_t lines[2] = {tile->line, tile->line + TILE_LINES};
    const int64_t samples[2] = {tile->sample, tile->sample + TILE_SAMPLES};
    xta_status status = xta_label_map_read(job->truth, lines, samples, truth, err);
    for (size_t k = 0; status == XTA_OK && k < TILE_PIXELS; k++) {
        if (!tile->valid[k] ||
            xta_classifier_trained_on(job->c, xta__tile_line(tile, k), xta__tile_sample(tile, k))) {
            truth[k] = 0;
        }
    }
    return status == XTA_OK ? xta_confusion_add(p->confusion, truth, labels, TILE_PIXELS, err)
                            : status;
}

static xta_status apply_tile(void *user, void *partial, const hyper_tile *tile, xta_error *err)
{
    const applying *job = user;
    applying_partial *p = partial;
    size_t best[TILE_PIXELS];
    int32_t labels[TILE_PIXELS] = {0};
    if (tile->n_valid > 0) {
        xta__classifier_features(job->c, tile->x, p->features);
        xta__discriminant_label(&job->c->model, TILE_PIXELS, p->features, p->scratch, best);
        for (size_t k = 0; k < TILE_PIXELS; k++) {
            labels[k] = tile->valid[k] ? job->c->class_number[best[k]] : 0;
        }
    }
    xta_status status = job->labels != NULL ? write_tile(job, tile, labels, err) : XTA_OK;
    if (status == XTA_OK && job->truth != NULL) {
        status = score_tile(job, p, tile, labels, err);
    }
    return status;
}

static xta_status check_fit(const applying *job, xta_error *err)
{
    const xta_classifier *c = job->c;
    if (job->info.n_bands != c->n_bands ||
        memcmp(job->info.band, c->band, c->n_bands * sizeof *c->band) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: the classifier was trained on %zu other bands; train it again",
                             job->info.name, c->n_bands);
    }
    if (job->labels == NULL) {
        return XTA_OK;
    }
    xta_box b = xta_array_bounds(job->labels);
    if (b.ndim != 2 || b.lo[0] > job->info.line_lo || b.hi[0] < job->info.line_hi ||
        b.lo[1] > job->info.sample_lo || b.hi[1] < job->info.sample_hi) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: labels need two axes that contain lines %lld to %lld and samples "
                             "%lld to %lld",
                             xta_array_path(job->labels), (long long)job->info.line_lo,
                             (long long)job->info.line_hi, (long long)job->info.sample_lo,
                             (long long)job->info.sample_hi);
    }
    return XTA_OK;
}

/* Add the counts of one thread to a sum, pair by pair. */
static xta_status add_counts(xta_confusion *sum, const uint64_t *triples, size_t n, xta_error *err)
{
    for (size_t k = 0; k < n; k++) {
        const uint64_t *t = triples + 3 * k;
        int32_t truth = (int32_t)t[0], label = (int32_t)t[1];
        xta_status status = xta_confusion_add(sum, &truth, &label, 1, err);
        if (status != XTA_OK) {
            return status;
        }
        sum->counts[t[0] * sum->n_labels + t[1]] += t[2] - 1;
    }
    return XTA_OK;
}

/* Write the pairs that occur in a matrix, as (class, label, count). */
static void put_counts(blob *b, const xta_confusion *c)
{
    for (size_t k = 0; k < c->n_classes * c->n_labels; k++) {
        if (c->counts[k] > 0) {
            xta__blob_u64(b, k / c->n_labels);
            xta__blob_u64(b, k % c->n_labels);
            xta__blob_u64(b, c->counts[k]);
        }
    }
}

/* Collective. Add the counts of all threads of all members to those of the caller. */
static xta_status merge_counts(xta_scene *scene, const applying_partial *partials,
                               size_t n_partials, xta_confusion *sum, xta_error *err)
{
    const xta_communicator *communicator = xta__scene_communicator(scene);
    blob mine = {0};
    unsigned char *all = NULL;
    size_t *lengths = NULL;
    xta_status status = XTA_OK;
    for (size_t k = 0; k < n_partials; k++) {
        put_counts(&mine, partials[k].confusion);
    }
    if (mine.failed) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for a confusion matrix");
    }
    status = xta__agree(communicator, status, err);
    if (status == XTA_OK) {
        status = xta__gather(communicator, mine.bytes, mine.n, &all, &lengths, err);
    }
    size_t n_bytes = 0;
    for (int r = 0; status == XTA_OK && r < xta_communicator_size(communicator); r++) {
        n_bytes += lengths[r];
    }
    blob_reader reader = {.bytes = all, .n = n_bytes};
    while (status == XTA_OK && reader.at < n_bytes) {
        uint64_t triple[3];
        for (int k = 0; k < 3; k++) {
            triple[k] = xta__blob_get_u64(&reader);
        }
        status = add_counts(sum, triple, 1, err);
    }
    free(all);
    free(lengths);
    xta__blob_clear(&mine);
    return xta__agree(communicator, status, err);
}

xta_status xta_classifier_apply(const xta_classifier *classifier, xta_scene *scene,
                                xta_array *labels, const xta_label_map *truth,
                                xta_confusion *confusion, xta_error *err)
{
    const xta_communicator *communicator = xta__scene_communicator(scene);
    applying job = {classifier, xta_scene_inquire(scene), labels, confusion != NULL ? truth : NULL};
    size_t n_partials = (size_t)xta__scene_threads(scene);
    applying_partial *partials = calloc(n_partials, sizeof *partials);
    xta_status status = check_fit(&job, err);
    if (status == XTA_OK && partials == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu threads", n_partials);
    }
    for (size_t k = 0; status == XTA_OK && k < n_partials; k++) {
        status = partial_new(classifier, partials + k, err);
    }
    xta__blas_single();
    status = xta__agree(communicator, status, err);
    if (status == XTA_OK) {
        scan_job scan = {.what = "classes",
                         .user = &job,
                         .tile = apply_tile,
                         .any_order = true,
                         .partials = partials,
                         .partial_bytes = sizeof *partials};
        line_range all = {job.info.line_lo, job.info.line_hi};
        status = xta__scan(scene, all, &scan, err);
    }
    if (status == XTA_OK && job.truth != NULL) {
        status = merge_counts(scene, partials, n_partials, confusion, err);
    }
    for (size_t k = 0; partials != NULL && k < n_partials; k++) {
        partial_clear(partials + k);
    }
    free(partials);
    return status;
}
