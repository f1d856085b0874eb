/* [CXA] Fig. 5.4.2: random access in chunks in Hilbert order and in row-major order, in arrays of 2
 * and 3 axes, extended and not.
 *
 * usage: bench_chunk_order [CELLS [REPETITIONS]]
 *
 * About CELLS doubles in memory, in chunks of 32 a side. "not extended": allocated at once.
 * "extended": from one chunk in growths by a chunk on axes at random, with the reads spread between
 * the growths, as the thesis interleaves them. An access is F* of the chunk by the library's
 * mapping, and the position inside: row-major; Hilbert by Butz's algorithm bit by bit and by the
 * tree of Algorithm 7, as the thesis does; Hilbert and Morton by the library. Beside them the
 * library's arrays by their public call, in row-major, Morton and Hilbert chunks. Sums are checked.
 * Nanoseconds of an access, processor time without growth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/mapping/mapping.h"
#include "geometry/order/order.h"
#include "oracle/hilbert_tree.h"
#include "papers/butz.h"

enum { MAX_AXES = 3, ORDER = 5, CHUNK = 1 << ORDER, VISITS = 100000 };

typedef enum side { ROW, BUTZ, TREE, COMPACT, MORTON, ARRAY_ROW, ARRAY_MORTON, ARRAY_HILBERT } side;

static const char *const names[] = {"row-major",         "Hilbert (Butz)", "Hilbert (tree)",
                                    "Hilbert (compact)", "Morton",         "XTA row-major",
                                    "XTA Morton",        "XTA Hilbert"};

typedef struct test {
    int k;
    int64_t length[MAX_AXES]; // chunks, at the end
    uint64_t n_per_chunk;
    bool extended;
    side side;
    xta__mapping mapping;
    xta__grid grid;
    hilbert_tree *tree;
    double *cells;
    xta_array *array;
    int64_t *visits;
} test;

static uint64_t position_of(const test *t, const int64_t inside[])
{
    switch (t->side) {
    case BUTZ:
        return butz_position(t->k, ORDER, inside, BUTZ_CORRECTED);
    case TREE:
        return hilbert_tree_position(t->tree, inside);
    case ROW:
        return t->k == 2 ? (uint64_t)(inside[0] * CHUNK + inside[1])
                         : (uint64_t)((inside[0] * CHUNK + inside[1]) * CHUNK + inside[2]);
    default:
        return xta__grid_position(&t->grid, inside);
    }
}

static uint64_t cell_of(test *t, const int64_t coord[])
{
    int64_t index[MAX_AXES], inside[MAX_AXES];

    for (int j = 0; j < t->k; j++) {
        index[j] = coord[j] / CHUNK;
        inside[j] = coord[j] % CHUNK;
    }
    return xta__mapping_address(&t->mapping, index) * t->n_per_chunk + position_of(t, inside);
}

static double read_one(test *t, const int64_t coord[])
{
    double cell = 0;

    if (t->side < ARRAY_ROW) {
        return t->cells[cell_of(t, coord)];
    }
    BENCH_XTA(xta_array_get(t->array, coord, &cell, &bench_error));
    return cell;
}

/* Set the cells of a box of chunks. */
static void set_cells(test *t, const xta_box *chunks)
{
    int64_t lo[MAX_AXES], length[MAX_AXES], coord[MAX_AXES];
    int axis;

    for (int j = 0; j < t->k; j++) {
        coord[j] = lo[j] = chunks->lo[j] * CHUNK;
        length[j] = (chunks->hi[j] - chunks->lo[j]) * CHUNK;
    }
    if (t->side >= ARRAY_ROW) {
        xta_box box = bench_box(t->k, lo, length);
        uint64_t n = 0;
        if (xta_box_cells(&box, &n) != XTA_OK) {
            bench_die("too many cells");
        }
        double *cells = bench_memory((size_t)n * sizeof cells[0]);
        bench_fill(&box, cells);
        BENCH_XTA(xta_array_write(t->array, &box, NULL, cells, &bench_error));
        free(cells);
        return;
    }
    do {
        t->cells[cell_of(t, coord)] = bench_value(t->k, coord);
        for (axis = t->k - 1; axis >= 0 && ++coord[axis] == lo[axis] + length[axis]; axis--) {
            coord[axis] = lo[axis];
        }
    } while (axis >= 0);
}

static double visit(test *t, const int64_t bounds[], size_t n, uint64_t *random)
{
    double sum = 0, expected = 0;

    for (size_t v = 0; v < n * (size_t)t->k; v++) {
        t->visits[v] = bench_below(random, bounds[v % (size_t)t->k] * CHUNK);
    }
    double begin = bench_cpu_now();
    for (size_t v = 0; v < n; v++) {
        sum += read_one(t, t->visits + v * (size_t)t->k);
    }
    double taken = bench_cpu_now() - begin;
    for (size_t v = 0; v < n; v++) {
        expected += bench_value(t->k, t->visits + v * (size_t)t->k);
    }
    if (sum != expected) {
        bench_die("wrong cells in %s order", names[t->side]);
    }
    return taken;
}

static void grow(test *t, const xta__chunk_growth *growth)
{
    static const int64_t limit[MAX_AXES] = {INT32_MAX, INT32_MAX, INT32_MAX};

    if (t->side >= ARRAY_ROW) {
        xta_growth one = {growth->axis, XTA_BACK, CHUNK};
        BENCH_XTA(xta_array_extend(t->array, &one, 1, NULL, &bench_error));
        return;
    }
    if (xta__mapping_reserve(&t->mapping, growth, 1, limit, UINT64_MAX / 4) != XTA_OK) {
        bench_die("no memory for a growth");
    }
    xta__mapping_grow(&t->mapping, growth);
}

/* Grow to the final bounds; the visits after each growth. Bounds are in chunks. */
static double extend(test *t, int64_t bounds[])
{
    int64_t left = 0, lo[MAX_AXES], length[MAX_AXES];
    uint64_t random = 77, choice = 78;
    double taken = 0;

    for (int j = 0; j < t->k; j++) {
        left += t->length[j] - bounds[j];
    }
    size_t each = left > 0 ? VISITS / (size_t)left : VISITS;
    while (left > 0) {
        int axis = (int)bench_below(&choice, t->k);
        if (bounds[axis] == t->length[axis]) {
            continue;
        }
        memset(lo, 0, sizeof lo);
        memcpy(length, bounds, sizeof length);
        lo[axis] = bounds[axis]++;
        length[axis] = 1;
        grow(t, &(xta__chunk_growth){axis, XTA_BACK, 1});
        xta_box slab = bench_box(t->k, lo, length);
        set_cells(t, &slab);
        taken += visit(t, bounds, each, &random);
        left--;
    }
    return t->extended ? 1e9 * taken / (double)(each * (size_t)(t->length[0] * t->k - t->k))
                       : 1e9 * visit(t, bounds, VISITS, &random) / VISITS;
}

static double run(test *t)
{
    static const xta_order orders[] = {XTA_ROW,    XTA_HILBERT, XTA_HILBERT, XTA_HILBERT,
                                       XTA_MORTON, XTA_ROW,     XTA_MORTON,  XTA_HILBERT};
    const int64_t zero[MAX_AXES] = {0}, chunk[MAX_AXES] = {CHUNK, CHUNK, CHUNK};
    int64_t bounds[MAX_AXES], cells[MAX_AXES];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    for (int j = 0; j < t->k; j++) {
        bounds[j] = t->extended ? 1 : t->length[j];
        cells[j] = bounds[j] * CHUNK;
    }
    xta_box first = bench_box(t->k, zero, bounds);
    if (xta__grid_init(&t->grid, orders[t->side], t->k, chunk) != XTA_OK ||
        xta__mapping_init(&t->mapping, t->k, zero, bounds, INT32_MAX) != XTA_OK) {
        bench_die("no memory for a mapping");
    }
    options.chunk = chunk;
    options.order = orders[t->side];
    BENCH_XTA(xta_array_new(XTA_F64, t->k, t->side >= ARRAY_ROW ? cells : chunk, &options,
                            &t->array, &bench_error));
    set_cells(t, &first);
    double each = extend(t, bounds);
    BENCH_XTA(xta_array_close(t->array, &bench_error));
    xta__mapping_clear(&t->mapping);
    return each;
}

int main(int argc, char **argv)
{
    double cells = argc > 1 ? atof(argv[1]) : 1e6;
    int repetitions = argc > 2 ? atoi(argv[2]) : 3;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 2; k <= MAX_AXES; k++) {
        test t = {.k = k, .n_per_chunk = (uint64_t)1 << ORDER * k};
        int64_t length = (int64_t)(pow(cells, 1.0 / k) / CHUNK + 0.5);
        size_t n = t.n_per_chunk;
        for (int j = 0; j < k; j++) {
            t.length[j] = length < 2 ? 2 : length;
            n *= (size_t)t.length[j];
        }
        t.tree = hilbert_tree_new(k, ORDER, true);
        t.cells = bench_memory(n * sizeof t.cells[0]);
        t.visits = bench_memory((size_t)VISITS * (size_t)k * sizeof t.visits[0]);
        for (int i = 0; i < repetitions * 2 * (ARRAY_HILBERT + 1); i++) {
            t.side = (side)(i % (ARRAY_HILBERT + 1));
            t.extended = i / (ARRAY_HILBERT + 1) % 2 == 1;
            printf("%d axes; %s,%s,%.6g,ns\n", k, t.extended ? "extended" : "not extended",
                   names[t.side], run(&t));
        }
        free(t.visits);
        free(t.cells);
        hilbert_tree_free(t.tree);
    }
    return 0;
}
