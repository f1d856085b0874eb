/* Shared by the tests of zones in memory: an array, its zones, and a plain model of its cells,
 * which every rank keeps.
 *
 * Every rank runs the same generator, so each knows the steps of all ranks; requests of a single
 * rank come from its own generator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_ZONE_WORLD_H
#define XTA_TESTS_PARALLEL_ZONE_WORLD_H

#include <string.h>

#include <xta/parallel.h>

#include "parallel/mpi_test.h"
#include "parallel/zones/memory.h"
#include "support/random.h"

#define MAX_NDIM  4
#define MAX_RANKS 16

static xta_error err;
static uint64_t seed;

/* ---- the model ---- */

/* A cell is a number, or a pair of numbers; every type represents it in its own way. */
typedef struct number {
    int64_t re, im;
} number;

typedef struct world {
    test_random common, own;
    char story[300];
    xta_type type;
    size_t cell_bytes;
    xta_box bounds;
    number *cells; /* row-major over the bounds */
    xta_parallel *p;
    xta_zone_memory *memory;
    xta_order order; /* of the zones */
    int64_t chunk[MAX_NDIM];
    xta_distribution distribution;
    int grid[MAX_NDIM];
    int64_t cycle[MAX_NDIM];
    int64_t places[MAX_NDIM][MAX_RANKS];
    const int64_t *cuts[MAX_NDIM];
} world;

static inline bool is_complex(xta_type type)
{
    return type == XTA_C64 || type == XTA_C128;
}

/* A number as a cell of the type can hold it. */
static inline number held(xta_type type, number v)
{
    bool is_signed = type == XTA_I8 || type == XTA_I16 || type == XTA_I32 || type == XTA_I64;
    int drop = type == XTA_BYTES ? 48 : 64 - 8 * (int)xta_type_bytes(type);

    if (type == XTA_BOOL) {
        return (number){v.re & 1, 0};
    }
    if (type >= XTA_F32 && type != XTA_BYTES) {
        return is_complex(type) ? v : (number){v.re, 0};
    }
    uint64_t top = (uint64_t)v.re << drop;
    return (number){is_signed ? (int64_t)top >> drop : (int64_t)(top >> drop), 0};
}

static inline void encode(const world *w, number v, uint8_t *cell)
{
    v = held(w->type, v);
    const float f[2] = {(float)v.re, (float)v.im};
    const double d[2] = {(double)v.re, (double)v.im};

    switch (w->type) {
    case XTA_F32:
    case XTA_C64:
        memcpy(cell, f, w->cell_bytes);
        break;
    case XTA_F64:
    case XTA_C128:
        memcpy(cell, d, w->cell_bytes);
        break;
    case XTA_BYTES:
        for (size_t k = 0; k < w->cell_bytes; k++) {
            cell[k] = (uint8_t)(v.re * (k % 2 == 0 ? 1 : 7) + (v.re >> 8));
        }
        break;
    default:
        for (size_t k = 0; k < w->cell_bytes; k++) {
            const uint16_t one = 1;
            size_t place = *(const uint8_t *)&one == 1 ? k : w->cell_bytes - 1 - k;
            cell[place] = (uint8_t)((uint64_t)v.re >> (8 * k));
        }
    }
}

/* Whether a cell holds a number. Products have zeros of both signs, which are the same number. */
static inline bool holds(const world *w, const uint8_t *cell, number v)
{
    uint8_t expected[64];
    float f[2] = {0, 0};
    double d[2] = {0, 0};

    encode(w, v, expected);
    if (memcmp(cell, expected, w->cell_bytes) == 0) {
        return true;
    }
    v = held(w->type, v);
    if (w->type == XTA_F32 || w->type == XTA_C64) {
        memcpy(f, cell, w->cell_bytes);
        return f[0] == (float)v.re && f[1] == (float)v.im;
    }
    if (w->type == XTA_F64 || w->type == XTA_C128) {
        memcpy(d, cell, w->cell_bytes);
        return d[0] == (double)v.re && d[1] == (double)v.im;
    }
    return false;
}

static inline number combine(const world *w, MPI_Op op, number a, number b)
{
    number v = b;

    if (op == MPI_SUM) {
        v = (number){(int64_t)((uint64_t)a.re + (uint64_t)b.re),
                     (int64_t)((uint64_t)a.im + (uint64_t)b.im)};
    } else if (op == MPI_PROD) {
        v = (number){(int64_t)((uint64_t)a.re * (uint64_t)b.re - (uint64_t)a.im * (uint64_t)b.im),
                     (int64_t)((uint64_t)a.re * (uint64_t)b.im + (uint64_t)a.im * (uint64_t)b.re)};
    } else if (op == MPI_MIN || op == MPI_MAX) {
        bool below = w->type == XTA_U64 ? (uint64_t)a.re < (uint64_t)b.re : a.re < b.re;
        v = below == (op == MPI_MIN) ? a : b;
    }
    return held(w->type, v);
}

/* Step to the next coordinate of a box, row-major; false after the last. */
static inline bool next_in(const xta_box *box, int64_t c[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++c[axis] < box->hi[axis]) {
            return true;
        }
        c[axis] = box->lo[axis];
    }
    return false;
}

/* The position of a cell of a box in dense memory. */
static inline size_t place_in(const xta_box *box, const int64_t c[], xta_order order)
{
    size_t place = 0;

    for (int k = 0; k < box->ndim; k++) {
        int axis = order == XTA_ROW ? k : box->ndim - 1 - k;
        place = place * (size_t)(box->hi[axis] - box->lo[axis]) + (size_t)(c[axis] - box->lo[axis]);
    }
    return place;
}

static inline size_t count(const xta_box *box)
{
    uint64_t n = 0;

    XTA_CHECK(xta_box_cells(box, &n) == XTA_OK, "a box of too many cells");
    return (size_t)n;
}

static inline number *cell_of(const world *w, const int64_t c[])
{
    return &w->cells[place_in(&w->bounds, c, XTA_ROW)];
}

/* Small enough that sums and one product are exact in every type: the result of an overflow is up
 * to MPI (Open MPI saturates narrow integers). */
static inline number random_number(xta_type type, test_random *random)
{
    bool narrow = type == XTA_I8 || type == XTA_U8;
    bool positive = type == XTA_U8 || type == XTA_U16;
    int64_t most = narrow ? 3 : 99;
    number v = {0, 0};

    v.re = test_random_in(random, positive ? 0 : -most, most);
    v.im = test_random_in(random, -most, most);
    return held(type, v);
}

static inline xta_box random_box(test_random *random, const xta_box *bounds)
{
    xta_box box = *bounds;

    for (int axis = 0; axis < box.ndim; axis++) {
        int64_t a = test_random_in(random, bounds->lo[axis], bounds->hi[axis]);
        int64_t b = test_random_in(random, bounds->lo[axis], bounds->hi[axis]);
        // Few boxes are empty, and some span a whole axis.
        if (!test_random_chance(random, 30)) {
            box.lo[axis] = a < b ? a : b;
            box.hi[axis] = a < b ? b : a;
            box.hi[axis] += a == b && b < bounds->hi[axis];
        }
    }
    return box;
}

/* ---- comparing ---- */

/* Memory to which a box was copied equals the model. */
static inline void compare(const world *w, const xta_box *box, xta_order order,
                           const uint8_t *memory, const char *what)
{
    int64_t c[XTA_MAX_NDIM];
    size_t wrong = 0;

    if (!xta_box_empty(box)) {
        memcpy(c, box->lo, sizeof c);
        do {
            wrong += !holds(w, memory + place_in(box, c, order) * w->cell_bytes, *cell_of(w, c));
        } while (next_in(box, c));
    }
    XTA_CHECK(wrong == 0, "%s: %zu of %zu cells are wrong; %s", what, wrong, count(box), w->story);
}

/* Random boxes, requested by each rank independently. */
static inline void compare_gets(world *w, int n)
{
    for (int k = 0; k < n; k++) {
        xta_box box = k == 0 ? w->bounds : random_box(&w->own, &w->bounds);
        xta_order order = test_random_chance(&w->own, 50) ? XTA_ROW : XTA_COLUMN;
        size_t bytes = count(&box) * w->cell_bytes;
        uint8_t *memory = malloc(bytes + 1);
        memory[bytes] = 77;
        XTA_CHECK_OK(xta_zone_memory_get(w->memory, &box, order, memory, &err), err);
        compare(w, &box, order, memory, "get");
        XTA_CHECK(memory[bytes] == 77, "written behind the box; %s", w->story);
        free(memory);
    }
}

/* The number of coordinates of this rank's zone below each coordinate of an axis, for the caller to
 * free. */
static inline int64_t *count_own(const world *w, int axis)
{
    const xta_zones *zones = xta_zone_memory_zones(w->memory);
    int64_t length = w->bounds.hi[axis] - w->bounds.lo[axis];
    int64_t *before = calloc((size_t)length + 1, sizeof before[0]);

    for (uint64_t k = 0; k < xta_zones_n_boxes(zones, xta_test_rank); k++) {
        xta_box box = xta_zones_cells(zones, xta_test_rank, k, &w->bounds);
        for (int64_t i = box.lo[axis]; i < box.hi[axis]; i++) {
            before[i - w->bounds.lo[axis] + 1] = 1;
        }
    }
    for (int64_t i = 0; i < length; i++) {
        before[i + 1] += before[i];
    }
    return before;
}

/* This rank's zone: on each axis its coordinates, one after another. */
static inline void compare_local(const world *w)
{
    const xta_zones *zones = xta_zone_memory_zones(w->memory);
    int64_t lengths[XTA_MAX_NDIM], strides[XTA_MAX_NDIM], c[XTA_MAX_NDIM];
    uint8_t *local = xta_zone_memory_local(w->memory, lengths, strides);
    int64_t *before[MAX_NDIM];
    size_t n = 0, wrong = 0;

    for (int axis = 0; axis < w->bounds.ndim; axis++) {
        before[axis] = count_own(w, axis);
        XTA_CHECK(xta_zones_n_boxes(zones, xta_test_rank) == 0 ||
                      lengths[axis] == before[axis][w->bounds.hi[axis] - w->bounds.lo[axis]],
                  "axis %d: length %lld; %s", axis, (long long)lengths[axis], w->story);
    }
    memcpy(c, w->bounds.lo, sizeof c);
    do {
        int64_t place = 0;
        if (xta_zones_rank_of_cell(zones, c) == xta_test_rank) {
            for (int axis = 0; axis < w->bounds.ndim; axis++) {
                place += before[axis][c[axis] - w->bounds.lo[axis]] * strides[axis];
            }
            wrong += !holds(w, local + place, *cell_of(w, c));
            n++;
        }
    } while (next_in(&w->bounds, c));
    XTA_CHECK(wrong == 0, "%zu of %zu cells of the own zone are wrong; %s", wrong, n, w->story);
    for (int axis = 0; axis < w->bounds.ndim; axis++) {
        free(before[axis]);
    }
}

/* The file equals the model. */
static inline void compare_file(world *w)
{
    xta_box box = random_box(&w->own, &w->bounds);
    uint8_t *memory = malloc(count(&box) * w->cell_bytes + 1);

    XTA_CHECK_OK(xta_parallel_read_all(w->p, &box, NULL, memory, &err), err);
    compare(w, &box, XTA_ROW, memory, "read");
    free(memory);
}

/* ---- making arrays and distributions ---- */

/* Write the model to the array: every rank a part. */
static inline void write_model(const world *w)
{
    xta_box mine = w->bounds;
    int64_t length = mine.hi[0] - mine.lo[0], c[XTA_MAX_NDIM];
    uint8_t *memory;

    mine.lo[0] = w->bounds.lo[0] + length * xta_test_rank / xta_test_ranks;
    mine.hi[0] = w->bounds.lo[0] + length * (xta_test_rank + 1) / xta_test_ranks;
    memory = malloc(count(&mine) * w->cell_bytes + 1);
    if (!xta_box_empty(&mine)) {
        memcpy(c, mine.lo, sizeof c);
        do {
            encode(w, *cell_of(w, c), memory + place_in(&mine, c, XTA_ROW) * w->cell_bytes);
        } while (next_in(&mine, c));
    }
    XTA_CHECK_OK(xta_parallel_write_all(w->p, &mine, NULL, memory, &err), err);
    free(memory);
}

/* New numbers in all of the model, over the current bounds. */
static inline void random_model(world *w)
{
    w->bounds = xta_parallel_bounds(w->p);
    free(w->cells);
    w->cells = calloc(count(&w->bounds), sizeof w->cells[0]);
    for (size_t k = 0; k < count(&w->bounds); k++) {
        w->cells[k] = random_number(w->type, &w->common);
    }
}

static inline void make_array(world *w, const char *name)
{
    static const int longest[MAX_NDIM + 1] = {0, 60, 20, 9, 5};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    int64_t bounds[MAX_NDIM];
    int ndim = (int)test_random_in(&w->common, 1, MAX_NDIM);

    w->type = (xta_type)test_random_in(&w->common, XTA_BOOL, XTA_BYTES);
    w->cell_bytes = xta_type_bytes(w->type);
    if (w->type == XTA_BYTES) {
        w->cell_bytes = (size_t)test_random_in(&w->common, 1, 60);
    }
    for (int axis = 0; axis < ndim; axis++) {
        bounds[axis] = test_random_in(&w->common, 1, longest[ndim]);
        w->chunk[axis] = test_random_in(&w->common, 1, 4);
    }
    create.chunk = w->chunk;
    create.cell_bytes = (uint32_t)w->cell_bytes;
    create.order = test_random_chance(&w->common, 50) ? XTA_ROW : XTA_COLUMN;
    options.io = test_random_chance(&w->common, 50) ? XTA_IO_AUTO : XTA_IO_MPI;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(name), w->type, ndim, bounds,
                                     &create, &options, &w->p, &err),
                 err);
    for (int k = (int)test_random_in(&w->common, 0, 4); k > 0; k--) {
        xta_growth growth = {0, XTA_BACK, 0};
        growth.axis = (int)test_random_in(&w->common, 0, ndim - 1);
        growth.side = test_random_chance(&w->common, 60) ? XTA_FRONT : XTA_BACK;
        growth.by = test_random_in(&w->common, 0, 5);
        XTA_CHECK_OK(xta_parallel_extend(w->p, &growth, 1, NULL, &err), err);
    }
    random_model(w);
    write_model(w);
}

static inline int compare_cuts(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

/* A distribution of the chunks, and its zones. */
static inline void make_zones(world *w, xta_distribution_kind kind)
{
    int ndim = w->bounds.ndim, left = xta_test_ranks;

    for (int axis = 0; axis < ndim; axis++) {
        w->grid[axis] = 1;
        w->cycle[axis] = test_random_in(&w->common, 1, 3);
        w->cuts[axis] = w->places[axis];
    }
    for (int factor = 2; left > 1; factor++) {
        for (; left % factor == 0; left /= factor) {
            w->grid[test_random_in(&w->common, 0, ndim - 1)] *= factor;
        }
    }
    for (int axis = 0; axis < ndim; axis++) {
        int64_t lo = xta__floor_div(w->bounds.lo[axis], w->chunk[axis]);
        int64_t hi = xta__floor_div(w->bounds.hi[axis] - 1, w->chunk[axis]) + 1;
        for (int k = 0; k < w->grid[axis] - 1; k++) {
            w->places[axis][k] = test_random_in(&w->common, lo, hi);
        }
        qsort(w->places[axis], (size_t)w->grid[axis] - 1, sizeof(int64_t), compare_cuts);
    }
    w->distribution = (xta_distribution)XTA_DISTRIBUTION_INIT;
    w->distribution.kind = kind;
    w->distribution.grid =
        kind == XTA_IRREGULAR || test_random_chance(&w->common, 70) ? w->grid : NULL;
    w->distribution.cycle = w->cycle;
    w->distribution.cuts = w->cuts;
    // The test cannot continue without zones.
    if (!XTA_CHECK_OK(xta_zone_memory_new(w->p, &w->distribution, w->order, &w->memory, &err),
                      err)) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    // The library splits boxes that are too large for any test: sometimes small ones are split as
    // well.
    if (test_random_chance(&w->common, 40)) {
        w->memory->most_bytes = (uint64_t)test_random_in(&w->common, 1, 3000);
    }
}

/* ---- operations on zones ---- */

/* The numbers that a rank contributes to a box, row-major, and its memory. */
static inline uint8_t *random_cells(const world *w, test_random *random, const xta_box *box,
                                    xta_order order, number numbers[])
{
    uint8_t *memory = malloc(count(box) * w->cell_bytes + 1);
    int64_t c[XTA_MAX_NDIM];

    memcpy(c, box->lo, sizeof c);
    do {
        number *v = &numbers[place_in(box, c, XTA_ROW)];
        *v = random_number(w->type, random);
        encode(w, *v, memory + place_in(box, c, order) * w->cell_bytes);
    } while (next_in(box, c));
    return memory;
}

/* One rank combines a box (`op` MPI_OP_NULL: put); all ranks record it in the model. */
static inline void combine_box(world *w, int rank, const xta_box *box, MPI_Op op)
{
    xta_order order = test_random_chance(&w->common, 50) ? XTA_ROW : XTA_COLUMN;
    number *numbers;
    uint8_t *memory;
    int64_t c[XTA_MAX_NDIM];

    if (xta_box_empty(box)) {
        return;
    }
    numbers = calloc(count(box), sizeof numbers[0]);
    memory = random_cells(w, &w->common, box, order, numbers);
    if (rank == xta_test_rank) {
        XTA_CHECK_OK(op == MPI_OP_NULL
                         ? xta_zone_memory_put(w->memory, box, order, memory, &err)
                         : xta_zone_memory_accumulate(w->memory, box, order, memory, op, &err),
                     err);
    }
    memcpy(c, box->lo, sizeof c);
    do {
        number *cell = cell_of(w, c);
        *cell = combine(w, op, *cell, numbers[place_in(box, c, XTA_ROW)]);
    } while (next_in(box, c));
    free(numbers);
    free(memory);
}

/* Every rank combines a box of its own at once. `apart`: they are slabs of one box, and do not
 * overlap. */
static inline void all_at_once(world *w, MPI_Op op, bool apart)
{
    xta_box whole = random_box(&w->common, &w->bounds);
    int axis = (int)test_random_in(&w->common, 0, whole.ndim - 1);
    int64_t length = whole.hi[axis] - whole.lo[axis];

    for (int rank = 0; rank < xta_test_ranks; rank++) {
        xta_box box = apart ? whole : random_box(&w->common, &w->bounds);
        if (apart) {
            box.lo[axis] = whole.lo[axis] + length * rank / xta_test_ranks;
            box.hi[axis] = whole.lo[axis] + length * (rank + 1) / xta_test_ranks;
        }
        combine_box(w, rank, &box, op);
    }
}

static inline void fence(world *w)
{
    XTA_CHECK_OK(xta_zone_memory_fence(w->memory, &err), err);
}

static inline world make_world(uint64_t part)
{
    world w = {.common = test_random_make(seed, part)};

    w.own = test_random_make(seed + 1 + (uint64_t)xta_test_rank, part);
    return w;
}

static inline void clear_world(world *w)
{
    XTA_CHECK_OK(xta_parallel_close(w->p, &err), err);
    free(w->cells);
}

/* The seed of this run, the same on all ranks. Collective. */
static inline void agree_on_seed(const char *test, uint64_t fallback)
{
    if (xta_test_rank == 0) {
        seed = test_seed(test, fallback);
    }
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

#endif
