/* Cells of a file beside those that a member has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_MERGE_CELLS_H
#define XTA_FORMATS_SETS_MERGE_CELLS_H

#include "sets/merge/merge_plan.h"

/* How cells that come are to those that are there. */
typedef enum merge_relation {
    MERGE_EQUAL,  /* all are equal */
    MERGE_FILLS,  /* some are fill values there, all others are equal */
    MERGE_DIFFERS /* some differ: `first` is the first of them */
} merge_relation;

/* Compare the cells of a box of the member. */
xta_status xta__merge_compare(set_merge *job, const merge_variable *v, const xta_box *box,
                              merge_relation *relation, int64_t first[XTA_MAX_NDIM],
                              xta_error *err);

/* Write a box of the member. `keep`: cells there that have no fill value stay as they are. */
xta_status xta__merge_write(set_merge *job, const merge_variable *v, const xta_box *box, bool keep,
                            xta_error *err);

/* Write the cells of a slab that is appended; for xta_member_cells. */
typedef struct merge_append {
    set_merge *job;
    const merge_variable *variable;
} merge_append;
xta_status xta__merge_append(void *user, xta_appending *appending, const xta_box *slab,
                             xta_error *err);

#endif
