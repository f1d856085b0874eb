/* [CXA] Fig. 6.4.5 and 6.4.6: all elements of an array that has been extended arbitrarily, in the
 * order of storage and in another one.
 *
 * usage: bench_scan CELLS
 *
 * Arrays of 2 to 4 axes of about CELLS doubles. XTA's grows to its size in 24 growths on axes in
 * random order; the conventional file is row-major, as if all growths had been done before. Each is
 * read line by line: along the last axis, which is the order of the conventional file ("same"), and
 * along the first axis ("other"). A line is one call where the file has it in one piece, else a
 * call for each cell; the conventional file is also read through a mapping, cell by cell, and XTA's
 * array also by single cells. All files are in the page cache, and the
 * processor time is taken; the sum of all cells is checked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

enum { MAX_AXES = 4, GROWTHS = 24, REPETITIONS = 3 };

typedef struct scan {
    int k;
    int64_t side;
    uint64_t n;
    int along; // the axis of the lines
    int file;
    const double *mapped;
    xta_array *array;
    double *line;
} scan;

/* Low bits of a cell: their sum is exact. */
static int64_t low_bits(double value)
{
    return (int64_t)value & 65535;
}

/* Cells between neighbours on the axis, in row-major order. */
static int64_t stride_of(const scan *s)
{
    int64_t stride = 1;

    for (int j = s->along + 1; j < s->k; j++) {
        stride *= s->side;
    }
    return stride;
}

static int64_t add_line(const scan *s)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < s->side; i++) {
        sum += low_bits(s->line[i]);
    }
    return sum;
}

/* Where the line begins, in row-major order. */
static int64_t start_of(const scan *s, const int64_t coord[])
{
    int64_t at = 0;

    for (int j = 0; j < s->k; j++) {
        at = at * s->side + coord[j];
    }
    return at;
}

static int64_t pread_line(scan *s, const int64_t coord[])
{
    int64_t at = start_of(s, coord), stride = stride_of(s);
    int64_t calls = stride == 1 ? 1 : s->side;
    size_t bytes = stride == 1 ? (size_t)s->side * 8 : 8;

    for (int64_t i = 0; i < calls; i++) {
        if (pread(s->file, s->line + i, bytes, (off_t)(at + i * stride) * 8) != (ssize_t)bytes) {
            bench_die("cannot read a line");
        }
    }
    return add_line(s);
}

static int64_t mapped_line(scan *s, const int64_t coord[])
{
    const double *at = s->mapped + start_of(s, coord);
    int64_t stride = stride_of(s);

    for (int64_t i = 0; i < s->side; i++) {
        s->line[i] = at[i * stride];
    }
    return add_line(s);
}

static int64_t array_line(scan *s, const int64_t coord[])
{
    int64_t length[MAX_AXES] = {1, 1, 1, 1};

    length[s->along] = s->side;
    xta_box box = bench_box(s->k, coord, length);
    BENCH_XTA(xta_array_read(s->array, &box, NULL, s->line, &bench_error));
    return add_line(s);
}

static int64_t array_cells(scan *s, const int64_t coord[])
{
    int64_t at[MAX_AXES];

    memcpy(at, coord, sizeof at);
    for (at[s->along] = 0; at[s->along] < s->side; at[s->along]++) {
        BENCH_XTA(xta_array_get(s->array, at, &s->line[at[s->along]], &bench_error));
    }
    return add_line(s);
}

/* All lines; the axes other than that of the line run with the first fastest if the line is on the
 * first axis, else with the last fastest. */
static int64_t each_line(scan *s, int64_t (*read)(scan *, const int64_t[]))
{
    int64_t coord[MAX_AXES] = {0}, sum = 0;
    int step = s->along == 0 ? 1 : -1, j;

    do {
        sum += read(s, coord);
        j = s->along + step;
        while (j >= 0 && j < s->k && ++coord[j] == s->side) {
            coord[j] = 0;
            j += step;
        }
    } while (j >= 0 && j < s->k);
    return sum;
}

static void measure(scan *s, const char *series, int64_t (*read)(scan *, const int64_t[]),
                    int64_t expected)
{
    for (int r = 0; r <= REPETITIONS; r++) {
        for (int other = 0; other < 2; other++) {
            s->along = other ? 0 : s->k - 1;
            double begin = bench_cpu_now();
            int64_t sum = each_line(s, read);
            double taken = bench_cpu_now() - begin;
            if (sum != expected) {
                bench_die("%s: wrong cells on %d axes", series, s->k);
            }
            if (r > 0) {
                printf("%d,%s: %s,%.6g,ns\n", s->k, series, other ? "other" : "same",
                       1e9 * taken / (double)s->n);
            }
        }
    }
}

/* Growths that end at `side` on each axis. */
static void grow_arbitrarily(scan *s)
{
    static const int64_t chunk[3][MAX_AXES] = {{32, 32}, {32, 32, 32}, {16, 16, 16, 16}};
    int64_t bounds[MAX_AXES], axis, by = s->side / (2 * GROWTHS / s->k);
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint64_t random = 23;

    for (int j = 0; j < s->k; j++) {
        bounds[j] = s->side / 2;
    }
    options.chunk = chunk[s->k - 2];
    bench_remove_array(bench_path("scan"));
    BENCH_XTA(xta_array_create(bench_path("scan"), XTA_F64, s->k, bounds, &options, &s->array,
                               &bench_error));
    for (int left = s->k; left > 0;) {
        axis = bench_below(&random, s->k);
        int64_t rest = s->side - bounds[axis];
        xta_growth growth = {(int)axis, XTA_BACK, rest < 2 * by ? rest : by};
        if (rest > 0) {
            BENCH_XTA(xta_array_extend(s->array, &growth, 1, NULL, &bench_error));
            bounds[axis] += growth.by;
            left -= bounds[axis] == s->side;
        }
    }
}

static void compare(int k, double cells)
{
    scan s = {.k = k, .side = (int64_t)pow(cells, 1.0 / k), .n = 1};
    int64_t zero[MAX_AXES] = {0}, length[MAX_AXES], expected = 0;

    for (int j = 0; j < k; j++) {
        length[j] = s.side;
        s.n *= (uint64_t)s.side;
    }
    xta_box all = bench_box(k, zero, length);
    double *buffer = bench_memory((size_t)s.n * sizeof buffer[0]);
    bench_fill(&all, buffer);
    for (uint64_t i = 0; i < s.n; i++) {
        expected += low_bits(buffer[i]);
    }
    s.line = bench_memory((size_t)s.side * sizeof s.line[0]);
    s.file = open(bench_path("scan.raw"), O_CREAT | O_TRUNC | O_RDWR, 0644);
    // One call writes at most 2 GiB.
    for (uint64_t i = 0; i < s.n; i += 1 << 24) {
        size_t bytes = (size_t)(s.n - i < 1 << 24 ? s.n - i : 1 << 24) * 8;
        if (s.file < 0 || pwrite(s.file, buffer + i, bytes, (off_t)i * 8) != (ssize_t)bytes) {
            bench_die("cannot write scan.raw");
        }
    }
    s.mapped = mmap(NULL, (size_t)s.n * 8, PROT_READ, MAP_SHARED, s.file, 0);
    if (s.mapped == MAP_FAILED) {
        bench_die("cannot map scan.raw");
    }
    grow_arbitrarily(&s);
    BENCH_XTA(xta_array_write(s.array, &all, NULL, buffer, &bench_error));
    xta_array_info info;
    BENCH_XTA(xta_array_inquire(s.array, &info, &bench_error));
    printf("# k=%d: %lld a side, %llu records\n", k, (long long)s.side,
           (unsigned long long)info.n_segments);
    free(buffer);
    measure(&s, "conventional by calls", pread_line, expected);
    measure(&s, "conventional mapped", mapped_line, expected);
    measure(&s, "XTA by lines", array_line, expected);
    measure(&s, "XTA by cells", array_cells, expected);
    BENCH_XTA(xta_array_close(s.array, &bench_error));
    bench_remove_array(bench_path("scan"));
    munmap((void *)s.mapped, (size_t)s.n * 8);
    close(s.file);
    bench_remove(bench_path("scan.raw"));
    free(s.line);
}

int main(int argc, char **argv)
{
    double cells = argc > 1 ? atof(argv[1]) : 4e6;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 2; k <= MAX_AXES; k++) {
        compare(k, cells);
    }
    return 0;
}
