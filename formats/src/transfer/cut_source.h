/* Selected cells of a source of one array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_TRANSFER_CUT_SOURCE_H
#define XTA_FORMATS_TRANSFER_CUT_SOURCE_H

#include "description/format.h"
#include "selected/selected_cells.h"

/* All zeros: nothing is cut. */
typedef struct bridge_cut {
    bool any;
    bool is_cut[XTA_MAX_NDIM];
    selected_cells cells[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM]; /* of the source */
    selected_source source;      /* its pointers lead to what is above */
} bridge_cut;

/* Cut a source that was opened to options->select and options->box: its bounds, what it has for
 * each cell of an axis, and its georeference. `origin`, where its first cell is as it says itself,
 * becomes that of the first selected cell: cells of a box keep their numbers, as copies do; on axes
 * that labels select they are counted from 0, unless the source says where they are and a range is
 * selected. The cut must not be moved afterwards, and is for xta__cut_clear, also after a failure.
 *
 * XTA_EUNSUPPORTED: labels, and the format has no coordinates. XTA_ENOENT: no such axis.
 * XTA_EBOX: the box leaves the bounds. XTA_EARG: an axis is cut twice. Otherwise as
 * xta_labels_select. */
xta_status xta__cut_source(const xta_import_options *options, const bridge_format *format,
                           const char *path, void *state, bridge_description *what,
                           int64_t origin[], bridge_cut *cut, xta_error *err);
void xta__cut_clear(bridge_cut *cut);

#endif
