/** @file
 * The array: create, open, grow in every direction, read and write boxes and cells.
 *
 * An array is either a pair of files (`path.xmd`, the journal, and `path.xta`, the cells) or lies
 * in memory (xta_array_new); every function here works on both unless it says otherwise.
 * Coordinates are signed: an array starts at 0 on each axis and grows at the back towards larger
 * and at the front towards negative coordinates. The coordinate of a cell never changes.
 *
 * Threads. All functions except close may be called from several threads on one array; close must
 * be the last call. If two calls access the same cells at the same time and one of them writes,
 * each such cell ends up with one of the values; which one is unspecified. xta_array_add_axis
 * changes the number of coordinates that the other functions expect, so no other call may be in
 * progress.
 *
 * Processes. Any number of processes may have the array open. Each may write cells, and each may
 * change the structure unless another handle is the exclusive writer (xta_open_options). A handle
 * keeps the bounds that it read last until xta_array_refresh; its own structural calls, and sync,
 * first apply the changes that others have made.
 *
 * Forks. A handle belongs to the process that opened it. In a child created by fork, every call on
 * an inherited handle of an array in files returns XTA_ESTATE (the calls that never fail still
 * work), and xta_array_close only frees memory: files, locks and deferred cells remain with the
 * parent, and the child has no file descriptors for them. The child opens the arrays it needs
 * itself. Arrays in memory are copied with the process and remain usable in both. As always with
 * threads, no call should be in progress when a program forks without exec. A child created by
 * other means than fork (vfork, clone) may only exec.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_H
#define XTA_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array_types.h>
#include <xta/box.h>
#include <xta/status.h>
#include <xta/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open array. Opaque; returned by create, open or new, freed by close. */
typedef struct xta_array xta_array;

/* ---- life ---- */

/** Create an array as a pair of files and open it writable.
 *
 * The journal appears complete and durable or not at all. The path may have the suffix .xmd or
 * .xta, which is dropped; with .pma or .pta the pair gets these suffixes instead ([CXA] 8.4); the
 * format is the same.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  path     without suffix: `dir/xyz` creates dir/xyz.xmd and dir/xyz.xta
 * @param[in]  type     of the cells; not XTA_TEXT
 * @param[in]  ndim     number of axes, 1 to XTA_MAX_NDIM
 * @param[in]  bounds   cells on each axis, >= 0; the array covers [0, bounds)
 * @param[in]  options  NULL for the defaults
 * @param[out] out      the array, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_EARG       a parameter is out of range; the text names axis, value and remedy
 * @retval XTA_EEXIST     an array (or a data file that holds bytes) of this name exists
 * @retval XTA_EOVERFLOW  chunk bytes or addresses exceed 2^62
 * @retval XTA_EACCESS    the folder cannot be written
 * @retval XTA_ENOENT     the folder does not exist
 * @retval XTA_EUNSUPPORTED  locks of this file system do not exclude other programs, or other nodes
 * @par Cost
 * Two files, no data; two fsync.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_create(const char *path, xta_type type, int ndim,
                                                   const int64_t bounds[],
                                                   const xta_create_options *options,
                                                   xta_array **out, xta_error *err);

/** Open an array.
 *
 * @param[in]  path     as for create; without a suffix a `.pma`/`.pta` pair is found as well.
 *                      Symbolic links are resolved once, here: the handle keeps its files even if
 *                      the links or the working directory change later. If the path leads to only
 *                      one file of the pair, the other is searched for beside it.
 * @param[in]  options  NULL: read-only, latest step
 * @param[out] out      the array, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_ENOENT   no such pair, one file of it is missing, or no such step
 * @retval XTA_EARG     options contradict each other, or links lead to the journal of one array and
 *                      the data file of another
 * @retval XTA_EFORMAT  the journal is of another format or of a later version
 * @retval XTA_ECORRUPT the journal contradicts itself, or the data file is shorter than it says
 * @retval XTA_EBUSY    `exclusive_writer` is set, and another handle is the exclusive writer
 * @retval XTA_EUNSUPPORTED  `writable` is set, and locks of this file system do not exclude other
 *                           programs, or other nodes
 * @par Cost
 * The journal is read once from its latest checkpoint on; no data is read.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_open(const char *path, const xta_open_options *options,
                                                 xta_array **out, xta_error *err);

/** Create an array in memory. It grows without copying, as an array in files does: the same mapping
 * over memory that is allocated block by block. Parameters and errors as for xta_array_create.
 * @par Source
 * [CXA] 3. */
XTA_API XTA_MUST_CHECK xta_status xta_array_new(xta_type type, int ndim, const int64_t bounds[],
                                                const xta_create_options *options, xta_array **out,
                                                xta_error *err);

/** Copy an array with its cells, structure (and so its addresses) and attributes to a new pair of
 * files.
 * @param[in]  array  usually a memory array
 * @param[in]  path   as for xta_array_create
 * @param[out] err    why it failed; then no file is left behind
 * @par Cost
 * One pass over the chunks in address order; holes are skipped. */
XTA_API XTA_MUST_CHECK xta_status xta_array_save(xta_array *array, const char *path,
                                                 xta_error *err);

/** Read a pair of files into a new memory array with the same structure and attributes.
 * @param[in]  path  as for xta_array_open
 * @param[out] out   the array, to be closed by the caller; NULL on failure
 * @param[out] err   why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_load(const char *path, xta_array **out, xta_error *err);

/** Make everything written so far survive SIGKILL and power loss. Does nothing on memory arrays and
 * read-only handles. On failure, cells written since the last sync may be lost; if the system could
 * not write (EIO, for example), all later syncs of the handle fail: open the array and write those
 * cells again. */
XTA_API XTA_MUST_CHECK xta_status xta_array_sync(xta_array *array, xta_error *err);

/** Sync and close. The handle is freed whatever the status; NULL is allowed. No other call on it
 * may be in progress.
 * @return besides the errors of sync: XTA_ESTATE if an earlier failure had left the handle unusable
 *         and cells written through it are lost. Whenever cells are lost the text says how many, in
 *         how many chunks, of which file, and why. Cells that another process removed by a shrink
 *         are not counted. */
XTA_API xta_status xta_array_close(xta_array *array, xta_error *err);

/** Delete both files of an array that nobody has open. Symbolic links to them remain.
 * @retval XTA_ENOENT  no such array */
XTA_API XTA_MUST_CHECK xta_status xta_array_delete(const char *path, xta_error *err);

/** Called for a read or write of a box, before cells are moved. `step`: as in xta_io_options, or
 * NULL. */
typedef void xta_array_watcher(void *user, xta_array *array, bool write, const xta_box *box,
                               const int64_t *step);

/** Register a function that is called, in the calling thread, for each xta_array_read and
 * xta_array_write with valid arguments; NULL unregisters it. It is not called for xta_array_get,
 * xta_array_put and xta_array_fill. No other call on the array may be in progress. <xta/access.h>
 * uses it to write a log. */
XTA_API void xta_array_watch(xta_array *array, xta_array_watcher *watch, void *user);

/* ---- structure ---- */

/** Extend an array. All of `growths` become visible, and durable, together: one step, one record.
 *
 * New cells have the fill value. No cell moves and no existing byte is changed. Changes by other
 * processes are applied first; growths apply to those bounds in the order given.
 *
 * @param[in]  array      writable
 * @param[in]  growths    axis, side and number of cells of each
 * @param[in]  n_growths  1 to 2 * XTA_MAX_NDIM
 * @param[out] after      the bounds right after this step, so the new slab of a single growth at
 *                        the back is [hi - by, hi) on its axis; NULL if not wanted
 * @param[out] err        why it failed; NULL if not wanted
 *
 * @retval XTA_EARG       no such axis, or `by` is negative
 * @retval XTA_EOVERFLOW  coordinates or addresses would exceed 2^62
 * @retval XTA_EACCESS    opened read-only
 * @retval XTA_ENOSPC     the record could not be written; nothing has changed
 * @retval XTA_EBUSY      another handle is the exclusive writer; nothing has changed. Every call
 *                        that changes structure, attributes or names fails in this way
 * @par Cost
 * One lock, held briefly, and one appended record (less than 256 bytes for up to 4 growths);
 * O(ndim) plus the new entries of one axis' table. An exclusive writer needs no lock, and only
 * stores the record (once in a thousand times it reserves another 64 KiB to 1 MiB). Not durable
 * before xta_array_sync.
 * @par Source
 * [DRX] III; [CXA] 3.3, 4.1, 8.3.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_extend(xta_array *array, const xta_growth *growths,
                                                   int n_growths, xta_box *after, xta_error *err);

/** The growths of one array in a step that extends several arrays. */
typedef struct xta_array_growth {
    xta_array *array;
    const xta_growth *growths;
    int n_growths;
} xta_array_growth;

/** Extend several arrays that share an axis in one step: either all of them have grown, for all
 * processes and also after a kill or a power loss, or none has.
 *
 * One of the arrays is the leader: its journal records whether the growth has happened. A process
 * that is killed midway leaves in the other arrays a record that names the leader's journal by its
 * path relative to their folder, so arrays that grow together must be moved together. Whoever opens
 * or changes such an array next reads the leader's journal. If the leader has been removed
 * meanwhile, the growth counts as not done.
 *
 * @param[in]  growths   as for xta_array_extend, for each array; no array twice. Memory arrays are
 *                       allowed
 * @param[in]  n_arrays  1 to 1024
 * @param[out] after     n_arrays bounds, in the order given; NULL if not wanted
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_EARG       an array is given twice, or as for xta_array_extend
 * @return the other errors of xta_array_extend; then no array has changed
 * @par Cost
 * The locks of all arrays are acquired, in the order of their UUIDs, and held. Two or three short
 * records and two fdatasync of each journal.
 */
XTA_API XTA_MUST_CHECK xta_status xta_arrays_extend(const xta_array_growth growths[], int n_arrays,
                                                    xta_box after[], xta_error *err);

/** Append one slab with its cells: the bounds are published only after the cells are written, so a
 * reader that refreshes never sees the slab empty.
 *
 * @param[in]  array   writable
 * @param[in]  growth  axis, side and cells
 * @param[in]  options memory type, order, strides (no step); NULL: array's type, row-major
 * @param[in]  cells   the slab: `by` cells on the grown axis, the bounds on the others. The lengths
 *                     of the other axes are those of this handle; if another process has changed
 *                     them meanwhile the call fails with XTA_EBOX and changes nothing: refresh and
 *                     try again
 * @param[out] after   the bounds after this step; NULL if not wanted
 * @param[out] err     why it failed; NULL if not wanted
 * @retval XTA_ERANGE  a value does not fit the array's type; nothing has changed
 * @par Cost
 * The structural lock is held while the cells are written.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_append(xta_array *array, const xta_growth *growth,
                                                   const xta_io_options *options, const void *cells,
                                                   xta_box *after, xta_error *err);

/** Remove cells at either side. The allocated box stays the same; chunks entirely outside the
 * bounds free their disk space, and if the array grows over the cells again they have the fill
 * value. Parameters as for xta_array_extend.
 * @retval XTA_EBOX  an axis has fewer cells than are to be removed; nothing has changed */
XTA_API XTA_MUST_CHECK xta_status xta_array_shrink(xta_array *array, const xta_growth *shrinks,
                                                   int n_shrinks, xta_box *after, xta_error *err);

/** Insert a new axis of length 1 and chunk length 1 before axis `position` (ndim: after the last).
 * Every cell gets coordinate 0 on it; no address changes; the axis can grow like any other.
 *
 * @param[in]  array     writable; no other call may be in progress
 * @param[in]  position  0 to ndim
 * @param[in]  name      of the new axis; NULL for none
 * @param[out] err       why it failed
 * @retval XTA_EARG      no such position, or there are XTA_MAX_NDIM axes already
 * @retval XTA_EEXIST    another axis has this name
 * @par Source
 * "Strongly extendible", [DRX] I. */
XTA_API XTA_MUST_CHECK xta_status xta_array_add_axis(xta_array *array, int position,
                                                     const char *name, xta_error *err);

/** Apply the changes that other processes have made. Reads only the new records; blocks nobody.
 * @param[in]  array    any array
 * @param[out] changed  whether there were any; NULL if not wanted
 * @param[out] err      why it failed
 * @retval XTA_ECORRUPT the new records contradict themselves; the handle refuses further calls */
XTA_API XTA_MUST_CHECK xta_status xta_array_refresh(xta_array *array, bool *changed,
                                                    xta_error *err);

/** Number of axes. Never fails. */
XTA_API int xta_array_ndim(const xta_array *array);

/** Type of the cells. Never fails. */
XTA_API xta_type xta_array_type(const xta_array *array);

/** Bytes of one cell. Never fails. */
XTA_API size_t xta_array_cell_bytes(const xta_array *array);

/** The bounds this handle sees, consistent across axes. Never fails. */
XTA_API xta_box xta_array_bounds(const xta_array *array);

/** One cell holding the fill value; cell_bytes long, valid until close. Never fails. */
XTA_API const void *xta_array_fill_value(const xta_array *array);

/** The path it was opened with, without suffix; "" for a memory array. Valid until close. */
XTA_API const char *xta_array_path(const xta_array *array);

/** All other properties. @param[out] info filled in completely. Queries the file system for
 * sizes. */
XTA_API XTA_MUST_CHECK xta_status xta_array_inquire(xta_array *array, xta_array_info *info,
                                                    xta_error *err);

/** Segment number `k` (0 .. n_segments - 1), in address order.
 * @retval XTA_EARG  no such segment */
XTA_API XTA_MUST_CHECK xta_status xta_array_segment(xta_array *array, uint64_t k,
                                                    xta_segment *segment, xta_error *err);

/** Every structural step from the journal, oldest first. A memory array has only its creation.
 * @param[in]  array  any array
 * @param[in]  each   called for each step; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user   passed to `each`
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_history(xta_array *array,
                                                    int (*each)(void *user, const xta_step *step),
                                                    void *user, xta_error *err);

/* ---- cells ---- */

/** Read the cells of `box` into `out`.
 *
 * Not collective. Safe from several threads on one array.
 *
 * @param[in]  array    an open array
 * @param[in]  box      [lo, hi) on each axis, in cells, within the bounds; may be empty
 * @param[in]  options  NULL: the array's type, row-major, every cell
 * @param[out] out      caller's memory; prod(ceil((hi - lo) / step)) cells
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_EBOX     `box` leaves the bounds; `out` is untouched
 * @retval XTA_EARG     an option out of range; `out` is untouched
 * @retval XTA_ETYPE    no conversion between the types; `out` is untouched
 * @retval XTA_ERANGE   a value does not fit the requested type (the text names the cell); `out` is
 *                      unspecified
 * @retval XTA_EIO      reading failed; `out` is unspecified
 *
 * @par Cost
 * One copy from the page cache, row by row of each chunk; at most one chunk of scratch memory for
 * each thread (only where types are converted). Nothing depends on the number of expansions except
 * one table look-up for each chunk.
 * @par Source
 * F* is [DRX] III; placement by computed position is [DRX] II.A.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_read(xta_array *array, const xta_box *box,
                                                 const xta_io_options *options, void *out,
                                                 xta_error *err);

/** Write the cells of `box` from `in`. Only these cells are changed, so several threads and
 * processes may write disjoint boxes of one chunk. Parameters as for xta_array_read.
 *
 * @retval XTA_EBOX     `box` leaves the bounds; nothing is written
 * @retval XTA_ERANGE   a value does not fit the array's type (the text names the cell); nothing is
 *                      written
 * @retval XTA_EACCESS  opened read-only
 * @retval XTA_ENOSPC   the disk is full; each cell of the box is old or new
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_write(xta_array *array, const xta_box *box,
                                                  const xta_io_options *options, const void *in,
                                                  xta_error *err);

/** Set every cell of `box` to `value` (one cell of the array's type). Errors as for write. Chunks
 * that are set entirely to the fill value free their disk space. */
XTA_API XTA_MUST_CHECK xta_status xta_array_fill(xta_array *array, const xta_box *box,
                                                 const void *value, xta_error *err);

/** Read one cell: the same as a box of one cell, intended for loops.
 * @param[in]  array  an open array
 * @param[in]  coord  ndim coordinates
 * @param[out] cell   cell_bytes; untouched on failure
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EBOX   outside the bounds
 * @par Cost
 * Some twenty nanoseconds when the page is in memory; takes no lock. */
XTA_API XTA_MUST_CHECK xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell,
                                                xta_error *err);

/** Write one cell. As xta_array_get; the first write to a chunk reserves its disk space. */
XTA_API XTA_MUST_CHECK xta_status xta_array_put(xta_array *array, const int64_t coord[],
                                                const void *cell, xta_error *err);

/* ---- addresses ---- */

/** F*: the address of a chunk of the allocated box.
 * @param[in]  array    any array
 * @param[in]  chunk    ndim chunk coordinates
 * @param[out] address  linear chunk number
 * @param[out] err      why it failed
 * @retval XTA_EBOX     outside the allocated box */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_address(xta_array *array, const int64_t chunk[],
                                                          uint64_t *address, xta_error *err);

/** F* of many chunks, at a fraction of the cost of single calls.
 * @param[in]  array      any array
 * @param[in]  n          how many chunks
 * @param[in]  chunks     n times ndim chunk coordinates, one chunk after the other. No other thread
 *                        may add an axis meanwhile
 * @param[out] addresses  n linear chunk numbers; after a failure, only those before the chunk that
 *                        `err` names
 * @param[out] err        why it failed; NULL if not wanted
 * @retval XTA_EBOX       one of them is outside the allocated box
 * @par Cost
 * One lock for each thousand chunks; for each chunk the cost of an address in a conventional array
 * and a table look-up for each axis. */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_addresses(xta_array *array, size_t n,
                                                            const int64_t chunks[],
                                                            uint64_t addresses[], xta_error *err);

/** F*^-1: the chunk at an address, its coordinate and its cells.
 * @retval XTA_EBOX  no chunk has this address */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_at(xta_array *array, uint64_t address,
                                                     xta_chunk *chunk, xta_error *err);

/** Where a cell within the bounds lies.
 * @retval XTA_EBOX  outside the bounds */
XTA_API XTA_MUST_CHECK xta_status xta_array_locate(xta_array *array, const int64_t coord[],
                                                   xta_location *location, xta_error *err);

/** Which cell covers byte `offset` of the data file.
 * @param[in]  array   any array
 * @param[in]  offset  a byte of the data file
 * @param[out] coord   ndim coordinates, possibly of a ghost cell
 * @param[out] ghost   whether the cell lies outside the bounds; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_EBOX    the byte is padding, or beyond the last chunk */
XTA_API XTA_MUST_CHECK xta_status xta_array_cell_at(xta_array *array, uint64_t offset,
                                                    int64_t coord[], bool *ghost, xta_error *err);

/** Visit every chunk that intersects `box` (NULL: every chunk of the allocated box), in file order.
 * @param[in]  array  any array
 * @param[in]  box    in cells, within the bounds; NULL for all
 * @param[in]  each   called for each chunk; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user   passed to `each`
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_each_chunk(xta_array *array, const xta_box *box,
                                                       int (*each)(void *user,
                                                                   const xta_chunk *chunk),
                                                       void *user, xta_error *err);

/* ---- maintenance of the files ---- */

/** One finding of xta_check. */
typedef struct xta_finding {
    bool fatal; /**< data or structure is lost or wrong; false: a note (a torn tail, for example) */
    uint64_t offset; /**< in the file named by the text */
    char text[XTA_ERROR_TEXT_BYTES];
} xta_finding;

/** Check both files of an array. Never writes, acquires no lock.
 * @param[in]  path    as for xta_array_open
 * @param[in]  report  called for each finding; may be NULL
 * @param[in]  user    passed to `report`
 * @param[out] err     the first fatal finding
 * @retval XTA_OK       nothing fatal
 * @retval XTA_ECORRUPT at least one fatal finding
 * @par Cost
 * Reads the whole journal, every address of the mapping's segments, and the sizes of the data
 * file. */
XTA_API XTA_MUST_CHECK xta_status xta_check(const char *path,
                                            void (*report)(void *user, const xta_finding *finding),
                                            void *user, xta_error *err);

/** Convert an array of layout 0 (XTA_HEADERLESS), in place, to a data file with a header:
 * XTA_DIRECT.
 *
 * Bounds, cells, addresses, attributes and history are kept; the UUID is new. The array is copied
 * to new files beside it, which replace the old ones by renaming, so a kill leaves either the old
 * or the new files. Handles that others have open must be reopened.
 *
 * @param[in]  path      of the array; no handle of this process may write to it
 * @param[out] upgraded  false: it already had the newest layout, and nothing was done; NULL if not
 *                       wanted
 * @param[out] err       why it failed; the array is as it was
 * @retval XTA_ESTATE    work that fills the array is unfinished, or a growth together with other
 *                       arrays was interrupted
 * @par Cost
 * One copy of what the data file holds, and as much free space on its disk. */
XTA_API XTA_MUST_CHECK xta_status xta_upgrade(const char *path, bool *upgraded, xta_error *err);

/** Rewrite the journal as one checkpoint, through a temporary file and a rename. The earlier
 * history is discarded. Other processes notice at their next refresh or structural step. The new
 * file replaces the actual file, not a symbolic link to it, and keeps its owner, mode, access
 * control list and user attributes.
 * @param[in]  path          as for xta_array_open
 * @param[out] before_bytes  journal size before; NULL if not wanted
 * @param[out] after_bytes   journal size after; NULL if not wanted
 * @param[out] err           why it failed; the old journal is then in place
 * @retval XTA_EACCESS  the journal has several names (hard links), or belongs to another user, for
 *                      whom only root may create files */
XTA_API XTA_MUST_CHECK xta_status xta_compact(const char *path, uint64_t *before_bytes,
                                              uint64_t *after_bytes, xta_error *err);

/** One entry of xta_dataset_list. */
typedef struct xta_dataset_entry {
    bool array;       /**< false: a folder */
    const char *name; /**< without suffix; valid during the call */
} xta_dataset_entry;

/** The arrays and folders in a folder, sorted by name.
 * @param[in]  folder  a path
 * @param[in]  each    called for each entry; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user    passed to `each`
 * @param[out] err     why it failed
 * @retval XTA_ENOENT  no such folder */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_list(const char *folder,
                                                   int (*each)(void *user,
                                                               const xta_dataset_entry *entry),
                                                   void *user, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
