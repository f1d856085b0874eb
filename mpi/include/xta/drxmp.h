/** @file
 * DRX-MP: parallel access to extendible arrays in files, by the calls of [DRX] IV.C as printed.
 *
 * A thin layer over <xta/parallel.h>, which does all the work. DRXMP_Init, DRXMP_Open, DRXMP_Close,
 * DRXMP_Terminate, DRXMP_Read and DRXMP_Read_all have the names, parameters and types of the paper.
 * What the paper describes without printing it (creating, writing, extending, zones, one-sided
 * access, F* and its inverse) follows in the same style. Calls with more parameters, among them
 * time limits, growth at the front and irregular zones, are in <xta/drxmpx.h>, on the same handles.
 *
 * A typical program:
 *
 *     DRXMP_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD);   describes an array
 *     DRXMP_Create(array, "xyz");                          gives it its files, xyz.xmd and xyz.xta
 *     DRXMP_Extend(array, 1, 3);                                        3 cells more on axis 1
 *     DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, &base); each rank gets a zone
 *     DRXMP_Write_all(array, memory, &status);
 *     DRXMP_Close(array);
 *
 *     array = DRXMD_NULL;
 *     DRXMP_Open(&array, "xyz", "r");                                   files that exist
 *     DRXMP_Distribution(array, &memory, MPI_ORDER_FORTRAN, NULL, NULL, NULL);
 *     DRXMP_Read_all(array, memory, &status);                           the zones are filled
 *     DRXMP_Close(array);
 *     DRXMP_Terminate();
 *
 * How an array gets its file. DRXMP_Init takes no name, and DRXMP_Open needs a file that exists. So
 * DRXMP_Init only describes an array, DRXMP_Create makes the files of a description, and DRXMP_Open
 * either opens files for a description, which then must fit them, or without any description
 * (docs/decisions/0028-drxmp-calls.md).
 *
 * Results. Every function returns 0 (XTA_OK) or an xta_status; DRXMP_Last_error has the reason. A
 * failed call changes nothing unless its description says so. `stat`, if not DRXMP_STATUS_IGNORE,
 * holds the result, the number of cells that this rank moved, and the reason. No pointer may be
 * NULL unless its description says so (XTA_EARG). Functions on a handle return XTA_ESTATE before
 * any array was described or opened, and if the array has no file yet.
 *
 * Collective functions follow the rules of <xta/parallel.h>: all ranks get the same result, and
 * ranks that disagree get XTA_EARG instead of waiting. A rank whose handle is not open meets the
 * others over MPI_COMM_WORLD (or the communicator of DRXMPX_Init), so this holds for arrays of the
 * same ranks in the same order. For an array over other ranks the partners of such a rank wait for
 * it, or until the time limit of DRXMPX_Init.
 *
 * Indices count from 0 on each axis. An array that has grown at the front has cells that they do
 * not reach: use <xta/drxmpx.h>.
 *
 * Pointers to inputs are not const, as in the paper; the inputs are never changed.
 *
 * Threads: calls of this family must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DRXMP_H
#define XTA_DRXMP_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array: described, or open in its files, by the ranks of a communicator. */
typedef struct drxmp_array *DRXMDHdl;

/** The zones of an array in the memory of its ranks, open to one-sided access. It belongs to the
 * array for which DRXMP_Distribution created it, and is freed with it. */
typedef struct drxmp_memory *DRXMDMemHdl;

/** The ranks that share an array. */
typedef MPI_Comm DRXComm;

/** The type of a cell: a named type of C or Fortran that has a counterpart in xta_type, MPI_BYTE,
 * or MPI_Type_contiguous of MPI_BYTE (XTA_BYTES). The paper's integer, double and complex are
 * MPI_INT, MPI_DOUBLE and MPI_C_DOUBLE_COMPLEX. */
typedef MPI_Datatype DRXType;

#define DRXMD_NULL    ((DRXMDHdl)0)
#define DRXMDMEM_NULL ((DRXMDMemHdl)0)

/** What a call did. */
typedef struct DRXMPStatus {
    int error;                       /**< what the function returned: an xta_status */
    int64_t count;                   /**< cells that this rank moved; 0 on failure */
    char text[XTA_ERROR_TEXT_BYTES]; /**< why it failed, one line; "" after success */
} DRXMPStatus;
#define DRXMP_STATUS_IGNORE ((DRXMPStatus *)0)

/** The meta-data of an array in memory, for reading only: that of its description, and once it has
 * files that of the files. */
typedef struct DRXMDHdr {
    int kdim;                    /**< number of axes; 0: nothing was described */
    DRXType dtype;               /**< MPI_DATATYPE_NULL where MPI has none (f16, bytes:N, N > 1) */
    size_t cellsize;             /**< bytes of a cell */
    size_t size[XTA_MAX_NDIM];   /**< cells on each axis, as this rank sees them */
    int64_t first[XTA_MAX_NDIM]; /**< lowest index on each axis; below 0 after growth at the
                                       front */
    int64_t chkshape[XTA_MAX_NDIM]; /**< cells of a chunk on each axis; 0: to be chosen */
    size_t nchunks;                 /**< addresses are 0 .. nchunks - 1 */
    int rank;                       /**< this process in the array's communicator */
    int nprocs;                     /**< of the communicator */
    const char *filename;           /**< as given to DRXMP_Create or DRXMP_Open; "" before */
} DRXMDHdr;
typedef const DRXMDHdr *DRXMDHdrPtr;

/* ---- initialization, opening, closing ---- */

/** Describe an array and give each rank its handle. Collective over `comm`; all inputs must be the
 * same on all ranks. No file is touched: see DRXMP_Create and DRXMP_Open.
 *
 * @param[out] drxhdl    the handle, to be closed by DRXMP_Close or DRXMP_Terminate; DRXMD_NULL on
 *                       failure
 * @param[in]  kdim      number of axes, 1 to 32; 0: `comm` alone is described, for DRXMP_Open
 * @param[in]  initsize  cells on each axis, 0 or more; NULL allowed if kdim is 0
 * @param[in]  chkshape  cells of a chunk on each axis, 1 or more; NULL: chosen by DRXMP_Create
 * @param[in]  dtype     of a cell; ignored if kdim is 0
 * @param[in]  comm      duplicated; the caller keeps it
 * @retval XTA_EARG      kdim, a size or a chunk length out of range, MPI_COMM_NULL, or the ranks
 *                       disagree
 * @retval XTA_ETYPE     `dtype` has no counterpart
 * @retval XTA_ESTATE    not between MPI_Init and MPI_Finalize
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Init(DRXMDHdl *drxhdl, int kdim, size_t *initsize, int *chkshape, DRXType dtype,
                       DRXComm comm);

/** Create the files of an array that was described, and open them for reading and writing.
 * Collective. All cells are 0.
 * @param[in] drxhdl    of DRXMP_Init, without files; it remains so on failure
 * @param[in] filename  `xyz` creates xyz.xmd and xyz.xta
 * @retval XTA_EEXIST   there are such files
 * @retval XTA_ESTATE   the array has files
 * @retval XTA_EARG     kdim was 0
 * Others as for xta_parallel_create.
 * @par Source
 * [DRX] IV. */
XTA_API int DRXMP_Create(DRXMDHdl drxhdl, char *filename);

/** Open the files of an array. Collective.
 *
 * With a handle of DRXMP_Init the ranks are those of its communicator, and kdim, dtype and chkshape
 * must be those of the files, if they were given; the sizes are not compared, since arrays grow.
 * Any other value of `*drxhdl` (DRXMD_NULL, a closed handle) gets a new handle, over MPI_COMM_WORLD
 * (or the communicator of DRXMPX_Init).
 *
 * @param[in,out] drxhdl  of DRXMP_Init, or receives a new handle; on failure a handle of DRXMP_Init
 *                        is unchanged, others become DRXMD_NULL
 * @param[in] filename    `xyz` for xyz.xmd and xyz.xta, which must exist
 * @param[in] mode        "r" for reading; "r+" or "rw" for reading and writing
 * @retval XTA_ENOENT     there are no such files: see DRXMP_Create
 * @retval XTA_EARG       another mode; or the files do not have what was described
 * @retval XTA_ETYPE      the files do not have the type described
 * @retval XTA_ESTATE     the handle is open; or not between MPI_Init and MPI_Finalize
 * Others as for xta_parallel_open.
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Open(DRXMDHdl *drxhdl, char *filename, char *mode);

/** Free the array's memory handles, sync, close the files, and free the handle, which is invalid
 * from then on. Collective. The value of a closed handle is never used again before
 * DRXMP_Terminate, so a copy of it is refused.
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Close(DRXMDHdl drxhdl);

/** Close all arrays, and free everything of this layer. Collective over MPI_COMM_WORLD (or the
 * communicator of DRXMPX_Init) and the communicators of the arrays. All arrays are closed; the
 * result is the first failure. DRXMP_Init may be called again.
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Terminate(void);

/** The reason why the latest call of this process failed, one line; "" after success. Valid until
 * the next call. */
XTA_API const char *DRXMP_Last_error(void);

/** The array's meta-data. Not collective.
 * @param[in]  drxhdl  described or open
 * @param[out] header  valid until the next DRXMP_Header on this handle, or until it is closed */
XTA_API int DRXMP_Header(DRXMDHdl drxhdl, DRXMDHdrPtr *header);

/* ---- growth ---- */

/** Extend an axis at its end. Collective; all inputs must be the same on all ranks. Existing zones
 * and memory handles keep their cells: create new ones to access the added cells.
 * @param[in] drxhdl  opened for writing
 * @param[in] dim     0 .. kdim - 1
 * @param[in] by      number of cells
 * Errors as for xta_parallel_extend; then nothing has changed.
 * @par Source
 * [DRX] III.B. */
XTA_API int DRXMP_Extend(DRXMDHdl drxhdl, int dim, size_t by);

/* ---- zones ---- */

/** Distribute the chunks to the ranks and allocate memory for the zones. Collective; all inputs
 * must be the same on all ranks.
 * @param[in]  drxhdl  an open array
 * @param[out] memhdl  the zones; all bytes of their cells are 0; DRXMDMEM_NULL on failure
 * @param[in]  order   of the dense array that holds a zone: MPI_ORDER_C or MPI_ORDER_FORTRAN
 * @param[in]  grid    ranks on each axis, kdim numbers whose product is that of the ranks; NULL:
 *                     chosen
 * @param[in]  cycle   chunks of a block on each axis, kdim numbers, distributed in turn
 *                     (BLOCK_CYCLIC); NULL: one block for each rank (BLOCK)
 * @param[out] base    the first cell of this rank's zone, see DRXMP_Base; NULL if not wanted
 * Errors as for xta_zone_memory_new.
 * @par Source
 * [DRX] II.A, IV.B. */
XTA_API int DRXMP_Distribution(DRXMDHdl drxhdl, DRXMDMemHdl *memhdl, int order, int *grid,
                               int *cycle, void **base);

/** Free the zones' memory. Collective. The handle is invalid from then on. */
XTA_API int DRXMP_Free(DRXMDMemHdl memhdl);

/** The dense array that holds this rank's zone. Not collective. Reading or writing it directly
 * requires DRXMP_Fence before and after if other ranks access the zone.
 * @param[in]  memhdl   the zones
 * @param[out] base     its first cell; may be NULL if the zone is empty
 * @param[out] lengths  kdim numbers of cells; NULL if not wanted
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Base(DRXMDMemHdl memhdl, void **base, size_t *lengths);

/** The chunks of a rank's zone. Computed by each rank without messages.
 * @param[in]  memhdl     the zones
 * @param[in]  rank       of any rank of the array
 * @param[out] nchunks    how many
 * @param[out] addresses  `nchunks` numbers, ascending: as the chunks lie in the file; NULL if not
 *                        wanted
 * @retval XTA_EARG       no such rank
 * @par Source
 * [DRX] II.A. */
XTA_API int DRXMP_Zone(DRXMDMemHdl memhdl, int rank, size_t *nchunks, size_t *addresses);

/** The rank in whose zone a cell lies. Computed by each rank without messages.
 * @param[in]  memhdl  the zones
 * @param[in]  index   of the cell
 * @param[out] rank    the owner
 * @retval XTA_EBOX    the zones were created for bounds that do not include the cell
 * @par Source
 * [DRX] II.A. */
XTA_API int DRXMP_Owner(DRXMDMemHdl memhdl, size_t *index, int *rank);

/** F*: the address of a chunk. Not collective.
 * @param[in]  drxhdl   an open array
 * @param[in]  chunk    its index, in chunks
 * @param[out] address  its position in the file, in chunks
 * @retval XTA_EBOX     no such chunk
 * @par Source
 * [DRX] III.B, Eq. 1. */
XTA_API int DRXMP_Address(DRXMDHdl drxhdl, size_t *chunk, size_t *address);

/** The inverse of F*: the chunk at an address. Not collective.
 * @param[in]  drxhdl   an open array
 * @param[in]  address  0 .. nchunks - 1
 * @param[out] chunk    its index, in chunks
 * @retval XTA_EBOX     no such address
 * @retval XTA_ERANGE   the chunk was added by growth at the front; `chunk` is unchanged
 * @par Source
 * [DRX] III.C. */
XTA_API int DRXMP_Index(DRXMDHdl drxhdl, size_t address, size_t *chunk);

/* ---- between file and zones ---- */

/** Fill this rank's own zone from the file. Not collective. The other ranks see it after
 * DRXMP_Fence.
 * @param[in]  drxhdl  the array of `memhdl`
 * @param[in]  memhdl  the zones
 * @param[out] stat    DRXMP_STATUS_IGNORE if not wanted; `count` is that of this rank's zone
 * @retval XTA_EARG    a handle is not open, or `memhdl` does not belong to `drxhdl`
 * @retval XTA_ESTATE  the array has no file yet
 * Others as for xta_parallel_read.
 * @par Source
 * [DRX] IV.C. */
XTA_API int DRXMP_Read(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat);

/** Fill all zones from the file. Collective; as DRXMP_Read, in one collective transfer. Every rank
 * then sees all zones. */
XTA_API int DRXMP_Read_all(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat);

/** Write this rank's own zone to the file. Not collective. Cells that other ranks have put into it
 * are included if a DRXMP_Fence followed. Parameters as for DRXMP_Read. */
XTA_API int DRXMP_Write(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat);

/** Write all zones to the file. Collective. Everything put by any rank before is written. */
XTA_API int DRXMP_Write_all(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat);

/* ---- one-sided access to zones ---- */

/** Copy a box from the zones that hold it, of any rank. Not collective; complete on return.
 * @param[in]  memhdl  the zones
 * @param[in]  lo      index of the box's first cell
 * @param[in]  hi      end of the box, [lo, hi), within the bounds for which the zones were created
 * @param[out] buf     the cells, dense, of the array's type, in the order of the zones
 * @param[out] stat    DRXMP_STATUS_IGNORE if not wanted
 * Errors as for xta_zone_memory_get.
 * @par Source
 * MPI_Get of [DRX] IV. */
XTA_API int DRXMP_Get(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, DRXMPStatus *stat);

/** Copy a box into the zones that hold it. As DRXMP_Get; visible to all ranks on return. */
XTA_API int DRXMP_Put(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, DRXMPStatus *stat);

/** Combine a box with the cells of the zones, each cell atomically. As DRXMP_Put; `op` is MPI_SUM,
 * MPI_PROD, MPI_MIN, MPI_MAX or MPI_REPLACE. Errors as for xta_zone_memory_accumulate. */
XTA_API int DRXMP_Accumulate(DRXMDMemHdl memhdl, size_t *lo, size_t *hi, void *buf, MPI_Op op,
                             DRXMPStatus *stat);

/** Make all cells that any rank put, or stored through DRXMP_Base, before the fence visible to
 * every rank after it. Collective. */
XTA_API int DRXMP_Fence(DRXMDMemHdl memhdl);

#ifdef __cplusplus
}
#endif
#endif
