/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Arrays that grow, or shrink, while there are zones in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/zone_world.h"

/* Another process grows the array, and the ranks refresh. The model keeps its cells. */
static void grow_from_outside(world *w, const char *name)
{
    const xta_growth growths[2] = {{0, XTA_FRONT, 5}, {1, XTA_BACK, 4}};
    bool changed = false;

    MPI_Barrier(MPI_COMM_WORLD);
    if (xta_test_rank == 0) {
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        options.writable = true;
        XTA_CHECK_OK(xta_array_open(xta_test_path(name), &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, growths, 2, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_OK(xta_parallel_refresh(w->p, &changed, &err), err);
    XTA_CHECK(changed, "the growth was not seen");
}

/* The model over the current bounds: new cells are fill. */
static void follow_growth(world *w)
{
    xta_box before = w->bounds;
    number *old = w->cells;
    int64_t c[XTA_MAX_NDIM];

    w->bounds = xta_parallel_bounds(w->p);
    w->cells = calloc(count(&w->bounds), sizeof w->cells[0]);
    memcpy(c, before.lo, sizeof c);
    do {
        *cell_of(w, c) = old[place_in(&before, c, XTA_ROW)];
    } while (next_in(&before, c));
    free(old);
}

/* Zones keep the bounds that they were made for; new ones have those after the refresh. */
static void growth(void)
{
    static const int64_t bounds[2] = {9, 10}, chunk[2] = {2, 3};
    const xta_growth shrink = {1, XTA_BACK, 1};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    world w = make_world(1000000);
    xta_zone_memory *old;

    w.type = XTA_I32;
    w.cell_bytes = 4;
    memcpy(w.chunk, chunk, sizeof chunk);
    snprintf(w.story, sizeof w.story, "seed %llu, growth", (unsigned long long)seed);
    create.chunk = chunk;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("growing"), w.type, 2, bounds,
                                     &create, NULL, &w.p, &err),
                 err);
    random_model(&w);
    write_model(&w);
    make_zones(&w, XTA_BLOCK_CYCLIC);
    XTA_CHECK_OK(xta_zone_memory_load(w.memory, &err), err);
    grow_from_outside(&w, "growing");
    all_at_once(&w, MPI_SUM, false);
    fence(&w);
    compare_gets(&w, 3);
    XTA_CHECK_OK(xta_zone_memory_store(w.memory, &err), err);
    compare_file(&w);
    old = w.memory;

    follow_growth(&w);
    XTA_CHECK(w.bounds.lo[0] == -5 && w.bounds.hi[1] == 14, "the bounds are others");
    w.order = XTA_COLUMN;
    make_zones(&w, XTA_IRREGULAR);
    XTA_CHECK_OK(xta_zone_memory_load(w.memory, &err), err);
    compare_gets(&w, 3);
    compare_local(&w);
    fence(&w);
    all_at_once(&w, MPI_MAX, false);
    XTA_CHECK_OK(xta_zone_memory_store(w.memory, &err), err);
    compare_file(&w);
    XTA_CHECK_OK(xta_zone_memory_free(old, &err), err);
    XTA_CHECK_OK(xta_zone_memory_free(w.memory, &err), err);

    // If the array has become smaller than the zones, all ranks get an error.
    make_zones(&w, XTA_BLOCK);
    XTA_CHECK_OK(xta_parallel_shrink(w.p, &shrink, 1, NULL, &err), err);
    XTA_CHECK_STATUS(xta_zone_memory_load(w.memory, &err), XTA_EBOX, err);
    XTA_CHECK_STATUS(xta_zone_memory_store(w.memory, &err), XTA_EBOX, err);
    XTA_CHECK_OK(xta_zone_memory_free(w.memory, &err), err);
    clear_world(&w);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    agree_on_seed("zone_growth", 20240802);
    growth();
    return xta_test_end();
}
