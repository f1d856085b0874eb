/** @file
 * DRX-MP: parallel access to extendible arrays in files, under the names of [DRX] IV.C.
 *
 * A thin layer over <xta/parallel.h>: the names, the two kinds of handle and the status object are
 * the paper's; <xta/parallel.h> does all the work. An array `xyz` is the pair of files xyz.xmd,
 * xyz.xta.
 *
 * What comes from the paper and what does not. The names DRXMP_Init, DRXMP_Open, DRXMP_Close,
 * DRXMP_Terminate, DRXMP_Read, DRXMP_Read_all, DRXMDHdl, DRXMDMemHdl, DRXType, DRXComm and
 * DRXMPStatus are those of [DRX] IV.C. The text of that section was not available when this header
 * was written, so the parameters are not the paper's: they follow MPI-2, on which the paper builds
 * (handles, an int as result, a status object last that may be ignored). The other functions
 * implement what the paper says of zones and one-sided access ([DRX] II.A, IV.B) in the same style.
 * docs/papers.md repeats this note.
 *
 * A typical program:
 *
 *     DRXMP_Init(MPI_COMM_WORLD, NULL, &status);
 *     DRXMP_Open(&array, "xyz", MPI_COMM_WORLD, DRXMP_RDWR, &status);
 *     DRXMP_Distribution(array, NULL, XTA_ROW, &memory, &status);    each rank gets a zone
 *     DRXMP_Read_all(array, memory, &status);                        the zones are filled
 *     DRXMP_Get(memory, lo, hi, XTA_ROW, cells, &status);            any box of any zone
 *     DRXMP_Close(&array, &status);
 *     DRXMP_Terminate(&status);
 *
 * Results. Every function returns 0 (XTA_OK) or an xta_status; `status`, if not
 * DRXMP_STATUS_IGNORE, holds the same value, the number of cells that this rank moved, and the
 * reason of a failure.
 *
 * Collective functions follow the rules of <xta/parallel.h>: all ranks get the same result. If the
 * handle of one rank is not open (or not that of the others), all ranks return XTA_EARG; that rank
 * takes part over the communicator of DRXMP_Init, so this holds for arrays opened over the same
 * ranks in the same order. For an array over other ranks the partners of such a rank wait for it,
 * or until their time limit.
 *
 * Threads: calls of this family must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DRXMP_H
#define XTA_DRXMP_H

#include <mpi.h>

#include <xta/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An extendible array in a file, opened by the ranks of a communicator. */
typedef struct drxmp_array *DRXMDHdl;

/** The zones of an array in the memory of its ranks, open to one-sided access. It belongs to the
 * array for which DRXMP_Distribution created it, and is freed with it. */
typedef struct drxmp_memory *DRXMDMemHdl;

/** The ranks that share an array. */
typedef MPI_Comm DRXComm;

/** The type of a cell: a named type of C or Fortran that has a counterpart in xta_type, MPI_BYTE,
 * or MPI_Type_contiguous of MPI_BYTE (XTA_BYTES). */
typedef MPI_Datatype DRXType;

#define DRXMD_NULL    ((DRXMDHdl)0)
#define DRXMDMEM_NULL ((DRXMDMemHdl)0)

/** For DRXMP_Open. */
#define DRXMP_RDONLY 0
#define DRXMP_RDWR   1

/** What a call did. */
typedef struct DRXMPStatus {
    int error;                       /**< what the function returned: an xta_status */
    int64_t count;                   /**< cells that this rank moved; 0 on failure */
    char text[XTA_ERROR_TEXT_BYTES]; /**< why it failed, one line; "" after success */
} DRXMPStatus;
#define DRXMP_STATUS_IGNORE ((DRXMPStatus *)0)

/** The properties of an array and its zones, as returned by DRXMP_Inquire. */
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
                                      handle, or until the next DRXMP_Inquire or DRXMP_Locate
                                      without one */
    /* The remaining members describe a memory handle; without one `local` is NULL and the others
     * are 0. */
    xta_order order;               /**< of the dense array that holds a zone */
    void *local;                   /**< this rank's zone: see DRXMP_Fence */
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

/** Initialise the layer. Collective; MPI must be initialised. All other functions of this header
 * may be called only between DRXMP_Init and DRXMP_Terminate, and return XTA_ESTATE otherwise.
 *
 * @param[in]  comm     duplicated; the caller keeps it
 * @param[in]  options  for all arrays opened later: time limit, buffer, hints for MPI-IO, the same
 *                      on all ranks; `writable` is ignored; NULL for the defaults
 * @param[out] status   DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_ESTATE   already initialised, or MPI is not initialised
 * @retval XTA_EARG     MPI_COMM_NULL */
XTA_API int DRXMP_Init(DRXComm comm, const xta_parallel_options *options, DRXMPStatus *status);

/** Close all arrays that are still open, and end the use of the layer. Collective over the
 * communicator of DRXMP_Init and those of the open arrays. All arrays are closed; the result is the
 * first failure. */
XTA_API int DRXMP_Terminate(DRXMPStatus *status);

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
XTA_API int DRXMP_Create(DRXMDHdl *array, const char *name, DRXComm comm, DRXType type, int ndim,
                         const int64_t bounds[], const int64_t chunk[], DRXMPStatus *status);

/** Open an array. Collective; all inputs must be the same on all ranks.
 * @param[out] array   the handle; DRXMD_NULL on failure
 * @param[in]  name    as for xta_array_open
 * @param[in]  comm    duplicated
 * @param[in]  mode    DRXMP_RDONLY or DRXMP_RDWR
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_parallel_open. */
XTA_API int DRXMP_Open(DRXMDHdl *array, const char *name, DRXComm comm, int mode,
                       DRXMPStatus *status);

/** Free the array's memory handles, sync and close. Collective. `*array` becomes DRXMD_NULL,
 * whatever the result, unless it was no open array. */
XTA_API int DRXMP_Close(DRXMDHdl *array, DRXMPStatus *status);

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
XTA_API int DRXMP_Extend(DRXMDHdl array, int n, const int axis[], const int64_t by[],
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
XTA_API int DRXMP_Distribution(DRXMDHdl array, const xta_distribution *distribution,
                               xta_order order, DRXMDMemHdl *memory, DRXMPStatus *status);

/** Free the zones' memory. Collective. `*memory` becomes DRXMDMEM_NULL, unless it was no valid
 * handle. */
XTA_API int DRXMP_Free(DRXMDMemHdl *memory, DRXMPStatus *status);

/* ---- between file and zones ---- */

/** Fill this rank's own zone from the file. Not collective. The other ranks see it after
 * DRXMP_Fence.
 * @param[in]  array   the array of `memory`
 * @param[in]  memory  the zones
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted; `count` is that of this rank's zone
 * @retval XTA_EARG    a handle is not open, or `memory` does not belong to `array`
 * Others as for xta_parallel_read. */
XTA_API int DRXMP_Read(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Fill all zones from the file. Collective; as DRXMP_Read, in one collective transfer. Every rank
 * then sees all zones. */
XTA_API int DRXMP_Read_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Write this rank's own zone to the file. Not collective. Cells that other ranks have put into it
 * are included if a DRXMP_Fence followed. Parameters as for DRXMP_Read. */
XTA_API int DRXMP_Write(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Write all zones to the file. Collective. Everything put by any rank before is written. */
XTA_API int DRXMP_Write_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/* ---- one-sided access to zones ---- */

/** Copy a box from the zones that hold it, of any rank. Not collective; complete on return.
 * @param[in]  memory  the zones
 * @param[in]  lo      first cell of the box
 * @param[in]  hi      end of the box, [lo, hi), within the bounds for which the zones were created
 * @param[in]  order   XTA_ROW or XTA_COLUMN, of `cells`
 * @param[out] cells   the cells, dense, of the array's type
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_get. */
XTA_API int DRXMP_Get(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                      void *cells, DRXMPStatus *status);

/** Copy a box into the zones that hold it. As DRXMP_Get; visible to all ranks on return. */
XTA_API int DRXMP_Put(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                      const void *cells, DRXMPStatus *status);

/** Combine a box with the cells of the zones, each cell atomically. As DRXMP_Put; `op` is MPI_SUM,
 * MPI_PROD, MPI_MIN, MPI_MAX or MPI_REPLACE. Errors as for xta_zone_memory_accumulate. */
XTA_API int DRXMP_Accumulate(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[],
                             xta_order order, const void *cells, MPI_Op op, DRXMPStatus *status);

/** Make all cells that any rank put, or stored through DRXMPInfo.local, before the fence visible to
 * every rank after it. Collective. */
XTA_API int DRXMP_Fence(DRXMDMemHdl memory, DRXMPStatus *status);

/* ---- inquiry; never communicates ---- */

/** Inquire bounds, type, chunks and zones. Not collective.
 * @param[in]  array   an open array
 * @param[in]  memory  its zones; DRXMDMEM_NULL: those of BLOCK over a chosen grid
 * @param[out] info    filled in completely; untouched on failure
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted */
XTA_API int DRXMP_Inquire(DRXMDHdl array, DRXMDMemHdl memory, DRXMPInfo *info, DRXMPStatus *status);

/** Where a cell lies: in whose zone, in which chunk, at which byte. Not collective.
 * @param[in]  array     an open array
 * @param[in]  memory    its zones; DRXMDMEM_NULL: those of BLOCK over a chosen grid
 * @param[in]  cell      ndim coordinates
 * @param[out] location  untouched on failure
 * @param[out] status    DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_EBOX      outside the bounds
 * @par Source
 * F* is [DRX] III. */
XTA_API int DRXMP_Locate(DRXMDHdl array, DRXMDMemHdl memory, const int64_t cell[],
                         DRXMPLocation *location, DRXMPStatus *status);

/** The array's handle of <xta/parallel.h>, for all functions that have no DRXMP name. Borrowed
 * until DRXMP_Close; NULL if the handle is not open. */
XTA_API xta_parallel *DRXMP_Array(DRXMDHdl array);

#ifdef __cplusplus
}
#endif
#endif
