/* What a scene is inside: for the files of this folder, and for selections, which read strips.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCENE_PRIVATE_H
#define XTA_HYPER_SCENE_SCENE_PRIVATE_H

#include <stdatomic.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

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
typedef struct scene_snapshot {
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
} scene_snapshot;

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
    scene_snapshot now; // at the last look

    // Strips in memory.
    int64_t first_strip;
    size_t n_strips;
    kept_strip *strips;
    _Atomic uint64_t kept_bytes;
    uint64_t most_kept_bytes;
    size_t segment_samples; // what is read at once where a strip is not kept; whole tiles
};

#endif
