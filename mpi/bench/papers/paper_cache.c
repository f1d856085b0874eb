/* The session cache of PEXTA ([CXA] 10.2): skewed reads of sections, again and again, without and
 * with it.
 *
 *     mpiexec -n P paper_cache SIDE READS CACHE_MIB
 *
 * The array is SIDE x SIDE doubles in chunks of 128 x 128. Nine of ten reads are of one of eight
 * favourite places, the others anywhere. Prints `skewed|uniform,without|with,milliseconds,ms` for
 * all reads, and the share of chunks that were in the cache. Every cell that is read is compared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <xta/pexta.h>

#include "store.h"

enum { CHUNK = 128, SECTION = 96, FAVOURITES = 8 };

static void checked(int code)
{
    if (code != 0) {
        bench_die("%s", PEXTA_Error_text());
    }
}

/* The first cell of the next section. */
static void choose(uint64_t *state, int64_t side, bool skewed, int64_t lo[2])
{
    bool favourite = skewed && bench_below(state, 10) != 0;
    uint64_t place = (uint64_t)bench_below(state, FAVOURITES) + 100;

    for (int axis = 0; axis < 2; axis++) {
        lo[axis] = bench_below(favourite ? &place : state, side - SECTION);
    }
}

static void run(disk_array *a, int64_t reads, bool skewed, double cache_bytes)
{
    const int64_t dims[2] = {SECTION, SECTION};
    int64_t lo[2], hi[2], counts[2] = {0};
    uint64_t state = 7;
    double seconds = 0;
    int g = global_new(2, dims);

    checked(PEXTA_Set_cache(a->handle, cache_bytes));
    for (int64_t k = 0; k < reads; k++) {
        choose(&state, a->dims[0], skewed, lo);
        hi[0] = lo[0] + SECTION;
        hi[1] = lo[1] + SECTION;
        double begin = ranks_now();
        a->store->read(a, g, lo, hi);
        seconds += ranks_seconds(begin);
        global_verify(g, lo, "PEXTA");
    }
    GA_Destroy(g);
    checked(PEXTA_Inquire_cache(a->handle, &counts[0], &counts[1], NULL));
    const char *name = skewed ? "skewed" : "uniform";
    ranks_print(name, cache_bytes > 0 ? "with" : "without", seconds * 1e3, "ms");
    if (cache_bytes > 0) {
        ranks_print(name, "hits", 100 * (double)counts[1] / (double)counts[0], "%");
    }
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    if (argc != 4) {
        bench_die("usage: paper_cache SIDE READS CACHE_MIB");
    }
    disk_array a = {.name = "plane", .ndim = 2, .typical = {CHUNK, CHUNK}};
    a.dims[0] = a.dims[1] = strtoll(argv[1], NULL, 10);
    if (a.dims[0] < 2 * CHUNK) {
        bench_die("SIDE must be %d or more", 2 * CHUNK);
    }
    store_pexta.begin(-1);
    store_create(&store_pexta, &a);
    int g = global_new(2, a.dims);
    global_fill(g, (int64_t[2]){0});
    store_write_all(&a, g);
    GA_Destroy(g);
    ranks_settle();
    for (int skewed = 1; skewed >= 0; skewed--) {
        run(&a, strtoll(argv[2], NULL, 10), skewed, 0);
        run(&a, strtoll(argv[2], NULL, 10), skewed, (double)strtoll(argv[3], NULL, 10) * 1048576);
    }
    a.store->remove(&a);
    store_pexta.end();
    ranks_end();
    return 0;
}
