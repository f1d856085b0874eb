/* [CXA] Table 4.1 as a measurement: linear address, k-dimensional index and extra storage of a
 * conventional array, of axial records without chunks and of the same with chunks; records found by
 * direct tables, which is what the library does, or by O2-trees.
 *
 * About N elements on k axes, grown cell by cell round the axes, or chunk by chunk: the most
 * records for these bounds. Addresses and inverses are of random elements, or chunks, and each
 * index is checked against the element that it came from. Processor times.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/mapping/mapping.h"

#define MAX_AXES    4
#define VISITS      100000
#define REPETITIONS 5
#define CHUNK       8 // a side

typedef struct realisation {
    int k;
    int64_t side;
    bool conventional;
    xta__mapping mapping;
    int64_t *visits;     // k coordinates each
    uint64_t *addresses; // of the visits
} realisation;

static uint64_t row_major(const realisation *r, const int64_t coord[])
{
    uint64_t address = 0;

    for (int j = 0; j < r->k; j++) {
        address = address * (uint64_t)r->side + (uint64_t)coord[j];
    }
    return address;
}

/* [CXA] Algorithm 1. */
static void row_major_inverse(const realisation *r, uint64_t address, int64_t coord[])
{
    for (int j = r->k - 1; j > 0; j--) {
        coord[j] = (int64_t)(address % (uint64_t)r->side);
        address /= (uint64_t)r->side;
    }
    coord[0] = (int64_t)address;
}

static double run_address(void *state, int repetition)
{
    realisation *r = state;
    double begin = bench_cpu_now();

    (void)repetition;
    for (size_t v = 0; v < VISITS; v++) {
        const int64_t *coord = r->visits + v * (size_t)r->k;
        r->addresses[v] =
            r->conventional ? row_major(r, coord) : xta__mapping_address(&r->mapping, coord);
    }
    return bench_cpu_now() - begin;
}

static double run_inverse(void *state, int repetition)
{
    realisation *r = state;
    int64_t coord[MAX_AXES];
    size_t wrong = 0;
    double begin = bench_cpu_now();

    (void)repetition;
    for (size_t v = 0; v < VISITS; v++) {
        if (r->conventional) {
            row_major_inverse(r, r->addresses[v], coord);
        } else {
            xta__mapping_inverse(&r->mapping, r->addresses[v], coord);
        }
        wrong += memcmp(coord, r->visits + v * (size_t)r->k, (size_t)r->k * sizeof coord[0]) != 0;
    }
    double taken = bench_cpu_now() - begin;
    if (wrong > 0) {
        bench_die("%zu inverses are wrong", wrong);
    }
    return taken;
}

static double bytes_of(const realisation *r)
{
    double bytes = 0;

    if (r->conventional) {
        return 0;
    }
    bytes = (double)r->mapping.n_records *
            (double)(sizeof(xta__axial_record) + xta__row_words(r->k) * sizeof(uint64_t));
    for (int j = 0; j < r->k; j++) {
        const xta__axis_search *search = &r->mapping.search[j];
        bytes += 4.0 * (double)(search->block_hi - search->block_lo);
        bytes += search->back != NULL ? (double)xta__o2tree_bytes(search->back) : 0;
        bytes += search->front != NULL ? (double)xta__o2tree_bytes(search->front) : 0;
    }
    return bytes;
}

static void grow_round_the_axes(realisation *r, uint64_t table_limit)
{
    static const int64_t limit[MAX_AXES] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    static const int64_t zero[MAX_AXES] = {0}, one[MAX_AXES] = {1, 1, 1, 1};

    if (xta__mapping_init(&r->mapping, r->k, zero, one, table_limit) != XTA_OK) {
        bench_die("no memory for a mapping");
    }
    for (int64_t length = 1; length < r->side; length++) {
        for (int axis = 0; axis < r->k; axis++) {
            xta__chunk_growth growth = {axis, XTA_BACK, 1};
            if (xta__mapping_reserve(&r->mapping, &growth, 1, limit, UINT64_MAX / 4) != XTA_OK) {
                bench_die("the mapping cannot grow to %d records", (int)r->mapping.n_records);
            }
            xta__mapping_grow(&r->mapping, &growth);
        }
    }
}

static void begin(realisation *r, int k, int64_t side, bool conventional, uint64_t table_limit)
{
    uint64_t random = 41;

    *r = (realisation){.k = k, .side = side, .conventional = conventional};
    r->visits = bench_memory((size_t)VISITS * (size_t)k * sizeof r->visits[0]);
    r->addresses = bench_memory(VISITS * sizeof r->addresses[0]);
    for (size_t v = 0; v < (size_t)VISITS * (size_t)k; v++) {
        r->visits[v] = bench_below(&random, side);
    }
    if (!conventional) {
        grow_round_the_axes(r, table_limit);
    }
}

static void end(realisation *r)
{
    if (!r->conventional) {
        xta__mapping_clear(&r->mapping);
    }
    free(r->visits);
    free(r->addresses);
}

static void measure(int k, int64_t side)
{
    enum { CONVENTIONAL, TABLES, TREES, CHUNKED_TABLES, CHUNKED_TREES, N };
    static const char *const names[N] = {"conventional", "direct tables; no chunks",
                                         "O2-trees; no chunks", "direct tables; chunks",
                                         "O2-trees; chunks"};
    static const int64_t limit[N] = {0, INT32_MAX, 0, INT32_MAX, 0};
    realisation r[N];
    bench_side address[N], inverse[N];
    double seconds[2][N];
    char name[80];

    for (int i = 0; i < N; i++) {
        begin(&r[i], k, i >= CHUNKED_TABLES ? (side + CHUNK - 1) / CHUNK : side, i == CONVENTIONAL,
              (uint64_t)limit[i]);
        address[i] = (bench_side){run_address, &r[i]};
        inverse[i] = (bench_side){run_inverse, &r[i]};
    }
    // At most four in turn: those without chunks, and those with.
    for (int i = 1; i < N; i += 2) {
        const bench_side now[2][3] = {{address[0], address[i], address[i + 1]},
                                      {inverse[0], inverse[i], inverse[i + 1]}};
        for (int what = 0; what < 2; what++) {
            double three[3];
            bench_alternate(now[what], 3, REPETITIONS, three);
            seconds[what][0] = three[0];
            seconds[what][i] = three[1];
            seconds[what][i + 1] = three[2];
        }
    }
    for (int i = 1; i < N; i++) {
        snprintf(name, sizeof name, "k=%d N=%.0f E=%u; %s", k, pow((double)side, k),
                 (unsigned)r[i].mapping.n_records - 1, names[i]);
        bench_print(&(bench_row){name, "linear address", 1e9 * seconds[0][i] / VISITS,
                                 names[CONVENTIONAL], 1e9 * seconds[0][0] / VISITS, "ns",
                                 BENCH_TIME, 0});
        bench_print(&(bench_row){name, "k-dimensional index", 1e9 * seconds[1][i] / VISITS,
                                 names[CONVENTIONAL], 1e9 * seconds[1][0] / VISITS, "ns",
                                 BENCH_TIME, 0});
        bench_print(&(bench_row){name, "extra storage", bytes_of(&r[i]), "8 k^2 N^(1/k)",
                                 8.0 * k * k * (double)r[i].side, "bytes", BENCH_COST, 0});
    }
    for (int i = 0; i < N; i++) {
        end(&r[i]);
    }
}

int main(void)
{
    bench_begin("realisations");
    measure(2, 512);
    measure(3, 64);
    measure(4, 24);
    if (!bench_small()) {
        measure(2, 8192);
        measure(3, 512);
        measure(4, 96);
    }
    return 0;
}
