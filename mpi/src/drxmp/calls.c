/* Growth, zones, addresses and one-sided access in the style of [DRX] IV.C, where the paper
 * describes them without printing a call. Indices are of type size_t and count from 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/drxmp.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "drxmp/cells.h"
#include "drxmp/session.h"
#include "drxmp/type.h"

/* ---- the meta-data ---- */

static void head_of_description(const struct drxmp_array *array, DRXMDHdr *header)
{
    const xta__drx_description *described = &array->described;
    int bytes = 0;

    header->kdim = described->ndim;
    header->dtype = described->mpi_type;
    if (described->mpi_type != MPI_DATATYPE_NULL) {
        MPI_Type_size(described->mpi_type, &bytes);
    }
    header->cellsize = described->cell_bytes > 0 ? described->cell_bytes : (size_t)bytes;
    for (int axis = 0; axis < described->ndim; axis++) {
        header->size[axis] = (size_t)described->bounds[axis];
        header->chkshape[axis] = described->chunk[axis];
    }
    header->rank = array->ranks.rank;
    header->nprocs = array->ranks.n_ranks;
    header->filename = "";
}

static xta_status head_of_files(const struct drxmp_array *array, DRXMDHdr *header, xta_error *err)
{
    xta_array_info info;
    xta_array *files = xta_parallel_array(array->parallel);
    xta_status status = xta_array_inquire(files, &info, err);

    if (status != XTA_OK) {
        return status;
    }
    header->kdim = info.ndim;
    header->dtype = xta__drx_mpi_type(info.type, info.cell_bytes);
    header->cellsize = info.cell_bytes;
    for (int axis = 0; axis < info.ndim; axis++) {
        header->size[axis] = (size_t)(info.bounds.hi[axis] - info.bounds.lo[axis]);
        header->first[axis] = info.bounds.lo[axis];
        header->chkshape[axis] = info.chunk[axis];
    }
    header->nchunks = (size_t)info.n_chunks;
    header->rank = array->parallel->rank;
    header->nprocs = array->parallel->n_ranks;
    header->filename = xta_array_path(files);
    return XTA_OK;
}

int DRXMP_Header(DRXMDHdl drxhdl, DRXMDHdrPtr *header)
{
    static const char call[] = "DRXMP_Header";
    xta_error err = {0};
    DRXMDHdr head = {0};
    struct drxmp_array *array = xta__drx_array(drxhdl);
    xta_status status = xta__drx_check_any(call, array, &err);

    if (status == XTA_OK && header == NULL) {
        status = xta__drx_missing(call, "place for the header", &err);
    }
    if (status == XTA_OK && array->parallel == NULL) {
        head_of_description(array, &head);
    } else if (status == XTA_OK) {
        status = head_of_files(array, &head, &err);
    }
    if (status == XTA_OK) {
        array->header = head;
        *header = &array->header;
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* ---- growth ---- */

int DRXMP_Extend(DRXMDHdl drxhdl, int dim, size_t by)
{
    xta_error err = {0};
    struct drxmp_array *array = xta__drx_array(drxhdl);
    // What does not fit cannot be added either: the sum overflows.
    xta_growth growth = {
        .axis = dim, .side = XTA_BACK, .by = by < (size_t)INT64_MAX ? (int64_t)by : INT64_MAX};

    xta_status status = xta__drx_meet("DRXMP_Extend", array, false, NULL, &err);
    if (status == XTA_OK) {
        status = xta_parallel_extend(array->parallel, &growth, 1, NULL, &err);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* ---- zones ---- */

/* Whether all ranks gave an order of zones in memory. Collective, after they have met. */
static xta_status agree_on_order(const char *call, struct drxmp_array *array, int order,
                                 xta_error *err)
{
    xta_status mine = XTA_OK;

    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) {
        mine = xta__fail(err, XTA_EARG, 0,
                         "%s: the order is %d; give MPI_ORDER_C or MPI_ORDER_FORTRAN", call, order);
    }
    return xta_agree(xta__drx_comm_of(array), mine, err);
}

int DRXMP_Distribution(DRXMDHdl drxhdl, DRXMDMemHdl *memhdl, int order, int *grid, int *cycle,
                       void **base)
{
    static const char call[] = "DRXMP_Distribution";
    xta_error err = {0};
    int64_t blocks[XTA_MAX_NDIM];
    xta_distribution how = XTA_DISTRIBUTION_INIT;
    struct drxmp_array *array = xta__drx_array(drxhdl);
    xta_status status = xta__drx_meet(call, array, false, NULL, &err);

    if (memhdl != NULL) {
        *memhdl = DRXMDMEM_NULL;
    }
    if (status == XTA_OK) {
        status = agree_on_order(call, array, order, &err);
    }
    if (status != XTA_OK) {
        return xta__drx_answer(NULL, status, 0, &err);
    }
    how.kind = cycle == NULL ? XTA_BLOCK : XTA_BLOCK_CYCLIC;
    how.grid = grid;
    how.cycle = cycle == NULL ? NULL : blocks;
    for (int axis = 0; cycle != NULL && axis < xta_parallel_bounds(array->parallel).ndim; axis++) {
        blocks[axis] = cycle[axis];
    }
    status = xta__drx_add_memory(call, array, &how, order == MPI_ORDER_C ? XTA_ROW : XTA_COLUMN,
                                 memhdl, &err);
    if (status == XTA_OK && base != NULL) {
        *base = xta_zone_memory_local(xta__drx_memory(*memhdl)->zones, NULL, NULL);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

int DRXMP_Free(DRXMDMemHdl memhdl)
{
    xta_error err = {0};
    struct drxmp_memory *memory = xta__drx_memory(memhdl);
    struct drxmp_array *array = memory == NULL ? NULL : memory->array;

    xta_status status = xta__drx_meet("DRXMP_Free", array, true, memory, &err);
    if (status == XTA_OK) {
        status = xta__drx_free_memory(array, memory, &err);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

int DRXMP_Base(DRXMDMemHdl memhdl, void **base, size_t *lengths)
{
    static const char call[] = "DRXMP_Base";
    xta_error err = {0};
    int64_t cells[XTA_MAX_NDIM];
    struct drxmp_memory *memory = xta__drx_memory(memhdl);
    xta_status status = xta__drx_check_memory(call, memory, &err);

    if (status == XTA_OK && base == NULL) {
        status = xta__drx_missing(call, "place for the address", &err);
    }
    if (status == XTA_OK) {
        *base = xta_zone_memory_local(memory->zones, cells, NULL);
    }
    for (int axis = 0; status == XTA_OK && lengths != NULL && axis < memory->bounds.ndim; axis++) {
        lengths[axis] = (size_t)cells[axis];
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

static int compare_addresses(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, other = *(const size_t *)b;

    return (one > other) - (one < other);
}

/* The addresses of the chunks of a box, in row-major order. */
static xta_status addresses_of_box(xta_array *array, const xta_box *box, size_t *addresses,
                                   size_t *n, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    int axis = box->ndim - 1;

    memcpy(chunk, box->lo, sizeof chunk);
    while (axis >= 0) {
        uint64_t address = 0;
        xta_status status = xta_array_chunk_address(array, chunk, &address, err);
        if (status != XTA_OK) {
            return status;
        }
        addresses[(*n)++] = (size_t)address;
        axis = box->ndim - 1;
        while (axis >= 0 && ++chunk[axis] == box->hi[axis]) {
            chunk[axis] = box->lo[axis];
            axis--;
        }
    }
    return XTA_OK;
}

int DRXMP_Zone(DRXMDMemHdl memhdl, int rank, size_t *nchunks, size_t *addresses)
{
    static const char call[] = "DRXMP_Zone";
    xta_error err = {0};
    size_t n = 0;
    struct drxmp_memory *memory = xta__drx_memory(memhdl);
    xta_status status = xta__drx_check_memory(call, memory, &err);
    const xta_zones *zones = status == XTA_OK ? xta_zone_memory_zones(memory->zones) : NULL;

    if (status == XTA_OK && nchunks == NULL) {
        status = xta__drx_missing(call, "place for the number", &err);
    } else if (status == XTA_OK && (rank < 0 || rank >= xta_zones_n_ranks(zones))) {
        status = xta__fail(&err, XTA_EARG, 0, "%s: there is no rank %d; give 0 to %d", call, rank,
                           xta_zones_n_ranks(zones) - 1);
    }
    if (status != XTA_OK) {
        return xta__drx_answer(NULL, status, 0, &err);
    }
    xta_array *array = xta_parallel_array(memory->array->parallel);
    uint64_t n_boxes = addresses == NULL ? 0 : xta_zones_n_boxes(zones, rank);
    for (uint64_t k = 0; k < n_boxes && status == XTA_OK; k++) {
        xta_box box = xta_zones_box(zones, rank, k);
        status = addresses_of_box(array, &box, addresses, &n, &err);
    }
    if (status == XTA_OK && n > 0) {
        qsort(addresses, n, sizeof addresses[0], compare_addresses);
    }
    if (status == XTA_OK) {
        *nchunks = (size_t)xta_zones_n_chunks(zones, rank);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* ---- indices ---- */

/* Indices as coordinates; those that cannot be any are past the end of every axis. */
static void coordinates_of(const size_t *index, int ndim, int64_t coordinates[])
{
    for (int axis = 0; axis < ndim; axis++) {
        coordinates[axis] = index[axis] < (size_t)INT64_MAX ? (int64_t)index[axis] : INT64_MAX;
    }
}

int DRXMP_Owner(DRXMDMemHdl memhdl, size_t *index, int *rank)
{
    static const char call[] = "DRXMP_Owner";
    xta_error err = {0};
    int64_t cell[XTA_MAX_NDIM];
    struct drxmp_memory *memory = xta__drx_memory(memhdl);
    xta_status status = xta__drx_check_memory(call, memory, &err);

    if (status == XTA_OK && (index == NULL || rank == NULL)) {
        status = xta__drx_missing(call, index == NULL ? "index" : "place for the rank", &err);
    }
    if (status != XTA_OK) {
        return xta__drx_answer(NULL, status, 0, &err);
    }
    coordinates_of(index, memory->bounds.ndim, cell);
    for (int axis = 0; status == XTA_OK && axis < memory->bounds.ndim; axis++) {
        if (cell[axis] < memory->bounds.lo[axis] || cell[axis] >= memory->bounds.hi[axis]) {
            status = xta__fail(&err, XTA_EBOX, 0,
                               "%s: axis %d: the index %zu is not in %" PRId64 ":%" PRId64
                               ", for which the zones were made; call DRXMP_Distribution after "
                               "growth",
                               call, axis, index[axis], memory->bounds.lo[axis],
                               memory->bounds.hi[axis]);
        }
    }
    if (status == XTA_OK) {
        *rank = xta_zones_rank_of_cell(xta_zone_memory_zones(memory->zones), cell);
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

int DRXMP_Address(DRXMDHdl drxhdl, size_t *chunk, size_t *address)
{
    static const char call[] = "DRXMP_Address";
    xta_error err = {0};
    int64_t coordinates[XTA_MAX_NDIM];
    uint64_t found = 0;
    struct drxmp_array *array = xta__drx_array(drxhdl);
    xta_status status = xta__drx_check(call, array, &err);

    if (status == XTA_OK && (chunk == NULL || address == NULL)) {
        status = xta__drx_missing(call, chunk == NULL ? "index" : "place for the address", &err);
    }
    if (status == XTA_OK) {
        xta_array *files = xta_parallel_array(array->parallel);
        coordinates_of(chunk, xta_array_ndim(files), coordinates);
        status = xta_array_chunk_address(files, coordinates, &found, &err);
    }
    if (status == XTA_OK) {
        *address = (size_t)found;
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* A coordinate of a chunk that no index reaches. */
static xta_status check_front(const xta_chunk *found, int ndim, size_t address, xta_error *err)
{
    for (int axis = 0; axis < ndim; axis++) {
        if (found->chunk.lo[axis] < 0) {
            return xta__fail(err, XTA_ERANGE, 0,
                             "DRXMP_Index: axis %d: the chunk at address %zu was added at the "
                             "front; use xta_array_chunk_at",
                             axis, address);
        }
    }
    return XTA_OK;
}

int DRXMP_Index(DRXMDHdl drxhdl, size_t address, size_t *chunk)
{
    static const char call[] = "DRXMP_Index";
    xta_error err = {0};
    xta_chunk found;
    int ndim = 0;
    struct drxmp_array *array = xta__drx_array(drxhdl);
    xta_status status = xta__drx_check(call, array, &err);

    if (status == XTA_OK && chunk == NULL) {
        status = xta__drx_missing(call, "place for the index", &err);
    }
    if (status == XTA_OK) {
        xta_array *files = xta_parallel_array(array->parallel);
        ndim = xta_array_ndim(files);
        status = xta_array_chunk_at(files, address, &found, &err);
    }
    if (status == XTA_OK) {
        status = check_front(&found, ndim, address, &err);
    }
    for (int axis = 0; status == XTA_OK && axis < ndim; axis++) {
        chunk[axis] = (size_t)found.chunk.lo[axis];
    }
    return xta__drx_answer(NULL, status, 0, &err);
}

/* ---- one-sided access ---- */

/* In the order of the zones, with indices for coordinates. */
static int one_sided(xta__drx_access access, const size_t *lo, const size_t *hi, DRXMPStatus *stat)
{
    int64_t begin[XTA_MAX_NDIM], end[XTA_MAX_NDIM];
    const struct drxmp_memory *memory = access.memory;

    if (memory != NULL && lo != NULL && hi != NULL) {
        coordinates_of(lo, memory->bounds.ndim, begin);
        coordinates_of(hi, memory->bounds.ndim, end);
        access.lo = begin;
        access.hi = end;
    }
    return xta__drx_one_sided(&access, memory == NULL ? XTA_ROW : memory->order, stat);
}

int DRXMP_Get(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, DRXMPStatus *stat)
{
    xta__drx_access access = {
        .call = "DRXMP_Get", .kind = XTA__DRX_GET, .memory = xta__drx_memory(memhdl), .out = buf};

    return one_sided(access, lo, hi, stat);
}

int DRXMP_Put(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, DRXMPStatus *stat)
{
    xta__drx_access access = {
        .call = "DRXMP_Put", .kind = XTA__DRX_PUT, .memory = xta__drx_memory(memhdl), .in = buf};

    return one_sided(access, lo, hi, stat);
}

int DRXMP_Accumulate(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, MPI_Op op,
                     DRXMPStatus *stat)
{
    xta__drx_access access = {.call = "DRXMP_Accumulate",
                              .kind = XTA__DRX_ACCUMULATE,
                              .memory = xta__drx_memory(memhdl),
                              .in = buf,
                              .op = op};

    return one_sided(access, lo, hi, stat);
}
