/* [CXA] Fig. 6.4.4: the storage utilisation of chunked arrays (Eq. 6.4.1: cells within the bounds
 * by cells allocated) after growth at random, by number of axes, length of chunks and policy.
 *
 * usage: bench_utilisation [CELLS [HISTORIES]]
 *
 * The structure alone: files of XTA without written cells, so that the paper's 10^9 cells need no
 * disk. Each history begins at the bounds of [CXA] 6.3 (1976, 142 and 44 a side; fewer where CELLS
 * is less) and adds 1 to 64 cells to an axis chosen at random until there are CELLS; from then on,
 * at each of the last ten growths, the utilisation is taken. A row for each history: the mean of
 * these. It is computed again from the chunks' number by the sizes, which must agree with the box
 * of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MAX_AXES = 4, SAMPLES = 10 };

typedef struct policy_case {
    const char *name;
    xta_policy policy;
    uint32_t amount;
} policy_case;

static double utilisation(xta_array *array)
{
    xta_array_info info;
    double used = 1, allocated = 1, chunks = 1;

    BENCH_XTA(xta_array_inquire(array, &info, &bench_error));
    for (int j = 0; j < info.ndim; j++) {
        double n = (double)(info.allocated.hi[j] - info.allocated.lo[j]);
        used *= (double)(info.bounds.hi[j] - info.bounds.lo[j]);
        allocated *= n * (double)info.chunk[j];
        chunks *= n;
    }
    if (chunks != (double)info.n_chunks || used > allocated) {
        bench_die("%.0f chunks instead of %llu", chunks, (unsigned long long)info.n_chunks);
    }
    return used / allocated;
}

static double run(int k, double cells, int64_t chunk_length, const policy_case *what,
                  uint64_t *random)
{
    static const int64_t start[MAX_AXES + 1] = {0, 0, 1976, 142, 44};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t bounds[MAX_AXES], chunk[MAX_AXES];
    double n = 1, mean = 0;
    xta_array *array = NULL;

    for (int j = 0; j < k; j++) {
        int64_t half = (int64_t)pow(cells, 1.0 / k) / 2;
        bounds[j] = start[k] < half ? start[k] : half;
        chunk[j] = chunk_length;
        n *= (double)bounds[j];
    }
    options.chunk = chunk;
    options.policy = what->policy;
    options.policy_amount = what->amount;
    options.exclusive_writer = true;
    bench_remove_array(bench_path("utilisation"));
    BENCH_XTA(xta_array_create(bench_path("utilisation"), XTA_F64, k, bounds, &options, &array,
                               &bench_error));
    for (int taken = 0; taken < SAMPLES;) {
        int axis = (int)bench_below(random, k);
        int64_t by = 1 + bench_below(random, 64);
        xta_growth growth = {axis, XTA_BACK, by};
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        n = n / (double)bounds[axis] * (double)(bounds[axis] + by);
        bounds[axis] += by;
        if (n >= cells) {
            mean += utilisation(array) / SAMPLES;
            taken++;
        }
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    bench_remove_array(bench_path("utilisation"));
    return mean;
}

int main(int argc, char **argv)
{
    static const policy_case cases[] = {{"exact", XTA_EXACT, 0},
                                        {"linear by 4", XTA_LINEAR, 4},
                                        {"exponential by 2", XTA_EXPONENTIAL, 2},
                                        {"cubical", XTA_CUBICAL, 0}};
    double cells = argc > 1 ? atof(argv[1]) : 1e9;
    int histories = argc > 2 ? atoi(argv[2]) : 5;
    uint64_t random = 31;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 2; k <= MAX_AXES; k++) {
        for (int64_t chunk = 8; chunk <= 32; chunk *= 2) {
            for (int h = 0; h < histories; h++) {
                double percent = 100 * run(k, cells, chunk, &cases[0], &random);
                printf("%d,chunks of %lld,%.6g,%%\n", k, (long long)chunk, percent);
            }
        }
        for (size_t p = 0; p < sizeof cases / sizeof cases[0]; p++) {
            for (int h = 0; h < histories; h++) {
                printf("%d,%s,%.6g,%%\n", k, cases[p].name,
                       100 * run(k, cells, 32, &cases[p], &random));
            }
        }
    }
    return 0;
}
