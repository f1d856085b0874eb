/* Cells chosen by --box and --sel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/cells/choice.h"

#include <string.h>

#include "kit/open.h"
#include "kit/options.h"
#include "kit/parse.h"

/* The most that lists and steps gather in memory. */
#define MOST_BYTES ((uint64_t)1 << 30)

xta_status cli_need_cells(const cli_args *args, const cli_choice *choice, cli_error *err)
{
    return cli_chosen(choice) ? XTA_OK : cli_need(args, "box", err);
}

/* The name of an axis, or its number. */
static const char *axis_text(xta_array *array, int axis, char text[16])
{
    const char *name = xta_axis_name(array, axis);

    snprintf(text, 16, "%d", axis);
    return name[0] != '\0' ? name : text;
}

/* Whether the interval of an axis is ":". */
static bool is_whole(const char *box, int axis)
{
    for (; axis > 0; axis--) {
        box = strchr(box, ',') + 1;
    }
    return box[0] == ':' && (box[1] == ',' || box[1] == '\0');
}

/* Add a box to what --sel has chosen. */
static xta_status add_box(const char *text, xta_array *array, xta_selection *s, cli_error *err)
{
    const xta_box bounds = xta_array_bounds(array);
    char number[16];
    xta_box box;
    xta_status status = cli_parse_box(text, &bounds, &box, err);

    for (int axis = 0; axis < box.ndim && status == XTA_OK; axis++) {
        if (s->named[axis] && !is_whole(text, axis)) {
            return cli_usage(
                err,
                "axis %s is chosen by --box and by --sel; write \":\" for it in --box, "
                "or leave it out of --sel",
                axis_text(array, axis, number));
        }
        if (!s->named[axis]) {
            s->box.lo[axis] = box.lo[axis];
            s->box.hi[axis] = box.hi[axis];
        }
    }
    return status;
}

xta_status cli_choose(const cli_choice *choice, xta_array *array, xta_selection *out,
                      cli_error *err)
{
    xta_status status = XTA_OK;

    *out = (xta_selection){.box = xta_array_bounds(array)};
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        out->step[axis] = 1;
    }
    if (choice->sel != NULL) {
        XTA_TRY(xta_box_select(array, choice->sel, out, &err->error));
    }
    if (choice->box != NULL) {
        XTA_TRY(add_box(choice->box, array, out, err));
    }
done:
    if (status != XTA_OK) {
        xta_selection_clear(out);
    }
    return status;
}

/* The first axis whose cells do not follow each other; -1: none, it is a box. */
static int scattered_axis(const xta_selection *s)
{
    for (int axis = 0; axis < s->box.ndim; axis++) {
        if (!xta_selection_is_box(s, axis)) {
            return axis;
        }
    }
    return -1;
}

xta_status cli_choose_box(const cli_choice *choice, xta_array *array, xta_box *box, cli_error *err)
{
    xta_selection s;
    char number[16];
    xta_status status = XTA_OK;

    XTA_TRY(cli_choose(choice, array, &s, err));
    *box = s.box;
    int axis = scattered_axis(&s);
    if (axis >= 0) {
        status = cli_usage(err,
                           "--sel: axis %s: a list or a step, and this command takes only cells "
                           "that follow each other; give a range A:B, or make an array of these "
                           "cells with xta copy A B --sel ...",
                           axis_text(array, axis, number));
    }
    xta_selection_clear(&s);
done:
    return status;
}

xta_status cli_choose_cells(const cli_choice *choice, xta_array **array, xta_box *box,
                            cli_error *err)
{
    const xta_box bounds = xta_array_bounds(*array);
    xta_selection s;
    xta_array *gathered = NULL;
    xta_status status = XTA_OK;

    *box = bounds;
    if (!cli_chosen(choice)) {
        return XTA_OK;
    }
    XTA_TRY(cli_choose(choice, *array, &s, err));
    *box = s.box;
    status = cli_check_box(xta_array_path(*array), &bounds, box, err);
    if (status == XTA_OK && scattered_axis(&s) >= 0) {
        status = xta_array_select(*array, &s, MOST_BYTES, &gathered, &err->error);
    }
    if (gathered != NULL) {
        *box = xta_array_bounds(gathered);
        status = cli_close(*array, status, err);
        *array = gathered;
    }
    xta_selection_clear(&s);
done:
    return status;
}
