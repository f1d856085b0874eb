/* What the files that make a scene share: scene*.c, scan.c, pool.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCENE_PRIVATE_H
#define XTA_HYPER_SCENE_SCENE_PRIVATE_H

#include <stdatomic.h>

#include <xta/attribute.h>

#include "hyper.h"

/* Which axis of the array is what; the third is -1 where there is none for bands. */
enum { LINES = 0, SAMPLES = 1, BANDS = 2 };

/* Bands in use that lie together in the array: `n` from coordinate `band` on. */
typedef struct band_run {
    int64_t band;
    size_t first; // its place among the bands in use
    size_t n;
} band_run;

/* A strip that is kept: cells (line, sample, band in use) of the type scene->kept. */
typedef struct kept_strip {
    _Atomic(unsigned char *) cells; // NULL: not there
    int64_t lines[2];               // of it within the bounds at the last refresh
} kept_strip;

/* What a look at the array showed. */
typedef struct scene_sight {
    int64_t lo[3], hi[3];
    double *nodata; // of the array and the caller, as cells of the array's type would have it
    size_t n_nodata;
    size_t n_bands;
    int64_t *band;
    double *wavelength; // NULL: none
    char unit[64];
    double *gain, *offset; // of each band in use, to be physical; NULL: not known
    double scale;          // reflectance scale factor; 0: none
    band_run *runs;
    size_t n_runs;
    int64_t anchor;
    double *shift;
    uint64_t signature;
} scene_sight;

struct xta_scene {
    // What it is made of; never changes.
    xta_array *array; // NULL: a source
    xta_scene_source source;
    char *name;
    int ndim;
    int axis[3];
    xta_type type;
    xta_type kept; // how cells are held in strips: the array's type if it is narrow, else XTA_F64
    const xta_team *team;
    int n_threads;
    uint64_t memory_bytes;
    xta_hyper_progress *progress;
    void *progress_user;
    int64_t *use; // NULL: all good ones
    size_t n_use;
    bool bad_bands_too;
    double *asked_nodata;
    size_t n_asked_nodata;

    bool whole;
    scene_sight now; // at the last look

    // Strips in memory.
    int64_t first_strip;
    size_t n_strips;
    kept_strip *strips;
    _Atomic uint64_t kept_bytes;
    uint64_t most_kept_bytes;
    size_t segment_samples; // what is read at once where a strip is not kept; whole tiles
};

static inline int64_t xta__floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* ---- scene_axes.c ---- */

/* Decide which axis is what. */
xta_status xta__scene_axes(xta_scene *scene, const xta_scene_options *options, xta_error *err);

/* ---- scene_bands.c ---- */

/* Read attributes and the anchor line within the bounds in scene->now, and decide on the rest of
 * it.
 */
xta_status xta__scene_decide(xta_scene *scene, xta_error *err);
void xta__sight_clear(scene_sight *sight);
/* An attribute of the array or an axis; *there is false if it has none of this name. */
xta_status xta__scene_attribute(const xta_scene *scene, int axis, const char *name,
                                xta_attribute *a, bool *there, xta_error *err);

/* ---- scene_scale.c ---- */

/* Read how cells become reflectances or other physical values, for the bands in use. */
xta_status xta__scene_scale(xta_scene *scene, xta_error *err);

/* ---- scene_cells.c ---- */

/* Cells of the bands in use, (line, sample, band), as `type`: XTA_F64, or the kept type. */
xta_status xta__scene_cells(xta_scene *scene, const int64_t lines[2], const int64_t samples[2],
                            xta_type type, void *cells, xta_error *err);
/* Bytes of a pixel in the kept type. */
size_t xta__scene_kept_pixel(const xta_scene *scene);
/* n pixels of the kept type as doubles, and which are valid. */
void xta__scene_widen(const xta_scene *scene, const unsigned char *cells, size_t n, double *pixels);
/* Which of n pixels are valid; how many. */
size_t xta__scene_valid(const xta_scene *scene, const double *pixels, size_t n,
                        unsigned char *valid);

/* ---- scene_strips.c ---- */

/* Plan what is kept within the memory limit. XTA_EARG if not even tiles fit. */
xta_status xta__strips_plan(xta_scene *scene, xta_error *err);
/* After a refresh: keep what is still right. `same` tells whether the signature is. */
xta_status xta__strips_renew(xta_scene *scene, bool same, xta_error *err);
void xta__strips_clear(xta_scene *scene);
/* The strip from memory, or NULL if it is not there; *cells then is its first pixel in the bounds,
 * which is that of line max(strip * TILE_LINES, lo) and the first sample. */
const unsigned char *xta__strip_kept(const xta_scene *scene, int64_t strip);
/* As xta__strip_kept, and read it if there is room; *cells stays NULL if there is none. */
xta_status xta__strip_take(xta_scene *scene, int64_t strip, const unsigned char **cells,
                           xta_error *err);
/* The lines of a strip that are within the bounds. */
void xta__strip_lines(const xta_scene *scene, int64_t strip, int64_t lines[2]);

/* ---- scene.c ---- */

/* Tell how far it is; XTA_ECANCELLED if that is enough. For one thread of a member. */
xta_status xta__scene_progress(xta_scene *scene, const char *what, uint64_t done, uint64_t total,
                               xta_error *err);

#endif
