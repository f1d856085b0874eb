/* Visits to the pixels of a source.
 *
 * Cells come from the strips that the scene keeps, as they are stored. Where a strip is not kept, a
 * segment of it is read into scratch memory of the same form. With a basis, points (components, as
 * doubles) take the place of cells; they are kept here if memory allows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/pixels/pixel_source.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "scene/cells.h"
#include "scene/pieces.h"
#include "scene/scene_private.h"
#include "scene/strips.h"
#include "util/checked.h"

void xta__pixel_source_of_scene(pixel_source *f, xta_scene *scene, const fixed_basis *basis,
                                bool keep_nothing)
{
    *f = (pixel_source){.scene = scene, .basis = basis, .keep_nothing = keep_nothing};
    f->n_dims = basis == NULL ? scene->now.n_bands : basis->n_dims;
    f->type = basis == NULL ? scene->kept : XTA_F64;
}

void xta__pixel_source_of_matrix(pixel_source *f, const double *matrix, size_t n_rows,
                                 size_t n_dims)
{
    *f = (pixel_source){.matrix = matrix, .n_rows = n_rows, .n_dims = n_dims, .type = XTA_F64};
}

static void drop_kept(pixel_source *f)
{
    for (size_t k = 0; f->kept != NULL && k < f->n_strips; k++) {
        free(f->kept[k].columns);
        free(f->kept[k].valid);
        free(f->kept[k].points);
    }
    free(f->kept);
    f->kept = NULL;
    f->n_strips = 0;
    f->n_columns = 0;
}

void xta__pixel_source_clear(pixel_source *f)
{
    drop_kept(f);
}

static int64_t strip_of(int64_t line)
{
    return xta__floor_div(line, TILE_LINES);
}

static size_t n_samples(const pixel_source *f)
{
    return (size_t)(f->scene->now.hi[SAMPLES] - f->scene->now.lo[SAMPLES]);
}

/* Tiles of a strip are cut at multiples of TILE_SAMPLES: the end of the one that has `sample`. */
static int64_t tile_end(const pixel_source *f, int64_t sample)
{
    int64_t end = (xta__floor_div(sample, TILE_SAMPLES) + 1) * TILE_SAMPLES;

    return end < f->scene->now.hi[SAMPLES] ? end : f->scene->now.hi[SAMPLES];
}

static size_t n_blocks(size_t n_pixels)
{
    return (n_pixels + BLOCK_PIXELS - 1) / BLOCK_PIXELS;
}

static size_t strip_blocks(const pixel_source *f, int64_t strip)
{
    int64_t lines[2];
    size_t n = 0;

    xta__strip_lines(f->scene, strip, lines);
    for (int64_t s = f->scene->now.lo[SAMPLES]; s < f->scene->now.hi[SAMPLES]; s = tile_end(f, s)) {
        n += n_blocks((size_t)((lines[1] - lines[0]) * (tile_end(f, s) - s)));
    }
    return n;
}

static bool may_be_invalid(const pixel_source *f)
{
    return !f->scene->whole || f->scene->now.n_nodata > 0;
}

/* Half of the memory is for the strips of the scene and an eighth for segments; columns may use a
 * quarter. */
void xta__pixel_source_keep_columns(pixel_source *f, size_t n_columns)
{
    size_t first, end;
    uint64_t spare, blocks = 0;

    drop_kept(f);
    f->planned = true;
    if (f->scene == NULL || f->keep_nothing || f->scene->n_strips == 0) {
        return;
    }
    xta__own_pieces(f->scene, f->scene->n_strips, &first, &end);
    f->first_strip = f->scene->first_strip + (int64_t)first;
    for (size_t k = first; k < end; k++) {
        blocks += strip_blocks(f, f->scene->first_strip + (int64_t)k);
    }
    spare = f->scene->memory_bytes / 4;
    uint64_t block_bytes = BLOCK_PIXELS * (n_columns * sizeof(double) + may_be_invalid(f));
    if (blocks > 0 && spare / blocks < block_bytes) {
        return;
    }
    f->kept = calloc(end - first + 1, sizeof *f->kept);
    if (f->kept == NULL) {
        return;
    }
    f->n_strips = end - first;
    f->n_columns = n_columns;
    // If an allocation fails, the strip does without kept columns.
    spare -= blocks * block_bytes;
    for (size_t k = 0; k < f->n_strips; k++) {
        size_t n = strip_blocks(f, f->first_strip + (int64_t)k) * BLOCK_PIXELS;
        uint64_t points = (uint64_t)n * f->n_dims * sizeof(double);
        f->kept[k].columns = malloc(n * n_columns * sizeof(double));
        f->kept[k].valid = may_be_invalid(f) ? malloc(n) : NULL;
        if (may_be_invalid(f) && f->kept[k].valid == NULL) {
            free(f->kept[k].columns);
            f->kept[k].columns = NULL;
        }
        if (f->basis != NULL && points <= spare) {
            f->kept[k].points = malloc(points);
            spare -= points;
        }
    }
}

/* ---- one pixel ---- */

xta_status xta__pixel_source_spectrum(const pixel_source *f, int64_t line, int64_t sample,
                                      double *spectrum, xta_error *err)
{
    if (f->scene == NULL) {
        memcpy(spectrum, f->matrix + (size_t)line * f->n_dims, f->n_dims * sizeof *spectrum);
        return XTA_OK;
    }
    const int64_t lines[2] = {line, line + 1}, samples[2] = {sample, sample + 1};
    return xta_scene_read(f->scene, lines, samples, spectrum, NULL, err);
}

xta_status xta__pixel_source_point(const pixel_source *f, const double *spectrum, double *point,
                                   xta_error *err)
{
    if (f->basis == NULL) {
        memcpy(point, spectrum, f->n_dims * sizeof *point);
        return XTA_OK;
    }
    double *row = malloc(f->basis->n_bands * sizeof *row);
    if (row == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu bands", f->basis->n_bands);
    }
    xta__fixed_basis_apply(f->basis, spectrum, 1, row, point);
    free(row);
    return XTA_OK;
}

/* ---- a visit ---- */

typedef struct visiting {
    pixel_source *f;
    const pixel_visit *visit;
    int64_t first_strip;
    pthread_mutex_t lock;
} visiting;

/* What one strip needs while it is visited. */
typedef struct strip_work {
    visiting *v;
    void *user;
    kept_columns *kept; // NULL: nothing is kept of the strip
    int64_t lines[2];
    double *columns;      // columns of one block, if none are kept
    unsigned char *valid; // of a tile
    double *wide;         // a line of a tile as doubles
    size_t block;         // number of the block in the strip
    size_t pixel;
} strip_work;

static void tile_validity(const strip_work *w, const pixel_block *tile, size_t n_lines,
                          unsigned char *valid)
{
    const pixel_source *f = w->v->f;

    if (f->basis != NULL) {
        xta__points_valid(tile->cells, tile->line_bytes, n_lines, tile->width, tile->pixel_bytes,
                          valid);
        return;
    }
    for (size_t l = 0; l < n_lines; l++) {
        xta__scene_widen(f->scene, tile->cells + l * tile->line_bytes, tile->width, w->wide);
        xta__scene_valid(f->scene, w->wide, tile->width, valid + l * tile->width);
    }
}

/* Visit a tile block by block. `tile` holds what all blocks have in common. */
static void visit_tile(strip_work *w, const pixel_block *tile, size_t n_lines)
{
    const pixel_visit *visit = w->v->visit;
    size_t n_pixels = n_lines * tile->width;
    bool kept = w->kept != NULL && w->kept->columns != NULL;
    unsigned char *valid = NULL;

    if (may_be_invalid(w->v->f)) {
        valid = kept ? w->kept->valid + w->pixel : w->valid;
        if (!kept || !w->kept->filled) {
            tile_validity(w, tile, n_lines, valid);
        }
    }
    for (size_t at = 0; at < n_pixels; at += BLOCK_PIXELS) {
        pixel_block block = *tile;
        block.first = at;
        block.n = n_pixels - at < BLOCK_PIXELS ? n_pixels - at : BLOCK_PIXELS;
        block.valid = valid == NULL ? NULL : valid + at;
        block.columns =
            kept ? w->kept->columns + w->block * visit->n_columns * BLOCK_PIXELS : w->columns;
        block.blank = !kept || !w->kept->filled;
        visit->block(visit->user, w->user, &block);
        w->block++;
    }
    w->pixel += n_pixels;
}

/* Visit the tiles of samples [s0, s1). Lines of `cells` begin with sample cells_s0; NULL: visit
 * without cells. */
static void visit_samples(strip_work *w, int64_t s0, int64_t s1, const unsigned char *cells,
                          int64_t cells_s0, size_t cells_width)
{
    const pixel_source *f = w->v->f;
    size_t pixel_bytes = f->n_dims * xta_type_bytes(f->type);

    for (int64_t s = s0; s < s1; s = tile_end(f, s)) {
        pixel_block tile = {.line = w->lines[0],
                            .sample = s,
                            .width = (size_t)(tile_end(f, s) - s),
                            .line_bytes = cells_width * pixel_bytes,
                            .pixel_bytes = pixel_bytes};
        tile.cells = cells == NULL ? NULL : cells + (size_t)(s - cells_s0) * pixel_bytes;
        visit_tile(w, &tile, (size_t)(w->lines[1] - w->lines[0]));
    }
}

/* Read the cells or points of some samples, which begin with a tile, into a block of their own. */
static xta_status read_segment(strip_work *w, const int64_t samples[2], unsigned char *cells,
                               xta_error *err)
{
    const pixel_source *f = w->v->f;

    if (f->basis == NULL) {
        return xta__scene_cells(f->scene, w->lines, samples, f->scene->kept, cells, err);
    }
    return xta__points_read(f->basis, f->scene, w->lines, samples, (double *)(void *)cells,
                            (size_t)(samples[1] - samples[0]), err);
}

/* Visit the cells of a strip, a segment at a time. */
static xta_status visit_segments(strip_work *w, xta_error *err)
{
    const pixel_source *f = w->v->f;
    xta_scene *scene = f->scene;
    xta_status status = XTA_OK;
    size_t n_lines = (size_t)(w->lines[1] - w->lines[0]);
    size_t n_tiles = f->basis != NULL ? 1 : scene->segment_samples / TILE_SAMPLES;
    int64_t width = (int64_t)(n_tiles < 1 ? 1 : n_tiles) * TILE_SAMPLES;
    unsigned char *cells = malloc(n_lines * (size_t)width * f->n_dims * xta_type_bytes(f->type));

    if (cells == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: no memory for %zu lines of %" PRId64 " samples", scene->name,
                             n_lines, width);
    }
    for (int64_t s = scene->now.lo[SAMPLES]; s < scene->now.hi[SAMPLES] && status == XTA_OK;) {
        int64_t end = xta__floor_div(s, TILE_SAMPLES) * TILE_SAMPLES + width;
        const int64_t samples[2] = {s, end < scene->now.hi[SAMPLES] ? end : scene->now.hi[SAMPLES]};
        status = read_segment(w, samples, cells, err);
        if (status == XTA_OK) {
            visit_samples(w, samples[0], samples[1], cells, samples[0],
                          (size_t)(samples[1] - samples[0]));
        }
        s = samples[1];
    }
    free(cells);
    return status;
}

/* The points that are kept; they are computed at the first visit. */
static xta_status kept_points(strip_work *w, const unsigned char **cells, xta_error *err)
{
    pixel_source *f = w->v->f;
    xta_status status = XTA_OK;

    if (w->kept == NULL || w->kept->points == NULL) {
        return XTA_OK;
    }
    for (int64_t s = f->scene->now.lo[SAMPLES]; !w->kept->made && s < f->scene->now.hi[SAMPLES];
         s = tile_end(f, s)) {
        const int64_t samples[2] = {s, tile_end(f, s)};
        double *points = w->kept->points + (size_t)(s - f->scene->now.lo[SAMPLES]) * f->n_dims;
        status = xta__points_read(f->basis, f->scene, w->lines, samples, points, n_samples(f), err);
        if (status != XTA_OK) {
            return status;
        }
    }
    w->kept->made = true;
    *cells = (const unsigned char *)w->kept->points;
    return XTA_OK;
}

static xta_status visit_cells(strip_work *w, int64_t strip, xta_error *err)
{
    const pixel_source *f = w->v->f;
    const unsigned char *cells = NULL;
    int64_t lines[2];
    xta_status status = f->basis != NULL ? kept_points(w, &cells, err)
                                         : xta__strip_load(f->scene, strip, &cells, err);

    if (status != XTA_OK) {
        return status;
    }
    if (cells == NULL) {
        return visit_segments(w, err);
    }
    xta__strip_lines(f->scene, strip, lines);
    cells += (size_t)(w->lines[0] - lines[0]) * n_samples(f) * f->n_dims * xta_type_bytes(f->type);
    visit_samples(w, f->scene->now.lo[SAMPLES], f->scene->now.hi[SAMPLES], cells,
                  f->scene->now.lo[SAMPLES], n_samples(f));
    return XTA_OK;
}

static xta_status strip_begin(strip_work *w, xta_error *err)
{
    const pixel_source *f = w->v->f;
    const pixel_visit *visit = w->v->visit;
    bool kept = w->kept != NULL && w->kept->columns != NULL;
    size_t n_columns = visit->n_columns + 1;

    w->user = visit->strip_bytes > 0 ? calloc(1, visit->strip_bytes) : NULL;
    w->columns = kept ? NULL : malloc(n_columns * BLOCK_PIXELS * sizeof(double));
    w->valid = malloc(TILE_PIXELS);
    w->wide =
        f->scene == NULL ? NULL : malloc(TILE_SAMPLES * f->scene->now.n_bands * sizeof(double));
    if ((w->user == NULL && visit->strip_bytes > 0) || (w->columns == NULL && !kept) ||
        w->valid == NULL || (w->wide == NULL && f->scene != NULL)) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory to look at pixels with %zu columns",
                             visit->n_columns);
    }
    return XTA_OK;
}

static void strip_end(strip_work *w, bool good)
{
    const pixel_visit *visit = w->v->visit;

    if (good && visit->strip != NULL) {
        pthread_mutex_lock(&w->v->lock);
        visit->strip(visit->user, w->user);
        pthread_mutex_unlock(&w->v->lock);
    }
    free(w->user);
    free(w->columns);
    free(w->valid);
    free(w->wide);
}

static void matrix_blocks(strip_work *w)
{
    const pixel_source *f = w->v->f;
    size_t bytes = f->n_dims * sizeof(double);
    pixel_block block = {.width = 1,
                         .line_bytes = bytes,
                         .pixel_bytes = bytes,
                         .cells = (const unsigned char *)f->matrix,
                         .columns = w->columns,
                         .blank = true};

    for (size_t at = 0; at < f->n_rows; at += BLOCK_PIXELS) {
        block.first = at;
        block.n = f->n_rows - at < BLOCK_PIXELS ? f->n_rows - at : BLOCK_PIXELS;
        w->v->visit->block(w->v->visit->user, w->user, &block);
    }
}

static xta_status visit_strip(void *user, size_t piece, xta_error *err)
{
    visiting *v = user;
    pixel_source *f = v->f;
    strip_work w = {.v = v};
    int64_t strip = v->first_strip + (int64_t)piece;
    xta_status status;

    xta__strip_lines(f->scene, strip, w.lines);
    w.lines[0] = w.lines[0] > v->visit->lines.lo ? w.lines[0] : v->visit->lines.lo;
    w.lines[1] = w.lines[1] < v->visit->lines.hi ? w.lines[1] : v->visit->lines.hi;
    if (v->visit->kept && f->kept != NULL) {
        w.kept = &f->kept[strip - f->first_strip];
    }
    status = strip_begin(&w, err);
    if (status == XTA_OK) {
        bool cells = v->visit->with_cells || w.kept == NULL || !w.kept->filled;
        if (!cells) {
            visit_samples(&w, f->scene->now.lo[SAMPLES], f->scene->now.hi[SAMPLES], NULL, 0, 0);
        } else {
            status = visit_cells(&w, strip, err);
        }
    }
    if (status == XTA_OK && w.kept != NULL && w.kept->columns != NULL) {
        w.kept->filled = true;
    }
    strip_end(&w, status == XTA_OK);
    return status;
}

xta_status xta__pixel_source_visit(pixel_source *f, const pixel_visit *visit, xta_error *err)
{
    visiting v = {.f = f, .visit = visit};
    xta_status status;

    pthread_mutex_init(&v.lock, NULL);
    if (f->scene == NULL) {
        strip_work w = {.v = &v};
        status = strip_begin(&w, err);
        if (status == XTA_OK) {
            matrix_blocks(&w);
        }
        strip_end(&w, status == XTA_OK);
    } else {
        v.first_strip = strip_of(visit->lines.lo);
        size_t n = visit->lines.hi > visit->lines.lo
                       ? (size_t)(strip_of(visit->lines.hi - 1) + 1 - v.first_strip)
                       : 0;
        status = xta__run_pieces(f->scene, visit->what, n, visit_strip, &v, err);
        f->lines_read += visit->with_cells ? (uint64_t)(visit->lines.hi - visit->lines.lo) : 0;
    }
    pthread_mutex_destroy(&v.lock);
    return status;
}
