/* [CXA] 8.5.1 and 8.5.2: rates of reading and writing a global array of three axes, aligned with
 * the chunks and not, for several sizes of the buffer that each library may use.
 *
 *     mpiexec -n P paper_transfer SIDE BUFFER_MIB...
 *
 *
 * prints `aligned|unaligned;read|write;buffer,library,rate,GB/s`. The transfer alone is timed:
 * creating, opening and syncing are not. New files are written, reads come from the page cache,
 * and what is read is compared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "store.h"

static const int64_t chunk[STORE_AXES] = {32, 64, 64};

/* Typical requests of the disk arrays are the blocks of the global array: their best setting. */
static void choose_typical(const store *s, disk_array *a, int g)
{
    int64_t lo[STORE_AXES], hi[STORE_AXES];

    NGA_Distribution64(g, 0, lo, hi);
    for (int axis = 0; axis < STORE_AXES; axis++) {
        a->typical[axis] = s == &store_dra ? hi[axis] - lo[axis] + 1 : chunk[axis];
    }
}

static void run(const store *s, int64_t side, bool aligned, int64_t buffer_mib)
{
    disk_array a = {.name = "cube", .ndim = STORE_AXES, .dims = {side, side, side}};
    int64_t lo[STORE_AXES], hi[STORE_AXES], lengths[STORE_AXES];
    char name[80];
    double bytes = sizeof(double), begin, seconds;

    for (int axis = 0; axis < STORE_AXES; axis++) {
        lo[axis] = aligned ? 0 : 13;
        hi[axis] = aligned ? side : side - 19;
        lengths[axis] = hi[axis] - lo[axis];
        bytes *= (double)lengths[axis];
    }
    int g = global_new(STORE_AXES, lengths);
    choose_typical(s, &a, g);
    store_create(s, &a);
    global_fill(g, lo);
    ranks_settle();
    begin = ranks_now();
    s->write(&a, g, lo, hi);
    seconds = ranks_seconds(begin);
    snprintf(name, sizeof name, "%s;write;%lld", aligned ? "aligned" : "unaligned",
             (long long)buffer_mib);
    ranks_print(name, s->name, bytes * 1e-9 / seconds, "GB/s");
    s->close(&a);
    s->open(&a);
    GA_Zero(g);
    begin = ranks_now();
    s->read(&a, g, lo, hi);
    seconds = ranks_seconds(begin);
    snprintf(name, sizeof name, "%s;read;%lld", aligned ? "aligned" : "unaligned",
             (long long)buffer_mib);
    ranks_print(name, s->name, bytes * 1e-9 / seconds, "GB/s");
    global_verify(g, lo, s->name);
    s->remove(&a);
    GA_Destroy(g);
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    if (argc < 3) {
        bench_die("usage: paper_transfer SIDE BUFFER_MIB...");
    }
    for (int k = 2; k < argc; k++) {
        int64_t mib = strtoll(argv[k], NULL, 10);
        for (int which = 0; which < STORES; which++) {
            if (stores[which] == &store_hdf5_copied) {
                continue; // growth is no matter here
            }
            stores[which]->begin((double)mib * 1048576);
            run(stores[which], strtoll(argv[1], NULL, 10), true, mib);
            run(stores[which], strtoll(argv[1], NULL, 10), false, mib);
            stores[which]->end();
        }
    }
    ranks_end();
    return 0;
}
