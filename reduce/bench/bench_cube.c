/* Questions to a cube against reductions of the same boxes of 1 GiB of float32 in the page cache.
 *
 * usage: bench_cube make    create the array and its cube, then let both grow by a slab; one line
 *                           `what,seconds,cells of the base,groups of the cube` for each
 *        bench_cube run     measure; one line `edge,cells,reduce seconds,query seconds,ratio,groups
 *                           read,cells of the base read,surface` for each box
 *
 * Boxes are not aligned with any block. Both sides use an open handle and take turns, reductions
 * with all processors; the best of the rounds counts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/cube.h>
#include <xta/reduce.h>

#include "bench.h"

enum { ROUNDS = 9, EDGE = 640, SLAB = 4 };

static const int64_t chunk[3] = {16, 64, 64};

static int64_t edge(void)
{
    return bench_small() ? EDGE / 2 : EDGE;
}

/* ---- make ---- */

static void append(xta_array *array, int64_t n, uint64_t *random)
{
    xta_growth growth = {0, XTA_BACK, n};
    size_t cells = (size_t)(n * edge() * edge());
    float *slab = bench_memory(cells * sizeof *slab);

    for (size_t k = 0; k < cells; k++) {
        slab[k] = 280 + (float)(bench_random(random) >> 40) * 0x1p-20F;
    }
    BENCH_XTA(xta_array_append(array, &growth, NULL, slab, NULL, &bench_error));
    free(slab);
}

static void update(const char *what)
{
    xta_cube_facts facts;
    double start = bench_now();

    BENCH_XTA(xta_cube_update(bench_path("cube"), &facts, &bench_error));
    printf("%s,%.3f,%llu,%llu\n", what, bench_now() - start, (unsigned long long)facts.n_base_cells,
           (unsigned long long)facts.n_cube_cells);
}

static void make(void)
{
    static const char *const names[] = {"t", "y", "x"};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_cube_options cube = XTA_CUBE_OPTIONS_INIT;
    int64_t lengths[3] = {0, edge(), edge()};
    uint64_t random = 1;
    xta_array *array = NULL;

    create.chunk = chunk;
    create.names = names;
    bench_remove_array(bench_path("base"));
    BENCH_XTA(
        xta_array_create(bench_path("base"), XTA_F32, 3, lengths, &create, &array, &bench_error));
    for (int64_t t = 0; t < edge(); t += chunk[0]) {
        append(array, chunk[0], &random);
    }
    cube.levels = "t:1>8>64,y:1>8>64,x:1>8>64";
    cube.measures = "sum";
    BENCH_XTA(xta_cube_create(bench_path("base"), bench_path("cube"), &cube, &bench_error));
    update("new cube");
    append(array, SLAB, &random);
    update("grown by 4 of t");
    BENCH_XTA(xta_array_close(array, &bench_error));
}

/* ---- run ---- */

static double reduce(xta_array *array, const xta_box *box, double *mean)
{
    const int64_t zero = 0;
    xta_reduce_options o = XTA_REDUCE_OPTIONS_INIT;
    xta_reduce_statistic statistic = XTA_REDUCE_MEAN;
    xta_array *result = NULL;
    double start = bench_now();

    o.box = box;
    BENCH_XTA(xta_reduce_create(array, &o, statistic, NULL, &result, &bench_error));
    BENCH_XTA(xta_reduce(array, &o, &statistic, 1, &result, NULL, &bench_error));
    BENCH_XTA(xta_array_get(result, &zero, mean, &bench_error));
    double seconds = bench_now() - start;
    BENCH_XTA(xta_array_close(result, &bench_error));
    return seconds;
}

static double query(xta_cube *cube, const xta_box *box, double *mean, uint64_t read[2])
{
    xta_cube_question q = XTA_CUBE_QUESTION_INIT;
    xta_cube_answer *answer = NULL;
    const xta_cube_reading *r;
    double start = bench_now();

    q.box = box;
    q.measures = 1U << XTA_CUBE_SUM;
    BENCH_XTA(xta_cube_query(cube, &q, &answer, &bench_error));
    xta_cube_values v = xta_cube_answer_values(answer, 0);
    *mean = v.sum.f / (double)v.count;
    double seconds = bench_now() - start;
    read[0] = read[1] = 0;
    for (size_t k = 0; (r = xta_cube_answer_reading(answer, k)) != NULL; k++) {
        read[strcmp(r->levels, "base") == 0] += r->n_cells;
    }
    xta_cube_answer_free(answer);
    return seconds;
}

static void measure(xta_array *array, xta_cube *cube, int64_t length)
{
    const int64_t lo[3] = {3, 5, 3}, hi[3] = {3 + length, 5 + length, 3 + length};
    xta_box box = xta_box_make(3, lo, hi);
    double best[2] = {1e9, 1e9}, means[2] = {0, 1};
    uint64_t read[2];

    for (int round = 0; round < ROUNDS; round++) {
        double a = reduce(array, &box, &means[0]), b = query(cube, &box, &means[1], read);
        best[0] = a < best[0] ? a : best[0];
        best[1] = b < best[1] ? b : best[1];
    }
    if (fabs(means[0] - means[1]) > 1e-9 * fabs(means[0])) {
        bench_die("the means differ: %.17g and %.17g", means[0], means[1]);
    }
    printf("%lld,%lld,%.6f,%.6f,%.1f,%llu,%llu,%lld\n", (long long)length,
           (long long)(length * length * length), best[0], best[1], best[0] / best[1],
           (unsigned long long)read[0], (unsigned long long)read[1],
           (long long)(6 * length * length));
}

static void run(void)
{
    xta_array *array = NULL;
    xta_cube *cube = NULL;

    BENCH_XTA(xta_array_open(bench_path("base"), NULL, &array, &bench_error));
    BENCH_XTA(xta_cube_open(bench_path("cube"), &cube, &bench_error));
    for (int64_t length = edge() / 16; length <= edge(); length *= 2) {
        measure(array, cube, length - 9 > 0 ? length - 9 : 1);
    }
    BENCH_XTA(xta_cube_close(cube, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
}

int main(int argc, char *argv[])
{
    if (argc == 2 && strcmp(argv[1], "make") == 0) {
        make();
    } else if (argc == 2 && strcmp(argv[1], "run") == 0) {
        run();
    } else {
        bench_die("usage: bench_cube make | run");
    }
    return 0;
}
