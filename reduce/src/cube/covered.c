/* Which cells of the base a cube has.
 *
 * Bounds alone do not say that cells are still the same: an array that shrinks and grows again has
 * other cells at the same place, and other times move cells into other periods. So the record also
 * has the step of the base's history, whose later steps are read, and a number computed
 * from the times.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/covered.h"

#include <inttypes.h>
#include <string.h>

#include "util/bytes.h"
#include "util/hash.h"
#include "util/try.h"

/* ---- times ---- */

/* A number of the times of the cells [lo, hi) of an axis; 0: its levels need none. */
static int64_t number_of_times(const xta__cube_axis *axis, int64_t lo, int64_t hi)
{
    uint8_t bytes[16];

    if (!xta__levels_need_times(axis)) {
        return 0;
    }
    xta__put_u64(bytes, (uint64_t)axis->calendar);
    uint64_t hash = xta__hash_bytes(XTA__HASH_OF_NOTHING, bytes, 8);
    for (int64_t c = lo; c < hi; c++) {
        const xta_instant *at = &axis->instants[c - axis->lo];
        xta__put_u64(bytes, (uint64_t)at->day);
        xta__put_u64(bytes + 8, (uint64_t)at->microsecond);
        hash = xta__hash_bytes(hash, bytes, sizeof bytes);
    }
    return (int64_t)(hash >> 1);
}

/* ---- the history of the base ---- */

typedef struct walk {
    const xta_cube *cube;
    uint64_t since;
    bool removed; // cells that the cube has
    bool unknown; // steps were merged
} walk;

static int visit_step(void *user, const xta_step *step)
{
    walk *w = user;

    if (step->step <= w->since) {
        return 0;
    }
    w->unknown = w->unknown || step->kind == XTA_STEP_CHECKPOINT;
    w->removed = w->removed || (step->kind == XTA_STEP_SHRINK &&
                                !xta_box_contains(&step->bounds, &w->cube->covered));
    return w->removed;
}

static xta_status check_history(const xta_cube *cube, uint64_t since, xta_error *err)
{
    walk w = {.cube = cube, .since = since};
    xta_error ended = {0};
    xta_status status = XTA_OK;

    if (cube->n_steps == since) {
        return XTA_OK;
    }
    if (cube->n_steps > since) {
        status = xta_array_history(cube->base, visit_step, &w, &ended);
    }
    if (w.removed) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: its base has shrunk since the last update, and has grown again; make "
                         "the cube again",
                         cube->path);
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, ended.os_errno, "%s", ended.text);
    }
    if (w.unknown || cube->n_steps < since) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: the history of its base no longer says whether cells were removed "
                         "since the last update (step %" PRIu64 "); make the cube again, and "
                         "update it before the base is compacted",
                         cube->path, since);
    }
    return XTA_OK;
}

/* ---- the record ---- */

xta_status xta__covered_read(const xta_cube *cube, xta__covered *covered, xta_error *err)
{
    xta_attribute a;

    *covered = (xta__covered){0};
    xta_status status = xta_dataset_attribute(cube->set, NULL, XTA__CUBE_BOUNDS, &a, err);
    if (status != XTA_OK) {
        xta__clear(err);
        return status == XTA_ENOENT ? XTA_OK : status;
    }
    if (a.type != XTA_I64 || a.count % 3 != 1 ||
        a.count > sizeof covered->numbers / sizeof covered->numbers[0]) {
        return xta__fail(err, XTA_ECORRUPT, 0, "%s: its attribute %s is no box", cube->path,
                         XTA__CUBE_BOUNDS);
    }
    covered->n = a.count;
    memcpy(covered->numbers, a.values, a.count * sizeof covered->numbers[0]);
    return XTA_OK;
}

xta_status xta__covered_accept(xta_cube *cube, const xta__covered *covered, xta_error *err)
{
    const int64_t *numbers = covered->numbers;
    size_t n = (size_t)cube->ndim;

    cube->covered = (xta_box){.ndim = cube->ndim};
    if (covered->n == 0) {
        return XTA_OK;
    }
    for (size_t k = 0; covered->n == 3 * n + 1 && k < n; k++) {
        cube->covered.lo[k] = numbers[2 * k];
        cube->covered.hi[k] = numbers[2 * k + 1];
    }
    if (covered->n != 3 * n + 1 || !xta_box_contains(&cube->bounds, &cube->covered)) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: its base has shrunk since the last update; make the cube again",
                         cube->path);
    }
    for (size_t k = 0; k < n; k++) {
        const xta__cube_axis *axis = &cube->axes[k];
        if (number_of_times(axis, cube->covered.lo[k], cube->covered.hi[k]) !=
            numbers[2 * n + 1 + k]) {
            return xta__fail(err, XTA_ESTATE, 0,
                             "%s: axis %s: the times of its cells have changed since the last "
                             "update; make the cube again",
                             cube->path, axis->name);
        }
    }
    return check_history(cube, (uint64_t)numbers[2 * n], err);
}

xta_status xta__covered_record(xta_cube *cube, xta_error *err)
{
    size_t n = (size_t)cube->ndim;
    int64_t numbers[3 * XTA_MAX_NDIM + 1];
    xta_attribute a = {.name = XTA__CUBE_BOUNDS,
                       .type = XTA_I64,
                       .cell_bytes = 8,
                       .count = 3 * n + 1,
                       .values = numbers};

    for (size_t k = 0; k < n; k++) {
        numbers[2 * k] = cube->bounds.lo[k];
        numbers[2 * k + 1] = cube->bounds.hi[k];
        numbers[2 * n + 1 + k] =
            number_of_times(&cube->axes[k], cube->bounds.lo[k], cube->bounds.hi[k]);
    }
    numbers[2 * n] = (int64_t)cube->n_steps;
    xta_status status = xta_dataset_set_attribute(cube->set, NULL, &a, err);
    return status == XTA_OK ? xta_dataset_sync(cube->set, err) : status;
}
