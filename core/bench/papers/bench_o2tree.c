/* The axial records of k axes after E expansions in an O2-tree, in a direct table and in a sorted
 * array: insertion, rebuilding, search, scan and size ([CXA] 4.2).
 *
 * Expansions go round the axes, which is the worst case of 4.3: each adds a record of GAP chunks.
 * One search for an address is k searches, one on each axis, for random coordinates. "Insert" is
 * one expansion after the other as they happen, so keys ascend, and an array or a table is made
 * longer by half where it is full; "at random" puts the same records in any order, which growth
 * never does: it shows what the tree is for. "Rebuild" makes the structure from the list of records
 * of a metadata file, one by one; "bulk load" the same with memory reserved for all of them.
 * Processor times.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/tree/o2tree.h"

#define GAP               4
#define MAX_AXES          7
#define VISITS            200000
#define REPETITIONS       5
#define MOST_IN_ANY_ORDER 20000 // records on an axis up to which the array is made in any order

typedef enum form { TREE, TABLE, ARRAY, N_FORMS } form;

static const char *const form_name[N_FORMS] = {"O2-tree", "direct table", "sorted array"};

typedef struct axis {
    xta__o2tree *tree;
    uint32_t *table;
    size_t table_length, table_capacity;
    int64_t *first;
    size_t n, capacity;
} axis;

typedef struct test {
    int k;
    uint32_t n; // records on each axis
    form form;
    axis axes[MAX_AXES];
    uint32_t *order;  // 0 .. n - 1 in a random order
    int64_t *visits;  // k coordinates each
    uint64_t answers; // their sum, which all forms must get
} test;

/* Room for `n` elements of `size` bytes; half as many again as needed. */
static void *longer(void *block, size_t *capacity, size_t n, size_t size)
{
    if (n > *capacity) {
        *capacity = n + n / 2 + 16;
        block = realloc(block, *capacity * size);
        if (block == NULL) {
            bench_die("no memory for %zu records", n);
        }
    }
    return block;
}

static void array_insert(axis *a, int64_t first)
{
    size_t at = a->n;

    a->first = longer(a->first, &a->capacity, a->n + 1, sizeof a->first[0]);
    while (at > 0 && a->first[at - 1] > first) {
        at--;
    }
    memmove(a->first + at + 1, a->first + at, (a->n - at) * sizeof a->first[0]);
    a->first[at] = first;
    a->n++;
}

static void table_insert(axis *a, uint32_t record)
{
    a->table = longer(a->table, &a->table_capacity, a->table_length + GAP, sizeof a->table[0]);
    for (int i = 0; i < GAP; i++) {
        a->table[a->table_length++] = record;
    }
}

static void insert(test *t, axis *a, uint32_t record)
{
    int64_t first = (int64_t)record * GAP;

    if (t->form == TABLE) {
        table_insert(a, record);
    } else if (t->form == ARRAY) {
        array_insert(a, first);
    } else if (xta__o2tree_insert(a->tree, first, record) != XTA_OK) {
        bench_die("the O2-tree takes no record %u", (unsigned)record);
    }
}

static void clear(test *t)
{
    for (int j = 0; j < t->k; j++) {
        axis *a = &t->axes[j];
        xta__o2tree_free(a->tree);
        free(a->table);
        free(a->first);
        *a = (axis){0};
        if (t->form == TREE && (a->tree = xta__o2tree_new()) == NULL) {
            bench_die("no memory for a tree");
        }
    }
}

/* Seconds for all records; from a structure that holds none to one that holds them all. */
static double make(test *t, bool in_any_order, bool reserve)
{
    clear(t);
    double begin = bench_cpu_now();
    for (int j = 0; reserve && j < t->k; j++) {
        axis *a = &t->axes[j];
        if (t->form == TREE && xta__o2tree_reserve(a->tree, t->n) != XTA_OK) {
            bench_die("no memory for a tree");
        }
        if (t->form == TABLE) {
            a->table = longer(a->table, &a->table_capacity, (size_t)t->n * GAP, sizeof a->table[0]);
        }
        if (t->form == ARRAY) {
            a->first = longer(a->first, &a->capacity, t->n, sizeof a->first[0]);
        }
    }
    for (uint32_t record = 0; record < t->n; record++) {
        for (int j = 0; j < t->k; j++) {
            insert(t, &t->axes[j], in_any_order ? t->order[record] : record);
        }
    }
    return bench_cpu_now() - begin;
}

/* As make(), an axis after the other, as a list of records is read. */
static double rebuild(test *t)
{
    clear(t);
    double begin = bench_cpu_now();
    for (int j = 0; j < t->k; j++) {
        for (uint32_t record = 0; record < t->n; record++) {
            insert(t, &t->axes[j], record);
        }
    }
    return bench_cpu_now() - begin;
}

static uint32_t array_floor(const axis *a, int64_t coord)
{
    size_t from = 0, n = a->n;

    while (n > 1) {
        size_t half = n / 2;
        from = a->first[from + half] <= coord ? from + half : from;
        n -= half;
    }
    return (uint32_t)from;
}

static double search(test *t)
{
    uint64_t sum = 0;
    double begin = bench_cpu_now();

    for (size_t v = 0; v < VISITS; v++) {
        const int64_t *coord = t->visits + v * (size_t)t->k;
        for (int j = 0; j < t->k; j++) {
            uint32_t record = 0;
            if (t->form == TREE) {
                xta__o2tree_floor(t->axes[j].tree, coord[j], &record, NULL);
            } else if (t->form == TABLE) {
                record = t->axes[j].table[coord[j]];
            } else {
                record = array_floor(&t->axes[j], coord[j]);
            }
            sum += record;
        }
    }
    double taken = bench_cpu_now() - begin;
    if (t->answers != 0 && sum != t->answers) {
        bench_die("%s gives other records than the rest", form_name[t->form]);
    }
    t->answers = sum;
    return taken;
}

/* Every record of every axis, in order; of a table, its entries. */
static double scan(test *t)
{
    uint64_t sum = 0, expected = 0;
    double begin = bench_cpu_now();

    for (int j = 0; j < t->k; j++) {
        axis *a = &t->axes[j];
        int64_t key = 0;
        if (t->form == TREE) {
            xta__o2tree_cursor at = xta__o2tree_begin(a->tree);
            while (xta__o2tree_next(&at, &key, NULL)) {
                sum += (uint64_t)key;
            }
        }
        for (size_t i = 0; t->form == ARRAY && i < a->n; i++) {
            sum += (uint64_t)a->first[i];
        }
        for (size_t i = 0; t->form == TABLE && i < a->table_length; i++) {
            sum += i == 0 || a->table[i] != a->table[i - 1] ? (uint64_t)i : 0;
        }
    }
    double taken = bench_cpu_now() - begin;
    expected = (uint64_t)t->n * (t->n - 1) / 2 * GAP * (uint64_t)t->k;
    if (sum != expected) {
        bench_die("%s was not scanned completely", form_name[t->form]);
    }
    return taken;
}

static double bytes_of(const test *t)
{
    double bytes = 0;

    for (int j = 0; j < t->k; j++) {
        const axis *a = &t->axes[j];
        bytes += t->form == TREE    ? (double)xta__o2tree_bytes(a->tree)
                 : t->form == TABLE ? (double)(a->table_length * sizeof a->table[0])
                                    : (double)(a->n * sizeof a->first[0]);
    }
    return bytes;
}

enum { INSERT, ANY_ORDER, REBUILD, BULK_LOAD, SEARCH, SCAN, BYTES, N_FIGURES };

static const struct {
    const char *name;
    const char *unit;
} figures[N_FIGURES] = {{"insert as axes grow", "ns/record"},
                        {"insert in any order", "ns/record"},
                        {"rebuild from a list", "ns/record"},
                        {"bulk load", "ns/record"},
                        {"search for one address", "ns"},
                        {"scan in order", "ns/record"},
                        {"size", "bytes"}};

/* Nanoseconds of one record or one address; the median. */
static void measure(test *t, double figure[N_FIGURES])
{
    double seconds[N_FIGURES][REPETITIONS];
    double records = (double)t->n * t->k;
    bool any_order = t->form == TREE || (t->form == ARRAY && t->n <= MOST_IN_ANY_ORDER);

    for (int r = 0; r < REPETITIONS; r++) {
        seconds[ANY_ORDER][r] = any_order ? make(t, true, false) / records : 0;
        seconds[INSERT][r] = make(t, false, false) / records;
        seconds[BULK_LOAD][r] = make(t, false, true) / records;
        seconds[REBUILD][r] = rebuild(t) / records;
        seconds[SEARCH][r] = search(t) / VISITS;
        seconds[SCAN][r] = scan(t) / records;
    }
    for (int f = 0; f < BYTES; f++) {
        figure[f] = 1e9 * bench_median(seconds[f], REPETITIONS);
    }
    figure[BYTES] = bytes_of(t);
}

static void prepare(test *t, uint32_t expansions, int k)
{
    uint64_t random = 4;

    *t = (test){.k = k, .n = expansions / (uint32_t)k};
    t->order = bench_memory(t->n * sizeof t->order[0]);
    t->visits = bench_memory((size_t)VISITS * (size_t)k * sizeof t->visits[0]);
    for (uint32_t i = 0; i < t->n; i++) {
        uint32_t j = (uint32_t)bench_below(&random, i + 1);
        t->order[i] = t->order[j];
        t->order[j] = i;
    }
    for (size_t v = 0; v < (size_t)VISITS * (size_t)k; v++) {
        t->visits[v] = bench_below(&random, (int64_t)t->n * GAP);
    }
}

static void compare(uint32_t expansions, int k)
{
    double figure[N_FORMS][N_FIGURES];
    char name[64];
    test t;

    prepare(&t, expansions, k);
    for (int f = 0; f < N_FORMS; f++) {
        t.form = (form)f;
        measure(&t, figure[f]);
        clear(&t);
        xta__o2tree *trees[MAX_AXES] = {NULL};
        for (int j = 0; j < k; j++) {
            trees[j] = t.axes[j].tree;
            t.axes[j].tree = NULL;
            xta__o2tree_free(trees[j]);
        }
    }
    snprintf(name, sizeof name, "E=%u k=%d", (unsigned)expansions, k);
    for (int f = 0; f < N_FIGURES; f++) {
        for (int peer = TABLE; peer < N_FORMS; peer++) {
            if (figure[peer][f] > 0) {
                bench_print(&(bench_row){name, figures[f].name, figure[TREE][f], form_name[peer],
                                         figure[peer][f], figures[f].unit, BENCH_TIME, 0});
            }
        }
    }
    free(t.order);
    free(t.visits);
}

int main(void)
{
    static const uint32_t expansions[] = {84, 1344, 21504, 344064};
    static const int axes[] = {2, 3, 4, 7};

    bench_begin("o2tree");
    for (size_t e = 0; e < (bench_small() ? 3 : 4); e++) {
        for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
            compare(expansions[e], axes[k]);
        }
    }
    return 0;
}
