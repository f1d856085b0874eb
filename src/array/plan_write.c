/* How a write of a box would go, for whoever wants to see it before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/transfer.h"

#include <assert.h>
#include <xta/io_plan.h>

static_assert((int)XTA_IO_STREAM == (int)XTA__BY_STREAM && (int)XTA_IO_ROWS == (int)XTA__BY_ROWS &&
                  (int)XTA_IO_IN_PLACE == (int)XTA__IN_PLACE &&
                  (int)XTA_IO_IN_PLACE_RESERVED == (int)XTA__IN_PLACE_RESERVED &&
                  (int)XTA_IO_CACHE == (int)XTA__BY_CACHE,
              "methods have one number, here and in the public header");

static void add_part(xta_io_share *share, const xta__rows *rows)
{
    share->n_chunks++;
    share->n_rows += rows->n;
    share->n_bytes += rows->n * rows->bytes;
}

static void count_part(void *user, const xta__transfer_call *t, uint64_t address,
                       const xta__part *p)
{
    xta_io_plan *plan = user;
    xta__rows rows;
    xta__method method = xta__method_of_part(t, address, p, &rows);

    rows = xta__rows_of_part(t, p);
    add_part(&plan->total, &rows);
    add_part(&plan->by_method[method], &rows);
    plan->n_whole += p->whole;
}

xta_status xta_array_plan_write(xta_array *array, const xta_box *box, const xta_io_options *options,
                                xta_io_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_io_options own;

    *plan = (xta_io_plan){0};
    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__take_io_options(&options, &own, err));
    xta_box bounds = xta__structure_bounds(xta__structure_of(array));
    XTA_TRY(xta__check_box(array, box, &bounds, err));
    XTA_TRY(xta__check_options(array, box->ndim, options, err));
    XTA_TRY(xta__each_part(array, box, options, count_part, plan, err));

done:
    return status;
}

const char *xta_io_method_name(xta_io_method method)
{
    return xta__method_name((xta__method)method);
}
