/* One-sided access to zones: get, put, accumulate.
 *
 * Definition: every cell of the box goes to, or comes from, its place in the zone of its owner.
 *
 * Improvement: on each axis the box meets rows of the process grid, and the owners are the product
 * of these rows. The part of the box that one owner holds is again a box in its zone, where its
 * blocks lie one after another. In the caller's memory it is, on each axis, a first block, whole
 * blocks at equal distances, and a last block. Both are derived datatypes of a few vectors nested
 * in each other, whatever the size, so each owner costs one operation of MPI, and no cell is packed
 * by us.
 *
 * Counts of MPI are ints: a box of more than 1 GiB is cut into boxes that are not, which keeps
 * clear of code in MPI implementations that is rarely used. Strides and displacements are
 * addresses, of any size.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdlib.h>

#include "parallel/zones/lock.h"
#include "parallel/zones/memory.h"
#include "parallel/zones/types.h"
#include "private/zones.h"

#define FETCHED_BYTES ((uint64_t)4 << 20) /* most bytes of a piece that is combined here */

typedef enum action { GET, PUT, ACCUMULATE } action;

/* A call in progress. */
typedef struct access {
    xta_zone_memory *memory;
    action what;
    bool locked; /* the operation on each owner is done with its zone locked */
    MPI_Op op;
    uint64_t most_bytes;
    MPI_Datatype unit; /* predefined: a cell is `units` of them */
    int units;
    int64_t strides[XTA_MAX_NDIM]; /* of the caller's memory */
} access;

/* ---- datatypes ---- */

/* `count` elements of `type`. If they are adjacent in memory, `type` is the unit of the cells, and
 * `bytes` their length. */
typedef struct layout {
    MPI_Datatype type;
    int count;
    bool side_by_side;
    int64_t bytes; /* if they lie side by side */
} layout;

static void free_layout(layout *l)
{
    if (!l->side_by_side) {
        MPI_Type_free(&l->type);
    }
}

/* A layout repeated `n` times, `stride` bytes from one to the next. */
static layout repeated(const layout *l, int64_t n, int64_t stride)
{
    layout longer = *l;

    if (l->side_by_side && (n == 1 || stride == l->bytes)) {
        longer.count *= (int)n;
        longer.bytes *= n;
    } else if (n == 1) {
        MPI_Type_dup(l->type, &longer.type);
    } else {
        MPI_Type_create_hvector((int)n, l->count, (MPI_Aint)stride, l->type, &longer.type);
        longer.count = 1;
        longer.side_by_side = false;
    }
    return longer;
}

/* A layout repeated for each cell of some runs on an axis, whose cells are `stride` bytes apart. */
static layout along_runs(const layout *l, const xta__zone_run runs[], int n_runs, int64_t stride)
{
    layout parts[3], all = {.count = 1};
    int counts[3] = {0};
    MPI_Aint places[3] = {0};
    MPI_Datatype types[3] = {MPI_DATATYPE_NULL};

    for (int k = 0; k < n_runs; k++) {
        layout one = repeated(l, runs[k].length, stride);
        parts[k] = repeated(&one, runs[k].count, runs[k].spacing * stride);
        free_layout(&one);
        counts[k] = parts[k].count;
        places[k] = (MPI_Aint)((runs[k].begin - runs[0].begin) * stride);
        types[k] = parts[k].type;
    }
    if (n_runs == 1) {
        return parts[0];
    }
    MPI_Type_create_struct(n_runs, counts, places, types, &all.type);
    for (int k = 0; k < n_runs; k++) {
        free_layout(&parts[k]);
    }
    return all;
}

/* The share of a box that one owner holds: on each axis, and where it begins in the zone. */
typedef struct share {
    xta__zone_piece parts[XTA_MAX_NDIM];
    int64_t strides[XTA_MAX_NDIM]; /* of the zone */
    int64_t begin;                 /* bytes from its first cell */
    MPI_Aint lock;                 /* of the zone */
} share;

/* The share's cells, in the caller's memory or in the zone, in the same order in both. */
static layout layout_of(const access *a, const share *s, bool in_zone)
{
    int ndim = a->memory->bounds.ndim;
    layout l = {a->unit, a->units, true, (int64_t)a->memory->cell_bytes};

    for (int k = 0; k < ndim; k++) {
        int axis = a->memory->order == XTA_ROW ? ndim - 1 - k : k;
        const xta__zone_piece *part = &s->parts[axis];
        xta__zone_run whole = {.length = part->n, .count = 1};
        layout longer = in_zone ? along_runs(&l, &whole, 1, s->strides[axis])
                                : along_runs(&l, part->runs, part->n_runs, a->strides[axis]);
        free_layout(&l);
        l = longer;
    }
    if (!l.side_by_side) {
        MPI_Type_commit(&l.type);
    }
    return l;
}

/* ---- owners ---- */

/* False if this owner holds nothing of the box. */
static bool find_share(const access *a, const xta_box *box, const int rows[], share *s)
{
    const xta_zone_memory *memory = a->memory;
    int64_t lengths[XTA_MAX_NDIM];
    uint64_t bytes;
    xta__zone_piece whole;

    for (int axis = 0; axis < box->ndim; axis++) {
        int64_t lo = memory->bounds.lo[axis], hi = memory->bounds.hi[axis];
        xta__zones_piece(memory->zones, axis, rows[axis], lo, box->lo[axis], box->hi[axis],
                         &s->parts[axis]);
        xta__zones_piece(memory->zones, axis, rows[axis], lo, lo, hi, &whole);
        lengths[axis] = whole.n;
        if (s->parts[axis].n == 0) {
            return false;
        }
    }
    // The owner itself has checked that they do not overflow.
    s->begin = 0;
    if (!xta__dense_strides(box->ndim, lengths, memory->cell_bytes, memory->order, s->strides,
                            &bytes)) {
        return false;
    }
    s->lock = xta__zone_lock_place(bytes);
    for (int axis = 0; axis < box->ndim; axis++) {
        s->begin += s->parts[axis].before * s->strides[axis];
    }
    return true;
}

/* The cells of one owner, in the caller's memory and in the zone. */
typedef struct pair {
    uint8_t *cells;
    layout near, far;
    int owner;
    MPI_Aint begin;
} pair;

static int start(const access *a, const pair *of)
{
    MPI_Win window = a->memory->window;
    const layout *near = &of->near, *far = &of->far;

    if (a->what == GET) {
        return MPI_Get(of->cells, near->count, near->type, of->owner, of->begin, far->count,
                       far->type, window);
    }
    if (a->what == PUT) {
        return MPI_Put(of->cells, near->count, near->type, of->owner, of->begin, far->count,
                       far->type, window);
    }
    return MPI_Accumulate(of->cells, near->count, near->type, of->owner, of->begin, far->count,
                          far->type, a->op, window);
}

/* Do what MPI does wrongly for unsigned cells: fetch `n` of them, combine them with the caller's,
 * and put them back. */
static int combine(const access *a, const pair *of, size_t n)
{
    const xta_zone_memory *memory = a->memory;
    size_t bytes = n * memory->cell_bytes;
    int packed_bytes = 0, at = 0, code;
    uint8_t *theirs = malloc(bytes), *ours = malloc(bytes), *packed;

    MPI_Pack_size(of->near.count, of->near.type, memory->p->comm, &packed_bytes);
    packed = malloc((size_t)packed_bytes);
    if (theirs == NULL || ours == NULL || packed == NULL) {
        code = MPI_ERR_NO_MEM;
        goto done;
    }
    MPI_Pack(of->cells, of->near.count, of->near.type, packed, packed_bytes, &at, memory->p->comm);
    at = 0;
    MPI_Unpack(packed, packed_bytes, &at, ours, (int)n, a->unit, memory->p->comm);
    code = MPI_Get(theirs, (int)n, a->unit, of->owner, of->begin, of->far.count, of->far.type,
                   memory->window);
    code = code == MPI_SUCCESS ? MPI_Win_flush(of->owner, memory->window) : code;
    if (code != MPI_SUCCESS) {
        goto done;
    }
    xta__combine_unsigned(memory->type, a->op == MPI_MIN, ours, theirs, n);
    code = MPI_Put(theirs, (int)n, a->unit, of->owner, of->begin, of->far.count, of->far.type,
                   memory->window);
    code = code == MPI_SUCCESS ? MPI_Win_flush(of->owner, memory->window) : code;

done:
    free(theirs);
    free(ours);
    free(packed);
    return code;
}

/* The whole operation, with the zone locked. */
static int do_locked(const access *a, const pair *of, const share *s)
{
    MPI_Win window = a->memory->window;
    size_t n = 1;
    int code = xta__zone_lock(window, of->owner, s->lock);

    if (code != MPI_SUCCESS) {
        return code;
    }
    for (int axis = 0; axis < a->memory->bounds.ndim; axis++) {
        n *= (size_t)s->parts[axis].n;
    }
    code = a->what == ACCUMULATE ? combine(a, of, n) : start(a, of);
    int flushed = MPI_Win_flush(of->owner, window);
    int unlocked = xta__zone_unlock(window, of->owner, s->lock);
    code = code == MPI_SUCCESS ? flushed : code;
    return code == MPI_SUCCESS ? unlocked : code;
}

/* Begin the operation on one owner. `cells` is the caller's memory for the first cell of the
 * box. */
static int visit(const access *a, const xta_box *box, const int rows[], int owner, uint8_t *cells)
{
    share s;
    pair of = {.cells = cells, .owner = owner};

    if (!find_share(a, box, rows, &s)) {
        return MPI_SUCCESS;
    }
    of.near = layout_of(a, &s, false);
    of.far = layout_of(a, &s, true);
    of.begin = (MPI_Aint)s.begin;
    for (int axis = 0; axis < box->ndim; axis++) {
        of.cells += (s.parts[axis].runs[0].begin - box->lo[axis]) * a->strides[axis];
    }
    int code = a->locked ? do_locked(a, &of, &s) : start(a, &of);
    free_layout(&of.near);
    free_layout(&of.far);
    return code;
}

/* All owners of a box, one after another: begin their operations, or wait for them. */
static xta_status each_owner(const access *a, const xta_box *box, uint8_t *cells, bool wait,
                             xta_error *err)
{
    const xta_zones *zones = a->memory->zones;
    const int *grid = xta_zones_grid(zones);
    int first[XTA_MAX_NDIM], n[XTA_MAX_NDIM], k[XTA_MAX_NDIM] = {0}, rows[XTA_MAX_NDIM];
    int axis;

    for (axis = 0; axis < box->ndim; axis++) {
        n[axis] = xta__zones_rows(zones, axis, box->lo[axis], box->hi[axis], &first[axis]);
    }
    do {
        int owner = 0;
        for (axis = 0; axis < box->ndim; axis++) {
            rows[axis] = (int)(((int64_t)first[axis] + k[axis]) % grid[axis]);
            owner = owner * grid[axis] + rows[axis];
        }
        int code =
            wait ? MPI_Win_flush(owner, a->memory->window) : visit(a, box, rows, owner, cells);
        if (code != MPI_SUCCESS) {
            return xta__mpi_failed(err, xta_array_path(a->memory->p->array),
                                   "reach the zone of another rank", code);
        }
        axis = box->ndim - 1;
        while (axis >= 0 && ++k[axis] == n[axis]) {
            k[axis--] = 0;
        }
    } while (axis >= 0);
    return XTA_OK;
}

/* ---- boxes ---- */

static xta_status move_box(const access *a, const xta_box *box, uint8_t *cells, xta_error *err)
{
    xta_box piece = *box;
    int64_t lengths[XTA_MAX_NDIM];
    xta_status status = XTA_OK;
    int axis;

    for (axis = 0; axis < box->ndim; axis++) {
        lengths[axis] = box->hi[axis] - box->lo[axis];
    }
    xta__fit_lengths(box->ndim, NULL, a->memory->cell_bytes, a->most_bytes, lengths);
    do {
        uint8_t *place = cells;
        for (axis = 0; axis < box->ndim; axis++) {
            int64_t rest = box->hi[axis] - piece.lo[axis];
            piece.hi[axis] = piece.lo[axis] + (rest < lengths[axis] ? rest : lengths[axis]);
            place += (piece.lo[axis] - box->lo[axis]) * a->strides[axis];
        }
        // Operations that were begun are waited for even after a failure: then the memory is the
        // caller's again.
        status = each_owner(a, &piece, place, false, err);
        xta_status waited = each_owner(a, &piece, place, true, err);
        status = status == XTA_OK ? waited : status;
        axis = box->ndim - 1;
        while (axis >= 0 && piece.hi[axis] == box->hi[axis]) {
            piece.lo[axis] = box->lo[axis];
            axis--;
        }
        if (axis >= 0) {
            piece.lo[axis] = piece.hi[axis];
        }
    } while (axis >= 0 && status == XTA_OK);
    return status;
}

/* ---- types and operations ---- */

static xta_status check_op(const xta_zone_memory *memory, MPI_Op op, xta_error *err)
{
    const char *name = xta_array_path(memory->p->array), *what = NULL;
    xta_type type = memory->type;
    bool complex = type == XTA_C64 || type == XTA_C128;

    if (op != MPI_SUM && op != MPI_PROD && op != MPI_MIN && op != MPI_MAX && op != MPI_REPLACE) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: accumulate with an operation that is not offered: give MPI_SUM, "
                         "MPI_PROD, MPI_MIN, MPI_MAX or MPI_REPLACE",
                         name);
    }
    if (op != MPI_REPLACE && (type == XTA_BYTES || type == XTA_F16)) {
        what = "no operation but MPI_REPLACE";
    } else if (complex && (op == MPI_MIN || op == MPI_MAX)) {
        what = "neither MPI_MIN nor MPI_MAX";
    } else if (type == XTA_BOOL && op == MPI_SUM) {
        what = "no MPI_SUM (MPI_MAX is `or`)";
    }
    return what == NULL ? XTA_OK
                        : xta__fail(err, XTA_ETYPE, 0, "%s: cells of type %s have %s", name,
                                    xta_type_name(type), what);
}

/* Check everything that the caller could get wrong. */
static xta_status access_check(const xta_zone_memory *memory, const xta_box *box, xta_order order,
                               const void *cells, xta_error *err)
{
    const char *name = xta_array_path(memory->p->array);
    char text[160], bounds[160];

    if (box == NULL || (cells == NULL && !xta_box_empty(box))) {
        return xta__fail(err, XTA_EARG, 0, "%s: no %s given", name, box == NULL ? "box" : "memory");
    }
    if (order != XTA_ROW && order != XTA_COLUMN) {
        return xta__fail(err, XTA_EARG, 0, "%s: order %d of memory: give XTA_ROW or XTA_COLUMN",
                         name, (int)order);
    }
    if (box->ndim < 1 || box->ndim > XTA_MAX_NDIM || !xta_box_contains(&memory->bounds, box)) {
        return xta__fail(
            err, XTA_EBOX, 0, "%s: box %s leaves the bounds %s that the zones were made for", name,
            box->ndim < 1 || box->ndim > XTA_MAX_NDIM ? "of no axes"
                                                      : xta__box_text(box, text, sizeof text),
            xta__box_text(&memory->bounds, bounds, sizeof bounds));
    }
    return XTA_OK;
}

/* Choose how an operation keeps cells intact that several ranks write at once. Cells of at most
 * eight bytes are written in one piece on every machine. A larger number is put by MPI_Accumulate
 * with MPI_REPLACE, which is atomic for it; cells of bytes, which are not one number to MPI, are
 * put under a lock. */
static void choose_method(access *a)
{
    const xta_zone_memory *memory = a->memory;
    bool bytes = memory->type == XTA_BYTES && memory->cell_bytes > 1;
    bool compares = a->what == ACCUMULATE && (a->op == MPI_MIN || a->op == MPI_MAX);

    a->most_bytes = memory->most_bytes;
    if (bytes && a->what != GET) {
        a->what = PUT;
        a->locked = true;
    } else if (a->what == PUT && memory->cell_bytes > 8) {
        a->what = ACCUMULATE;
        a->op = MPI_REPLACE;
    } else if (compares && memory->unsigned_flawed) {
        a->locked = true;
        a->most_bytes = a->most_bytes < FETCHED_BYTES ? a->most_bytes : FETCHED_BYTES;
    }
}

static xta_status access_run(xta_zone_memory *memory, action what, MPI_Op op, const xta_box *box,
                             xta_order order, void *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    access a = {.memory = memory, .what = what, .op = op};
    int64_t lengths[XTA_MAX_NDIM];
    uint64_t bytes;

    xta__clear(err);
    XTA_TRY(access_check(memory, box, order, cells, err));
    if (what == ACCUMULATE) {
        XTA_TRY(check_op(memory, op, err));
    }
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    a.unit = xta__unit_of(memory->type);
    a.units = memory->type == XTA_BYTES ? (int)memory->cell_bytes : 1;
    for (int axis = 0; axis < box->ndim; axis++) {
        lengths[axis] = box->hi[axis] - box->lo[axis];
    }
    if (!xta__dense_strides(box->ndim, lengths, memory->cell_bytes, order, a.strides, &bytes)) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: a box of more than 2^62 bytes: take less",
                         xta_array_path(memory->p->array));
    }
    choose_method(&a);
    XTA_TRY(move_box(&a, box, cells, err));

done:
    return status;
}

xta_status xta_zone_memory_get(xta_zone_memory *memory, const xta_box *box, xta_order order,
                               void *out, xta_error *err)
{
    return access_run(memory, GET, MPI_NO_OP, box, order, out, err);
}

xta_status xta_zone_memory_put(xta_zone_memory *memory, const xta_box *box, xta_order order,
                               const void *in, xta_error *err)
{
    return access_run(memory, PUT, MPI_NO_OP, box, order, (void *)(uintptr_t)in, err);
}

xta_status xta_zone_memory_accumulate(xta_zone_memory *memory, const xta_box *box, xta_order order,
                                      const void *in, MPI_Op op, xta_error *err)
{
    return access_run(memory, ACCUMULATE, op, box, order, (void *)(uintptr_t)in, err);
}
