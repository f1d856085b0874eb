/* [CXA] 5.1, 5.2: the cost of a chunk shape by Eq. 5.2.1 and 5.2.2, against chunks counted and time
 * taken.
 *
 * usage: bench_chunk_shape [SIDE]
 *
 * An array of SIDE^3 doubles in a file, read through a chunk cache of two chunks, so that each
 * chunk that a query touches is one read of the file. Shapes of 4096 cells, from a cube to needles,
 * against an access pattern of three classes: needles on the last axis, plates, and cubes, with
 * weights 1/2, 1/4 and 1/4, at random places. For each shape: Eq. 5.2.1 and 5.2.2, the mean over
 * all places of this array (xta_tune_cost), chunks counted over random queries, and microseconds of
 * processor time for each. What is read is checked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/tune.h>

#include "bench.h"

enum { AXES = 3, CLASSES = 3, QUERIES = 1000, CHUNK_CELLS = 4096 };

static const int64_t LENGTH[CLASSES][AXES] = {{1, 3, 40}, {2, 24, 24}, {12, 12, 12}};
static const double WEIGHT[CLASSES] = {0.5, 0.25, 0.25};
static const int64_t SHAPES[][AXES] = {{16, 16, 16}, {4, 16, 64}, {8, 16, 32}, {2, 32, 64},
                                       {64, 16, 4},  {1, 64, 64}, {64, 64, 1}, {1, 16, 256},
                                       {1, 1, 4096}, {256, 16, 1}};

/* Eq. 5.2.1, with the indexes of A in the order of the text (docs/ERRATA.md 10.3). */
static double least_cost(const int64_t shape[])
{
    double cost = 0;

    for (int i = 0; i < CLASSES; i++) {
        double product = 1;
        for (int j = 0; j < AXES; j++) {
            product *= (double)((LENGTH[i][j] + shape[j] - 1) / shape[j]);
        }
        cost += WEIGHT[i] * product;
    }
    return cost;
}

/* Eq. 5.2.2. */
static double mean_cost(const int64_t shape[])
{
    double cost = 0;

    for (int i = 0; i < CLASSES; i++) {
        double product = 1;
        for (int j = 0; j < AXES; j++) {
            product *= (double)(LENGTH[i][j] - 1) / (double)shape[j] + 1;
        }
        cost += WEIGHT[i] * product;
    }
    return cost;
}

static double exact_cost(const xta_box *bounds, const int64_t shape[])
{
    xta_query queries[CLASSES] = {{0}};
    double cost = 0;

    for (int i = 0; i < CLASSES; i++) {
        queries[i].weight = WEIGHT[i];
        memcpy(queries[i].length, LENGTH[i], sizeof LENGTH[i]);
    }
    if (xta_tune_cost(bounds, shape, queries, CLASSES, &cost) != XTA_OK) {
        bench_die("xta_tune_cost refuses a shape");
    }
    return cost;
}

static int count_chunk(void *user, const xta_chunk *chunk)
{
    (void)chunk;
    ++*(int *)user;
    return 0;
}

static xta_box make_query(int64_t side, int i, uint64_t *random)
{
    int class = i % 4 < 2 ? 0 : i % 4 - 1; // twice the first
    int64_t lo[AXES];

    for (int j = 0; j < AXES; j++) {
        lo[j] = bench_below(random, side - LENGTH[class][j] + 1);
    }
    return bench_box(AXES, lo, LENGTH[class]);
}

static void run_queries(xta_array *array, int64_t side, double *counted, double *microseconds)
{
    static double cells[12 * 12 * 12];
    uint64_t random = 61;
    double taken = 0;
    int chunks = 0;

    for (int i = 0; i < QUERIES; i++) {
        xta_box box = make_query(side, i, &random);
        BENCH_XTA(xta_array_each_chunk(array, &box, count_chunk, &chunks, &bench_error));
        double begin = bench_cpu_now();
        BENCH_XTA(xta_array_read(array, &box, NULL, cells, &bench_error));
        taken += bench_cpu_now() - begin;
        bench_verify(&box, cells, "a query");
    }
    *counted = (double)chunks / QUERIES;
    *microseconds = 1e6 * taken / QUERIES;
}

static void measure(const xta_box *bounds, const int64_t shape[], const double *cells)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    double counted = 0, microseconds = 0;
    char name[64];

    options.chunk = shape;
    options.access = XTA_ACCESS_CACHED;
    options.cache_bytes = 2 * CHUNK_CELLS * sizeof(double);
    bench_remove_array(bench_path("shape"));
    BENCH_XTA(xta_array_create(bench_path("shape"), XTA_F64, AXES, bounds->hi, &options, &array,
                               &bench_error));
    BENCH_XTA(xta_array_write(array, bounds, NULL, cells, &bench_error));
    snprintf(name, sizeof name, "%lldx%lldx%lld", (long long)shape[0], (long long)shape[1],
             (long long)shape[2]);
    printf("%s,Eq. 5.2.1,%.6g,chunks\n", name, least_cost(shape));
    printf("%s,Eq. 5.2.2,%.6g,chunks\n", name, mean_cost(shape));
    printf("%s,mean over all places,%.6g,chunks\n", name, exact_cost(bounds, shape));
    for (int r = 0; r < 4; r++) {
        run_queries(array, bounds->hi[0], &counted, &microseconds);
        if (r > 0) {
            printf("%s,time,%.6g,us\n", name, microseconds);
        }
    }
    printf("%s,counted,%.6g,chunks\n", name, counted);
    BENCH_XTA(xta_array_close(array, &bench_error));
    bench_remove_array(bench_path("shape"));
}

/* The example of 5.1: cells between the first and the last of <1,5,4> in <2,10,12>, where whole
 * rows or columns are read, and in a chunk of this shape. */
static void print_example(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int64_t bounds[AXES] = {2, 10, 12}, chunk[AXES] = {1, 5, 4}, zero[AXES] = {0};
    xta_box query = bench_box(AXES, zero, chunk);
    xta_array *array = NULL;
    int chunks = 0;

    options.chunk = chunk;
    BENCH_XTA(xta_array_new(XTA_F64, AXES, bounds, &options, &array, &bench_error));
    BENCH_XTA(xta_array_each_chunk(array, &query, count_chunk, &chunks, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
    printf("5.1,row-major,%lld,cells\n", (long long)(chunk[0] * chunk[1] * bounds[2]));
    printf("5.1,column-major,%lld,cells\n", (long long)(chunk[0] * bounds[1] * chunk[2]));
    printf("5.1,chunk 1x5x4,%lld,cells\n", (long long)(chunks * chunk[0] * chunk[1] * chunk[2]));
}

int main(int argc, char **argv)
{
    int64_t side = argc > 1 ? atoll(argv[1]) : 96;
    const int64_t zero[AXES] = {0};
    int64_t length[AXES] = {side, side, side};

    if (side < 40) {
        bench_die("a side of at least 40 cells");
    }
    xta_box bounds = bench_box(AXES, zero, length);
    double *cells = bench_memory((size_t)(side * side * side) * sizeof cells[0]);
    bench_fill(&bounds, cells);
    setvbuf(stdout, NULL, _IOLBF, 0);
    print_example();
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++) {
        measure(&bounds, SHAPES[i], cells);
    }
    free(cells);
    return 0;
}
