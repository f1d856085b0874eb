/* Running the selections that some options ask for, over any field.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H

#include "endmembers/simplex/selection_trace.h"

/* Options with their defaults put in. */
typedef struct simplex_wish {
    size_t n;
    xta_simplex_method method;
    uint64_t seed;
    uint32_t n_restarts;
    uint32_t max_sweeps;
    bool keep_nothing;
    frozen *basis; // owned; NULL: none
} simplex_wish;

xta_status xta__wish_make(simplex_wish *wish, const xta_simplex_options *given, xta_error *err);
void xta__wish_clear(simplex_wish *wish);

/* One path for SGA and VCA, one for each run of N-FINDR. */
size_t xta__wish_paths(const simplex_wish *wish);
/* Paths of no steps; NULL: no memory. */
path *xta__paths_new(const simplex_wish *wish);
void xta__paths_free(path *paths, size_t n);

/* Collective over the field's scene. Run all selections along their paths; `s` has the field, the
 * bands and, in the end, how much was done. */
xta_status xta__wish_run(const simplex_wish *wish, selection *s, path *paths, xta_error *err);
/* The path with the most endmembers, then the largest volume, then (to 1e-9) the lowest number. */
size_t xta__paths_best(const path *paths, size_t n);

/* Room for n endmembers. Numbers are zero. */
xta_status xta__endmembers_make(xta_endmembers *e, size_t n, size_t n_bands, xta_error *err);
/* All of it but line, sample and spectra. */
xta_status xta__endmembers_of_paths(xta_endmembers *e, const simplex_wish *wish, const path *paths,
                                    size_t n_bands, xta_error *err);

#endif
