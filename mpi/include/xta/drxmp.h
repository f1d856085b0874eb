/** @file
 * DRX-MP: parallel access to extendible arrays in files, under the names of [DRX] IV.C.
 *
 * A thin layer over <xta/parallel.h>: the names, the two kinds of handle and the status object are
 * the paper's, all work is done there. An array `xyz` is the pair of files xyz.xmd, xyz.xta.
 *
 * What is the paper's and what is not. The names DRXMP_Init, DRXMP_Open, DRXMP_Close,
 * DRXMP_Terminate, DRXMP_Read, DRXMP_Read_all, DRXMDHdl, DRXMDMemHdl, DRXType, DRXComm and
 * DRXMPStatus are those of [DRX] IV.C. The text of that section was not at hand when this header
 * was written, so the parameters are not the paper's: they follow MPI-2, on which the paper builds
 * (handles, an int as answer, a status object last that may be left out). The other functions
 * carry out what the paper says of zones and one-sided access ([DRX] II.A, IV.B) in the same style.
 * docs/papers.md repeats this note.
 *
 * The way of a program:
 *
 *     DRXMP_Init(MPI_COMM_WORLD, NULL, &status);
 *     DRXMP_Open(&array, "xyz", MPI_COMM_WORLD, DRXMP_RDWR, &status);
 *     DRXMP_Distribution(array, NULL, XTA_ROW, &memory, &status);    each rank gets a zone
 *     DRXMP_Read_all(array, memory, &status);                        the zones are filled
 *     DRXMP_Get(memory, lo, hi, XTA_ROW, cells, &status);            any box of any zone
 *     DRXMP_Close(&array, &status);
 *     DRXMP_Terminate(&status);
 *
 * Answers. Every function answers 0 (XTA_OK) or an xta_status; `status`, if not
 * DRXMP_STATUS_IGNORE, holds the same value, the number of cells that this rank moved, and why it
 * failed.
 *
 * Collective functions keep the discipline of <xta/parallel.h>: all ranks get one answer. A rank
 * whose handle is not open (or not that of the others) makes all ranks answer XTA_EARG; it takes
 * part over the communicator of DRXMP_Init, so this holds for arrays opened over the same ranks in
 * the same order. With an array of other ranks the partners of such a rank wait for it, or for
 * their time limit.
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
 * array that DRXMP_Distribution made it for and ends with it. */
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
    int error;                       /**< what the function answered: an xta_status */
    int64_t count;                   /**< cells that this rank moved; 0 on failure */
    char text[XTA_ERROR_TEXT_BYTES]; /**< why it failed, one line; "" after success */
} DRXMPStatus;
#define DRXMP_STATUS_IGNORE ((DRXMPStatus *)0)

/** What an array and its zones are, as DRXMP_Inquire says it. */
typedef struct DRXMPInfo {
    int ndim;
    DRXType type;                /**< MPI_DATATYPE_NULL where MPI has none (f16, bytes:N, N > 1) */
    size_t cell_bytes;           /**< of one cell */
    int rank;                    /**< this process in the array's communicator */
    int n_ranks;                 /**< of the communicator */
    xta_box bounds;              /**< in cells, as this rank sees them */
    int64_t chunk[XTA_MAX_NDIM]; /**< cells of a chunk on each axis */
    uint64_t n_chunks;           /**< addresses 0 .. n_chunks - 1 are given */
    const xta_zones *zones;      /**< of the memory handle, else BLOCK; valid as that handle is, or
                                    until the next DRXMP_Inquire or DRXMP_Locate without one */
    /* The rest is of a memory handle; without one `local` is NULL and the rest 0. */
    xta_order order;               /**< of the dense array that holds a zone */
    void *local;                   /**< this rank's zone: see DRXMP_Fence */
    int64_t lengths[XTA_MAX_NDIM]; /**< of this rank's zone, in cells */
    int64_t strides[XTA_MAX_NDIM]; /**< of this rank's zone, in bytes */
} DRXMPInfo;

/** Where a cell lies. */
typedef struct DRXMPLocation {
    int rank; /**< in whose zone; -1 where the zones were made before the array grew to it */
    uint64_t address;  /**< of its chunk: F* */
    uint64_t position; /**< inside the chunk, in cells */
    uint64_t offset;   /**< of its first byte in xyz.xta */
} DRXMPLocation;

/* ---- life ---- */

/** Begin. Collective; MPI must be initialised. Everything else in this header may be called only
 * between DRXMP_Init and DRXMP_Terminate, and answers XTA_ESTATE otherwise.
 *
 * @param[in]  comm     duplicated; the caller keeps it
 * @param[in]  options  for all arrays opened later: time limit, buffer, hints for MPI-IO, the same
 *                      on all ranks; `writable` is ignored; NULL for the defaults
 * @param[out] status   DRXMP_STATUS_IGNORE if not wanted
 * @retval XTA_ESTATE   begun already, or MPI is not initialised
 * @retval XTA_EARG     MPI_COMM_NULL */
XTA_API int DRXMP_Init(DRXComm comm, const xta_parallel_options *options, DRXMPStatus *status);

/** Close all arrays that are still open, and end. Collective over the communicator of DRXMP_Init
 * and those of the open arrays. The first failure to close is the answer; all are closed. */
XTA_API int DRXMP_Terminate(DRXMPStatus *status);

/** Create an array and open it for reading and writing. Collective; all inputs must be the same on
 * all ranks.
 *
 * @param[out] array   the handle; DRXMD_NULL on failure
 * @param[in]  name    `xyz` makes xyz.xmd and xyz.xta
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
 * whatever the answer, unless it was no open array. */
XTA_API int DRXMP_Close(DRXMDHdl *array, DRXMPStatus *status);

/* ---- structure ---- */

/** Grow, in one atomic step. Collective; all inputs must be the same on all ranks. Zones and memory
 * handles made before keep their cells: make new ones to reach the rest.
 * @param[in]  array   opened with DRXMP_RDWR
 * @param[in]  n       how many growths, in the order they are done; 1 to 2 * XTA_MAX_NDIM
 * @param[in]  axis    of each
 * @param[in]  by      of each: `by` cells at the back, or, if negative, -by cells at the front
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_parallel_extend; then nothing has changed.
 * @par Source
 * [DRX] III. */
XTA_API int DRXMP_Extend(DRXMDHdl array, int n, const int axis[], const int64_t by[],
                         DRXMPStatus *status);

/** Deal the chunks of the bounds out and make room for the zones in memory. Collective; all inputs
 * must be the same on all ranks.
 * @param[in]  array         an open array
 * @param[in]  distribution  BLOCK, BLOCK_CYCLIC or IRREGULAR; NULL: BLOCK over a chosen grid
 * @param[in]  order         XTA_ROW or XTA_COLUMN, of the zones in memory
 * @param[out] memory        the handle; its cells are 0 bytes; DRXMDMEM_NULL on failure
 * @param[out] status        DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_new.
 * @par Source
 * [DRX] II.A, IV.B. */
XTA_API int DRXMP_Distribution(DRXMDHdl array, const xta_distribution *distribution,
                               xta_order order, DRXMDMemHdl *memory, DRXMPStatus *status);

/** Give the zones' memory back. Collective. `*memory` becomes DRXMDMEM_NULL, unless it was no
 * handle. */
XTA_API int DRXMP_Free(DRXMDMemHdl *memory, DRXMPStatus *status);

/* ---- between file and zones ---- */

/** Fill this rank's own zone from the file. Not collective. The other ranks see it after
 * DRXMP_Fence.
 * @param[in]  array   the array of `memory`
 * @param[in]  memory  the zones
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted; `count` is that of this rank's zone
 * @retval XTA_EARG    not open handles, or not of each other
 * Others as for xta_parallel_read. */
XTA_API int DRXMP_Read(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Fill all zones from the file. Collective; as DRXMP_Read, in one collective transfer, and every
 * rank sees all of it. */
XTA_API int DRXMP_Read_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Write this rank's own zone to the file. Not collective. What other ranks have put into it counts
 * if a DRXMP_Fence came between. Parameters as for DRXMP_Read. */
XTA_API int DRXMP_Write(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/** Write all zones to the file. Collective. Everything put by any rank before is written. */
XTA_API int DRXMP_Write_all(DRXMDHdl array, DRXMDMemHdl memory, DRXMPStatus *status);

/* ---- one-sided access to zones ---- */

/** Copy a box from the zones that hold it, whosever they are. Not collective; done on return.
 * @param[in]  memory  the zones
 * @param[in]  lo      first cell of the box
 * @param[in]  hi      end of the box, [lo, hi), within the bounds the zones were made for
 * @param[in]  order   XTA_ROW or XTA_COLUMN, of `cells`
 * @param[out] cells   the cells, dense, of the array's type
 * @param[out] status  DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_get. */
XTA_API int DRXMP_Get(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                      void *cells, DRXMPStatus *status);

/** Copy a box into the zones that hold it. As DRXMP_Get; visible to all ranks on return. */
XTA_API int DRXMP_Put(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[], xta_order order,
                      const void *cells, DRXMPStatus *status);

/** Combine a box with the cells there, each cell atomically. As DRXMP_Put; `op` is MPI_SUM,
 * MPI_PROD, MPI_MIN, MPI_MAX or MPI_REPLACE. Errors as for xta_zone_memory_accumulate. */
XTA_API int DRXMP_Accumulate(DRXMDMemHdl memory, const int64_t lo[], const int64_t hi[],
                             xta_order order, const void *cells, MPI_Op op, DRXMPStatus *status);

/** Everything that any rank has put, or stored through DRXMPInfo.local, before is seen by every
 * rank after it. Collective. */
XTA_API int DRXMP_Fence(DRXMDMemHdl memory, DRXMPStatus *status);

/* ---- asking; never communicates ---- */

/** Bounds, type, chunks, zones. Not collective.
 * @param[in]  array   an open array
 * @param[in]  memory  its zones; DRXMDMEM_NULL: those of BLOCK over a chosen grid
 * @param[out] info    filled in whole; untouched on failure
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

/** The array as <xta/parallel.h> knows it, for all that has no DRXMP name. Borrowed until
 * DRXMP_Close; NULL where the handle is not open. */
XTA_API xta_parallel *DRXMP_Array(DRXMDHdl array);

#ifdef __cplusplus
}
#endif
#endif
