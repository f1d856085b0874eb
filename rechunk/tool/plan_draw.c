/* Plans as pictures.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan_draw.h"

#include <inttypes.h>

#include <xta/picture.h>

/* Parse the number of an axis; axes of a plan have no names. */
static xta_status parse_axis(const char *text, const char *what, int ndim, int *axis,
                             cli_error *err)
{
    int64_t number = 0;
    xta_status status = cli_parse_int(text, what, &number, err);

    if (status == XTA_OK && (number < 0 || number >= ndim)) {
        return cli_usage(err, "%s: there is no axis %" PRId64 "; want 0 to %d", what, number,
                         ndim - 1);
    }
    *axis = (int)number;
    return status;
}

xta_status cli_plan_draw(const xta_rechunk_problem *problem, const xta_rechunk_plan *plan,
                         const cli_plan_style *style, const char *path, cli_error *err)
{
    xta_plan_options options = XTA_PLAN_OPTIONS_INIT;
    int ndim = problem->bounds.ndim;
    int rows = 0, columns = 0;
    xta_status status = XTA_OK;

    if (style != NULL && style->rows != NULL) {
        XTA_TRY(parse_axis(style->rows, "--rows", ndim, &rows, err));
        options.rows = &rows;
    }
    if (style != NULL && style->columns != NULL) {
        XTA_TRY(parse_axis(style->columns, "--columns", ndim, &columns, err));
        options.columns = &columns;
    }
    options.title = style != NULL ? style->title : NULL;
    XTA_TRY(xta_picture_plan(problem, plan, &options, path, &err->error));
done:
    return status;
}
