/** @file
 * One array, many processes: DRX-MP over MPI-IO.
 *
 * An array is opened by all ranks of a communicator. Each rank holds the axial vectors, so it
 * computes the address of any chunk, and which rank owns it, without communication. Cells are
 * transferred through MPI-IO, or, if all ranks share one machine, through their common page cache;
 * the files are those of <xta/array.h>, and their contents do not depend on the number of ranks.
 *
 * The description of every function says first whether it is collective. Collective functions are
 * called by all ranks of the communicator in the same order. They follow these rules: no rank
 * returns early; a rank in error takes part with an empty request; all ranks get the same status,
 * and the text of the lowest rank in error. If ranks call different functions, or disagree on an
 * argument that must be the same, all ranks get XTA_EARG, and nothing has changed. With a time
 * limit (xta_parallel_options, the same on all ranks) ranks whose partners do not take part get
 * XTA_ETIMEDOUT instead of waiting for ever; create and open then send messages of tag 22609 on the
 * caller's communicator.
 *
 * Threads: calls on one array from several threads need MPI_THREAD_MULTIPLE and must not overlap
 * with collective calls on it. Threads requested by options or XTA_THREADS (xta_io_options) move
 * the cells of each rank where the file is mapped, and never call MPI; through MPI-IO there is one
 * thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_PARALLEL_H
#define XTA_PARALLEL_H

#include <mpi.h>

#include <xta/array.h>
#include <xta/communicator.h>
#include <xta/zones.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An array opened by the ranks of a communicator. Opaque. */
typedef struct xta_parallel xta_parallel;

/** How cells reach the file. */
typedef enum xta_parallel_io {
    /** Mapped into memory where all ranks share one machine and its own file system, else
     * MPI-IO. */
    XTA_IO_AUTO = 0,
    XTA_IO_MPI = 1 /**< MPI-IO, whatever the file system */
} xta_parallel_io;

/** How to open an array. Start from XTA_PARALLEL_OPTIONS_INIT; zero means the default in every
 * field. All fields must be the same on all ranks; of `info`, the keys and their values. */
typedef struct xta_parallel_options {
    size_t struct_size;    /**< sizeof(xta_parallel_options) */
    bool writable;         /**< false: no call through this handle changes a file */
    double timeout_s;      /**< how long a collective call waits for the other ranks; 0: for ever */
    uint64_t buffer_bytes; /**< a transfer's buffer on each rank; 0: 2 MiB; at least one chunk */
    /** Hints for MPI-IO; MPI_INFO_NULL (or 0) for none. For collective transfers `cb_nodes` is how
     * many ranks own shared chunks (default: all), `cb_buffer_size` how much of them an owner
     * buffers (default: half of `buffer_bytes`), and `striping_unit` the alignment of its domain of
     * the file, as far as chunks are aligned (default: that given by MPI_File_get_info for the file
     * system, else 2 MiB). */
    MPI_Info info;
    bool has_info; /**< whether `info` is set */
    xta_parallel_io io;
} xta_parallel_options;
#define XTA_PARALLEL_OPTIONS_INIT                                                    \
    {                                                                                \
        sizeof(xta_parallel_options), false, 0, 0, MPI_INFO_NULL, false, XTA_IO_AUTO \
    }

/* ---- life ---- */

/** Create an array and open it writable on all ranks.
 *
 * Collective. All arguments except `out` and `err` must be the same on all ranks. Rank 0 creates
 * the files.
 *
 * @param[in]  comm     duplicated; the caller keeps it
 * @param[in]  path     as for xta_array_create, on a file system that all ranks see
 * @param[in]  type     of the cells
 * @param[in]  ndim     number of axes
 * @param[in]  bounds   cells on each axis
 * @param[in]  create   as for xta_array_create; `access` and `cache_bytes` are ignored; NULL for
 *                      the defaults
 * @param[in]  options  `writable` is ignored; NULL for the defaults
 * @param[out] out      the array, to be closed by all ranks; NULL on failure
 * @param[out] err      why it failed, the same on all ranks; NULL if not wanted
 * @retval XTA_EARG     as for xta_array_create, or the ranks disagree, or `path` leads some of them
 *                      to another folder than rank 0; the text names them, and no file is left
 *                      behind
 * @retval XTA_ESTATE   see xta_launcher_check; nothing has been created
 * @retval XTA_EUNSUPPORTED  locks of the file system do not reach all nodes
 * Others as for xta_array_create.
 * @par Cost
 * One rank creates the files; one broadcast of the axial vectors. Rank 0 creates an empty file
 * `NAME.xmd.meet-*` beside the array and removes it again; every rank opens it. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_create(MPI_Comm comm, const char *path,
                                                      xta_type type, int ndim,
                                                      const int64_t bounds[],
                                                      const xta_create_options *create,
                                                      const xta_parallel_options *options,
                                                      xta_parallel **out, xta_error *err);

/** Open an array on all ranks.
 *
 * Collective. Rank 0 reads the journal and sends the same state to all ranks. All ranks check that
 * they have the same files; see xta_parallel_same_files. For this check rank 0 creates an empty
 * file `NAME.xmd.meet-*` beside the array, if permitted, and removes it again, even if the array is
 * opened read-only.
 *
 * @param[in]  comm     duplicated; the caller keeps it
 * @param[in]  path     as for xta_array_open
 * @param[in]  options  the same on all ranks; NULL: read-only
 * @param[out] out      the array, to be closed by all ranks; NULL on failure
 * @param[out] err      why it failed, the same on all ranks
 * @retval XTA_ESTATE   see xta_launcher_check
 * @retval XTA_EARG     `path` leads some ranks to other files than rank 0; the text names them
 * @retval XTA_EUNSUPPORTED  `writable` is set, and locks of the file system do not reach all nodes
 * @retval XTA_EBUSY    `writable` is set, no file can be created in the folder, and another handle
 *                      is the exclusive writer, so locks cannot be tested
 * Others as for xta_array_open. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_open(MPI_Comm comm, const char *path,
                                                    const xta_parallel_options *options,
                                                    xta_parallel **out, xta_error *err);

/** Make everything that all ranks have written survive SIGKILL and power loss. Collective. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_sync(xta_parallel *p, xta_error *err);

/** Sync and close. Collective. The handle is freed whatever the status, except after XTA_ETIMEDOUT
 * and if ranks were in different calls: then it is unchanged. NULL (on all ranks) is allowed. */
XTA_API xta_status xta_parallel_close(xta_parallel *p, xta_error *err);

/* ---- structure ---- */

/** Extend an array. Collective; `growths` must be the same on all ranks. One atomic step, as by
 * xta_array_extend, done by rank 0; on return all ranks see it. Earlier growths by other processes
 * are applied first.
 *
 * @param[in]  p          writable
 * @param[in]  growths    as for xta_array_extend
 * @param[in]  n_growths  1 to 2 * XTA_MAX_NDIM
 * @param[out] after      the bounds right after this step; NULL if not wanted
 * @param[out] err        why it failed; then nothing has changed
 * @par Cost
 * xta_array_extend on rank 0, two reductions and one broadcast of 1 KiB: docs/SCALING.md. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_extend(xta_parallel *p, const xta_growth *growths,
                                                      int n_growths, xta_box *after,
                                                      xta_error *err);

/** Extend an array from this rank alone, while the others compute. Not collective. All ranks,
 * including this one, see it after their next refresh; until then they work within the bounds they
 * know. Parameters as for xta_parallel_extend. @par Source [CXA] 8.3. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_extend_alone(xta_parallel *p,
                                                            const xta_growth *growths,
                                                            int n_growths, xta_box *after,
                                                            xta_error *err);

/** Shrink. Collective; parameters as for xta_parallel_extend, errors as for xta_array_shrink. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_shrink(xta_parallel *p, const xta_growth *shrinks,
                                                      int n_shrinks, xta_box *after,
                                                      xta_error *err);

/** Insert an axis. Collective; as xta_array_add_axis. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_add_axis(xta_parallel *p, int position,
                                                        const char *name, xta_error *err);

/** Apply the changes that other processes (or single ranks) have made to the structure. Collective;
 * all ranks see the same state after it.
 * @param[out] changed  whether there were any; NULL if not wanted
 * @par Cost
 * One reduction and one broadcast of 1 KiB; if there are changes one more reduction, and the new
 * records. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_refresh(xta_parallel *p, bool *changed,
                                                       xta_error *err);

/* ---- inquiry; never communicates ---- */

/** How the ranks checked, when the array was opened, that they all have the same files. */
typedef enum xta_same_files {
    /** Each rank found a file that rank 0 had created beside the array for that purpose. */
    XTA_FILES_SAME = 0,
    /** Rank 0 could not create a file there (for example because the folder is read-only), so the
     * ranks compared the array's UUID, the length of the journal and its last records: copies of
     * the array, one on each node, would have passed. */
    XTA_FILES_ALIKE = 1
} xta_same_files;

/** Which of the two checks was made; the same on all ranks. */
XTA_API xta_same_files xta_parallel_same_files(const xta_parallel *p);

/** The array as this rank sees it: for bounds, type, addresses, segments, attributes, and reading
 * single cells. Borrowed until close; it refuses to write and to change the structure. */
XTA_API xta_array *xta_parallel_array(xta_parallel *p);

/** The duplicate of the communicator that the array was opened with. */
XTA_API MPI_Comm xta_parallel_comm(const xta_parallel *p);

/** The bounds that this rank sees. */
XTA_API xta_box xta_parallel_bounds(const xta_parallel *p);

/** The chunks of the bounds, distributed to the ranks. Every rank computes the same result; call it
 * again after growth.
 * @param[in]  p             an open array
 * @param[in]  distribution  NULL: BLOCK over a chosen grid
 * @param[out] out           to be freed with xta_zones_free
 * @param[out] err           why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_zones(const xta_parallel *p,
                                                     const xta_distribution *distribution,
                                                     xta_zones **out, xta_error *err);

/* ---- cells ---- */

/** Read a box. Not collective; one operation at an explicit offset for each run of adjacent chunks.
 * Parameters and errors as for xta_array_read. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_read(xta_parallel *p, const xta_box *box,
                                                    const xta_io_options *options, void *out,
                                                    xta_error *err);

/** Write a box. Not collective. Only these cells are changed. Parameters and errors as for
 * xta_array_write. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_write(xta_parallel *p, const xta_box *box,
                                                     const xta_io_options *options, const void *in,
                                                     xta_error *err);

/** Read boxes, one for each rank. Collective.
 *
 * Through MPI-IO a chunk that several ranks request is read once, by the rank that owns it for this
 * call, and its cells are sent to the others; each rank reads all other chunks itself, in large
 * operations at explicit offsets.
 *
 * @param[in]  p        an open array
 * @param[in]  box      this rank's; NULL or empty: this rank reads nothing
 * @param[in]  options  this rank's, as for xta_array_read
 * @param[out] out      this rank's cells; unspecified on failure
 * @param[out] err      the same on all ranks
 * @par Cost
 * One copy (MPI-IO: through a buffer of `buffer_bytes`; for shared chunks one more copy, and a
 * message). docs/SCALING.md counts operations and messages. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_read_all(xta_parallel *p, const xta_box *box,
                                                        const xta_io_options *options, void *out,
                                                        xta_error *err);

/** Write boxes, one for each rank. Collective: through MPI-IO the cells of a chunk that several
 * ranks write are sent to the rank that owns it for this call and written together; each rank
 * writes all other chunks itself. Only the cells of the boxes are changed. Parameters as for
 * xta_parallel_read_all. Boxes of different ranks must not overlap (shared cells would hold one of
 * the values). If the arguments of one rank are refused, all ranks fail before anything is
 * written. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_write_all(xta_parallel *p, const xta_box *box,
                                                         const xta_io_options *options,
                                                         const void *in, xta_error *err);

/** Start to read boxes, one for each rank, and return. Collective, the first of two calls. Until
 * xta_parallel_all_end the memory must not be accessed; collective calls on the array and calls
 * that move its cells return XTA_ESTATE, and cells must not be accessed through xta_parallel_array.
 *
 * If the file is mapped a thread of the library moves the cells meanwhile. Through MPI-IO it does
 * so if MPI was initialised with MPI_THREAD_MULTIPLE on all ranks; otherwise they are moved in
 * xta_parallel_all_end, as MPI's own split collectives may do.
 *
 * @param[in]  p        an open array; one transfer at a time
 * @param[in]  box      as for xta_parallel_read_all
 * @param[in]  options  as for xta_parallel_read_all; copied
 * @param[out] out      this rank's cells, valid after xta_parallel_all_end
 * @param[out] err      the same on all ranks; on failure nothing was started
 * @par Cost
 * One reduction; in xta_parallel_all_end two more and the cost of the transfer. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_read_all_begin(xta_parallel *p, const xta_box *box,
                                                              const xta_io_options *options,
                                                              void *out, xta_error *err);

/** Start to write boxes, as xta_parallel_read_all_begin. Which cells are in the file before
 * xta_parallel_all_end is unspecified. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_write_all_begin(xta_parallel *p, const xta_box *box,
                                                               const xta_io_options *options,
                                                               const void *in, xta_error *err);

/** Complete the transfer that was started. Collective. XTA_ESTATE if there is none; XTA_ETIMEDOUT,
 * or XTA_EARG if ranks are in different calls: the transfer is still in progress. */
XTA_API XTA_MUST_CHECK xta_status xta_parallel_all_end(xta_parallel *p, xta_error *err);

/* ---- zones in memory ---- */

/** The zones of a distribution held in memory, one on each rank, each accessible to all: a window
 * for one-sided access. Opaque.
 *
 * Cells of XTA_BYTES are put while the zone is locked for the putting rank; ranks acquire the lock
 * in the sequence of their requests.
 *
 * Neither Open MPI nor MPICH needs any setting for this. If a container forbids processes to copy
 * from each other, Open MPI 4.1 prints lines like `Read -1, expected 8192, errno = 1` and copies in
 * another way; OMPI_MCA_btl_vader_single_copy_mechanism=none in the environment avoids the attempt.
 * @par Source [DRX] I, II.A, IV.B. */
typedef struct xta_zone_memory xta_zone_memory;

/** Create zones in memory. Collective; arguments must be the same on all ranks. The array must stay
 * open until the zones are freed.
 *
 * Groups of ranks may have zones of their own. If such groups share several machines, Open MPI 4.1
 * may give two groups that create zones at the same time the same memory (its issue 9492): put a
 * barrier of all ranks in between, or set OMPI_MCA_osc=^rdma. On one machine nothing is needed.
 *
 * A zone is held as one dense array: on each axis the cells of the rank's blocks one after another,
 * clipped to the array's bounds.
 *
 * @param[in]  p             an open array: gives type and bounds
 * @param[in]  distribution  as for xta_parallel_zones
 * @param[in]  order         XTA_ROW or XTA_COLUMN, of the dense array
 * @param[out] out           to be freed by all ranks; all bytes of the cells are 0
 * @param[out] err           why it failed, the same on all ranks */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_new(xta_parallel *p,
                                                      const xta_distribution *distribution,
                                                      xta_order order, xta_zone_memory **out,
                                                      xta_error *err);

/** Free zones in memory. Collective. NULL (on all ranks) is allowed. If not all ranks take part in
 * time the zones remain. */
XTA_API xta_status xta_zone_memory_free(xta_zone_memory *memory, xta_error *err);

/** The zones whose cells are in memory. Borrowed. */
XTA_API const xta_zones *xta_zone_memory_zones(const xta_zone_memory *memory);

/** This rank's own dense array, its lengths and byte strides (ndim each; NULL if not wanted).
 * Borrowed until free. Reading or writing it directly requires a fence before and after. */
XTA_API void *xta_zone_memory_local(xta_zone_memory *memory, int64_t lengths[], int64_t strides[]);

/** Fill all zones from the array, or write them to it. Collective; ends with a fence. */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_load(xta_zone_memory *memory, xta_error *err);
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_store(xta_zone_memory *memory, xta_error *err);

/** Copy a box from the zones that hold it, of any rank. Not collective; complete on return.
 * @param[in]  memory  zones in memory
 * @param[in]  box     cells, within the bounds for which the zones were created
 * @param[in]  order   XTA_ROW or XTA_COLUMN, of `out`
 * @param[out] out     the cells, dense, in the array's type
 * @param[out] err     why it failed
 * @retval XTA_EBOX    the box leaves the bounds */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_get(xta_zone_memory *memory, const xta_box *box,
                                                      xta_order order, void *out, xta_error *err);

/** Copy a box into the zones that hold it. As xta_zone_memory_get. Visible to other ranks on
 * return; if two ranks put the same cells at the same time, one of the values remains. */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_put(xta_zone_memory *memory, const xta_box *box,
                                                      xta_order order, const void *in,
                                                      xta_error *err);

/** Combine a box with the cells of the zones: `op` is MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX or
 * MPI_REPLACE. Atomic for each cell: several ranks may accumulate into the same cells at the same
 * time if all use the same operation; between different operations, or accumulate and put, there
 * must be a fence. The result of an integer overflow depends on the MPI (some wrap, some saturate).
 * @retval XTA_ETYPE  the type has no such operation (bytes, f16, bool: only MPI_REPLACE; complex
 *                    with MIN, MAX) */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_accumulate(xta_zone_memory *memory,
                                                             const xta_box *box, xta_order order,
                                                             const void *in, MPI_Op op,
                                                             xta_error *err);

/** Make everything that any rank put before the fence visible to every rank after it.
 * Collective. */
XTA_API XTA_MUST_CHECK xta_status xta_zone_memory_fence(xta_zone_memory *memory, xta_error *err);

/* ---- agreement on one status, for layers above ---- */

/** Give all ranks one status: XTA_OK if all have it, else that of the lowest rank in error with its
 * text. Collective over `comm`.
 * @param[in]      comm    any communicator
 * @param[in]      status  this rank's
 * @param[in,out]  err     in: this rank's text, out: the agreed one; NULL if not wanted */
XTA_API XTA_MUST_CHECK xta_status xta_agree(MPI_Comm comm, xta_status status, xta_error *err);

/** Check that all ranks pass the same `n` values; otherwise XTA_EARG on all ranks, and the text
 * names the first value that differs, its least and its greatest value. Collective over `comm`.
 * @param[in]  comm    any communicator
 * @param[in]  call    name of the call, for the text; must not differ
 * @param[in]  n       how many values, the same on all ranks
 * @param[in]  names   what each value is
 * @param[in]  values  this rank's
 * @param[out] err     why */
XTA_API XTA_MUST_CHECK xta_status xta_agree_on(MPI_Comm comm, const char *call, int n,
                                               const char *const names[], const int64_t values[],
                                               xta_error *err);

/* ---- how the program was started ---- */

/** Check that processes that were started together form one MPI_COMM_WORLD. Not collective; after
 * MPI_Init. xta_parallel_create and _open, xta_communicator_mpi and PEXTA_Init call it; call it
 * before creating files in other ways.
 *
 * The launcher of an MPI other than the one that the program is linked with starts n programs of
 * one rank each, all of which would write the same files.
 *
 * @param[out] err     names the launcher, the MPI, and what to do
 * @retval XTA_ESTATE  a launcher has started several processes (OMPI_COMM_WORLD_SIZE, PMI_SIZE,
 *                     or, where PMIX_RANK is set and the program is not one of Open MPI,
 *                     SLURM_STEP_NUM_TASKS), but MPI_COMM_WORLD has one rank */
XTA_API XTA_MUST_CHECK xta_status xta_launcher_check(xta_error *err);

/* ---- the ranks as a communicator, for hyperspectral analysis ---- */

/** Make an xta_communicator of the ranks of an MPI communicator; see <xta/communicator.h>.
 * Collective over `comm`.
 * @param[in]  comm  duplicated; the caller keeps it
 * @param[out] communicator  to be freed with xta_communicator_mpi_free; NULL on failure
 * @param[out] err   why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_communicator_mpi(MPI_Comm comm,
                                                       xta_communicator **communicator,
                                                       xta_error *err);

/** Free a communicator, before MPI_Finalize. Collective over its ranks. NULL (on all ranks) is
 * allowed. */
XTA_API void xta_communicator_mpi_free(xta_communicator *communicator);

#ifdef __cplusplus
}
#endif
#endif
