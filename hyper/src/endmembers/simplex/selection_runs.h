/* Running the selections that some options ask for, over any field.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/endmembers.h>

#include "endmembers/simplex/selection.h"

/* Options with their defaults put in. */
typedef struct simplex_spec {
    size_t n;
    xta_simplex_method method;
    uint64_t seed;
    uint32_t n_restarts;
    uint32_t max_sweeps;
    bool keep_nothing;
    fixed_basis *basis; // owned; NULL: none
} simplex_spec;

xta_status xta__simplex_spec_init(simplex_spec *spec, const xta_simplex_options *given,
                                  xta_error *err);
void xta__simplex_spec_clear(simplex_spec *spec);

/* One path for SGA and VCA, one for each run of N-FINDR. */
size_t xta__simplex_spec_traces(const simplex_spec *spec);
/* Paths of no steps; NULL: no memory. */
selection_trace *xta__traces_new(const simplex_spec *spec);
void xta__traces_free(selection_trace *traces, size_t n);

/* Collective over the field's scene. Run all selections along their paths; `s` has the field, the
 * bands and, in the end, how much was done. */
xta_status xta__simplex_run(const simplex_spec *spec, selection *s, selection_trace *traces,
                            xta_error *err);
/* The path with the most endmembers, then the largest volume, then (to 1e-9) the lowest number. */
size_t xta__traces_best(const selection_trace *traces, size_t n);

/* Room for n endmembers. Numbers are zero. */
xta_status xta__endmembers_init(xta_endmembers *e, size_t n, size_t n_bands, xta_error *err);
/* All of it but line, sample and spectra. */
xta_status xta__endmembers_of_traces(xta_endmembers *e, const simplex_spec *spec,
                                     const selection_trace *traces, size_t n_bands, xta_error *err);

#endif
