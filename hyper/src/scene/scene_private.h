/* The internals of a scene: for the files of this folder, and for selections, which read strips.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_SCENE_PRIVATE_H
#define XTA_HYPER_SCENE_SCENE_PRIVATE_H

#include <stdatomic.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* The roles of axes, in xta_scene.axis; axis[BANDS] is -1 if there is no axis of bands. */
enum { LINES = 0, SAMPLES = 1, BANDS = 2 };

/* Bands in use that are adjacent in the array: `n` from coordinate `band` on. */
typedef struct band_run {
    int64_t band;
    size_t first; // its position among the bands in use
    size_t n;
} band_run;

/* A strip in memory: cells (line, sample, band in use) of the type scene->kept. */
typedef struct kept_strip {
    _Atomic(unsigned char *) cells; // NULL: not in memory
    int64_t lines[2];               // its lines within the bounds at the last refresh
    uint64_t bytes;                 // of its cells
} kept_strip;

/* What the array and its attributes said at a refresh. */
typedef struct scene_snapshot {
    int64_t lo[3], hi[3];
    double *nodata; // given by the array and the caller, as cells of the array's type hold them
    size_t n_nodata;
    size_t n_bands;
    int64_t *band;
    double *wavelength; // NULL: none
    char unit[64];
    double *gain, *offset; // of each band in use, to get physical values; NULL: not known
    double scale;          // reflectance scale factor; 0: none
    band_run *runs;
    size_t n_runs;
    int64_t anchor;
    double *shift;
    uint64_t signature;
} scene_snapshot;

struct xta_scene {
    // Set when the scene is opened.
    xta_array *array; // NULL: a source
    xta_scene_source source;
    char *name;
    int ndim;
    int axis[3];
    xta_type type;
    xta_type kept; // type of cells in strips: the array's type if it is narrow, else XTA_F64
    const xta_communicator *communicator;
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
    scene_snapshot now; // at the last refresh

    // Strips in memory.
    int64_t first_strip;
    size_t n_strips;
    kept_strip *strips;
    _Atomic uint64_t kept_bytes;
    uint64_t most_kept_bytes;
    size_t segment_samples; // samples read at once where a strip is not kept; whole tiles
};

#endif
