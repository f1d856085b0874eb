/* [CXA] 8.5.3: writing after growth by another program. A cube in a global array is on disk as
 * well; another program extends the array on disk by `BY` cells on one axis after the other and
 * writes the new cells; then the session writes its global array, of the former bounds, and a new
 * session reads the whole array.
 *
 *     mpiexec -n P paper_growth SIDE BY CUBES
 *
 *
 * prints `bounds,library;growth|write|read,milliseconds,ms` for each cube, summed over its three
 * growths. Every cell is compared each time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "store.h"

enum { CHUNK = 32, GROWTH = 0, WRITE = 1, READ = 2, PARTS = 3 };

/* One growth, and the sessions before and after it. `g` holds all cells; the result does too. */
static int grow_once(disk_array *a, int g, int axis, int64_t cells, double seconds[PARTS])
{
    static const int64_t zero[STORE_AXES] = {0};
    int64_t by[STORE_AXES] = {0}, old[STORE_AXES];
    double begin;

    for (int k = 0; k < STORE_AXES; k++) {
        old[k] = a->dims[k];
    }
    by[axis] = cells;
    ranks_settle();
    begin = ranks_now();
    store_begin_growth(a, by);
    a->store->end_growth(a);
    seconds[GROWTH] += ranks_seconds(begin);
    ranks_settle();
    begin = ranks_now();
    a->store->write(a, g, zero, old);
    seconds[WRITE] += ranks_seconds(begin);
    GA_Destroy(g);
    g = global_new(STORE_AXES, a->dims);
    GA_Zero(g);
    begin = ranks_now();
    store_read_all(a, g);
    seconds[READ] += ranks_seconds(begin);
    global_verify(g, zero, a->store->name);
    return g;
}

static void run(const store *s, int64_t side, int64_t cells, int cubes)
{
    static const char *const parts[PARTS] = {"growth", "write", "read"};
    static const int64_t zero[STORE_AXES] = {0};
    disk_array a = {.name = "cube",
                    .ndim = STORE_AXES,
                    .dims = {side, side, side},
                    .typical = {CHUNK, CHUNK, CHUNK},
                    .growing = true,
                    .valued = true};

    for (int axis = 0; axis < STORE_AXES && s == &store_dra; axis++) {
        a.typical[axis] =
            2 * (int64_t)CHUNK; // then its chunks stay nearly the same while the cube grows
    }
    s->begin(-1);
    store_create(s, &a);
    int g = global_new(STORE_AXES, a.dims);
    global_fill(g, zero);
    store_write_all(&a, g);
    for (int cube = 0; cube < cubes; cube++) {
        double seconds[PARTS] = {0};
        char name[40], series[60];
        for (int axis = 0; axis < STORE_AXES; axis++) {
            g = grow_once(&a, g, axis, cells, seconds);
        }
        snprintf(name, sizeof name, "%lld", (long long)a.dims[0]);
        for (int part = 0; part < PARTS; part++) {
            snprintf(series, sizeof series, "%s;%s", s->name, parts[part]);
            ranks_print(name, series, seconds[part] * 1e3, "ms");
        }
    }
    s->remove(&a);
    s->end();
    GA_Destroy(g);
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    if (argc != 4) {
        bench_die("usage: paper_growth SIDE BY CUBES");
    }
    for (int which = 0; which < STORES; which++) {
        run(stores[which], strtoll(argv[1], NULL, 10), strtoll(argv[2], NULL, 10), atoi(argv[3]));
    }
    ranks_end();
    return 0;
}
