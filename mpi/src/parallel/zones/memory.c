/* Zones in memory: making and freeing the window.
 *
 * Each rank offers its zone as one dense array in a window. One passive epoch lasts from creation
 * to freeing, so that any rank may access any zone at any time (access.c) without the others taking
 * part; a transfer is complete when it has been flushed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/zones/memory.h"

#include <stdlib.h>
#include <string.h>

#include "parallel/zones/lock.h"
#include "parallel/zones/types.h"
#include "private/zones.h"

#define MOST_BYTES ((uint64_t)1 << 30) /* most bytes of one MPI operation, whose counts are ints */

static const char *name_of(const xta_parallel *p)
{
    return xta_array_path(p->array);
}

xta_status xta__zones_enter(xta_parallel *p, const char *call, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    if (p->rendezvous.timeout_s > 0) {
        status = xta__rendezvous_wait(&p->rendezvous, call, err);
    }
    return status == XTA_OK ? xta_agree_on(p->comm, call, 0, NULL, NULL, err) : status;
}

bool xta__dense_strides(int ndim, const int64_t lengths[], size_t cell_bytes, xta_order order,
                        int64_t strides[], uint64_t *all_bytes)
{
    uint64_t bytes = cell_bytes;

    for (int k = 0; k < ndim; k++) {
        int axis = order == XTA_ROW ? ndim - 1 - k : k;
        strides[axis] = (int64_t)bytes;
        if (!xta__mul_u64(bytes, (uint64_t)lengths[axis], &bytes) || bytes > XTA__OFFSET_LIMIT) {
            return false;
        }
    }
    *all_bytes = bytes;
    return true;
}

uint64_t xta__fit_lengths(int ndim, const int64_t unit[], size_t cell_bytes, uint64_t most_bytes,
                          int64_t lengths[])
{
    for (;;) {
        int longest = 0;
        uint64_t bytes = cell_bytes;
        bool fits = true;
        for (int axis = 0; axis < ndim; axis++) {
            uint64_t cells = unit != NULL ? (uint64_t)unit[axis] : 1;
            fits = fits && xta__mul_u64(bytes, (uint64_t)lengths[axis], &bytes) &&
                   xta__mul_u64(bytes, cells, &bytes);
            longest = lengths[axis] > lengths[longest] ? axis : longest;
        }
        if ((fits && bytes <= most_bytes) || lengths[longest] == 1) {
            return fits ? bytes : UINT64_MAX;
        }
        lengths[longest] = (lengths[longest] + 1) / 2;
    }
}

/* ---- creation ---- */

/* Find what this rank holds, and whether there is memory for it. */
static xta_status measure_zone(xta_zone_memory *memory, uint64_t *bytes, xta_error *err)
{
    int rows[XTA_MAX_NDIM], ndim = memory->bounds.ndim;
    bool empty = xta_box_empty(&memory->bounds);
    xta__zone_piece part;

    xta__zones_place(memory->zones, memory->p->rank, rows);
    for (int axis = 0; axis < ndim; axis++) {
        int64_t lo = memory->bounds.lo[axis], hi = memory->bounds.hi[axis];
        memory->lengths[axis] = 0;
        if (!empty) {
            xta__zones_piece(memory->zones, axis, rows[axis], lo, lo, hi, &part);
            memory->lengths[axis] = part.n;
        }
    }
    if (!xta__dense_strides(ndim, memory->lengths, memory->cell_bytes, memory->order,
                            memory->strides, bytes)) {
        return xta__fail(err, XTA_EOVERFLOW, 0, "%s: the zone of rank %d has more than 2^62 bytes",
                         name_of(memory->p), memory->p->rank);
    }
    *bytes = (uint64_t)xta__zone_window_bytes(*bytes);
    // An MPI that cannot get the memory may end the program instead of reporting that, so try
    // first. Volatile, or compilers leave out the allocation, as it is not used.
    void *volatile asked = *bytes <= SIZE_MAX ? malloc((size_t)*bytes) : NULL;
    if (asked == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the zone of rank %d: %llu bytes",
                         name_of(memory->p), memory->p->rank, (unsigned long long)*bytes);
    }
    free(asked);
    return XTA_OK;
}

/* Everything that needs no other rank. */
static xta_status prepare(xta_parallel *p, const xta_distribution *distribution, xta_order order,
                          xta_zone_memory **out, uint64_t *bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_zone_memory *memory = NULL;

    if (order != XTA_ROW && order != XTA_COLUMN) {
        return xta__fail(err, XTA_EARG, 0, "%s: order %d of zones: give XTA_ROW or XTA_COLUMN",
                         name_of(p), (int)order);
    }
    memory = xta__calloc(1, sizeof *memory);
    if (memory == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for zones", name_of(p));
    }
    *out = memory;
    memory->p = p;
    memory->window = MPI_WIN_NULL;
    memory->order = order;
    memory->most_bytes = MOST_BYTES;
    memory->type = xta_array_type(p->array);
    memory->cell_bytes = xta_array_cell_bytes(p->array);
    memory->bounds = xta_parallel_bounds(p);
    for (int axis = 0; axis < memory->bounds.ndim; axis++) {
        memory->chunk[axis] = xta__structure_of(p->array)->axis[axis].chunk;
    }
    XTA_TRY(xta_parallel_zones(p, distribution, &memory->zones, err));
    XTA_TRY(measure_zone(memory, bytes, err));

done:
    return status;
}

/* A checksum of the cuts. */
static int64_t number_of_cuts(const xta_distribution *d, int axis, int rows)
{
    return rows < 2 ? 0
                    : (int64_t)xta__crc32c(1, d->cuts[axis],
                                           (size_t)(rows - 1) * sizeof d->cuts[axis][0]);
}

/* Whether all ranks have the same distribution. Each has already checked its own. */
static xta_status agree_on_zones(const xta_zone_memory *memory, const xta_distribution *d,
                                 xta_error *err)
{
    enum { OF_AXIS = 3 };
    const char *names[2 + OF_AXIS * XTA_MAX_NDIM] = {"the order", "the kind of distribution"};
    int64_t values[2 + OF_AXIS * XTA_MAX_NDIM] = {(int64_t)memory->order};
    const int *grid = xta_zones_grid(memory->zones);
    int ndim = memory->bounds.ndim, n = 2;
    xta_distribution_kind kind = d != NULL ? d->kind : XTA_BLOCK;

    values[1] = (int64_t)kind;
    for (int axis = 0; axis < ndim; axis++) {
        bool has_cycle = kind == XTA_BLOCK_CYCLIC && d->cycle != NULL;
        names[n] = "the rows of the process grid on an axis";
        values[n++] = grid[axis];
        names[n] = "the cycle of an axis";
        values[n++] = has_cycle ? d->cycle[axis] : 1;
        names[n] = "the cuts of an axis (their checksum)";
        values[n++] = kind == XTA_IRREGULAR ? number_of_cuts(d, axis, grid[axis]) : 0;
    }
    return xta_agree_on(memory->p->comm, "xta_zone_memory_new", n, names, values, err);
}

/* Allocate the memory of a window. For MPI_Win_allocate, Open MPI 4.1 names the memory that ranks
 * of one machine share by a number that groups of ranks without a common member may have in common:
 * two groups that create a window at the same moment get the same memory, or none. For
 * MPI_Win_allocate_shared the name contains a rank as well. */
static int allocate_window(MPI_Comm comm, uint64_t bytes, void **local, MPI_Win *window)
{
    MPI_Aint size = (MPI_Aint)bytes;
    MPI_Info info;

    if (!xta__on_one_machine(comm)) {
        return MPI_Win_allocate(size, 1, MPI_INFO_NULL, comm, local, window);
    }
    // Each rank's part begins on a page of its own, whatever the length of the one before.
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    int code = MPI_Win_allocate_shared(size, 1, info, comm, local, window);
    MPI_Info_free(&info);
    return code;
}

/* Debian's Open MPI 4.1 leaves out, by default, the component that makes windows over TCP. */
static xta_status refuse_window(const xta_zone_memory *memory, int code, xta_error *err)
{
    xta_error why = {0};
    int class = 0;
    xta_status status = xta__mpi_failed(&why, name_of(memory->p), "make a window for zones", code);

    MPI_Error_class(code, &class);
    return xta__fail(err, status, 0, "%s%s", why.text,
                     class == MPI_ERR_WIN ? "; this MPI has none between these machines: with Open "
                                            "MPI over TCP set OMPI_MCA_osc=^ucx"
                                          : "");
}

/* Create the window, and begin the epoch that lasts as long as the window. Collective. */
static xta_status open_window(xta_zone_memory *memory, uint64_t bytes, xta_error *err)
{
    MPI_Comm comm = memory->p->comm;
    MPI_Errhandler before;
    void *local = NULL;

    MPI_Comm_get_errhandler(comm, &before);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int code = allocate_window(comm, bytes, &local, &memory->window);
    MPI_Comm_set_errhandler(comm, before);
    MPI_Errhandler_free(&before);
    if (code != MPI_SUCCESS) {
        memory->window = MPI_WIN_NULL;
        return refuse_window(memory, code, err);
    }
    memory->local = local;
    MPI_Win_set_errhandler(memory->window, MPI_ERRORS_RETURN);
    code = MPI_Win_lock_all(MPI_MODE_NOCHECK, memory->window);
    if (code != MPI_SUCCESS) {
        return xta__mpi_failed(err, name_of(memory->p), "open the zones to all ranks", code);
    }
    memset(memory->local, 0, (size_t)bytes);
    MPI_Win_sync(memory->window);
    return XTA_OK;
}

static void free_memory(xta_zone_memory *memory)
{
    if (memory != NULL) {
        xta_zones_free(memory->zones);
        free(memory);
    }
}

xta_status xta_zone_memory_new(xta_parallel *p, const xta_distribution *distribution,
                               xta_order order, xta_zone_memory **out, xta_error *err)
{
    xta_zone_memory *memory = NULL;
    uint64_t bytes = 0;
    xta_status status = XTA_OK;

    *out = NULL;
    XTA_TRY(xta__zones_enter(p, "xta_zone_memory_new", err));
    status = prepare(p, distribution, order, &memory, &bytes, err);
    XTA_TRY(xta_agree(p->comm, status, err));
    XTA_TRY(agree_on_zones(memory, distribution, err));
    status = open_window(memory, bytes, err);
    // If it failed on some ranks only, the others keep their part: freeing it would need all of
    // them.
    XTA_TRY(xta_agree(p->comm, status, err));
    MPI_Win_sync(memory->window);
    // All ranks must use the same method, although their processors may differ.
    int flawed = xta__unsigned_is_flawed(memory->type, xta__unit_of(memory->type));
    MPI_Allreduce(MPI_IN_PLACE, &flawed, 1, MPI_INT, MPI_MAX, p->comm);
    memory->unsigned_flawed = flawed != 0;
    *out = memory;
    memory = NULL;

done:
    free_memory(memory);
    return status;
}

xta_status xta_zone_memory_free(xta_zone_memory *memory, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    if (memory == NULL) {
        return XTA_OK;
    }
    // Only if all ranks take part in freeing it.
    status = xta__zones_enter(memory->p, "xta_zone_memory_free", err);
    if (status != XTA_OK) {
        return status;
    }
    int code = MPI_Win_unlock_all(memory->window);
    if (code != MPI_SUCCESS) {
        status = xta__mpi_failed(err, name_of(memory->p), "close the zones", code);
    }
    status = xta_agree(memory->p->comm, status, err);
    MPI_Win_free(&memory->window);
    free_memory(memory);
    return status;
}

/* ---- inquiry ---- */

const xta_zones *xta_zone_memory_zones(const xta_zone_memory *memory)
{
    return memory->zones;
}

void *xta_zone_memory_local(xta_zone_memory *memory, int64_t lengths[], int64_t strides[])
{
    size_t bytes = (size_t)memory->bounds.ndim * sizeof(int64_t);

    if (lengths != NULL) {
        memcpy(lengths, memory->lengths, bytes);
    }
    if (strides != NULL) {
        memcpy(strides, memory->strides, bytes);
    }
    return memory->local;
}

xta_status xta_zone_memory_fence(xta_zone_memory *memory, xta_error *err)
{
    // Puts of this rank were complete when they returned; direct stores into its zone were not.
    MPI_Win_sync(memory->window);
    xta_status status = xta__zones_enter(memory->p, "xta_zone_memory_fence", err);
    MPI_Win_sync(memory->window);
    return status;
}
