/* Where the extremes are: a pass over the cells that compares each with its result's extremes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "stat_job.h"

#include <stdlib.h>
#include <string.h>

#include "kit/cells/slabs.h"

/* The pass. */
typedef struct place_search {
    cli_stat *stat;
    int64_t stride[XTA_MAX_NDIM]; // in the results, of each axis of the array; 0: reduced
    uint64_t n_left;              // extremes whose place is not known
} place_search;

/* Note the places of `n` cells in a row: cell k is number `number` + k of the box, and belongs to
 * result `result` + k * step. */
#define SEARCH_ROW(name, TYPE)                                                         \
    static void name(place_search *search, const void *row, uint64_t number, size_t n, \
                     size_t result, size_t step)                                       \
    {                                                                                  \
        const cli_stat *stat = search->stat;                                           \
        const TYPE *cells = row, *least = stat->least, *most = stat->most;             \
        for (size_t k = 0; k < n; k++) {                                               \
            size_t at = result + k * step;                                             \
            if (cells[k] == least[at] && stat->least_at[at] == STAT_NOWHERE &&         \
                stat->count[at] > 0) {                                                 \
                stat->least_at[at] = number + k;                                       \
                search->n_left--;                                                      \
            }                                                                          \
            if (cells[k] == most[at] && stat->most_at[at] == STAT_NOWHERE &&           \
                stat->count[at] > 0) {                                                 \
                stat->most_at[at] = number + k;                                        \
                search->n_left--;                                                      \
            }                                                                          \
        }                                                                              \
    }

SEARCH_ROW(search_reals, double)
SEARCH_ROW(search_signed, int64_t)
SEARCH_ROW(search_unsigned, uint64_t)

/* The number of the cell `at` of the box. */
static uint64_t number_of(const xta_box *box, const int64_t at[])
{
    uint64_t number = 0;

    for (int axis = 0; axis < box->ndim; axis++) {
        number = number * (uint64_t)(box->hi[axis] - box->lo[axis]) +
                 (uint64_t)(at[axis] - box->lo[axis]);
    }
    return number;
}

static void search_slab(place_search *search, const xta_box *slab, const uint8_t *cells)
{
    const cli_stat *stat = search->stat;
    const xta_box *box = &stat->box;
    int last = box->ndim - 1;
    size_t n = (size_t)(slab->hi[last] - slab->lo[last]), step = (size_t)search->stride[last];
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, slab->lo, sizeof at);
    for (int axis = 0; axis >= 0; cells += n * 8) {
        int64_t result = 0;
        for (int k = 0; k <= last; k++) {
            result += (at[k] - box->lo[k]) * search->stride[k];
        }
        uint64_t number = number_of(box, at);
        if (stat->wide == XTA_F64) {
            search_reals(search, cells, number, n, (size_t)result, step);
        } else if (stat->wide == XTA_I64) {
            search_signed(search, cells, number, n, (size_t)result, step);
        } else {
            search_unsigned(search, cells, number, n, (size_t)result, step);
        }
        for (axis = last - 1; axis >= 0 && ++at[axis] == slab->hi[axis]; axis--) {
            at[axis] = slab->lo[axis];
        }
    }
}

static void find_strides(place_search *search)
{
    const cli_stat *stat = search->stat;
    int64_t stride = 1;
    int reduced = stat->options.n_axes - 1;

    for (int axis = stat->box.ndim - 1; axis >= 0; axis--) {
        if (reduced >= 0 && stat->axes[reduced] == axis) {
            reduced--;
        } else {
            search->stride[axis] = stride;
            stride *= stat->box.hi[axis] - stat->box.lo[axis];
        }
    }
}

xta_status cli_stat_find_places(cli_stat *stat, cli_error *err)
{
    place_search search = {.stat = stat};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    cli_slabs slabs;
    xta_box slab;
    uint64_t n = 0;
    uint8_t *cells = NULL;
    xta_status status = XTA_OK;

    find_strides(&search);
    for (uint64_t k = 0; k < stat->n_results; k++) {
        stat->least_at[k] = stat->most_at[k] = STAT_NOWHERE;
        search.n_left += stat->count[k] > 0 ? 2 : 0;
    }
    io.type = stat->wide;
    XTA_TRY(cli_slabs_begin(&slabs, &stat->box, NULL, XTA_ROW, 8, CLI_BUFFER_BYTES));
    cells = malloc((size_t)cli_slabs_largest(&slabs) * 8 + 1);
    if (cells == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for cells", stat->name);
        goto done;
    }
    while (search.n_left > 0 && cli_slabs_next(&slabs, &slab, &n)) {
        XTA_TRY(xta_array_read(stat->array, &slab, &io, cells, &err->error));
        search_slab(&search, &slab, cells);
    }
done:
    free(cells);
    return status;
}
