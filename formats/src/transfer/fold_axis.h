/* One axis of the source that is several in the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_FOLD_AXIS_H
#define XTA_FORMATS_TRANSFER_FOLD_AXIS_H

#include "description/format.h"

typedef struct bridge_fold {
    int axis; /* the first of the parts; of the source, the axis itself */
    int n;    /* of parts; 0: nothing is folded */
    int64_t length[XTA_MAX_NDIM];
    int64_t stride[XTA_MAX_NDIM]; /* cells of the source's axis between neighbours on a part */
    int slow[XTA_MAX_NDIM];       /* parts, slowest first */
    bool same_order;              /* folded cells lie in memory as the source's do */
    xta_order order;              /* of memory */
    size_t cell_bytes;
    uint64_t memory_bytes; /* for what is read more than is wanted */
} bridge_fold;

/* Parse fold and names of axes from the options, and make the description that of the folded
 * source. */
xta_status xta__fold_axis(const xta_import_options *options, const char *source,
                          bridge_description *what, bridge_fold *fold, xta_error *err);
/* Read a box of the folded source. */
xta_status xta__fold_read(const bridge_fold *fold, const bridge_format *format, void *state,
                          const xta_box *box, void *cells, xta_error *err);

#endif
