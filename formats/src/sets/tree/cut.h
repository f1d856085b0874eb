/* A file of which only selected cells are seen.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_CUT_H
#define XTA_FORMATS_SETS_CUT_H

#include "sets/tree/tree.h"

/* Cut dimensions and variables of a source that was opened to the cells that a text selects, as
 * xta_box_select takes it, by names of dimensions. Cells are numbered from 0 afterwards, and
 * xta__set_read takes these numbers. Dimensions without coordinates keep the origin that the file
 * says if a range is selected.
 *
 * A dimension of a group without coordinates is selected as that of the group around it, if both
 * have as many cells. Coordinates are those of the variable with the dimension's name.
 *
 * `joined`: the file goes into a data set with others. Then lists must ascend or descend; and if a
 * label or a range has no cell, *outside becomes true beside XTA_ENOENT: another file may have it.
 *
 * XTA_ENOENT: no such dimension, or no cell has a label; otherwise as xta_labels_select and
 * xta__set_read. After a failure the source can only be closed. */
xta_status xta__set_cut(set_source *source, const char *select, bool joined, bool *outside,
                        xta_error *err);

#endif
