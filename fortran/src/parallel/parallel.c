/* What module xta_parallel calls.
 *
 * Calls are collective: a rank whose arguments are refused here takes part in the call of the
 * library with a box that is refused there, so that no rank waits for it, and all get a failure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/parallel.h"

#include <stdlib.h>

#include "glue/fill.h"
#include "util/checked.h"
#include "util/try.h"

xta_status xtaf_parallel_open(MPI_Fint comm, const char *path, int writable, xta_parallel **out,
                              xta_error *err)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    options.writable = writable != 0;
    return xta_parallel_open(MPI_Comm_f2c(comm), path, &options, out, err);
}

xta_status xtaf_parallel_create(MPI_Fint comm, const char *path, int type, int ndim,
                                const int64_t shape[], const int64_t chunk[], const char *names,
                                const CFI_cdesc_t *fill, int cell_bytes, xta_parallel **out,
                                xta_error *err)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[XTA_MAX_NDIM] = {0}, chunks[XTA_MAX_NDIM];
    const char *split[XTA_MAX_NDIM] = {NULL};
    uint8_t cell[16];
    char *lines = names != NULL ? xta__strdup(names) : NULL;
    xta_status status = XTA_OK;

    // Arguments are the same on all ranks, so each of them refuses the same ones.
    if (ndim < 1 || ndim > XTA_MAX_NDIM) {
        XTA_TRY(
            xta_error_set(err, XTA_EARG, 0, "%s: %d axes; want 1 to %d", path, ndim, XTA_MAX_NDIM));
    }
    xta__fortran_reverse(ndim, shape, bounds);
    if (chunk != NULL) {
        xta__fortran_reverse(ndim, chunk, chunks);
        options.chunk = chunks;
    }
    if (lines != NULL) {
        XTA_TRY(xta__fortran_names(lines, ndim, split, err));
        options.names = split;
    }
    if (fill != NULL) {
        XTA_TRY(xta__fortran_fill(fill, (xta_type)type, cell_bytes, cell, &options.fill, err));
    }
    options.cell_bytes = (uint32_t)cell_bytes;
    status = xta_parallel_create(MPI_Comm_f2c(comm), path, (xta_type)type, ndim, bounds, &options,
                                 NULL, out, err);

done:
    free(lines);
    return status;
}

xta_status xtaf_parallel_change(xta_parallel *p, int number, int front, int64_t by, int shrink,
                                xta_error *err)
{
    xta_growth growth = {.axis = -1, .side = front ? XTA_FRONT : XTA_BACK, .by = by};

    // A number that is no axis leaves -1, which the library refuses on all ranks.
    (void)!xta__fortran_axis(xta_parallel_array(p), number, 1, &growth.axis, NULL);
    return shrink ? xta_parallel_shrink(p, &growth, 1, NULL, err)
                  : xta_parallel_extend(p, &growth, 1, NULL, err);
}

xta_status xtaf_parallel_refresh(xta_parallel *p, int *changed, xta_error *err)
{
    bool any = false;
    xta_status status = xta_parallel_refresh(p, &any, err);

    *changed = any;
    return status;
}

/* What this rank brings to a collective transfer. After a refusal it is a box that the library
 * refuses, too. Returns the refusal. */
static xta_status prepare(xta_parallel *p, const int64_t lower[], const int64_t steps[],
                          const CFI_cdesc_t *values, fortran_transfer *out, xta_error *err)
{
    xta_status status =
        xta__fortran_transfer(xta_parallel_array(p), values, lower, steps, out, err);

    if (status != XTA_OK) {
        out->options = (xta_io_options)XTA_IO_OPTIONS_INIT;
        out->box = xta_parallel_bounds(p);
        out->box.hi[0]++;
    }
    return status;
}

xta_status xtaf_parallel_read_all(xta_parallel *p, const int64_t lower[], const int64_t steps[],
                                  const CFI_cdesc_t *values, xta_error *err)
{
    fortran_transfer transfer;
    xta_error refused = {0};
    xta_status status = prepare(p, lower, steps, values, &transfer, &refused);
    xta_status all =
        xta_parallel_read_all(p, &transfer.box, &transfer.options, transfer.memory, err);

    return status != XTA_OK ? xta_error_set(err, status, 0, "%s", refused.text) : all;
}

xta_status xtaf_parallel_write_all(xta_parallel *p, const int64_t lower[], const int64_t steps[],
                                   const CFI_cdesc_t *values, xta_error *err)
{
    fortran_transfer transfer;
    xta_error refused = {0};
    xta_status status = prepare(p, lower, steps, values, &transfer, &refused);
    xta_status all =
        xta_parallel_write_all(p, &transfer.box, &transfer.options, transfer.memory, err);

    return status != XTA_OK ? xta_error_set(err, status, 0, "%s", refused.text) : all;
}
