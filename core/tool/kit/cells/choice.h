/* Cells chosen by --box, by numbers, and --sel, by labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_CHOICE_H
#define XTA_CLI_CHOICE_H

#include <xta/select.h>

#include "kit/cells/cells.h"

/* Values of both options: the member `cells` of a verb's struct of options. */
typedef struct cli_choice {
    const char *box;
    const char *sel;
} cli_choice;

/* Entries of a verb's table of options; `what` is what the cells are for. */
#define CLI_CELLS(type, what)                                                                     \
    CLI_STRING(type, cells.box, "box", "LO:HI,...",                                               \
               what "; an omitted limit is that of the bounds, \":\" is a whole axis, \"3\" one " \
                    "coordinate"),                                                                \
        CLI_STRING(type, cells.sel, "sel", "AXIS=LABELS,...",                                     \
                   "the same by label, as in time=2015-01:2015-03,lat=40:50,lon=12.5~; beside "   \
                   "--box for axes that have \":\" there")

static inline bool cli_chosen(const cli_choice *choice)
{
    return choice->box != NULL || choice->sel != NULL;
}

/* A usage error if neither option is given. */
xta_status cli_need_cells(const cli_args *args, const cli_choice *choice, cli_error *err);

/* The cells of both options; without them all. `out` is for xta_selection_clear. An axis may be
 * chosen by one option alone. Limits of --box outside the bounds are left to the caller. */
xta_status cli_choose(const cli_choice *choice, xta_array *array, xta_selection *out,
                      cli_error *err);

/* The same as a box. Cells that do not follow each other are an error, which names the axis. */
xta_status cli_choose_box(const cli_choice *choice, xta_array *array, xta_box *box, cli_error *err);

/* For a verb that takes any cells. A box is `box`, and *array stays; of other cells *array is
 * replaced by an array in memory that has them alone, and `box` is its bounds. The former array is
 * closed. A box that leaves the bounds is refused. */
xta_status cli_choose_cells(const cli_choice *choice, xta_array **array, xta_box *box,
                            cli_error *err);

#endif
