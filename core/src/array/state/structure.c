/* The structure of an array: what growing and shrinking do to axes, bounds and mapping.
 *
 * Bounds count cells, the mapping counts chunks. A growth moves a bound; if the box of chunks does
 * not contain the new cells, chunks are allocated, as many as the array's growth policy says. A
 * shrink moves bounds only: chunks keep their addresses forever.
 *
 * Planning is pure arithmetic on a copy of the bounds, and reports why a growth is refused.
 * Reserving allocates all memory. What follows (allocate, publish) cannot fail, so it can be done
 * after the record of the growth is in the journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/structure.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SHELL_STEPS ((int64_t)1 << 16)

static void init_axis(xta__axis *axis, int64_t chunk, int64_t lo, int64_t hi)
{
    atomic_init(&axis->lo, lo);
    atomic_init(&axis->hi, hi);
    axis->chunk = chunk;
    // 2^64 / 1 does not fit; one less gives a quotient that is one too low, which the correction
    // step fixes.
    axis->magic = chunk == 1 ? UINT64_MAX : (uint64_t)(((xta__u128)1 << 64) / (uint64_t)chunk);
    axis->bias_chunks = XTA__COORD_LIMIT / chunk;
    axis->bias = axis->bias_chunks * chunk;
    axis->coord_limit = (XTA__COORD_LIMIT - 2) / chunk + 1;
    axis->shift = __builtin_ctzll((uint64_t)chunk);
    axis->rest = (uint64_t)chunk - 1;
}

static xta_status init_grid(xta__structure *s, const xta__constants *constants, const char **why)
{
    int64_t lengths[XTA_MAX_NDIM];
    uint64_t bytes = 0;

    s->strided = constants->order <= XTA_COLUMN;
    s->shifts = true;
    for (int axis = 0; axis < s->ndim; axis++) {
        lengths[axis] = s->axis[axis].chunk;
        s->shifts = s->shifts && (lengths[axis] & (lengths[axis] - 1)) == 0;
    }
    xta_status status = xta__grid_init(&s->grid, constants->order, s->ndim, lengths);
    if (status == XTA_EARG) {
        *why = "chunk lengths of this order must be powers of two";
    } else if (status == XTA_EOVERFLOW ||
               (status == XTA_OK &&
                (!xta__mul_u64(s->grid.n_cells, constants->cell_bytes, &bytes) ||
                 bytes > constants->slot_bytes || constants->slot_bytes > XTA__MAX_CHUNK_BYTES))) {
        *why = "a chunk has more bytes than its slot, or than 2^62";
        status = XTA_EOVERFLOW;
    }
    for (int axis = 0; axis < s->ndim && status == XTA_OK; axis++) {
        s->axis[axis].stride_bytes =
            xta__grid_is_strided(&s->grid)
                ? xta__grid_stride(&s->grid, axis) * (int64_t)constants->cell_bytes
                : 0;
    }
    return status;
}

/* The first allocation shell by shell: see docs/decisions/0003-growth-policies.md. */
static xta_status allocate_shells(xta__structure *s, const int64_t n_chunks[])
{
    int64_t steps = 0, longest = 0;
    int64_t limits[XTA_MAX_NDIM];

    for (int axis = 0; axis < s->ndim; axis++) {
        if (n_chunks[axis] - 1 > MOST_SHELL_STEPS - steps) {
            return XTA_EARG;
        }
        steps += n_chunks[axis] - 1;
        longest = n_chunks[axis] > longest ? n_chunks[axis] : longest;
        limits[axis] = s->axis[axis].coord_limit;
    }
    for (int64_t shell = 1; shell < longest; shell++) {
        for (int axis = 0; axis < s->ndim; axis++) {
            xta__chunk_growth one = {.axis = axis, .side = XTA_BACK, .n = 1};
            if (n_chunks[axis] <= shell) {
                continue;
            }
            xta_status status =
                xta__mapping_reserve(&s->mapping, &one, 1, limits, XTA__OFFSET_LIMIT);
            if (status != XTA_OK) {
                return status;
            }
            xta__mapping_grow(&s->mapping, &one);
        }
    }
    return XTA_OK;
}

/* The first allocation, exact or by shells. */
static xta_status allocate_first(xta__structure *s, const xta__constants *constants,
                                 const int64_t bounds[], uint64_t table_limit)
{
    static const int64_t zeros[XTA_MAX_NDIM];
    int64_t n_chunks[XTA_MAX_NDIM], first[XTA_MAX_NDIM];
    bool shells = constants->policy == XTA_SHELL;

    for (int axis = 0; axis < s->ndim; axis++) {
        n_chunks[axis] = bounds[axis] > 0 ? (bounds[axis] - 1) / s->axis[axis].chunk + 1 : 0;
        shells = shells && n_chunks[axis] > 0;
        first[axis] = 1;
    }
    xta_status status =
        xta__mapping_init(&s->mapping, s->ndim, zeros, shells ? first : n_chunks, table_limit);
    if (status == XTA_OK && shells) {
        status = allocate_shells(s, n_chunks);
    }
    return status;
}

static bool too_many_chunks(const xta__structure *s, const xta__constants *constants)
{
    return s->mapping.n_chunks > XTA__OFFSET_LIMIT / constants->slot_bytes;
}

xta_status xta__structure_new(const xta__constants *constants, int ndim, const int64_t chunk[],
                              const int64_t bounds[], uint64_t table_limit, xta__structure **out,
                              const char **why)
{
    xta_status status = XTA_OK;
    xta__structure *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);

    if (s == NULL) {
        *why = "no memory for the structure";
        return XTA_ENOMEM;
    }
    memset(s, 0, sizeof *s);
    s->ndim = ndim;
    for (int axis = 0; axis < ndim; axis++) {
        if (chunk[axis] < 1 || chunk[axis] >= XTA__COORD_LIMIT || bounds[axis] < 0 ||
            bounds[axis] >= XTA__COORD_LIMIT) {
            *why = "a chunk length or a bound is out of range";
            XTA_TRY(XTA_EARG);
        }
        init_axis(&s->axis[axis], chunk[axis], 0, bounds[axis]);
        s->reached_hi[axis] = bounds[axis];
    }
    XTA_TRY(init_grid(s, constants, why));
    status = allocate_first(s, constants, bounds, table_limit);
    if (status != XTA_OK || too_many_chunks(s, constants)) {
        *why = status == XTA_ENOMEM ? "no memory for the mapping"
               : status == XTA_EARG
                   ? "a first allocation of more than 2^16 shells; use another policy"
                   : "the array would have more than 2^62 bytes";
        XTA_TRY(status != XTA_OK ? status : XTA_EOVERFLOW);
    }
    *out = s;

done:
    if (status != XTA_OK) {
        xta__structure_free(s);
    }
    return status;
}

static bool box_is_sane(const xta_box *box)
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] > box->hi[axis] || box->lo[axis] <= -XTA__COORD_LIMIT ||
            box->hi[axis] >= XTA__COORD_LIMIT) {
            return false;
        }
    }
    return true;
}

xta_status xta__structure_import(const xta__checkpoint_record *record, uint64_t table_limit,
                                 xta__structure **out, const char **why)
{
    xta_status status = XTA_OK;
    int64_t limits[XTA_MAX_NDIM];
    xta__structure *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);

    if (s == NULL) {
        return XTA_ENOMEM;
    }
    memset(s, 0, sizeof *s);
    s->ndim = record->ndim;
    s->n_steps = record->n_steps;
    *why = "a box of the checkpoint is out of range";
    if (!box_is_sane(&record->bounds) || !box_is_sane(&record->reached) ||
        !xta_box_contains(&record->reached, &record->bounds)) {
        XTA_TRY(XTA_ECORRUPT);
    }
    for (int axis = 0; axis < s->ndim; axis++) {
        if (record->chunk[axis] < 1 || record->chunk[axis] >= XTA__COORD_LIMIT) {
            XTA_TRY(XTA_ECORRUPT);
        }
        init_axis(&s->axis[axis], record->chunk[axis], record->bounds.lo[axis],
                  record->bounds.hi[axis]);
        s->reached_lo[axis] = record->reached.lo[axis];
        s->reached_hi[axis] = record->reached.hi[axis];
        limits[axis] = s->axis[axis].coord_limit;
    }
    XTA_TRY(init_grid(s, &record->constants, why));
    *why = "the axial records of the checkpoint contradict each other";
    XTA_TRY(xta__mapping_import(&s->mapping, &record->first, record->n_chunks, record->n_records,
                                record->records, limits,
                                XTA__OFFSET_LIMIT / record->constants.slot_bytes, table_limit));
    *why = "the bounds of the checkpoint leave its allocated box";
    for (int axis = 0; axis < s->ndim; axis++) {
        // Axis by axis: even if one axis is empty, the others must lie in the box.
        int64_t chunk = s->axis[axis].chunk;
        if (xta__floor_div(record->bounds.lo[axis], chunk) < s->mapping.lo[axis] ||
            xta__floor_div(record->bounds.hi[axis] - 1, chunk) >= s->mapping.hi[axis]) {
            if (record->bounds.lo[axis] != record->bounds.hi[axis] ||
                record->bounds.lo[axis] < s->mapping.lo[axis] * chunk ||
                record->bounds.hi[axis] > s->mapping.hi[axis] * chunk) {
                XTA_TRY(XTA_ECORRUPT);
            }
        }
    }
    *out = s;

done:
    if (status != XTA_OK) {
        xta__structure_free(s);
        status = status == XTA_ENOMEM ? status : XTA_ECORRUPT;
    }
    return status;
}

xta_status xta__structure_add_axis(const xta__structure *old, const xta__constants *constants,
                                   int position, xta__structure **out)
{
    xta_status status = XTA_OK;
    const char *why = NULL;
    xta__structure *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);

    if (s == NULL) {
        return XTA_ENOMEM;
    }
    memset(s, 0, sizeof *s);
    s->ndim = old->ndim + 1;
    s->n_steps = old->n_steps;
    for (int axis = 0; axis < s->ndim; axis++) {
        int from = axis < position ? axis : axis - 1;
        if (axis == position) {
            init_axis(&s->axis[axis], 1, 0, 1);
            s->reached_hi[axis] = 1;
            continue;
        }
        init_axis(&s->axis[axis], old->axis[from].chunk,
                  atomic_load_explicit(&old->axis[from].lo, memory_order_relaxed),
                  atomic_load_explicit(&old->axis[from].hi, memory_order_relaxed));
        s->reached_lo[axis] = old->reached_lo[from];
        s->reached_hi[axis] = old->reached_hi[from];
    }
    XTA_TRY(init_grid(s, constants, &why));
    XTA_TRY(xta__mapping_add_axis(&old->mapping, position, &s->mapping));
    *out = s;

done:
    if (status != XTA_OK) {
        xta__structure_free(s);
    }
    return status;
}

void xta__structure_free(xta__structure *structure)
{
    while (structure != NULL) {
        xta__structure *older = structure->retired;
        xta__mapping_clear(&structure->mapping);
        xta__grid_clear(&structure->grid);
        free(atomic_load_explicit(&structure->curve_table, memory_order_relaxed));
        xta__curve *curve = atomic_load_explicit(&structure->curve, memory_order_relaxed);
        if (curve != NULL) {
            xta__curve_clear(curve);
            free(curve);
        }
        free(structure);
        structure = older;
    }
}

xta_box xta__structure_bounds(const xta__structure *structure)
{
    xta_box box = {.ndim = structure->ndim};

    for (int axis = 0; axis < structure->ndim; axis++) {
        box.lo[axis] = atomic_load_explicit(&structure->axis[axis].lo, memory_order_acquire);
        box.hi[axis] = atomic_load_explicit(&structure->axis[axis].hi, memory_order_acquire);
    }
    return box;
}

void xta__structure_bounds_into(const xta__structure *structure, xta_box *box)
{
    box->ndim = structure->ndim;
    for (int axis = 0; axis < structure->ndim; axis++) {
        box->lo[axis] = atomic_load_explicit(&structure->axis[axis].lo, memory_order_acquire);
        box->hi[axis] = atomic_load_explicit(&structure->axis[axis].hi, memory_order_acquire);
    }
}

xta_box xta__structure_chunks_of(const xta__structure *structure, const xta_box *box)
{
    xta_box chunks = {.ndim = box->ndim};

    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t chunk = structure->axis[axis].chunk;
        chunks.lo[axis] = xta__floor_div(box->lo[axis], chunk);
        chunks.hi[axis] = box->hi[axis] > box->lo[axis]
                              ? xta__floor_div(box->hi[axis] - 1, chunk) + 1
                              : chunks.lo[axis];
    }
    return chunks;
}

xta_box xta__structure_cells_of(const xta__structure *structure, const int64_t chunk[])
{
    xta_box cells = {.ndim = structure->ndim};

    for (int axis = 0; axis < structure->ndim; axis++) {
        cells.lo[axis] = chunk[axis] * structure->axis[axis].chunk;
        cells.hi[axis] = cells.lo[axis] + structure->axis[axis].chunk;
    }
    return cells;
}

/* How many chunks the policy adjoins if `need` are missing; false on overflow. */
static bool chunks_by_policy(const xta__constants *constants, uint64_t length, uint64_t need,
                             uint64_t *out)
{
    uint64_t amount = constants->policy_amount;

    *out = need;
    if (constants->policy == XTA_LINEAR && amount > 1) {
        return xta__mul_u64((need - 1) / amount + 1, amount, out);
    }
    if (constants->policy == XTA_EXPONENTIAL && amount > 1) {
        uint64_t target = length > 0 ? length : 1;
        while (target < length + need) {
            if (!xta__mul_u64(target, amount, &target) || target >= (uint64_t)XTA__COORD_LIMIT) {
                return false;
            }
        }
        *out = target - length;
    }
    return true;
}

/* The box of chunks during a sequence of growths. */
typedef struct growing {
    int64_t lo[XTA_MAX_NDIM], hi[XTA_MAX_NDIM];
} growing;

static void allocate(growing *box, xta__growth_record *record, int axis, xta_side side, uint64_t n)
{
    record->allocations[record->n_allocations++] =
        (xta__chunk_growth){.axis = axis, .side = side, .n = n};
    if (side == XTA_BACK) {
        box->hi[axis] += (int64_t)n;
    } else {
        box->lo[axis] -= (int64_t)n;
    }
}

/* One growth: a bound of one axis moves, and chunks are allocated if the box does not contain the
 * new cells. */
static bool plan_one(const xta__structure *s, const xta__constants *constants,
                     const xta_growth *growth, growing *box, xta_box *bounds,
                     xta__growth_record *record)
{
    int axis = growth->axis;
    int64_t chunk = s->axis[axis].chunk;
    uint64_t need = 0, n = 0;

    if (growth->side == XTA_BACK) {
        bounds->hi[axis] += growth->by;
    } else {
        bounds->lo[axis] -= growth->by;
    }
    if (bounds->hi[axis] >= XTA__COORD_LIMIT || bounds->lo[axis] <= -XTA__COORD_LIMIT) {
        return false;
    }
    if (bounds->lo[axis] == bounds->hi[axis]) {
        return true;
    }
    if (growth->side == XTA_BACK) {
        int64_t high = xta__floor_div(bounds->hi[axis] - 1, chunk) + 1;
        need = high > box->hi[axis] ? (uint64_t)(high - box->hi[axis]) : 0;
    } else {
        int64_t low = xta__floor_div(bounds->lo[axis], chunk);
        need = low < box->lo[axis] ? (uint64_t)(box->lo[axis] - low) : 0;
    }
    if (need == 0) {
        return true;
    }
    if (!chunks_by_policy(constants, (uint64_t)(box->hi[axis] - box->lo[axis]), need, &n) ||
        n >= (uint64_t)s->axis[axis].coord_limit) {
        return false;
    }
    allocate(box, record, axis, growth->side, n);
    for (int other = 0; constants->policy == XTA_CUBICAL && other < s->ndim; other++) {
        int64_t missing = box->hi[axis] - box->lo[axis] - (box->hi[other] - box->lo[other]);
        if (missing > 0) {
            allocate(box, record, other, XTA_BACK, (uint64_t)missing);
        }
    }
    return true;
}

xta_status xta__structure_plan_growth(const xta__structure *structure,
                                      const xta__constants *constants, const xta_growth *growths,
                                      int n, xta__growth_record *record, xta_box *bounds,
                                      const char **why)
{
    growing box;

    for (int axis = 0; axis < structure->ndim; axis++) {
        box.lo[axis] = structure->mapping.lo[axis];
        box.hi[axis] = structure->mapping.hi[axis];
    }
    xta__structure_bounds_into(structure, bounds);
    record->n_growths = n;
    record->n_allocations = 0;
    for (int k = 0; k < n; k++) {
        record->growths[k] = growths[k];
        if (growths[k].by >= XTA__COORD_LIMIT ||
            !plan_one(structure, constants, &growths[k], &box, bounds, record)) {
            *why = "coordinates would pass 2^62";
            return XTA_EOVERFLOW;
        }
    }
    return XTA_OK;
}

xta_status xta__structure_plan_shrink(const xta__structure *structure, const xta_growth *shrinks,
                                      int n, xta_box *bounds, const char **why, int *which)
{
    *bounds = xta__structure_bounds(structure);
    for (int k = 0; k < n; k++) {
        int axis = shrinks[k].axis;
        *which = k;
        if (shrinks[k].by > bounds->hi[axis] - bounds->lo[axis]) {
            *why = "the axis has fewer cells";
            return XTA_EBOX;
        }
        if (shrinks[k].side == XTA_BACK) {
            bounds->hi[axis] -= shrinks[k].by;
        } else {
            bounds->lo[axis] += shrinks[k].by;
        }
    }
    return XTA_OK;
}

xta_status xta__structure_reserve(xta__structure *structure, const xta__constants *constants,
                                  const xta__growth_record *record)
{
    int64_t limits[XTA_MAX_NDIM];

    for (int axis = 0; axis < structure->ndim; axis++) {
        limits[axis] = structure->axis[axis].coord_limit;
    }
    return xta__mapping_reserve(&structure->mapping, record->allocations, record->n_allocations,
                                limits, XTA__OFFSET_LIMIT / constants->slot_bytes);
}

void xta__structure_allocate(xta__structure *structure, const xta__growth_record *record)
{
    for (int k = 0; k < record->n_allocations; k++) {
        xta__mapping_grow(&structure->mapping, &record->allocations[k]);
    }
}

/* Cells within `bounds` may have been written from now on. */
void xta__structure_reach(xta__structure *structure, const xta_box *bounds)
{
    for (int axis = 0; axis < structure->ndim; axis++) {
        if (bounds->lo[axis] < structure->reached_lo[axis]) {
            structure->reached_lo[axis] = bounds->lo[axis];
        }
        if (bounds->hi[axis] > structure->reached_hi[axis]) {
            structure->reached_hi[axis] = bounds->hi[axis];
        }
    }
}

void xta__structure_publish(xta__structure *structure, const xta_box *bounds)
{
    xta__structure_reach(structure, bounds);
    for (int axis = 0; axis < structure->ndim; axis++) {
        xta__axis *a = &structure->axis[axis];
        // Release: whoever sees the new bound sees the tables and rows it needs.
        atomic_store_explicit(&a->lo, bounds->lo[axis], memory_order_release);
        atomic_store_explicit(&a->hi, bounds->hi[axis], memory_order_release);
    }
}
