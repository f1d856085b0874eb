/* Results of one piece: group after group is folded, turned into values, and written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/plan.h"
#include "util/checked.h"
#include "util/try.h"

const char *xta_reduce_statistic_name(xta_reduce_statistic statistic)
{
    static const char *const names[XTA_REDUCE_STATISTICS] = {"count", "sum", "mean",
                                                             "min",   "max", "var"};

    return (unsigned)statistic < XTA_REDUCE_STATISTICS ? names[statistic] : "?";
}

xta_type xta_reduce_result_type(xta_reduce_statistic statistic, xta_type type)
{
    const xta__kernels *kernels = xta__kernels_of(type);
    char kind = kernels != NULL ? kernels->kind : 'f';

    switch (statistic) {
    case XTA_REDUCE_COUNT:
        return XTA_U64;
    case XTA_REDUCE_SUM:
        return kind == 'f' ? XTA_F64 : kind == 'i' ? XTA_I64 : XTA_U64;
    case XTA_REDUCE_MIN:
    case XTA_REDUCE_MAX:
        return type == XTA_BOOL ? XTA_U8 : type;
    default:
        return XTA_F64;
    }
}

void xta__no_value(xta_reduce_statistic statistic, xta_type type, uint8_t cell[8])
{
    xta_type result = xta_reduce_result_type(statistic, type);
    const xta__kernels *kernels = xta__kernels_of(result);
    double none = (double)NAN;
    size_t bad;

    memset(cell, 0, 8);
    if (statistic == XTA_REDUCE_COUNT) {
        return;
    }
    switch (kernels->kind) {
    case 'f':
        (void)!xta_type_convert(XTA_F64, &none, result, cell, 1, &bad);
        return;
    case 'i': {
        uint8_t other[8];
        kernels->range_begin(other, cell, 1); // what any cell replaces as the greatest
        return;
    }
    default: {
        uint8_t other[8];
        kernels->range_begin(cell, other, 1);
        return;
    }
    }
}

/* ---- values ---- */

/* How many coordinates of the reduced axes belong to a group. */
static uint64_t cells_of_group(const xta__reduction *r, size_t group)
{
    uint64_t n = 1;

    for (int k = 0; k < r->n_reduced; k++) {
        const xta__slot_axis *axis = &r->reduced[k];
        uint64_t length = (uint64_t)(axis->hi - axis->lo);
        if (k == r->grouped) {
            length = r->group_cells[group];
        }
        n *= length;
    }
    return n;
}

/* One result cell: what was folded, and how many cells count. */
typedef struct result_cell {
    const xta__folded *folded;
    size_t k;
    uint64_t count;
    bool is_nan; // by propagation
} result_cell;

static void real_value(double v, bool none, uint8_t *out)
{
    v = none || v != v ? (double)NAN : v;
    memcpy(out, &v, sizeof v);
}

/* False if the sum leaves 64 bits. */
static bool exact_value(xta__exact sum, char kind, uint8_t *out)
{
    const int64_t i = (int64_t)sum;
    const uint64_t u = (uint64_t)sum;

    memcpy(out, &u, sizeof u);
    return kind == 'i' ? i == sum : u == sum;
}

/* The least or greatest, of floats without the sign of a zero. */
static void range_value(const xta__reduction *r, const uint8_t *cell, uint8_t *out)
{
    float single = 0;
    double v = 0;
    size_t bad;

    if (r->info.type == XTA_F64) {
        memcpy(&v, cell, sizeof v);
        v = v == 0 ? 0 : v;
        memcpy(out, &v, sizeof v);
    } else if (r->kernels->kind == 'f') {
        memcpy(&single, cell, sizeof single);
        single = single == 0 ? 0 : single;
        (void)!xta_type_convert(XTA_F32, &single, r->info.type, out, 1, &bad);
    } else {
        memcpy(out, cell, r->info.cell_bytes);
    }
}

/* Where the values of a statistic go, and what does not depend on the cell. */
typedef struct result_values {
    xta_reduce_statistic statistic;
    size_t bytes; // of a value
    uint8_t none[8];
    uint8_t *out;
} result_values;

/* Write the value of a statistic; XTA_ERANGE without a text if it does not fit. */
static xta_status value_of(const xta__reduction *r, const result_values *values,
                           const result_cell *c, uint8_t *out)
{
    bool few = c->count < r->options.min_count;
    bool nothing = few || c->count == 0 || c->is_nan;

    switch (values->statistic) {
    case XTA_REDUCE_COUNT:
        memcpy(out, &c->count, sizeof c->count);
        break;
    case XTA_REDUCE_SUM:
        if (few) {
            memcpy(out, values->none, sizeof values->none);
        } else if (!exact_value(c->folded->exact[c->k], r->kernels->kind, out)) {
            return XTA_ERANGE;
        }
        break;
    case XTA_REDUCE_MEAN:
        real_value(nothing ? 0 : (double)c->folded->exact[c->k] / (double)c->count, nothing, out);
        break;
    case XTA_REDUCE_VAR: {
        uint64_t ddof = r->options.ddof;
        nothing = nothing || c->count <= ddof;
        real_value(nothing ? 0 : c->folded->moments[c->k].m2 / (double)(c->count - ddof), nothing,
                   out);
        break;
    }
    default:
        if (nothing) {
            memcpy(out, values->none, values->bytes);
        } else {
            bool least = values->statistic == XTA_REDUCE_MIN;
            size_t cell = xta_type_bytes(r->kernels->type);
            range_value(r, (least ? c->folded->least : c->folded->most) + c->k * cell, out);
        }
        break;
    }
    return XTA_OK;
}

/* The sums or means of n floats' result cells, each of which has `cells` input cells. */
static void real_sums(const xta__reduction *r, const xta__folded *folded, uint64_t cells, bool mean,
                      size_t n, double *out)
{
    uint64_t least = r->options.min_count;
    bool propagate = r->options.propagate_nan;

    least = mean && least == 0 ? 1 : least;
    for (size_t k = 0; k < n; k++) {
        uint64_t count = cells - folded->excluded[k];
        bool none = count < least || (propagate && folded->excluded[k] > folded->n_missing[k]);
        double v = mean && count > 0 ? folded->sum[k] / (double)count : folded->sum[k];
        out[k] = none || v != v ? (double)NAN : v;
    }
}

/* ---- writing ---- */

/* The box of some groups of a piece in the result, and how the cells lie in memory: kept cells in
 * row order, group after group. */
static xta_box result_box(const xta__reduction *r, const xta_box *piece, size_t group,
                          size_t n_groups, size_t cell, int64_t strides[])
{
    int64_t stride = (int64_t)cell;
    xta_box box = {.ndim = 0};

    for (int axis = 0; axis < r->info.ndim; axis++) {
        int k = r->reduced_of[axis];
        if (k >= 0 && k != r->grouped) {
            continue;
        }
        box.lo[box.ndim] = k < 0 ? piece->lo[axis] : r->first_group + (int64_t)group;
        box.hi[box.ndim] = k < 0 ? piece->hi[axis] : box.lo[box.ndim] + (int64_t)n_groups;
        strides[box.ndim++] = k < 0 ? 0 : -1;
    }
    if (box.ndim == 0) {
        box.hi[box.ndim] = 1;
        strides[box.ndim++] = 0;
    }
    int grouped = -1;
    for (int k = box.ndim - 1; k >= 0; k--) {
        if (strides[k] < 0) {
            grouped = k;
            continue;
        }
        strides[k] = stride;
        stride *= box.hi[k] - box.lo[k];
    }
    if (grouped >= 0) {
        strides[grouped] = stride;
    }
    return box;
}

static xta_status write_groups(const xta__reduction *r, const xta_box *piece, size_t group,
                               size_t n_groups, const xta__results *results, uint8_t *const cells[],
                               xta_error *err)
{
    xta_status status = XTA_OK;

    for (int s = 0; status == XTA_OK && s < results->n; s++) {
        int64_t strides[XTA_MAX_NDIM];
        xta_type type = xta_reduce_result_type(results->statistics[s], r->info.type);
        xta_io_options io = XTA_IO_OPTIONS_INIT;
        xta_box box = result_box(r, piece, group, n_groups, xta_type_bytes(type), strides);
        io.strides = strides;
        io.threads = 1;
        status = xta_array_write(results->arrays[s], &box, &io, cells[s], err);
    }
    return status;
}

static xta_status refuse_sum(const xta__reduction *r, const xta_box *piece, size_t group, size_t k,
                             xta_error *err)
{
    int64_t strides[XTA_MAX_NDIM];
    xta_box box = result_box(r, piece, group, 1, 1, strides);
    char text[XTA_MAX_NDIM * 24];
    size_t n = 0;

    for (int axis = 0; axis < box.ndim; axis++) {
        int64_t length = box.hi[axis] - box.lo[axis];
        int64_t at = box.lo[axis] + (int64_t)k / strides[axis] % length;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%" PRId64, axis > 0 ? "," : "", at);
    }
    return xta__fail(err, XTA_ERANGE, 0,
                     "%s: the sum of result cell %s leaves the range of %s; take the mean, or "
                     "reduce fewer cells",
                     xta__reduction_name(r), text,
                     xta_type_name(xta_reduce_result_type(XTA_REDUCE_SUM, r->info.type)));
}

/* The values of one statistic of one group. */
static xta_status statistic_values(const xta__reduction *r, const xta_box *piece, size_t group,
                                   size_t n_kept, const xta__folded *folded,
                                   const result_values *values, xta_error *err)
{
    uint64_t n = cells_of_group(r, group);
    bool mean = values->statistic == XTA_REDUCE_MEAN;

    if (r->kernels->kind == 'f' && (mean || values->statistic == XTA_REDUCE_SUM)) {
        real_sums(r, folded, n, mean, n_kept, (double *)(void *)values->out);
        return XTA_OK;
    }
    for (size_t k = 0; k < n_kept; k++) {
        uint64_t n_nan = folded->excluded[k] - folded->n_missing[k];
        result_cell c = {.folded = folded, .k = k, .count = n - folded->excluded[k]};
        c.is_nan = r->options.propagate_nan && n_nan > 0;
        if (value_of(r, values, &c, values->out + k * values->bytes) != XTA_OK) {
            return refuse_sum(r, piece, group, k, err);
        }
    }
    return XTA_OK;
}

/* The values of one group of a piece. */
static xta_status group_values(const xta__reduction *r, const xta_box *piece, size_t group,
                               size_t n_kept, const xta__folded *folded,
                               const xta__results *results, uint8_t *const cells[], size_t at,
                               xta_error *err)
{
    xta_status status = XTA_OK;

    for (int s = 0; status == XTA_OK && s < results->n; s++) {
        result_values values = {.statistic = results->statistics[s]};
        values.bytes = xta_type_bytes(xta_reduce_result_type(values.statistic, r->info.type));
        values.out = cells[s] + at * values.bytes;
        xta__no_value(values.statistic, r->info.type, values.none);
        status = statistic_values(r, piece, group, n_kept, folded, &values, err);
    }
    return status;
}

xta_status xta__write_piece(const xta__reduction *r, uint64_t piece, const xta__partial partials[],
                            const xta__results *results, xta__folded *folded, xta_error *err)
{
    xta_box box = xta__piece_box(r, piece);
    size_t n_kept = xta__kept_cells(r, &box);
    size_t at_once = XTA__RESULT_CELLS / n_kept > 0 ? XTA__RESULT_CELLS / n_kept : 1;
    uint8_t *cells[XTA_REDUCE_STATISTICS] = {NULL};
    xta_status status = XTA_OK;

    at_once = at_once < r->n_groups ? at_once : r->n_groups;
    for (int s = 0; s < results->n; s++) {
        cells[s] = xta__calloc(at_once * n_kept, 8);
        if (cells[s] == NULL) {
            XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu results", at_once * n_kept));
        }
    }
    for (size_t first = 0; first < r->n_groups; first += at_once) {
        size_t n = r->n_groups - first < at_once ? r->n_groups - first : at_once;
        for (size_t g = 0; g < n; g++) {
            xta__fold_group(r, partials, n_kept, first + g, folded);
            XTA_TRY(
                group_values(r, &box, first + g, n_kept, folded, results, cells, g * n_kept, err));
        }
        XTA_TRY(write_groups(r, &box, first, n, results, cells, err));
    }
done:
    for (int s = 0; s < results->n; s++) {
        free(cells[s]);
    }
    return status;
}

xta_status xta__write_nothing(const xta__reduction *r, const xta__results *results, xta_error *err)
{
    xta_box box = xta__reduction_bounds(r);
    xta_status status = XTA_OK;

    for (int s = 0; status == XTA_OK && s < results->n; s++) {
        uint8_t cell[8];
        xta__no_value(results->statistics[s], r->info.type, cell);
        if (results->statistics[s] == XTA_REDUCE_SUM && r->options.min_count == 0) {
            memset(cell, 0, sizeof cell);
        }
        status = xta_box_empty(&box) ? XTA_OK : xta_array_fill(results->arrays[s], &box, cell, err);
    }
    return status;
}
