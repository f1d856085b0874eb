/* From a cell to its position on the Hilbert curve: the library's compact form against the tree of
 * [CXA] Algorithm 7, with a node for each part as printed, and with equal subtrees kept once, and
 * against Butz's algorithm bit by bit, as [CXA] 5.4.2 has it ([CXA] 5.4.1, 5.4.2). Random cells of
 * cubes of 2 to 4 axes; processor times, and the memory of the trees. All must agree on every cell.
 *
 * The library's form is Butz's algorithm in words instead of bits, with the bits of short axes left
 * out; for equal lengths, as here, none are left out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "geometry/order/order.h"
#include "oracle/hilbert_tree.h"
#include "papers/butz.h"

#define MAX_AXES    4
#define VISITS      200000
#define REPETITIONS 7

typedef struct curve {
    int n, order;
    xta__grid grid;
    hilbert_tree *whole, *shared;
    int64_t *visits;
    uint64_t *positions;
} curve;

static double run_library(void *state, int repetition)
{
    curve *c = state;
    double begin = bench_cpu_now();

    (void)repetition;
    for (size_t v = 0; v < VISITS; v++) {
        c->positions[v] = xta__grid_position(&c->grid, c->visits + v * (size_t)c->n);
    }
    return bench_cpu_now() - begin;
}

static double run_tree(curve *c, const hilbert_tree *tree)
{
    uint64_t wrong = 0;
    double begin = bench_cpu_now();

    for (size_t v = 0; v < VISITS; v++) {
        wrong += hilbert_tree_position(tree, c->visits + v * (size_t)c->n) != c->positions[v];
    }
    double taken = bench_cpu_now() - begin;
    if (wrong > 0) {
        bench_die("the tree has %d other positions than the library", (int)wrong);
    }
    return taken;
}

static double run_whole(void *state, int repetition)
{
    (void)repetition;
    return run_tree(state, ((curve *)state)->whole);
}

static double run_shared(void *state, int repetition)
{
    (void)repetition;
    return run_tree(state, ((curve *)state)->shared);
}

static double run_butz(void *state, int repetition)
{
    const curve *c = state;
    uint64_t wrong = 0;
    double begin = bench_cpu_now();

    (void)repetition;
    for (size_t v = 0; v < VISITS; v++) {
        const int64_t *coord = c->visits + v * (size_t)c->n;
        wrong += butz_position(c->n, c->order, coord, BUTZ_CORRECTED) != c->positions[v];
    }
    double taken = bench_cpu_now() - begin;
    if (wrong > 0) {
        bench_die("Butz's algorithm has %d other positions than the library", (int)wrong);
    }
    return taken;
}

static void compare(int n, int order)
{
    curve c = {.n = n, .order = order};
    const bench_side sides[] = {
        {run_library, &c}, {run_butz, &c}, {run_shared, &c}, {run_whole, &c}};
    const int64_t side = (int64_t)1 << order, lengths[MAX_AXES] = {side, side, side, side};
    int n_sides = n * order <= 20 ? 4 : 3;
    uint64_t random = 7;
    double seconds[4];
    char name[64];

    if (xta__grid_init(&c.grid, XTA_HILBERT, n, lengths) != XTA_OK) {
        bench_die("no curve of %d axes", n);
    }
    c.shared = hilbert_tree_new(n, order, true);
    c.whole = n_sides == 4 ? hilbert_tree_new(n, order, false) : NULL;
    c.visits = bench_memory((size_t)VISITS * (size_t)n * sizeof c.visits[0]);
    c.positions = bench_memory(VISITS * sizeof c.positions[0]);
    for (size_t v = 0; v < (size_t)VISITS * (size_t)n; v++) {
        c.visits[v] = bench_below(&random, side);
    }
    bench_alternate(sides, n_sides, REPETITIONS, seconds);
    snprintf(name, sizeof name, "%d axes; order %d", n, order);
    static const char *const peers[] = {"", "Butz bit by bit", "tree with shared subtrees",
                                        "tree with a node for each part"};
    const hilbert_tree *trees[] = {NULL, NULL, c.shared, c.whole};
    for (int i = 1; i < n_sides; i++) {
        bench_print(&(bench_row){name, "position of a cell", 1e9 * seconds[0] / VISITS, peers[i],
                                 1e9 * seconds[i] / VISITS, "ns", BENCH_TIME, 0});
    }
    for (int i = 2; i < n_sides; i++) {
        bench_print(&(bench_row){name, "memory", sizeof c.grid, peers[i],
                                 (double)hilbert_tree_bytes(trees[i]), "bytes", BENCH_TIME, 0});
    }
    hilbert_tree_free(c.shared);
    hilbert_tree_free(c.whole);
    free(c.visits);
    free(c.positions);
}

int main(void)
{
    bench_begin("hilbert");
    for (int n = 2; n <= MAX_AXES; n++) {
        compare(n, 2);
        compare(n, 4);
        compare(n, 6);
    }
    return 0;
}
