/* Joining the lists of an axis, such as its coordinates, when arrays are put one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_TRANSFER_CONCAT_COORDINATES_H
#define XTA_TOOL_TRANSFER_CONCAT_COORDINATES_H

#include "kit/cli.h"

/* The axis along which arrays are put, in one of them, and a list of it in memory. All zeros but
 * path, lo and hi: no list. */
typedef struct cli_axis_list {
    const char *path;  // of the array
    int64_t lo, hi;    // its cells on the axis
    bool regular;      // computed from origin and step, which are in `rule`
    xta_type type;     // XTA_TEXT: lines, one for each cell
    size_t cell_bytes; // of a number
    size_t n_bytes;    // of `values`
    uint8_t *values;   // owned; NULL: the axis has no such list
    uint8_t rule[16];  // origin and step, of `type`
} cli_axis_list;

/* Names of attributes that are lists: coordinates first. NULL ends them. */
extern const char *const cli_axis_lists[];

/* Read the list `name` of an axis; regular coordinates are computed. list->path, lo and hi are set;
 * the rest is cleared by cli_axis_list_clear, also after a failure.
 * XTA_EBOX: it does not have an item for each cell. */
xta_status cli_axis_list_read(xta_array *array, int axis, const char *name, cli_axis_list *list,
                              cli_error *err);
void cli_axis_list_clear(cli_axis_list *list);

/* Order lists by their first value, ascending or, if they descend, descending: order[k] is the
 * number of the k-th. XTA_EARG: one has no list, or names; or some ascend and some descend. */
xta_status cli_axis_lists_sort(const cli_axis_list lists[], size_t n, size_t order[],
                               cli_error *err);

/* Join lists, in the order given, and set the result as the attribute `name` of an axis of `array`,
 * whose cells on it are these lists' one after the other. Regular coordinates stay regular if they
 * continue. `unique`: they are coordinates: no value occurs twice, and all together ascend or
 * descend if each of them does.
 * XTA_EARG: they do not; or types differ; or some arrays have no list. The text names value and
 * array. */
xta_status cli_axis_lists_join(const cli_axis_list lists[], size_t n, const char *name, bool unique,
                               xta_array *array, int axis, cli_error *err);

#endif
