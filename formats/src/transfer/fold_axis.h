/* Folding: one axis of the source becomes several axes of the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_FOLD_AXIS_H
#define XTA_FORMATS_TRANSFER_FOLD_AXIS_H

#include "description/format.h"
#include "selected/selected_cells.h"

typedef struct bridge_fold {
    int axis; /* the first of the new axes; in the source, the folded axis */
    int n;    /* number of new axes; 0: no folding */
    int64_t length[XTA_MAX_NDIM];
    int64_t stride[XTA_MAX_NDIM]; /* cells of the source's axis between neighbours on a new axis */
    int slow[XTA_MAX_NDIM];       /* the new axes, slowest first */
    bool same_order;              /* folded cells have the same order in memory as the source's */
    xta_order order;              /* order in memory */
    size_t cell_bytes;
    uint64_t memory_bytes; /* for reading more than the requested cells */
} bridge_fold;

/* Parse fold and names of axes from the options, and change the description to that of the folded
 * source. */
xta_status xta__fold_axis(const xta_import_options *options, const char *source,
                          bridge_description *what, bridge_fold *fold, xta_error *err);
/* Read a box of the folded source. */
xta_status xta__fold_read(const bridge_fold *fold, const selected_source *source,
                          const xta_box *box, void *cells, xta_error *err);

#endif
