/* What is kept of AMEE between runs: its parameters, the lines it covers, and the index itself if
 * it has no array of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "amee/saved_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "amee/amee.h"
#include "scene/coverage.h"
#include "scene/maps.h"
#include "util/try.h"

enum { N_PARAMETERS = 4 };

static xta_status not_whole(xta_error *err)
{
    return xta_error_set(err, XTA_ESTATE, 0,
                         "what was kept of AMEE is not whole, or of other parameters");
}

static void put_parameters(const xta_amee *amee, int64_t values[N_PARAMETERS])
{
    values[0] = amee->radius;
    values[1] = amee->plan.replaced ? amee->iterations : 0;
    values[2] = amee->plan.replaced ? 0 : amee->radius_last;
    values[3] = amee->own_map ? 1 : 0;
}

void xta__amee_put(const xta_amee *amee, blob *b)
{
    int64_t values[N_PARAMETERS];

    put_parameters(amee, values);
    xta__blob_i64(b, amee->have.line_lo);
    xta__blob_i64(b, amee->have.line_hi);
    xta__blob_u64(b, amee->have.signature);
    for (int k = 0; k < N_PARAMETERS; k++) {
        xta__blob_i64(b, values[k]);
    }
    if (!amee->own_map || amee->have.line_lo == amee->have.line_hi) {
        return;
    }
    xta_box box = xta_array_bounds(amee->map);
    size_t width = (size_t)(box.hi[1] - box.lo[1]);
    double *line = malloc((width + 1) * sizeof *line);
    xta__blob_i64(b, box.lo[1]);
    xta__blob_i64(b, box.hi[1]);
    b->failed = b->failed || line == NULL;
    for (int64_t l = box.lo[0]; l < box.hi[0] && !b->failed; l++) {
        xta_box row = box;
        row.lo[0] = l;
        row.hi[0] = l + 1;
        b->failed = xta_array_read(amee->map, &row, NULL, line, NULL) != XTA_OK;
        xta__blob_f64s(b, line, width);
    }
    free(line);
}

/* Values of a map in memory. */
static xta_status get_map(xta_amee *amee, const coverage *have, blob_reader *r, xta_error *err)
{
    xta_status status = XTA_OK;
    const int64_t nothing[2] = {0, 0};
    int64_t lo = xta__blob_get_i64(r), hi = xta__blob_get_i64(r);
    uint64_t n_lines = (uint64_t)(have->line_hi - have->line_lo);
    double *line = NULL;

    if (r->failed || lo >= hi || (uint64_t)(hi - lo) > (r->n - r->at) / sizeof(double) ||
        n_lines > (r->n - r->at) / sizeof(double) / (uint64_t)(hi - lo)) {
        return not_whole(err);
    }
    line = malloc((size_t)(hi - lo) * sizeof *line);
    if (line == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for a line of MEI"));
    }
    XTA_TRY(xta_array_new(XTA_F64, 2, nothing, NULL, &amee->map, err));
    XTA_TRY(xta__axis_bounds(amee->map, 1, lo, hi, err));
    XTA_TRY(xta__axis_bounds(amee->map, 0, have->line_lo, have->line_hi, err));
    for (int64_t l = have->line_lo; l < have->line_hi; l++) {
        const int64_t from[2] = {l, lo}, to[2] = {l + 1, hi};
        xta_box row = xta_box_make(2, from, to);
        xta__blob_get_f64s(r, line, (size_t)(hi - lo));
        XTA_TRY(xta_array_write(amee->map, &row, NULL, line, err));
    }
done:
    free(line);
    return status;
}

xta_status xta__amee_get(xta_amee *amee, blob_reader *r, xta_error *err)
{
    int64_t values[N_PARAMETERS];
    coverage have;
    bool good = true;

    put_parameters(amee, values);
    have.line_lo = xta__blob_get_i64(r);
    have.line_hi = xta__blob_get_i64(r);
    have.signature = xta__blob_get_u64(r);
    for (int k = 0; k < N_PARAMETERS; k++) {
        good = xta__blob_get_i64(r) == values[k] && good;
    }
    good = good && !r->failed && have.line_lo <= have.line_hi;
    bool any = good && have.line_lo < have.line_hi;
    if (any && !amee->own_map) {
        xta_box box = xta_array_bounds(amee->map);
        good = box.lo[0] <= have.line_lo && box.hi[0] >= have.line_hi;
    }
    xta_status status = good ? XTA_OK : not_whole(err);
    if (any && amee->own_map) {
        status = get_map(amee, &have, r, err);
    }
    if (status != XTA_OK && amee->own_map) {
        xta_array_close(amee->map, NULL);
        amee->map = NULL;
    }
    amee->have = status == XTA_OK ? have : (coverage){0};
    return status;
}
