/* The figures that show addresses: [DRX] Fig. 1, 2 and 3, [CXA] Fig. 3.3.1, 3.3.2 and 4.1.1 (which
 * [P2S2] has on slides 13, 14 and 22), made by the library.
 *
 * usage: bench_figures [ARRAY]
 *
 * Each array grows as its figure says, in memory, with chunks of one cell. Rows: the address of
 * each cell, and the records of the axial vectors, as "D1;3;2;6;1": axis, first index,
 * coefficients; the value is the base. Addresses are the library's; the axial vectors of the
 * thesis, grown alike, must have the same address for each cell. Empty records, which the thesis
 * prints with -1, are left out, and those of the first block are printed for D0 alone.
 *
 * With ARRAY, the array of [DRX] Fig. 1 is written to that path instead: 10 x 12 doubles in chunks
 * of 2 x 3, the cell (i, j) holding 100 i + j, for the listing of [DRX] IV.B.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axial_vectors.h"
#include "bench.h"

enum { MOST_GROWTHS = 16 };

typedef struct figure {
    const char *name;
    int k;
    int64_t first[3]; // the bounds of the first allocation, in chunks
    int n;
    struct {
        int axis;
        int64_t by;
    } growths[MOST_GROWTHS];
} figure;

static const figure FIGURES[] = {
    {"drx 1", 2, {1, 1}, 7, {{1, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}}},
    {"drx 2a", 2, {8, 8}, 0, {{0, 0}}},
    {"drx 2c",
     2,
     {1, 1},
     14,
     {{1, 1},
      {0, 1},
      {1, 1},
      {0, 1},
      {1, 1},
      {0, 1},
      {1, 1},
      {0, 1},
      {1, 1},
      {0, 1},
      {1, 1},
      {0, 1},
      {1, 1},
      {0, 1}}},
    {"drx 2d", 2, {1, 1}, 7, {{1, 1}, {0, 3}, {1, 2}, {0, 1}, {1, 2}, {0, 3}, {1, 2}}},
    {"drx 3", 3, {4, 3, 1}, 5, {{2, 1}, {2, 1}, {1, 1}, {0, 2}, {2, 1}}},
    {"cxa 3.3.1", 3, {3, 3, 2}, 3, {{1, 2}, {0, 2}, {2, 1}}},
    {"cxa 4.1.1", 2, {2, 2}, 1, {{1, 1}}},
};

static void print_records(const figure *f, const axial_vectors *vectors)
{
    for (int axis = 0; axis < f->k; axis++) {
        for (uint32_t i = axis > 0 ? 1 : 0; i < vectors->axes[axis].n; i++) {
            const axial_record *record = &vectors->axes[axis].records[i];
            printf("%s records,D%d;%lld", f->name, axis, (long long)record->first);
            for (int j = 0; j < f->k; j++) {
                printf(";%llu", (unsigned long long)record->coefficient[j]);
            }
            printf(",%llu,address\n", (unsigned long long)record->base);
        }
    }
}

static void print_cells(const figure *f, xta_array *array, const axial_vectors *vectors)
{
    int64_t coord[3] = {0};
    uint64_t address = 0;
    int axis;

    do {
        BENCH_XTA(xta_array_chunk_address(array, coord, &address, &bench_error));
        if (address != axial_address(vectors, coord)) {
            bench_die("%s: the library has the address %llu, the axial vectors %llu", f->name,
                      (unsigned long long)address,
                      (unsigned long long)axial_address(vectors, coord));
        }
        printf("%s,%lld;%lld", f->name, (long long)coord[0], (long long)coord[1]);
        if (f->k == 3) {
            printf(";%lld", (long long)coord[2]);
        }
        printf(",%llu,address\n", (unsigned long long)address);
        for (axis = f->k - 1; axis >= 0 && ++coord[axis] == vectors->bounds[axis]; axis--) {
            coord[axis] = 0;
        }
    } while (axis >= 0);
}

static void print_figure(const figure *f)
{
    static const int64_t ones[3] = {1, 1, 1};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    axial_vectors vectors;

    options.chunk = ones;
    BENCH_XTA(xta_array_new(XTA_U8, f->k, f->first, &options, &array, &bench_error));
    axial_init(&vectors, f->k, f->first, false);
    for (int i = 0; i < f->n; i++) {
        xta_growth growth = {f->growths[i].axis, XTA_BACK, f->growths[i].by};
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        axial_grow(&vectors, growth.axis, growth.by);
    }
    print_cells(f, array, &vectors);
    print_records(f, &vectors);
    axial_clear(&vectors);
    BENCH_XTA(xta_array_close(array, &bench_error));
}

/* [DRX] Fig. 2b: the cells of one chunk in Z order. */
static void print_morton(void)
{
    static const int64_t eight[2] = {8, 8};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_location location;

    options.chunk = eight;
    options.order = XTA_MORTON;
    BENCH_XTA(xta_array_new(XTA_U8, 2, eight, &options, &array, &bench_error));
    for (int64_t i = 0; i < 64; i++) {
        const int64_t coord[2] = {i / 8, i % 8};
        BENCH_XTA(xta_array_locate(array, coord, &location, &bench_error));
        printf("drx 2b,%lld;%lld,%llu,address\n", (long long)coord[0], (long long)coord[1],
               (unsigned long long)location.position);
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
}

static void write_figure_1(const char *path)
{
    static const int64_t chunk[2] = {2, 3}, bounds[2] = {10, 12};
    const figure *f = &FIGURES[0];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    double cells[10][12];

    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 12; j++) {
            cells[i][j] = 100 * i + j;
        }
    }
    options.chunk = chunk;
    BENCH_XTA(xta_array_create(path, XTA_F64, 2, chunk, &options, &array, &bench_error));
    for (int i = 0; i < f->n; i++) {
        int axis = f->growths[i].axis;
        xta_growth growth = {axis, XTA_BACK, chunk[axis]};
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
    }
    xta_box all = xta_array_bounds(array);
    if (memcmp(all.hi, bounds, sizeof bounds) != 0) {
        bench_die("Fig. 1 has other bounds");
    }
    BENCH_XTA(xta_array_write(array, &all, NULL, cells, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        write_figure_1(argv[1]);
        return 0;
    }
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        print_figure(&FIGURES[i]);
    }
    print_morton();
    return 0;
}
