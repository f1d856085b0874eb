/* From a coordinate to the last axial record at or before it: direct table, O2-tree, and binary
 * search in a sorted array, for random coordinates of one axis. Decides XTA__TABLE_LIMIT; see
 * docs/decisions/0006-o2tree.md.
 *
 * An axis of `records * gap` chunks has a record every `gap` chunks. Look-ups are independent of
 * each other, as they are in a loop over random cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "geometry/tree/o2tree.h"

#define N_LOOKUPS 1000000

/* One axis in its three forms, and the coordinates to look up. */
typedef struct axis {
    int64_t length;
    uint32_t n_records;
    uint32_t *table;
    xta__o2tree *tree;
    int64_t *first; // of each record, ascending
    int64_t *coords;
    // of all results, so that the compiler omits nothing and all forms can be compared
    uint64_t sum;
} axis;

static uint32_t by_array(const axis *a, int64_t coord)
{
    size_t from = 0;
    size_t n = a->n_records;

    while (n > 1) {
        size_t half = n / 2;
        from = a->first[from + half] <= coord ? from + half : from;
        n -= half;
    }
    return (uint32_t)from;
}

static double run_table(void *state, int repetition)
{
    axis *a = state;
    double begin = bench_now();
    uint64_t sum = 0;

    (void)repetition;
    for (int i = 0; i < N_LOOKUPS; i++) {
        sum += a->table[a->coords[i]];
    }
    a->sum = sum;
    return bench_now() - begin;
}

static double run_tree(void *state, int repetition)
{
    axis *a = state;
    double begin = bench_now();
    uint64_t sum = 0;

    (void)repetition;
    for (int i = 0; i < N_LOOKUPS; i++) {
        uint32_t record = 0;
        xta__o2tree_floor(a->tree, a->coords[i], &record, NULL);
        sum += record;
    }
    if (sum != a->sum) {
        bench_die("the O2-tree and the table disagree");
    }
    return bench_now() - begin;
}

static double run_array(void *state, int repetition)
{
    axis *a = state;
    double begin = bench_now();
    uint64_t sum = 0;

    (void)repetition;
    for (int i = 0; i < N_LOOKUPS; i++) {
        sum += by_array(a, a->coords[i]);
    }
    if (sum != a->sum) {
        bench_die("the sorted array and the table disagree");
    }
    return bench_now() - begin;
}

static void axis_init(axis *a, uint32_t n_records, int64_t gap)
{
    uint64_t random = 1;

    *a = (axis){.length = n_records * gap, .n_records = n_records};
    a->table = bench_memory((size_t)a->length * sizeof a->table[0]);
    a->first = bench_memory(n_records * sizeof a->first[0]);
    a->coords = bench_memory(N_LOOKUPS * sizeof a->coords[0]);
    a->tree = xta__o2tree_new();
    for (uint32_t record = 0; record < n_records; record++) {
        a->first[record] = record * gap;
        if (a->tree == NULL || xta__o2tree_insert(a->tree, record * gap, record) != XTA_OK) {
            bench_die("no memory for a tree of %u records", (unsigned)n_records);
        }
        for (int64_t c = record * gap; c < (record + 1) * gap; c++) {
            a->table[c] = record;
        }
    }
    for (int i = 0; i < N_LOOKUPS; i++) {
        a->coords[i] = bench_below(&random, a->length);
    }
}

static void axis_clear(axis *a)
{
    free(a->table);
    free(a->first);
    free(a->coords);
    xta__o2tree_free(a->tree);
}

static void compare(uint32_t n_records, int64_t gap)
{
    axis a;
    char name[64];
    double seconds[3];

    axis_init(&a, n_records, gap);
    // In the round that is not counted the table goes first, and stores the sum that the others
    // must get.
    const bench_side sides[3] = {{run_table, &a}, {run_tree, &a}, {run_array, &a}};
    bench_alternate(sides, 3, 5, seconds);
    for (int i = 0; i < 3; i++) {
        seconds[i] *= 1e9 / N_LOOKUPS;
    }
    snprintf(name, sizeof name, "records=%u gap=%d", (unsigned)n_records, (int)gap);
    const bench_row rows[] = {
        {name, "random look-up: table", seconds[0], "o2tree", seconds[1], "ns", BENCH_TIME, 0},
        {name, "random look-up: o2tree", seconds[1], "sorted array", seconds[2], "ns", BENCH_TIME,
         0},
        {name, "memory: table", (double)a.length * 4, "o2tree", (double)xta__o2tree_bytes(a.tree),
         "bytes", BENCH_TIME, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench_print(&rows[i]);
    }
    axis_clear(&a);
}

int main(void)
{
    static const uint32_t n_records[] = {100, 10000, 1000000};
    static const int64_t gaps[] = {1, 16};

    bench_begin("lookup");
    for (size_t r = 0; r < (bench_small() ? 2 : 3); r++) {
        for (size_t g = 0; g < 2; g++) {
            compare(n_records[r], gaps[g]);
        }
    }
    return 0;
}
