/* [CXA] Fig. 3.5.1 and 6.4.1: what one random access costs in arrays of k axes that have never
 * grown, in memory.
 *
 * usage: bench_static [CELLS [REPETITIONS]]
 *
 * About CELLS doubles on 2 to 7 axes of equal lengths. Without chunks: a conventional array (its
 * loop over the axes unrolled, as a compiler does for an array whose axes it knows), axial vectors
 * searched in binary, and the mapping of this library. With chunks of at most 32 a side: chunks
 * found by O2-trees, as in the thesis, and the library's array by its public call. Cells hold 1 to
 * 100; the sum of what was read is checked. A row for each repetition; processor time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axial_vectors.h"
#include "bench.h"
#include "geometry/mapping/mapping.h"

#define VISITS 200000

typedef struct test {
    int k;
    int64_t side, chunk;        // cells
    int64_t whole, n_per_chunk; // chunks on an axis; cells of a chunk
    int64_t *visits;            // k coordinates each
    double expected;            // the sum of all visits
    double *cells;
    axial_vectors vectors;
    xta__mapping mapping;
    xta_array *array;
} test;

static double value_of(uint64_t number)
{
    uint64_t state = number;
    return 1 + (double)(bench_random(&state) % 100);
}

static inline __attribute__((always_inline)) uint64_t conventional(int k, int64_t side,
                                                                   const int64_t coord[])
{
    uint64_t address = 0;

#pragma GCC unroll 8
    for (int j = 0; j < k; j++) {
        address = address * (uint64_t)side + (uint64_t)coord[j];
    }
    return address;
}

static inline __attribute__((always_inline)) double sum_conventional(const test *t, int k)
{
    double sum = 0;

    for (size_t v = 0; v < VISITS; v++) {
        sum += t->cells[conventional(k, t->side, t->visits + v * (size_t)k)];
    }
    return sum;
}

static double read_conventional(test *t)
{
    switch (t->k) {
    case 2:
        return sum_conventional(t, 2);
    case 3:
        return sum_conventional(t, 3);
    case 4:
        return sum_conventional(t, 4);
    case 5:
        return sum_conventional(t, 5);
    case 6:
        return sum_conventional(t, 6);
    default:
        return sum_conventional(t, 7);
    }
}

static double read_axial(test *t)
{
    double sum = 0;

    for (size_t v = 0; v < VISITS; v++) {
        sum += t->cells[axial_address(&t->vectors, t->visits + v * (size_t)t->k)];
    }
    return sum;
}

static double read_mapping(test *t)
{
    double sum = 0;
    size_t wrong = 0;

    for (size_t v = 0; v < VISITS; v++) {
        uint64_t address = UINT64_MAX;
        wrong += !xta__mapping_try_address(&t->mapping, t->visits + v * (size_t)t->k, &address);
        sum += t->cells[address];
    }
    return wrong == 0 ? sum : -1;
}

/* Eq. 4.1.4 and 4.1.5, and row-major order inside the chunk. The lengths of chunks are powers of
 * two, but as in the thesis the program divides. */
static double read_chunked(test *t)
{
    int64_t index[AXIAL_MAX_AXES];
    double sum = 0;

    for (size_t v = 0; v < VISITS; v++) {
        const int64_t *coord = t->visits + v * (size_t)t->k;
        uint64_t inside = 0;
        for (int j = 0; j < t->k; j++) {
            index[j] = coord[j] / t->chunk;
            inside = inside * (uint64_t)t->chunk + (uint64_t)(coord[j] % t->chunk);
        }
        sum += t->cells[axial_address(&t->vectors, index) * (uint64_t)t->n_per_chunk + inside];
    }
    return sum;
}

static double read_array(test *t)
{
    double sum = 0, cell = 0;

    for (size_t v = 0; v < VISITS; v++) {
        BENCH_XTA(xta_array_get(t->array, t->visits + v * (size_t)t->k, &cell, &bench_error));
        sum += cell;
    }
    return sum;
}

static void measure(test *t, const char *series, double (*read)(test *), int repetitions)
{
    for (int r = 0; r <= repetitions; r++) {
        double begin = bench_cpu_now();
        double sum = read(t);
        double taken = bench_cpu_now() - begin;
        if (sum != t->expected) {
            bench_die("%s: wrong cells on %d axes", series, t->k);
        }
        if (r > 0) { // The first round is not counted.
            printf("%d,%s,%.6g,ns\n", t->k, series, 1e9 * taken / VISITS);
        }
    }
}

/* Calls `set` for each cell in row-major order. */
static void each_cell(test *t, void (*set)(test *, const int64_t coord[], double value))
{
    int64_t coord[AXIAL_MAX_AXES] = {0};
    uint64_t number = 0;
    int axis;

    do {
        set(t, coord, value_of(number++));
        for (axis = t->k - 1; axis >= 0 && ++coord[axis] == t->side; axis--) {
            coord[axis] = 0;
        }
    } while (axis >= 0);
}

static void set_chunked(test *t, const int64_t coord[], double value)
{
    uint64_t address = 0, inside = 0;

    for (int j = 0; j < t->k; j++) {
        address = address * (uint64_t)t->whole + (uint64_t)(coord[j] / t->chunk);
        inside = inside * (uint64_t)t->chunk + (uint64_t)(coord[j] % t->chunk);
    }
    t->cells[address * (uint64_t)t->n_per_chunk + inside] = value;
}

static void make_visits(test *t)
{
    uint64_t random = 11;

    t->visits = bench_memory((size_t)VISITS * (size_t)t->k * sizeof t->visits[0]);
    for (size_t v = 0; v < (size_t)VISITS * (size_t)t->k; v++) {
        t->visits[v] = bench_below(&random, t->side);
    }
    for (size_t v = 0; v < VISITS; v++) {
        t->expected += value_of(conventional(t->k, t->side, t->visits + v * (size_t)t->k));
    }
}

static void without_chunks(test *t, int repetitions)
{
    int64_t bounds[AXIAL_MAX_AXES], zero[AXIAL_MAX_AXES] = {0};
    size_t n = 1;

    for (int j = 0; j < t->k; j++) {
        bounds[j] = t->side;
        n *= (size_t)t->side;
    }
    t->cells = bench_memory(n * sizeof t->cells[0]);
    for (size_t i = 0; i < n; i++) {
        t->cells[i] = value_of(i);
    }
    axial_init(&t->vectors, t->k, bounds, false);
    if (xta__mapping_init(&t->mapping, t->k, zero, bounds, INT32_MAX) != XTA_OK) {
        bench_die("no memory for a mapping");
    }
    measure(t, "conventional", read_conventional, repetitions);
    measure(t, "axial vectors", read_axial, repetitions);
    measure(t, "XTA's mapping", read_mapping, repetitions);
    xta__mapping_clear(&t->mapping);
    axial_clear(&t->vectors);
    free(t->cells);
}

/* The cells of all rows of the array, one write for each first coordinate. */
static void write_array(test *t, const int64_t bounds[])
{
    int64_t lo[AXIAL_MAX_AXES] = {0}, length[AXIAL_MAX_AXES];
    size_t plane = 1;

    memcpy(length, bounds, sizeof length);
    length[0] = 1;
    for (int j = 1; j < t->k; j++) {
        plane *= (size_t)bounds[j];
    }
    double *cells = bench_memory(plane * sizeof cells[0]);
    for (lo[0] = 0; lo[0] < bounds[0]; lo[0]++) {
        xta_box box = bench_box(t->k, lo, length);
        for (size_t i = 0; i < plane; i++) {
            cells[i] = value_of((uint64_t)lo[0] * plane + i);
        }
        BENCH_XTA(xta_array_write(t->array, &box, NULL, cells, &bench_error));
    }
    free(cells);
}

static void with_chunks(test *t, int repetitions)
{
    int64_t bounds[AXIAL_MAX_AXES], chunks[AXIAL_MAX_AXES], chunk[AXIAL_MAX_AXES];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    size_t n = 1;

    t->n_per_chunk = 1;
    t->whole = (t->side + t->chunk - 1) / t->chunk;
    for (int j = 0; j < t->k; j++) {
        bounds[j] = t->side;
        chunks[j] = t->whole;
        chunk[j] = t->chunk;
        t->n_per_chunk *= t->chunk;
        n *= (size_t)(t->whole * t->chunk);
    }
    t->cells = bench_memory(n * sizeof t->cells[0]);
    each_cell(t, set_chunked);
    axial_init(&t->vectors, t->k, chunks, true);
    measure(t, "chunks by O2-trees", read_chunked, repetitions);
    axial_clear(&t->vectors);
    free(t->cells);

    options.chunk = chunk;
    BENCH_XTA(xta_array_new(XTA_F64, t->k, bounds, &options, &t->array, &bench_error));
    write_array(t, bounds);
    measure(t, "XTA's array", read_array, repetitions);
    BENCH_XTA(xta_array_close(t->array, &bench_error));
}

/* The longest power of two up to 32 with at least three chunks on an axis and not more than twice
 * the cells; else the one with the fewest cells. */
static int64_t chunk_for(int k, int64_t side)
{
    int64_t best = 2;
    double fewest = INFINITY;

    for (int64_t chunk = 32; chunk >= 4; chunk /= 2) {
        int64_t n = (side + chunk - 1) / chunk;
        double times = pow((double)(n * chunk) / (double)side, k);
        if (n >= 3 && times <= 2) {
            return chunk;
        }
        if (n >= 3 && times < fewest) {
            fewest = times;
            best = chunk;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    double cells = argc > 1 ? atof(argv[1]) : 1e7;
    int repetitions = argc > 2 ? atoi(argv[2]) : 5;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 2; k <= AXIAL_MAX_AXES; k++) {
        test t = {.k = k, .side = (int64_t)pow(cells, 1.0 / k)};
        t.chunk = chunk_for(k, t.side);
        printf("# k=%d: %lld a side, chunks %lld a side\n", k, (long long)t.side,
               (long long)t.chunk);
        make_visits(&t);
        without_chunks(&t, repetitions);
        with_chunks(&t, repetitions);
        free(t.visits);
    }
    return 0;
}
