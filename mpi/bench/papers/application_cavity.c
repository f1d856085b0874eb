/* Lattice Boltzmann flow in a lid-driven square cavity ([CXA] Fig. 8.5.6), with the physics of
 * examples/parallel_cavity.c: the grid, nine numbers for each cell, is a global array. The lid is
 * before the first row, so that the cavity can grow at the back of both axes; new cells are fluid
 * at rest, 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "../../../examples/lattice_boltzmann.h"
#include "application.h"

enum { HALO = 4, BLOCK = 64 }; // steps between two exchanges and cells of the rim; cells of a chunk

/* What a collision leaves of a deviation, at a Reynolds number of 100 in the first cavity. */
static double kept(const application_run *r)
{
    return 1 - 1 / (0.5 + 3 * lid_speed * (double)r->size / 100);
}

static void patch_begin(patch *p, const int64_t dims[])
{
    size_t n;

    p->walls = xta_box_make(3, (int64_t[3]){0}, dims);
    p->lid_first = true;
    p->box = with_rim(&p->zone, HALO, &p->walls);
    n = (size_t)((p->box.hi[0] - p->box.lo[0]) * (p->box.hi[1] - p->box.lo[1]) * Q);
    p->before = calloc(n + 1, sizeof *p->before);
    p->after = calloc(n + 1, sizeof *p->after);
    if (p->before == NULL || p->after == NULL) {
        bench_die("no memory");
    }
}

static void patch_end(patch *p)
{
    free(p->before);
    free(p->after);
}

/* HALO steps, or fewer: fetch the zone and its rim, compute, put the zone back. */
static void run_halo(int g, patch *p, int steps, double keep)
{
    int64_t lo[3], last[3], zone_lo[3], zone_last[3], strides[2] = {p->box.hi[1] - p->box.lo[1], Q};

    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = p->box.lo[axis];
        last[axis] = p->box.hi[axis] - 1;
        zone_lo[axis] = p->zone.lo[axis];
        zone_last[axis] = p->zone.hi[axis] - 1;
    }
    if (!xta_box_empty(&p->zone)) {
        NGA_Get64(g, lo, last, p->before, strides);
        for (int rim = steps; rim > 0; rim--) {
            step_patch(p, keep, rim);
        }
    }
    GA_Sync(); // nobody needs the old cells any more
    if (!xta_box_empty(&p->zone)) {
        NGA_Put64(g, zone_lo, zone_last, at(p, p->before, zone_lo[0], zone_lo[1]), strides);
    }
    GA_Sync();
}

static void session(application_run *r, disk_array *grid, int64_t grows)
{
    const int64_t by[3] = {grows, grows, 0};
    int g = global_new(3, grid->dims);
    int64_t lo[3], hi[3];
    patch p = {0};

    global_access(g, lo, hi);
    global_release(g);
    p.zone = xta_box_make(3, lo, hi);
    patch_begin(&p, grid->dims);
    GA_Zero(g);
    ranks_settle();
    r->since = ranks_now();
    store_read_all(grid, g);
    application_lap(r, IO);
    if (grows > 0) {
        store_begin_growth(grid, by);
    }
    for (int step = 0; step < r->steps; step += HALO) {
        run_halo(g, &p, r->steps - step < HALO ? r->steps - step : HALO, kept(r));
    }
    application_lap(r, COMPUTE);
    store_write_all(grid, g);
    application_lap(r, IO);
    if (grows > 0) {
        r->store->end_growth(grid);
    }
    application_lap(r, GROWTH);
    patch_end(&p);
    GA_Destroy(g);
}

/* The reference: one process, the whole grid at once, no disk. Its cells, to be freed. */
static double *reference(const application_run *r, int64_t *size)
{
    double *cells = NULL;
    int64_t n = r->size;

    for (int s = 0; s < r->sessions; s++) {
        const int64_t dims[3] = {n, n, Q}, old = s == 0 ? 0 : *size;
        patch p = {.zone = xta_box_make(3, (int64_t[3]){0}, dims)};
        patch_begin(&p, dims);
        for (int64_t y = 0; y < old; y++) {
            memcpy(at(&p, p.before, y, 0), cells + Q * old * y, (size_t)(Q * old) * sizeof *cells);
        }
        for (int step = 0; step < r->steps; step++) {
            step_patch(&p, kept(r), 1);
        }
        free(cells);
        cells = p.before;
        free(p.after);
        *size = n;
        n += application_growth(r, s);
    }
    return cells;
}

/* The grid on disk must be the same, bit for bit. */
static void check(const application_run *r, disk_array *grid)
{
    int g = global_new(3, grid->dims);
    int64_t size = 0, last[3], zero[3] = {0}, strides[2] = {grid->dims[1], Q};
    size_t n = (size_t)(grid->dims[0] * grid->dims[1] * Q);

    GA_Zero(g);
    store_read_all(grid, g);
    if (GA_Nodeid() == 0) {
        double *expected = reference(r, &size), *cells = malloc(n * sizeof *cells);
        for (int axis = 0; axis < 3; axis++) {
            last[axis] = grid->dims[axis] - 1;
        }
        if (cells == NULL || size != grid->dims[0]) {
            bench_die("no memory, or a grid of another size");
        }
        NGA_Get64(g, zero, last, cells, strides);
        if (memcmp(cells, expected, n * sizeof *cells) != 0) {
            bench_die("%s: the grid is not that of the reference", r->store->name);
        }
        free(expected);
        free(cells);
    }
    GA_Sync();
    GA_Destroy(g);
}

void application_cavity(application_run *r)
{
    disk_array grid = {.name = "grid",
                       .ndim = 3,
                       .dims = {r->size, r->size, Q},
                       .typical = {BLOCK, BLOCK, Q},
                       .growing = true};

    store_create(r->store, &grid);
    int g = global_new(3, grid.dims);
    GA_Zero(g);
    store_write_all(&grid, g);
    GA_Destroy(g);
    for (int s = 0; s < r->sessions; s++) {
        session(r, &grid, application_growth(r, s));
    }
    check(r, &grid);
    r->store->remove(&grid);
}
