/* Reading an array that has grown, for a program whose global array has not.
 *
 * The array is read either into the global array, as far as it fits, or into a new, grown copy. The
 * blocks of the copy keep their borders around the old cells, wherever these lie now, and the
 * blocks at the ends get what was added, so that a process finds the cells it had in its own block.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <ga.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pexta/calls.h"
#include "pexta/ga.h"
#include "pexta/session.h"

/* The cell of the array, in the file's coordinates, that corresponds to the global array's first.
 * Cell 0 of the file is the one that was first when the array was created. */
static void place_origin(const xta__disk *disk, const int64_t origin[], int64_t at[])
{
    for (int axis = 0; axis < disk->ndim; axis++) {
        at[axis] = origin != NULL ? disk->bounds.lo[axis] + origin[axis] : 0;
    }
}

static xta__disk *enter_read(const char *call, int g_a, int p_a, const int64_t origin[], bool bad,
                             xta__ga *ga, xta_status *status)
{
    const xta__disk *known = xta__disk_of(p_a, NULL);
    xta__arguments arguments = {0};
    xta_error *err = &xta__pexta.last;

    xta__arguments_add_all(&arguments, "origin", known != NULL ? known->ndim : 0, origin);
    xta__arguments_add(&arguments, "g_grown", bad);
    xta__disk *disk = xta__enter_transfer(call, g_a, p_a, &arguments, status);
    if (disk == NULL) {
        return NULL;
    }
    *status = xta__ga_inquire(g_a, ga, err);
    if (*status == XTA_OK && ga->ndim != disk->ndim) {
        *status = xta__fail(err, XTA_EBOX, 0, "%s: it has %d axes, global array %d has %d",
                            disk->path, disk->ndim, g_a, ga->ndim);
    }
    for (int axis = 0; axis < disk->ndim && *status == XTA_OK && origin != NULL; axis++) {
        if (origin[axis] <= -XTA__COORD_LIMIT / 2 || origin[axis] >= XTA__COORD_LIMIT / 2) {
            *status = xta__fail(err, XTA_EBOX, 0, "%s: axis %d: origin %" PRId64, call, axis,
                                origin[axis]);
        }
    }
    if (*status == XTA_OK && bad) {
        *status =
            xta__fail(err, XTA_EARG, 0, "%s: g_grown is NULL; it takes the new global array", call);
    }
    return *status == XTA_OK ? disk : NULL;
}

int PEXTA_Read_fitting(int g_a, int p_a, const int64_t origin[])
{
    int64_t at[PEXTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__ga ga;
    const xta__disk *disk = enter_read("PEXTA_Read_fitting", g_a, p_a, origin, false, &ga, &status);

    if (disk == NULL) {
        return (int)status;
    }
    place_origin(disk, origin, at);
    xta__move move = {.disk = (xta__disk *)(uintptr_t)disk, .g_a = g_a, .box = {.ndim = ga.ndim}};
    for (int axis = 0; axis < ga.ndim; axis++) {
        move.box.lo[axis] = at[axis];
        move.box.hi[axis] = at[axis] + ga.dims[axis];
    }
    move.box = xta_box_intersect(&move.box, &disk->bounds);
    for (int axis = 0; axis < ga.ndim; axis++) {
        move.g_lo[axis] = move.box.lo[axis] - at[axis];
    }
    if (xta_box_empty(&move.box)) {
        return XTA_OK;
    }
    return xta__move_now(&move);
}

/* ---- a grown copy ---- */

/* Where the blocks of a global array begin on each axis: n_blocks[0] numbers for axis 0, and so
 * on. */
typedef struct borders {
    int64_t n_blocks[PEXTA_MAX_NDIM];
    int64_t *starts;
} borders;

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The blocks of `ga` moved by `shift`, the first of each axis beginning at 0. */
static xta_status find_borders(const xta__ga *ga, const int64_t shift[], borders *b, xta_error *err)
{
    size_t n_ranks = (size_t)xta__pexta.n_ranks, n = 0;

    b->starts = xta__calloc(n_ranks * (size_t)ga->ndim, sizeof b->starts[0]);
    if (b->starts == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the blocks of a global array");
    }
    for (int axis = 0; axis < ga->ndim; axis++) {
        int64_t *of_axis = b->starts + n;
        size_t found = 0;
        for (int rank = 0; rank < xta__pexta.n_ranks; rank++) {
            xta_box block = xta__ga_block(ga, rank);
            if (!xta_box_empty(&block)) {
                of_axis[found++] = block.lo[axis] > 0 ? block.lo[axis] + shift[axis] : 0;
            }
        }
        qsort(of_axis, found, sizeof of_axis[0], ascending);
        size_t kept = 0;
        for (size_t k = 0; k < found; k++) {
            if (kept == 0 || of_axis[k] != of_axis[kept - 1]) {
                of_axis[kept++] = of_axis[k];
            }
        }
        b->n_blocks[axis] = (int64_t)kept;
        n += kept;
    }
    return XTA_OK;
}

/* The widths of the ghost cells, the same on all ranks. Collective. */
static void ghost_widths(const xta__ga *ga, int64_t widths[])
{
    int64_t dims[PEXTA_MAX_NDIM], ld[PEXTA_MAX_NDIM];
    void *cells = NULL;

    memset(widths, 0, PEXTA_MAX_NDIM * sizeof widths[0]);
    if (!GA_Has_ghosts(ga->g_a)) {
        return;
    }
    const xta_box block = xta__ga_block(ga, xta__pexta.rank);
    if (!xta_box_empty(&block)) {
        NGA_Access_ghosts64(ga->g_a, dims, &cells, ld);
        NGA_Release_ghosts(ga->g_a);
        for (int axis = 0; axis < ga->ndim; axis++) {
            widths[axis] = (dims[axis] - (block.hi[axis] - block.lo[axis])) / 2;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, widths, PEXTA_MAX_NDIM, MPI_INT64_T, MPI_MAX, xta__pexta.comm);
}

/* A block-cyclic array of the same block lengths, however the blocks of `ga` are distributed: what
 * Global Arrays report about a grid of processes is not enough to create the same one again. */
static int new_cyclic(const xta__ga *ga, int64_t dims[], char *name)
{
    int blocks[PEXTA_MAX_NDIM], lengths[PEXTA_MAX_NDIM];
    int g_grown = GA_Create_handle();

    GA_Get_block_info(ga->g_a, blocks, lengths);
    GA_Set_data64(g_grown, ga->ndim, dims, ga->type);
    GA_Set_array_name(g_grown, name);
    GA_Set_block_cyclic(g_grown, lengths);
    return GA_Allocate(g_grown) ? g_grown : 0;
}

/* A global array of `dims` cells like `ga`. Collective. */
static xta_status new_grown(const xta__ga *ga, int64_t dims[], const int64_t shift[], int *g_grown,
                            xta_error *err)
{
    char name[] = "grown";
    int64_t widths[PEXTA_MAX_NDIM];
    borders b = {.starts = NULL};
    xta_status status = XTA_OK;

    if (!ga->one_block) {
        *g_grown = new_cyclic(ga, dims, name);
    } else {
        status = xta_agree(xta__pexta.comm, find_borders(ga, shift, &b, err), err);
        ghost_widths(ga, widths);
    }
    if (ga->one_block && status == XTA_OK) {
        *g_grown = GA_Has_ghosts(ga->g_a)
                       ? NGA_Create_ghosts_irreg64(ga->type, ga->ndim, dims, widths, name,
                                                   b.n_blocks, b.starts)
                       : NGA_Create_irreg64(ga->type, ga->ndim, dims, name, b.n_blocks, b.starts);
    }
    free(b.starts);
    if (status == XTA_OK && *g_grown == 0) {
        status = xta__fail(err, XTA_ENOMEM, 0, "Global Arrays could not make the grown array");
    }
    return status;
}

int PEXTA_Read_grown(int g_a, int p_a, const int64_t origin[], int *g_grown)
{
    xta_error *err = &xta__pexta.last;
    int64_t at[PEXTA_MAX_NDIM], dims[PEXTA_MAX_NDIM], shift[PEXTA_MAX_NDIM];
    xta_status status = XTA_OK;
    xta__ga ga;
    xta__disk *disk =
        enter_read("PEXTA_Read_grown", g_a, p_a, origin, g_grown == NULL, &ga, &status);

    if (g_grown != NULL) {
        *g_grown = 0;
    }
    if (disk == NULL) {
        return (int)status;
    }
    place_origin(disk, origin, at);
    for (int axis = 0; axis < ga.ndim && status == XTA_OK; axis++) {
        dims[axis] = disk->bounds.hi[axis] - disk->bounds.lo[axis];
        shift[axis] = at[axis] - disk->bounds.lo[axis];
        if (shift[axis] < 0 || shift[axis] > dims[axis] - ga.dims[axis]) {
            status = xta__fail(err, XTA_EBOX, 0,
                               "%s: axis %d: global array %d, cells %" PRId64 " to %" PRId64
                               " of the array, does not lie within its %" PRId64 " cells",
                               disk->path, axis, g_a, shift[axis], shift[axis] + ga.dims[axis] - 1,
                               dims[axis]);
        }
    }
    if (status == XTA_OK) {
        status = new_grown(&ga, dims, shift, g_grown, err);
    }
    if (status != XTA_OK) {
        return (int)status;
    }
    const xta__move move = {.disk = disk, .g_a = *g_grown, .box = disk->bounds};
    int code = xta__move_now(&move);
    if (code != XTA_OK) {
        GA_Destroy(*g_grown);
        *g_grown = 0;
    }
    return code;
}
