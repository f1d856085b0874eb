/* The product of two square matrices ([CXA] Fig. 8.5.4) by GA_Dgemm, whose algorithm is SRUMMA.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "application.h"

enum { MATRIX_A = 0, MATRIX_B = 1, MATRIX_C = 2, MATRICES = 3, CHUNK = 128 };

/* Compare some rows of C with the sums by definition. */
static void check(int g, const store *s)
{
    int64_t lo[2], hi[2], dims[2], last[2];
    const double *c = global_access(g, lo, hi);
    int type, ndim;

    NGA_Inquire64(g, &type, &ndim, dims);
    for (int64_t i = lo[0]; i < hi[0]; i += 97) {
        for (int64_t j = lo[1]; j < hi[1]; j++) {
            double sum = 0;
            for (int64_t k = 0; k < dims[1]; k++) {
                sum += bench_value(2, (int64_t[]){i, k}) * bench_value(2, (int64_t[]){k, j});
            }
            double got = c[(i - lo[0]) * (hi[1] - lo[1]) + j - lo[1]];
            last[0] = i;
            last[1] = j;
            // Values are positive, so the error of a sum of n terms is at most about n units of it.
            if (!(fabs(got - sum) <= 2.3e-16 * (double)dims[1] * fabs(sum))) {
                bench_die("%s: cell (%lld, %lld) of the product is %.17g instead of %.17g", s->name,
                          (long long)last[0], (long long)last[1], got, sum);
            }
        }
    }
    global_release(g);
}

static void begin(application_run *r, disk_array matrix[MATRICES])
{
    static const char *const names[MATRICES] = {"a", "b", "c"};

    for (int m = 0; m < MATRICES; m++) {
        matrix[m] = (disk_array){.name = names[m],
                                 .ndim = 2,
                                 .dims = {r->size, r->size},
                                 .typical = {CHUNK, CHUNK},
                                 .growing = true,
                                 .valued = m != MATRIX_C};
        store_create(r->store, &matrix[m]);
        int g = global_new(2, matrix[m].dims);
        global_fill(g, (int64_t[2]){0});
        store_write_all(&matrix[m], g);
        GA_Destroy(g);
    }
}

static void session(application_run *r, disk_array matrix[MATRICES], int64_t grows)
{
    const int64_t size = matrix[MATRIX_C].dims[0], by[2] = {grows, grows};
    int g[MATRICES];

    for (int m = 0; m < MATRICES; m++) {
        g[m] = global_new(2, matrix[m].dims);
    }
    ranks_settle();
    r->since = ranks_now();
    store_read_all(&matrix[MATRIX_A], g[MATRIX_A]);
    store_read_all(&matrix[MATRIX_B], g[MATRIX_B]);
    application_lap(r, IO);
    for (int m = 0; m < MATRICES && grows > 0; m++) {
        store_begin_growth(&matrix[m], by);
    }
    GA_Dgemm('n', 'n', (int)size, (int)size, (int)size, 1, g[MATRIX_A], g[MATRIX_B], 0,
             g[MATRIX_C]);
    application_lap(r, COMPUTE);
    store_write_all(&matrix[MATRIX_C], g[MATRIX_C]);
    application_lap(r, IO);
    for (int m = 0; m < MATRICES && grows > 0; m++) {
        r->store->end_growth(&matrix[m]);
    }
    application_lap(r, GROWTH);
    for (int m = 0; m < MATRICES; m++) {
        GA_Destroy(g[m]);
    }
}

void application_matmul(application_run *r)
{
    disk_array matrix[MATRICES];

    begin(r, matrix);
    for (int s = 0; s < r->sessions; s++) {
        session(r, matrix, application_growth(r, s));
    }
    int g = global_new(2, matrix[MATRIX_C].dims);
    store_read_all(&matrix[MATRIX_C], g);
    check(g, r->store);
    GA_Destroy(g);
    for (int m = 0; m < MATRICES; m++) {
        r->store->remove(&matrix[m]);
    }
}
