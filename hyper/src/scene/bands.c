/* Which bands are in use, which values mean no data, and by how much real numbers are shifted: what
 * the attributes and the anchor line say. The anchor line does not move when the scene grows, and
 * so these decisions stay.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/bands.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include <xta/attribute.h>

#include "scene/attributes.h"
#include "scene/cells.h"
#include "scene/scale.h"
#include "scene/tile.h"
#include "util/hash.h"
#include "util/try.h"

enum { SHIFT_BITS = 12 };

/* ---- attributes ---- */

static xta_status no_memory(const xta_scene *scene, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for its bands", scene->name);
}

/* The number at the start of a text, as a list of one; the list is empty if there is no number. */
static size_t number_in(const char *text, double *value)
{
    char *end = NULL;

    *value = strtod(text, &end);
    return end != text;
}

/* The items of an attribute as doubles, to be freed; *n is 0 if it has no numbers. */
static xta_status numbers_of(const xta_scene *scene, const xta_attribute *a, double **list,
                             size_t *n, xta_error *err)
{
    *n = 0;
    *list = malloc((a->count + 1) * sizeof **list);
    if (*list == NULL) {
        return no_memory(scene, err);
    }
    if (a->type == XTA_TEXT) {
        *n = a->count > 0 ? number_in(a->values, *list) : 0;
    } else if (xta_type_convert(a->type, a->values, XTA_F64, *list, a->count, NULL) == XTA_OK) {
        *n = a->count;
    }
    return XTA_OK;
}

/* Items along the band axis, to be freed: item k is of band lo + k. */
typedef struct items {
    double *list; // NULL: there is no such attribute
    int64_t lo;
    size_t n;
} items;

/* Where the axis has grown since the attribute was set, the attribute NAME//box says which bands it
 * was for. */
static xta_status band_items(xta_scene *scene, const char *name, items *of, xta_error *err)
{
    xta_attribute a, box;
    char box_name[64];
    bool there = false;
    xta_status status = XTA_OK;

    *of = (items){.lo = scene->now.lo[BANDS]};
    if (scene->array == NULL || scene->axis[BANDS] < 0) {
        return XTA_OK;
    }
    XTA_TRY(xta__scene_attribute(scene, scene->axis[BANDS], name, &a, &there, err));
    if (!there || a.type == XTA_TEXT) {
        return XTA_OK;
    }
    XTA_TRY(numbers_of(scene, &a, &of->list, &of->n, err));
    snprintf(box_name, sizeof box_name, "%s//box", name);
    XTA_TRY(xta__scene_attribute(scene, scene->axis[BANDS], box_name, &box, &there, err));
    for (size_t k = 0; there && box.type == XTA_I64 && k + 1 < box.count; k += 2) {
        int64_t pair[2];
        memcpy(pair, (const char *)box.values + k * sizeof pair[0], sizeof pair);
        bool in_force = pair[1] > pair[0] && (uint64_t)(pair[1] - pair[0]) == of->n;
        of->lo = in_force ? pair[0] : of->lo;
    }
done:
    return status;
}

static double item_of(const items *of, int64_t band, double otherwise)
{
    bool there = of->list != NULL && band >= of->lo && (uint64_t)(band - of->lo) < of->n;

    return there ? of->list[band - of->lo] : otherwise;
}

static void copy_word(char *into, size_t capacity, const xta_attribute *a)
{
    const char *text = a->values;
    size_t n = 0;

    while (n < a->count && n + 1 < capacity && text[n] != '\n' && text[n] != '\0') {
        into[n] = text[n];
        n++;
    }
    while (n > 0 && isspace((unsigned char)into[n - 1])) {
        n--;
    }
    into[n] = '\0';
}

static void read_unit(xta_scene *scene)
{
    xta_attribute a;

    scene->now.unit[0] = '\0';
    if (scene->array == NULL) {
        return;
    }
    if (xta_attribute_get(scene->array, XTA_ON_ARRAY, "wavelength_units", &a, NULL) == XTA_OK &&
        a.type == XTA_TEXT) {
        copy_word(scene->now.unit, sizeof scene->now.unit, &a);
        return;
    }
    if (scene->axis[BANDS] < 0) {
        return;
    }
    if (xta_attribute_get(scene->array, scene->axis[BANDS], "wavelength_units", &a, NULL) ==
            XTA_OK &&
        a.type == XTA_TEXT) {
        copy_word(scene->now.unit, sizeof scene->now.unit, &a);
        return;
    }
    snprintf(scene->now.unit, sizeof scene->now.unit, "%s",
             xta_axis_unit(scene->array, scene->axis[BANDS]));
}

/* ---- no-data ---- */

static xta_status add_nodata(xta_scene *scene, const double *values, size_t n, xta_error *err)
{
    double *list = realloc(scene->now.nodata, (scene->now.n_nodata + n + 1) * sizeof *list);

    if (list == NULL) {
        return no_memory(scene, err);
    }
    scene->now.nodata = list;
    for (size_t k = 0; k < n; k++) {
        // A narrower cell cannot hold what was written with more digits; NaN is never valid anyway.
        double value = scene->type == XTA_F32 ? (double)(float)values[k] : values[k];
        bool there = value != value;
        for (size_t old = 0; old < scene->now.n_nodata; old++) {
            there = there || list[old] == value;
        }
        if (!there) {
            list[scene->now.n_nodata++] = value;
        }
    }
    return XTA_OK;
}

static xta_status read_nodata(xta_scene *scene, xta_error *err)
{
    static const char *const names[] = {"_FillValue", "missing_value", "nodata",
                                        "data ignore value"};
    xta_status status = add_nodata(scene, scene->asked_nodata, scene->n_asked_nodata, err);
    xta_attribute a;

    for (size_t k = 0; k < 4 && status == XTA_OK && scene->array != NULL; k++) {
        double *list = NULL;
        size_t n = 0;
        bool there = false;
        status = xta__scene_attribute(scene, XTA_ON_ARRAY, names[k], &a, &there, err);
        if (there) {
            status = numbers_of(scene, &a, &list, &n, err);
        }
        if (status == XTA_OK) {
            status = add_nodata(scene, list, n, err);
        }
        free(list);
    }
    return status;
}

/* ---- bands ---- */

/* Find the runs of adjacent bands. */
static xta_status make_runs(xta_scene *scene, xta_error *err)
{
    free(scene->now.runs);
    scene->now.n_runs = 0;
    scene->now.runs = malloc((scene->now.n_bands + 1) * sizeof *scene->now.runs);
    if (scene->now.runs == NULL) {
        return no_memory(scene, err);
    }
    for (size_t b = 0; b < scene->now.n_bands; b++) {
        if (b > 0 && scene->now.band[b] == scene->now.band[b - 1] + 1) {
            scene->now.runs[scene->now.n_runs - 1].n++;
        } else {
            scene->now.runs[scene->now.n_runs++] = (band_run){scene->now.band[b], b, 1};
        }
    }
    return XTA_OK;
}

static xta_status check_asked(const xta_scene *scene, xta_error *err)
{
    for (size_t k = 0; k < scene->n_use; k++) {
        int64_t band = scene->use[k];
        if (band < scene->now.lo[BANDS] || band >= scene->now.hi[BANDS] ||
            (k > 0 && band <= scene->use[k - 1])) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: band %" PRId64 " of those to use is not within [%" PRId64
                                 ", %" PRId64 ") or not above the one before; list coordinates in "
                                 "ascending order",
                                 scene->name, band, scene->now.lo[BANDS], scene->now.hi[BANDS]);
        }
    }
    return XTA_OK;
}

/* What the caller asked for, or all that are not marked as bad. */
static xta_status choose_bands(xta_scene *scene, xta_error *err)
{
    size_t n_all = (size_t)(scene->now.hi[BANDS] - scene->now.lo[BANDS]);
    size_t n_asked = scene->use != NULL ? scene->n_use : n_all;
    items marks = {NULL, 0, 0};
    xta_status status = XTA_OK;

    scene->now.n_bands = 0;
    scene->now.band = malloc((n_all + 1) * sizeof *scene->now.band);
    if (scene->now.band == NULL) {
        return no_memory(scene, err);
    }
    XTA_TRY(check_asked(scene, err));
    if (!scene->bad_bands_too) {
        XTA_TRY(band_items(scene, "bbl", &marks, err));
    }
    for (size_t k = 0; k < n_asked; k++) {
        int64_t band = scene->use != NULL ? scene->use[k] : scene->now.lo[BANDS] + (int64_t)k;
        if (item_of(&marks, band, 1) != 0) {
            scene->now.band[scene->now.n_bands++] = band;
        }
    }
    if (scene->now.n_bands == 0) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: none of its %zu bands is left to work with; take bad bands, "
                               "too, or name the bands to use",
                               scene->name, n_all);
    }
done:
    free(marks.list);
    return status;
}

static xta_status read_wavelengths(xta_scene *scene, xta_error *err)
{
    items own = {NULL, 0, 0};
    items of_source = {(double *)(uintptr_t)scene->source.wavelength, scene->now.lo[BANDS],
                       (size_t)(scene->now.hi[BANDS] - scene->now.lo[BANDS])};
    xta_status status = band_items(scene, "wavelength", &own, err);
    const items *all = scene->array != NULL ? &own : &of_source;

    read_unit(scene);
    if (status == XTA_OK && all->list != NULL) {
        scene->now.wavelength = malloc(scene->now.n_bands * sizeof *scene->now.wavelength);
        status = scene->now.wavelength == NULL ? no_memory(scene, err) : XTA_OK;
        for (size_t b = 0; status == XTA_OK && b < scene->now.n_bands; b++) {
            scene->now.wavelength[b] = item_of(all, scene->now.band[b], NAN);
        }
    }
    free(own.list);
    return status;
}

/* ---- the anchor line ---- */

static void place_anchor(xta_scene *scene)
{
    int64_t lo = scene->now.lo[LINES], hi = scene->now.hi[LINES];

    scene->now.anchor = lo > 0 ? lo : (hi <= 0 ? hi - 1 : 0);
    if (lo >= hi) {
        scene->now.anchor = 0;
    }
}

/* Called for pieces of the anchor line, each a tile wide. */
typedef void anchor_piece(xta_scene *scene, const double *pixels, size_t n, void *into);

static xta_status each_anchor_piece(xta_scene *scene, anchor_piece *take, void *into,
                                    xta_error *err)
{
    const int64_t lines[2] = {scene->now.anchor, scene->now.anchor + 1};
    double *pixels = malloc((TILE_PIXELS * scene->now.n_bands + 1) * sizeof *pixels);
    xta_status status = pixels == NULL ? no_memory(scene, err) : XTA_OK;

    for (int64_t s = scene->now.lo[SAMPLES]; status == XTA_OK && s < scene->now.hi[SAMPLES];
         s += TILE_PIXELS) {
        int64_t end =
            s + TILE_PIXELS < scene->now.hi[SAMPLES] ? s + TILE_PIXELS : scene->now.hi[SAMPLES];
        const int64_t samples[2] = {s, end};
        status = xta__scene_cells(scene, lines, samples, XTA_F64, pixels, err);
        if (status == XTA_OK) {
            take(scene, pixels, (size_t)(end - s), into);
        }
    }
    free(pixels);
    return status;
}

static bool is_data(const xta_scene *scene, double value)
{
    bool data = isfinite(value);

    for (size_t k = 0; k < scene->now.n_nodata; k++) {
        data = data && value != scene->now.nodata[k];
    }
    return data;
}

/* Mark bands that have data anywhere in the line. */
static void mark_data(xta_scene *scene, const double *pixels, size_t n, void *into)
{
    unsigned char *seen = into;

    for (size_t k = 0; k < n * scene->now.n_bands; k++) {
        seen[k % scene->now.n_bands] |= is_data(scene, pixels[k]);
    }
}

/* Leave out bands without data in the anchor line. If no band has any, the line says nothing. */
static xta_status drop_empty_bands(xta_scene *scene, xta_error *err)
{
    unsigned char *seen = calloc(scene->now.n_bands + 1, 1);
    xta_status status = seen == NULL ? no_memory(scene, err) : XTA_OK;
    size_t n = 0;

    if (status == XTA_OK) {
        status = each_anchor_piece(scene, mark_data, seen, err);
    }
    bool any = status == XTA_OK && memchr(seen, 1, scene->now.n_bands) != NULL;
    for (size_t b = 0; any && b < scene->now.n_bands; b++) {
        scene->now.band[n] = scene->now.band[b];
        n += seen[b];
    }
    scene->now.n_bands = any ? n : scene->now.n_bands;
    free(seen);
    return status;
}

typedef struct sums {
    double *sum;
    double n;
    unsigned char valid[TILE_PIXELS];
} sums;

static void add_valid(xta_scene *scene, const double *pixels, size_t n, void *into)
{
    sums *s = into;

    xta__scene_valid(scene, pixels, n, s->valid);
    for (size_t p = 0; p < n; p++) {
        for (size_t b = 0; s->valid[p] && b < scene->now.n_bands; b++) {
            s->sum[b] += pixels[p * scene->now.n_bands + b];
        }
        s->n += s->valid[p];
    }
}

/* Round to few bits, so that subtracting the shift from a cell of similar size is exact. */
static double round_bits(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);

    return isfinite(value) ? ldexp(rint(ldexp(fraction, SHIFT_BITS)), exponent - SHIFT_BITS) : 0;
}

static xta_status make_shift(xta_scene *scene, bool lines, xta_error *err)
{
    sums s = {.sum = calloc(scene->now.n_bands + 1, sizeof(double))};
    xta_status status = s.sum == NULL ? no_memory(scene, err) : XTA_OK;

    scene->now.shift = s.sum;
    if (status == XTA_OK && lines && !scene->whole) {
        status = each_anchor_piece(scene, add_valid, &s, err);
        for (size_t b = 0; b < scene->now.n_bands; b++) {
            scene->now.shift[b] = s.n > 0 ? round_bits(scene->now.shift[b] / s.n) : 0;
        }
    }
    return status;
}

/* ---- the whole snapshot ---- */

/* The hash of everything that must be the same for results to be continued. */
static void set_signature(xta_scene *scene)
{
    uint64_t h = XTA__HASH_OF_NOTHING;
    uint64_t numbers[3] = {scene->now.n_bands, scene->now.n_nodata, (uint64_t)scene->type};

    h = xta__hash_bytes(h, numbers, sizeof numbers);
    h = xta__hash_bytes(h, &scene->now.lo[SAMPLES], sizeof scene->now.lo[SAMPLES]);
    h = xta__hash_bytes(h, &scene->now.hi[SAMPLES], sizeof scene->now.hi[SAMPLES]);
    h = xta__hash_bytes(h, scene->now.band, scene->now.n_bands * sizeof *scene->now.band);
    h = xta__hash_bytes(h, scene->now.nodata, scene->now.n_nodata * sizeof *scene->now.nodata);
    if (!scene->whole) {
        // Sums of whole numbers are exact; with real numbers the last bits depend on the kernel of
        // BLAS.
        const char *kernel = openblas_get_corename();
        h = xta__hash_bytes(h, kernel, strlen(kernel));
    }
    scene->now.signature =
        xta__hash_bytes(h, scene->now.shift, scene->now.n_bands * sizeof *scene->now.shift);
}

void xta__snapshot_clear(scene_snapshot *sight)
{
    free(sight->nodata);
    free(sight->band);
    free(sight->wavelength);
    free(sight->gain);
    free(sight->offset);
    free(sight->runs);
    free(sight->shift);
    *sight = (scene_snapshot){0};
}

xta_status xta__scene_decide(xta_scene *scene, xta_error *err)
{
    bool cells = scene->now.lo[LINES] < scene->now.hi[LINES] &&
                 scene->now.lo[SAMPLES] < scene->now.hi[SAMPLES];
    xta_status status = XTA_OK;

    place_anchor(scene);
    XTA_TRY(read_nodata(scene, err));
    XTA_TRY(choose_bands(scene, err));
    XTA_TRY(make_runs(scene, err));
    if (cells) {
        XTA_TRY(drop_empty_bands(scene, err));
        XTA_TRY(make_runs(scene, err));
    }
    XTA_TRY(read_wavelengths(scene, err));
    XTA_TRY(xta__scene_scale(scene, err));
    XTA_TRY(make_shift(scene, cells, err));
    set_signature(scene);
done:
    return status;
}
