/* Strips in memory. Most methods pass over a scene several times. As many strips as fit into half
 * of the memory are kept as they are stored, pixel after pixel, so that a later pass runs at the
 * speed of memory.
 *
 * A strip is read by the first thread that needs it and never changes after that, so readers need
 * no lock: it is published with one atomic pointer. Strips are dropped only between calls: at a
 * refresh those whose lines within the bounds have changed, and all of them if bands or samples
 * have changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/strips.h"

#include <inttypes.h>
#include <stdlib.h>

#include "scene/cells.h"
#include "scene/scene_private.h"
#include "scene/scratch.h"
#include "scene/tile.h"
#include "util/checked.h"

void xta__strip_lines(const xta_scene *scene, int64_t strip, int64_t lines[2])
{
    lines[0] =
        strip * TILE_LINES > scene->now.lo[LINES] ? strip * TILE_LINES : scene->now.lo[LINES];
    lines[1] = (strip + 1) * TILE_LINES < scene->now.hi[LINES] ? (strip + 1) * TILE_LINES
                                                               : scene->now.hi[LINES];
}

/* The samples of a strip, rounded up to whole tiles. */
static uint64_t padded_samples(const xta_scene *scene)
{
    int64_t first = xta__floor_div(scene->now.lo[SAMPLES], TILE_SAMPLES);
    int64_t end = xta__floor_div(scene->now.hi[SAMPLES] - 1, TILE_SAMPLES) + 1;

    return end > first ? (uint64_t)(end - first) * TILE_SAMPLES : TILE_SAMPLES;
}

/* Each thread has a tile of doubles and the cells it is made from, which are at least a tile wide
 * and use at most an eighth of the memory. Half of the memory is for strips, the rest for results.
 */
xta_status xta__strips_plan(xta_scene *scene, xta_error *err)
{
    uint64_t threads = (uint64_t)scene->n_threads;
    uint64_t kept = xta__scene_kept_pixel(scene), width = padded_samples(scene);
    uint64_t tile = TILE_PIXELS * (scene->now.n_bands * sizeof(double) + 1);
    uint64_t tile_column = TILE_PIXELS * kept;
    uint64_t least = threads * (tile + tile_column);

    if (least > scene->memory_bytes) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: memory of %" PRIu64 " bytes is not enough for the tiles of %d "
                             "threads with %zu bands: %" PRIu64 " bytes are needed",
                             scene->name, scene->memory_bytes, scene->n_threads, scene->now.n_bands,
                             least);
    }
    uint64_t columns = scene->memory_bytes / 8 / threads / (tile_column > 0 ? tile_column : 1);
    columns = columns < 1 ? 1 : columns;
    scene->segment_samples =
        (size_t)(columns > width / TILE_SAMPLES ? width : columns * TILE_SAMPLES);
    uint64_t spare = scene->memory_bytes - least;
    scene->most_kept_bytes = spare < scene->memory_bytes / 2 ? spare : scene->memory_bytes / 2;
    return XTA_OK;
}

static void drop_strip(xta_scene *scene, kept_strip *s)
{
    unsigned char *cells = atomic_load(&s->cells);

    if (cells != NULL) {
        xta__scratch_free(scene, cells, (size_t)s->bytes);
        atomic_store(&s->cells, NULL);
        atomic_fetch_sub(&scene->kept_bytes, s->bytes);
    }
}

void xta__strips_clear(xta_scene *scene)
{
    for (size_t k = 0; k < scene->n_strips; k++) {
        drop_strip(scene, &scene->strips[k]);
    }
    free(scene->strips);
    scene->strips = NULL;
    scene->n_strips = 0;
}

/* Move the strips that are still right from the old table to a new one. */
static void move_strips(xta_scene *scene, kept_strip *into, int64_t first, size_t n)
{
    for (size_t k = 0; k < scene->n_strips; k++) {
        kept_strip *from = &scene->strips[k];
        int64_t strip = scene->first_strip + (int64_t)k, lines[2];
        xta__strip_lines(scene, strip, lines);
        if (strip < first || strip >= first + (int64_t)n || from->lines[0] != lines[0] ||
            from->lines[1] != lines[1]) {
            drop_strip(scene, from);
            continue;
        }
        atomic_store(&into[strip - first].cells, atomic_load(&from->cells));
        atomic_store(&from->cells, NULL);
    }
}

xta_status xta__strips_refresh(xta_scene *scene, bool same, xta_error *err)
{
    int64_t first = xta__floor_div(scene->now.lo[LINES], TILE_LINES);
    int64_t end = xta__floor_div(scene->now.hi[LINES] - 1, TILE_LINES) + 1;
    size_t n = scene->now.hi[LINES] > scene->now.lo[LINES] ? (size_t)(end - first) : 0;
    uint64_t line_bytes =
        (uint64_t)(scene->now.hi[SAMPLES] - scene->now.lo[SAMPLES]) * xta__scene_kept_pixel(scene);
    kept_strip *strips = calloc(n + 1, sizeof *strips);

    if (strips == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a list of %zu strips",
                             scene->name, n);
    }
    for (size_t k = 0; k < n; k++) {
        atomic_init(&strips[k].cells, NULL);
        xta__strip_lines(scene, first + (int64_t)k, strips[k].lines);
        strips[k].bytes = (uint64_t)(strips[k].lines[1] - strips[k].lines[0]) * line_bytes;
    }
    if (same) {
        move_strips(scene, strips, first, n);
        free(scene->strips);
    } else {
        xta__strips_clear(scene);
    }
    scene->strips = strips;
    scene->n_strips = n;
    scene->first_strip = first;
    return XTA_OK;
}

const unsigned char *xta__strip_kept(const xta_scene *scene, int64_t strip)
{
    if (strip < scene->first_strip || (uint64_t)(strip - scene->first_strip) >= scene->n_strips) {
        return NULL;
    }
    const kept_strip *s = &scene->strips[strip - scene->first_strip];
    return atomic_load_explicit(&s->cells, memory_order_acquire);
}

/* Count the bytes of a strip as used; false if they exceed the limit. */
static bool reserve_bytes(xta_scene *scene, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&scene->kept_bytes, bytes);

    if (before + bytes <= scene->most_kept_bytes) {
        return true;
    }
    atomic_fetch_sub(&scene->kept_bytes, bytes);
    return false;
}

xta_status xta__strip_load(xta_scene *scene, int64_t strip, const unsigned char **cells,
                           xta_error *err)
{
    const int64_t samples[2] = {scene->now.lo[SAMPLES], scene->now.hi[SAMPLES]};
    unsigned char *nobody = NULL;

    *cells = xta__strip_kept(scene, strip);
    if (*cells != NULL || scene->n_strips == 0) {
        return XTA_OK;
    }
    kept_strip *s = &scene->strips[strip - scene->first_strip];
    if (s->bytes == 0 || !reserve_bytes(scene, s->bytes)) {
        return XTA_OK;
    }
    unsigned char *mine = xta__scratch_alloc(scene, (size_t)s->bytes);
    if (mine == NULL) {
        atomic_fetch_sub(&scene->kept_bytes, s->bytes);
        return XTA_OK;
    }
    xta_status status = xta__scene_cells(scene, s->lines, samples, scene->kept, mine, err);
    if (status == XTA_OK && atomic_compare_exchange_strong(&s->cells, &nobody, mine)) {
        *cells = mine;
        return XTA_OK;
    }
    *cells = status == XTA_OK ? xta__strip_kept(scene, strip) : NULL;
    xta__scratch_free(scene, mine, (size_t)s->bytes);
    atomic_fetch_sub(&scene->kept_bytes, s->bytes);
    return status;
}
