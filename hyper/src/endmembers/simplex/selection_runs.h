/* Running the selections that some options ask for, over any source of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/endmembers.h>

#include "endmembers/simplex/selection.h"

/* Options with the defaults filled in. */
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

/* How many traces there are: one for SGA and VCA, one for each run of N-FINDR. */
size_t xta__simplex_spec_traces(const simplex_spec *spec);
/* Traces without steps; NULL if out of memory. */
selection_trace *xta__traces_new(const simplex_spec *spec);
void xta__traces_free(selection_trace *traces, size_t n);

/* Collective over the members of the scene. Run all selections along their traces. The caller sets
 * the source and the bands of `s`; at the end it says how many steps were kept and scanned. */
xta_status xta__simplex_run(const simplex_spec *spec, selection *s, selection_trace *traces,
                            xta_error *err);
/* The trace with the most endmembers, then with the largest volume, then (volumes within 1e-9) the
 * first. */
size_t xta__traces_best(const selection_trace *traces, size_t n);

/* Fill in all but line, sample and spectra. */
xta_status xta__endmembers_of_traces(xta_endmembers *e, const simplex_spec *spec,
                                     const selection_trace *traces, size_t n_bands, xta_error *err);

#endif
