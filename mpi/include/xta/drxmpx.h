/** @file
 * DRX-MP: the calls with more parameters than those of <xta/drxmp.h>, on the same handles.
 *
 * <xta/drxmp.h> has the calls as the paper prints them. These have options, a communicator and a
 * status object in every call; growths at the front and several at once; irregular zones; and
 * inquiries about zones and cells. Both may be used in one program: a handle made by either is good
 * for both, and reading and writing whole zones (DRXMP_Read, DRXMP_Write, ...) are the same calls.
 *
 * A typical program:
 *
 *     DRXMPX_Init(MPI_COMM_WORLD, &options, &status);
 *     DRXMPX_Open(&array, "xyz", MPI_COMM_WORLD, DRXMP_RDWR, &status);
 *     DRXMPX_Distribution(array, &irregular, XTA_ROW, &memory, &status);  each rank gets a zone
 *     DRXMP_Read_all(array, memory, &status);                             the zones are filled
 *     DRXMPX_Get(memory, lo, hi, XTA_COLUMN, cells, &status);             any box of any zone
 *     DRXMPX_Close(&array, &status);
 *     DRXMPX_Terminate(&status);
 *
 * Results. Every function returns 0 (XTA_OK) or an xta_status; `status`, if not
 * DRXMP_STATUS_IGNORE, holds the same value, the number of cells that this rank moved, and the
 * reason of a failure.
 *
 * Collective functions follow the rules of <xta/parallel.h>: all ranks get the same result. If the
 * handle of one rank is not open (or not that of the others), all ranks return XTA_EARG; that rank
 * takes part over the communicator of DRXMPX_Init, so this holds for arrays opened over the same
 * ranks in the same order. For an array over other ranks the partners of such a rank wait for it,
 * or until their time limit.
 *
 * Threads: calls of this family must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DRXMPX_H
#define XTA_DRXMPX_H

#include <mpi.h>

#include <xta/drxmp.h>
#include <xta/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For DRXMPX_Open. */
#define DRXMP_RDONLY 0
#define DRXMP_RDWR   1

/** The properties of an array and its zones, as returned by DRXMPX_Inquire. */
typedef struct DRXMPInfo {
    int ndim;
    DRXType type;                /**< MPI_DATATYPE_NULL where MPI has none (f16, bytes:N, N > 1) */
    size_t cell_bytes;           /**< of one cell */
    int rank;                    /**< this process in the array's communicator */
    int n_ranks;                 /**< of the communicator */
    xta_box bounds;              /**< in cells, as this rank sees them */
    int64_t chunk[XTA_MAX_NDIM]; /**< cells of a chunk on each axis */
    uint64_t n_chunks;           /**< addresses are 0 .. n_chunks - 1 */
    const xta_zones *zones;      /**< of the memory handle, else BLOCK; valid as long as that
                                      handle, or until the next DRXMPX_Inquire or DRXMPX_Locate
                                      without one */
    /* The remaining members describe a memory handle; without one `local` is NULL and the others
     * are 0. */
    xta_order order;               /**< of the dense array that holds a zone */
    void *local;                   /**< this rank's zone: see DRXMPX_Fence */
    int64_t lengths[XTA_MAX_NDIM]; /**< of this rank's zone, in cells */
    int64_t strides[XTA_MAX_NDIM]; /**< of this rank's zone, in bytes */
} DRXMPInfo;

/** Where a cell lies. */
typedef struct DRXMPLocation {
    int rank; /**< in whose zone; -1 if the zones were created before the array grew to include the
                   cell */
    uint64_t address;  /**< of its chunk: F* */
    uint64_t position; /**< inside the chunk, in cells */
    uint64_t offset;   /**< of its first byte in xyz.xta */
} DRXMPLocation;

/* ---- life ---- */

/** Initialise the layer with options. Collective; MPI must be initialised. All other functions of
 * this header may be called only between it (or the first DRXMP_Init or DRXMP_Open over all ranks)
 * and DRXMPX_Terminate, and return XTA_ESTATE otherwise. The options are also those of DRXMP_Create
 * and DRXMP_Open.
 *
 * @param[in]  comm     duplicated; the caller keeps it
 * @param[in]  options  for all arrays opened later: time limit, buffer, hints for MPI-IO, the same
 *                      on all ranks; `writable` is ignored; NULL for the defaults
 * @param[out] status   DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_ESTATE   already initialised, also by DRXMP_Init, or MPI is not initialised
 * @retval XTA_EARG     MPI_COMM_NULL */
XTA_API int DRXMPX_Init(DRXComm comm, const xta_parallel_options *options, DRXMPStatus *status);

/** Close all arrays that are still open, and end the use of the layer. Collective over the
 * communicator of DRXMPX_Init and those of the open arrays. All arrays are closed; the result is
 * the first failure. */
XTA_API int DRXMPX_Terminate(DRXMPStatus *status);

/** Create an array and open it for reading and writing. Collective; all inputs must be the same on
 * all ranks.
 *
 * @param[out] array   the handle; DRXMD_NULL on failure
 * @param[in]  name    `xyz` creates xyz.xmd and xyz.xta
 * @param[in]  comm    duplicated
 * @param[in]  type    of a cell
 * @param[in]  ndim    number of axes
 * @param[in]  bounds  cells on each axis
 * @param[in]  chunk   cells of a chunk on each axis; NULL: chosen
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_ETYPE   `type` has no counterpart
 * Others as for xta_parallel_create. */
XTA_API int DRXMPX_Create(DRXMDHdl *array, const char *name, DRXComm comm, DRXType type, int ndim,
                          const int64_t bounds[], const int64_t chunk[], DRXMPStatus *status);

/** Open an array. Collective; all inputs must be the same on all ranks.
 * @param[out] array   the handle; DRXMD_NULL on failure
 * @param[in]  name    as for xta_array_open
 * @param[in]  comm    duplicated
 * @param[in]  mode    DRXMP_RDONLY or DRXMP_RDWR
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_parallel_open. */
XTA_API int DRXMPX_Open(DRXMDHdl *array, const char *name, DRXComm comm, int mode,
                        DRXMPStatus *status);

/** Free the array's memory handles, sync and close. Collective. `*array` becomes DRXMD_NULL,
 * whatever the result, unless it was no open array. */
XTA_API int DRXMPX_Close(DRXMDHdl *array, DRXMPStatus *status);

/* ---- structure ---- */

/** Extend an array, in one atomic step. Collective; all inputs must be the same on all ranks.
 * Existing zones and memory handles keep their cells: create new ones to access the added cells.
 * @param[in]  array   opened with DRXMP_RDWR
 * @param[in]  n       number of growths, in the order of execution; 1 to 2 * XTA_MAX_NDIM
 * @param[in]  axis    of each
 * @param[in]  by      of each: `by` cells at the back, or, if negative, -by cells at the front
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_parallel_extend; then nothing has changed.
 * @par Source
 * [DRX] III. */
XTA_API int DRXMPX_Extend(DRXMDHdl array, int n, const int axis[], const int64_t by[],
                          DRXMPStatus *status);

/** Distribute the chunks of the bounds and allocate memory for the zones. Collective; all inputs
 * must be the same on all ranks.
 * @param[in]  array         an open array
 * @param[in]  distribution  BLOCK, BLOCK_CYCLIC or IRREGULAR; NULL: BLOCK over a chosen grid
 * @param[in]  order         XTA_ROW or XTA_COLUMN, of the zones in memory
 * @param[out] memory        the handle; all bytes of its cells are 0; DRXMDMEM_NULL on failure
 * @param[out] status        DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_new.
 * @par Source
 * [DRX] II.A, IV.B. */
XTA_API int DRXMPX_Distribution(DRXMDHdl array, const xta_distribution *distribution,
                                xta_order order, DRXMDMemHdl *memory, DRXMPStatus *status);

/** Free the zones' memory. Collective. `*memory` becomes DRXMDMEM_NULL, unless it was no valid
 * handle. */
XTA_API int DRXMPX_Free(DRXMDMemHdl *memory, DRXMPStatus *status);

/* ---- one-sided access to zones ---- */

/** Copy a box from the zones that hold it, of any rank. Not collective; complete on return.
 * @param[in]  memory  the zones
 * @param[in]  lo      first cell of the box
 * @param[in]  hi      end of the box, [lo, hi), within the bounds for which the zones were created
 * @param[in]  order   XTA_ROW or XTA_COLUMN, of `cells`
 * @param[out] cells   the cells, dense, of the array's type
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_get. */
XTA_API int DRXMPX_Get(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                       void *cells, DRXMPStatus *status);

/** Copy a box into the zones that hold it. As DRXMPX_Get; visible to all ranks on return. */
XTA_API int DRXMPX_Put(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                       const void *cells, DRXMPStatus *status);

/** Combine a box with the cells of the zones, each cell atomically. As DRXMPX_Put; `op` is MPI_SUM,
 * MPI_PROD, MPI_MIN, MPI_MAX or MPI_REPLACE. Errors as for xta_zone_memory_accumulate. */
XTA_API int DRXMPX_Accumulate(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[],
                              xta_order order, const void *cells, MPI_Op op, DRXMPStatus *status);

/** Make all cells that any rank put, or stored through DRXMPInfo.local, before the fence visible to
 * every rank after it. Collective. */
XTA_API int DRXMPX_Fence(DRXMDMemHdl memory, DRXMPStatus *status);

/* ---- inquiry; never communicates ---- */

/** Inquire bounds, type, chunks and zones. Not collective.
 * @param[in]  array   an open array
 * @param[in]  memory  its zones; DRXMDMEM_NULL: those of BLOCK over a chosen grid
 * @param[out] info    filled in completely; untouched on failure
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted */
XTA_API int DRXMPX_Inquire(DRXMDHdl array, DRXMDMemHdl memory, DRXMPInfo *info,
                           DRXMPStatus *status);

/** Where a cell lies: in whose zone, in which chunk, at which byte. Not collective.
 * @param[in]  array     an open array
 * @param[in]  memory    its zones; DRXMDMEM_NULL: those of BLOCK over a chosen grid
 * @param[in]  cell      ndim coordinates
 * @param[out] location  untouched on failure
 * @param[out] status    DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_EBOX      outside the bounds
 * @par Source
 * F* is [DRX] III. */
XTA_API int DRXMPX_Locate(DRXMDHdl array, DRXMDMemHdl memory, const int64_t cell[],
                          DRXMPLocation *location, DRXMPStatus *status);

/** The array's handle of <xta/parallel.h>, for all functions that have no DRXMP name. Borrowed
 * until DRXMPX_Close; NULL if the handle is not open. */
XTA_API xta_parallel *DRXMPX_Array(DRXMDHdl array);

#ifdef __cplusplus
}
#endif
#endif
