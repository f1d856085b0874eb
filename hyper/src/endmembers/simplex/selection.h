/* A selection of endmembers: what it is to find, and how far it has come.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "endmembers/pixels/pixel_source.h"
#include "endmembers/pixels/winner.h"
#include "endmembers/simplex/selection_trace.h"

typedef struct selection {
    pixel_source *f;
    const int64_t *band; // band numbers for the entries of directions; NULL: 0, 1, 2 ...
    size_t n_wanted;
    size_t max_sweeps;
    bool exchange;
    selection_trace *p;
    size_t at;       // steps done so far
    size_t n_chosen; // pixels chosen so far
    uint64_t n_kept, n_scanned;
    // The pixels whose products are in the kept columns; found is 0 for none.
    winner centre;
    winner *column;
} selection;

#endif
