/** @file
 * The array: create, open, grow in every direction, read and write boxes and cells.
 *
 * An array is either a pair of files (`path.xmd`, the journal, and `path.xta`, the cells) or lies
 * in memory (xta_array_new); every function here works on both unless it says otherwise.
 * Coordinates are signed: an array starts at 0 on each axis and grows at the back towards larger
 * and at the front towards negative coordinates. The coordinate of a cell never changes.
 *
 * Threads. All functions may be called from several threads on one array, but close, which must be
 * the last. Cells: two calls that touch the same cells at once, one of them writing, leave each
 * such cell with an unspecified one of the values. xta_array_add_axis changes how many coordinates
 * the other functions take: no other call may be under way.
 *
 * Processes. Any number may have the array open, and any may write cells or change the structure,
 * unless one is its sole writer (xta_open_options). A handle keeps the bounds that it saw last
 * until xta_array_refresh; its own structural calls, and sync, take up what others did before.
 *
 * Forks. A handle belongs to the process that opened it. In a child made by fork every call on an
 * inherited handle of files gives XTA_ESTATE (the calls that never fail go on answering), and
 * xta_array_close only frees memory: the files, locks and deferred cells stay the parent's, and the
 * child holds no descriptor of them. It opens what it needs itself. Arrays in memory are copied
 * with the process and go on in both. As always with threads, no call should be under way when a
 * program forks without exec. A child made by other means than fork (vfork, clone) may only exec.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_H
#define XTA_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>
#include <xta/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open array. Opaque; made by create, open or new, ended by close. */
typedef struct xta_array xta_array;

/** The layout of a grid of cells: inside a chunk (all four), or in the caller's memory (the first
 * two). */
typedef enum xta_order {
    XTA_ROW = 0,    /**< last axis fastest */
    XTA_COLUMN = 1, /**< first axis fastest */
    XTA_MORTON = 2, /**< Z order; chunk lengths must be powers of two */
    XTA_HILBERT = 3 /**< Hilbert curve (compact where lengths differ); powers of two */
} xta_order;

/** Which end of an axis. */
typedef enum xta_side {
    XTA_BACK = 0, /**< towards larger coordinates */
    XTA_FRONT = 1 /**< towards smaller (negative) coordinates */
} xta_side;

/** How many chunks are given addresses when growth needs new ones. What is allocated beyond the
 * bounds is a hole and costs no disk.
 * @par Source
 * [CXA] 3.3, 5.3, A.1; [DRX] Fig. 2. docs/decisions/0003-growth-policies.md has the exact rules. */
typedef enum xta_policy {
    XTA_EXACT = 0,  /**< the chunks the bounds need */
    XTA_LINEAR = 1, /**< rounded up to a multiple of `policy_amount` chunks */
    XTA_EXPONENTIAL =
        2, /**< the axis' allocated length is multiplied by `policy_amount` until it fits */
    XTA_CUBICAL = 3, /**< the other axes follow at the back until none is shorter */
    XTA_SHELL = 4    /**< the first allocation grows shell by shell from one chunk; then as exact */
} xta_policy;

/** How chunks lie in the data file: raw cells, chunk q at byte `data_offset + q * slot_bytes`. */
typedef enum xta_layout {
    XTA_LAYOUT_DEFAULT = 0, /**< when creating: the newest, XTA_DIRECT */
    XTA_HEADERLESS = 1,     /**< layout 0 of the files, as releases before 0.2 make and read it: the
                                 data file is cells only, `data_offset` is 0, and nothing says which
                                 journal it belongs to; `xta upgrade` gives it a header */
    XTA_DIRECT = 2          /**< layout 2 of the files: the data file begins with a header that has
                                 the UUID of the array, and `data_offset` is 4096 or more */
} xta_layout;

/** Where the cells of a file are worked on. */
typedef enum xta_access {
    XTA_ACCESS_AUTO = 0, /**< the fastest way that is safe for this file */
    /** The file mapped into memory; the page cache is the buffer pool. Three things are a signal
     * (SIGBUS) here, as with every mapped file: touching what somebody has cut off the data file
     * while it is open; reading a hole on a full file system that lies in memory (tmpfs), where
     * XTA_ACCESS_AUTO takes the cache; and changing cells on a full XFS after somebody has made a
     * copy of the data file that shares its blocks (cp does, unless told --reflink=never) while it
     * was being written to. */
    XTA_ACCESS_MAPPED = 1,
    /** A chunk cache of `cache_bytes`, write-back. A data file that was cut is XTA_ECORRUPT, naming
     * the offset. */
    XTA_ACCESS_CACHED = 2
} xta_access;

/** Which lock keeps other handles from changing an array at the same time. */
typedef enum xta_locking {
    XTA_LOCK_DEFAULT = 0, /**< what the variable XTA_LOCK says, file or system; else system */
    XTA_LOCK_SYSTEM = 1,  /**< that of the file system, which is proved when it is first taken */
    /** A lock file as well, `x.xmd.lock`, for file systems whose locks do not reach other nodes;
     * every program that writes the array has to use it. Two more syncs for a change; if that of
     * its record fails, it may have been made, and the handle is XTA_ESTATE. The file of a killed
     * process is removed by the next change on its machine; elsewhere it is XTA_EBUSY after 30
     * seconds (XTA_LOCK_WAIT), naming process and host. Unfinished work (xta/work.h) and
     * xta_array_lock are XTA_EUNSUPPORTED. */
    XTA_LOCK_FILE = 2
} xta_locking;

/** How to create an array. Start from XTA_CREATE_OPTIONS_INIT; zero: the default of a field. */
typedef struct xta_create_options {
    size_t struct_size;   /**< sizeof(xta_create_options) */
    const int64_t *chunk; /**< cells of a chunk on each axis; NULL: chosen from type and bounds */
    uint64_t chunk_bytes; /**< what to aim at when the library chooses; 0: 1 MiB */
    xta_order order;      /**< of the cells inside a chunk */
    const void *fill;     /**< one cell; NULL: zero */
    xta_policy policy;
    uint32_t policy_amount;   /**< of linear (>= 1) and exponential (>= 2); 0: 2 */
    const char *const *names; /**< axis names, entries or the whole may be NULL */
    uint32_t cell_bytes;      /**< length of one XTA_BYTES cell; ignored otherwise */
    xta_layout layout;
    uint64_t alignment_bytes; /**< slots are rounded up to a multiple of it; 0: 1 */
    xta_access access;
    uint64_t cache_bytes; /**< limit of the chunk cache; 0: 64 MiB */
    bool sole_writer;     /**< as in xta_open_options */
    xta_locking lock;     /**< as in xta_open_options */
} xta_create_options;
#define XTA_CREATE_OPTIONS_INIT                                                                  \
    {                                                                                            \
        sizeof(xta_create_options), 0, 0, XTA_ROW, 0, XTA_EXACT, 0, 0, 0, XTA_LAYOUT_DEFAULT, 0, \
            XTA_ACCESS_AUTO, 0, false, XTA_LOCK_DEFAULT                                          \
    }

/** How to open an array. Start from XTA_OPEN_OPTIONS_INIT. */
typedef struct xta_open_options {
    size_t struct_size; /**< sizeof(xta_open_options) */
    bool writable;      /**< false: no call through this handle changes a file */
    bool at_step;       /**< open as of structural step `step`; then never writable */
    uint64_t step;      /**< 0 is the creation; see xta_array_history */
    xta_access access;
    uint64_t cache_bytes; /**< limit of the chunk cache; 0: 64 MiB */
    /** Until it is closed no other handle, here or in another process, may change the structure,
     * attributes and names: after half a second such calls give XTA_EBUSY there. All else goes on:
     * the others read and write cells, sync, and see each step of this handle at their next
     * refresh. Its own growth asks the system for nothing, which makes it some twenty times faster;
     * a step is safe from SIGKILL when the call returns, and durable after xta_array_sync, as ever.
     * Meanwhile both files are longer than they need to be, by holes and zeros that go when it is
     * closed (after a kill those of the data file stay). Wants `writable`. */
    bool sole_writer;
    xta_locking lock; /**< of a writable handle */
} xta_open_options;
#define XTA_OPEN_OPTIONS_INIT                                                                  \
    {                                                                                          \
        sizeof(xta_open_options), false, false, 0, XTA_ACCESS_AUTO, 0, false, XTA_LOCK_DEFAULT \
    }

/** How much one axis grows, or shrinks, on one side. */
typedef struct xta_growth {
    int axis;
    xta_side side;
    int64_t by; /**< cells, >= 0 */
} xta_growth;

/** How the caller's memory looks, for read and write. Start from XTA_IO_OPTIONS_INIT. */
typedef struct xta_io_options {
    size_t struct_size; /**< sizeof(xta_io_options) */
    xta_type type;      /**< type of the cells in memory; XTA_TYPE_SAME: the array's */
    xta_order order;    /**< XTA_ROW or XTA_COLUMN, dense */
    /** Bytes from one cell to the next on each axis, possibly negative; `order` is then ignored and
     * the buffer points at the cell of box.lo. NULL: dense. */
    const int64_t *strides;
    /** Take every step[axis]-th cell from box.lo on, >= 1; memory then holds ceil((hi - lo) / step)
     * cells on each axis. NULL: all. */
    const int64_t *step;
    /** Up to so many threads move the cells of a box of 2 MiB and more, at least 1 MiB each: this
     * one, and others that are made for the call and end with it. 1 to 1024; 0: what the variable
     * XTA_THREADS said when the handle was made, or 1. What is read and written is the same. */
    int threads;
} xta_io_options;
#define XTA_IO_OPTIONS_INIT                                     \
    {                                                           \
        sizeof(xta_io_options), XTA_TYPE_SAME, XTA_ROW, 0, 0, 0 \
    }

/** What an array is, in one plain value. */
typedef struct xta_array_info {
    int ndim;
    xta_type type;
    size_t cell_bytes;
    xta_box bounds;              /**< in cells */
    xta_box allocated;           /**< in chunks: those that have addresses */
    int64_t chunk[XTA_MAX_NDIM]; /**< cells of a chunk on each axis */
    xta_order order;
    xta_layout layout;
    xta_policy policy;
    uint32_t policy_amount;
    bool in_memory;
    bool writable;
    bool mapped;                  /**< cells are reached through a mapping, not the chunk cache */
    uint64_t chunk_bytes;         /**< of the cells of one chunk */
    uint64_t slot_bytes;          /**< of the place of one chunk in the file */
    uint64_t data_offset;         /**< byte of the data file where chunk 0 lies */
    uint64_t n_chunks;            /**< in the allocated box: addresses 0 .. n_chunks - 1 */
    uint64_t n_segments;          /**< axial records */
    uint64_t n_steps;             /**< structural steps so far; the creation is step 0 */
    uint64_t journal_bytes;       /**< 0 for a memory array, as the next two */
    uint64_t data_apparent_bytes; /**< what `ls` shows */
    uint64_t data_real_bytes;     /**< what `du` shows */
    uint64_t moved_bytes; /**< bytes of cells that growth has ever moved: 0, by construction */
    uint8_t uuid[16];
} xta_array_info;

/** Where a cell lies. */
typedef struct xta_location {
    uint64_t address;  /**< of its chunk: F* */
    uint64_t position; /**< inside the chunk, in cells, in the chunk's order */
    uint64_t offset;   /**< of its first byte in the data file */
} xta_location;

/** One segment: the chunks adjoined by one growth (or several that continued one another). */
typedef struct xta_segment {
    bool initial; /**< the first allocation; then axis and side mean nothing */
    int axis;
    xta_side side;
    uint64_t base; /**< address of its first chunk */
    uint64_t n_chunks;
    xta_box
        chunks; /**< chunk coordinates it covers; front segments run from hi - 1 down on `axis` */
} xta_segment;

/** The kinds of structural step. */
typedef enum xta_step_kind {
    XTA_STEP_CREATE = 0,
    XTA_STEP_EXTEND = 1,
    XTA_STEP_SHRINK = 2,
    XTA_STEP_ADD_AXIS = 3,
    XTA_STEP_CHECKPOINT = 4 /**< where compaction took the earlier steps together */
} xta_step_kind;

/** One entry of the history. */
typedef struct xta_step {
    uint64_t step;
    xta_step_kind kind;
    int n_growths; /**< of extend and shrink, in the order they were done */
    xta_growth growths[2 * XTA_MAX_NDIM];
    int axis;       /**< of add_axis: where the axis was put in */
    xta_box bounds; /**< after the step */
} xta_step;

/** One chunk, as xta_array_each_chunk hands it out. */
typedef struct xta_chunk {
    uint64_t address;
    xta_box chunk; /**< its chunk coordinate, as a box of one chunk */
    xta_box cells; /**< its cells within the bounds (empty if it is over-allocated) */
} xta_chunk;

/* ---- life ---- */

/** Create an array as a pair of files and open it writable.
 *
 * The journal appears whole and durable or not at all. The path may carry one of the suffixes .xmd,
 * .xta, which is dropped; with .pma or .pta the pair gets these suffixes instead ([CXA] 8.4), the
 * format being the same.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  path     without suffix: `dir/xyz` makes dir/xyz.xmd and dir/xyz.xta
 * @param[in]  type     of the cells; not XTA_TEXT
 * @param[in]  ndim     number of axes, 1 to XTA_MAX_NDIM
 * @param[in]  bounds   cells on each axis, >= 0; the array covers [0, bounds)
 * @param[in]  options  NULL for the defaults
 * @param[out] out      the array, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_EARG       a parameter out of range, naming axis, value and remedy
 * @retval XTA_EEXIST     there is an array (or a data file that holds bytes) under this name
 * @retval XTA_EOVERFLOW  chunk bytes or addresses pass 2^62
 * @retval XTA_EACCESS    the folder cannot be written
 * @retval XTA_ENOENT     the folder does not exist
 * @retval XTA_EUNSUPPORTED  locks of this file system do not keep other programs, or other nodes,
 *                           out
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
 *                      Symbolic links are followed once, here: whatever becomes of them or of the
 *                      working folder later, the handle stays with its files. If the path leads to
 *                      one file of the pair only, the other is looked for beside it.
 * @param[in]  options  NULL: read-only, latest step
 * @param[out] out      the array, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_ENOENT   no such pair, half of it missing, or no such step
 * @retval XTA_EARG     options contradict each other, or links lead to the journal of one array and
 *                      the data file of another
 * @retval XTA_EFORMAT  the journal is of another format or of a later version
 * @retval XTA_ECORRUPT the journal contradicts itself, or the data file is shorter than it says
 * @retval XTA_EBUSY    to be the sole writer was asked for, and another handle is it
 * @retval XTA_EUNSUPPORTED  writable, and locks of this file system do not keep other programs, or
 *                      other nodes, out
 * @par Cost
 * The journal is read once from its latest checkpoint on; no data.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_open(const char *path, const xta_open_options *options,
                                                 xta_array **out, xta_error *err);

/** Make an array in memory. It grows without copying, as the file does: the same mapping over
 * memory that is taken block by block. Parameters and errors as for xta_array_create.
 * @par Source
 * [CXA] 3. */
XTA_API XTA_MUST_CHECK xta_status xta_array_new(xta_type type, int ndim, const int64_t bounds[],
                                                const xta_create_options *options, xta_array **out,
                                                xta_error *err);

/** Copy an array, cells, structure (so: addresses), attributes, to a new pair of files.
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
 * read-only handles. On failure cells since the last sync may be lost; where the system could not
 * write (EIO, say) all later syncs of the handle fail: open again and write those cells again. */
XTA_API XTA_MUST_CHECK xta_status xta_array_sync(xta_array *array, xta_error *err);

/** Sync and close. The handle is gone whatever the status says; NULL is allowed.
 * No other call may be under way on it.
 * @return besides the errors of sync: XTA_ESTATE if an earlier failure had left the handle unusable
 *         and cells written through it are lost. Wherever cells are lost the text says how many, in
 *         how many chunks, of which file, and why. Cells that another process took away by a shrink
 *         are not counted. */
XTA_API xta_status xta_array_close(xta_array *array, xta_error *err);

/** Delete both files of an array that nobody has open. Symbolic links to them stay.
 * @retval XTA_ENOENT  no such array */
XTA_API XTA_MUST_CHECK xta_status xta_array_delete(const char *path, xta_error *err);

/** Told of a read or write of a box, before cells move. `step`: as in xta_io_options, or NULL. */
typedef void xta_array_watcher(void *user, xta_array *array, bool write, const xta_box *box,
                               const int64_t *step);

/** Have a function told of each xta_array_read and xta_array_write whose arguments are good, in the
 * calling thread; NULL: no more. Cells by get and put, and fill, are not told. No other call on the
 * array may be under way. <xta/access.h> keeps a log with it. */
XTA_API void xta_array_watch(xta_array *array, xta_array_watcher *watch, void *user);

/* ---- structure ---- */

/** Grow. All of `growths` become visible, and durable, together: one step, one record.
 *
 * New cells read as fill. No cell moves and no old byte is touched. What other processes did before
 * is taken up first; growths apply to those bounds in the order given.
 *
 * @param[in]  array      writable
 * @param[in]  growths    axis, side and cells each
 * @param[in]  n_growths  1 to 2 * XTA_MAX_NDIM
 * @param[out] after      the bounds right after this step, so the new slab of a single growth at
 *                        the back is [hi - by, hi) on its axis; NULL if not wanted
 * @param[out] err        why it failed; NULL if not wanted
 *
 * @retval XTA_EARG       no such axis, or `by` is negative
 * @retval XTA_EOVERFLOW  coordinates or addresses would pass 2^62
 * @retval XTA_EACCESS    opened read-only
 * @retval XTA_ENOSPC     the record could not be written; nothing has changed
 * @retval XTA_EBUSY      another handle is the sole writer; nothing has changed. So it is with
 *                        every call that changes structure, attributes or names
 * @par Cost
 * One short lock, one appended record (less than 256 bytes for up to 4 growths); O(ndim) plus the
 * new entries of one axis' table. A sole writer needs no lock, and stores the record (a new step of
 * room, 64 KiB to 1 MiB, once in a thousand times). Not durable before xta_array_sync.
 * @par Source
 * [DRX] III; [CXA] 3.3, 4.1, 8.3.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_extend(xta_array *array, const xta_growth *growths,
                                                   int n_growths, xta_box *after, xta_error *err);

/** The growths of one array in a step of several. */
typedef struct xta_array_growth {
    xta_array *array;
    const xta_growth *growths;
    int n_growths;
} xta_array_growth;

/** Grow several arrays that share an axis in one step: either all of them have grown, for everybody
 * and also after a kill or a loss of power, or none has.
 *
 * One of the arrays leads: its journal says whether the growth has happened. A process that is
 * killed in between leaves in the others a note that names the leader's journal by its path from
 * their folder; so arrays that grow together are moved together. Whoever opens or changes such an
 * array next looks there. If the leader has been taken away meanwhile, the growth counts as not
 * done.
 *
 * @param[in]  growths   as for xta_array_extend, for each array; no array twice. Memory arrays are
 *                       allowed
 * @param[in]  n_arrays  1 to 1024
 * @param[out] after     n_arrays bounds, in the order given; NULL if not wanted
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_EARG       an array is given twice, or as xta_array_extend says
 * @return besides these the errors of xta_array_extend; then no array has changed
 * @par Cost
 * The locks of all arrays are held, in the order of their UUIDs. Two or three short records and two
 * fdatasync of each journal.
 */
XTA_API XTA_MUST_CHECK xta_status xta_arrays_extend(const xta_array_growth growths[], int n_arrays,
                                                    xta_box after[], xta_error *err);

/** Append one slab with its cells: the bounds are published only when the cells are in place, so a
 * reader that refreshes never sees the slab empty.
 *
 * @param[in]  array   writable
 * @param[in]  growth  axis, side and cells
 * @param[in]  options memory type, order, strides (no step); NULL: array's type, row-major
 * @param[in]  cells   the slab: `by` on the grown axis, the bounds on the others. The lengths of
 *                     the other axes are those of this handle; if another process has changed them
 *                     meanwhile the call fails with XTA_EBOX and changes nothing: refresh and try
 *                     again
 * @param[out] after   the bounds after this step; NULL if not wanted
 * @param[out] err     why it failed; NULL if not wanted
 * @retval XTA_ERANGE  a value does not fit the array's type; nothing has changed
 * @par Cost
 * The structural lock is held while the cells are written.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_append(xta_array *array, const xta_growth *growth,
                                                   const xta_io_options *options, const void *cells,
                                                   xta_box *after, xta_error *err);

/** Take cells away at either side. The allocated box stays; whole chunks outside give their disk
 * space back, and if the array grows over the cells again they are fill. Parameters as for
 * xta_array_extend.
 * @retval XTA_EBOX  an axis has fewer cells than are to go; nothing has changed */
XTA_API XTA_MUST_CHECK xta_status xta_array_shrink(xta_array *array, const xta_growth *shrinks,
                                                   int n_shrinks, xta_box *after, xta_error *err);

/** Put in a new axis of length 1 and chunk length 1 before axis `position` (ndim: after the last).
 * Every cell gets coordinate 0 on it; no address changes; it can grow like any other.
 *
 * @param[in]  array     writable; no other call may be under way
 * @param[in]  position  0 to ndim
 * @param[in]  name      of the new axis; NULL for none
 * @param[out] err       why it failed
 * @retval XTA_EARG      no such position, or there are XTA_MAX_NDIM axes already
 * @retval XTA_EEXIST    another axis has this name
 * @par Source
 * "Strongly extendible", [DRX] I. */
XTA_API XTA_MUST_CHECK xta_status xta_array_add_axis(xta_array *array, int position,
                                                     const char *name, xta_error *err);

/** Take up what other processes have done. Reads only the new records; blocks nobody.
 * @param[in]  array    any array
 * @param[out] changed  whether there was anything; NULL if not wanted
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

/** Everything else. @param[out] info filled in whole. Asks the file system for sizes. */
XTA_API XTA_MUST_CHECK xta_status xta_array_inquire(xta_array *array, xta_array_info *info,
                                                    xta_error *err);

/** Segment number `k` (0 .. n_segments - 1), in address order.
 * @retval XTA_EARG  no such segment */
XTA_API XTA_MUST_CHECK xta_status xta_array_segment(xta_array *array, uint64_t k,
                                                    xta_segment *segment, xta_error *err);

/** Every structural step from the journal, oldest first. A memory array has only its creation.
 * @param[in]  array  any array
 * @param[in]  each   called for each step; anything but 0 ends the walk with XTA_ECANCELLED
 * @param[in]  user   handed through
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
 * @retval XTA_ERANGE   a value does not fit the type asked for (names the cell); `out` is
 *                      unspecified
 * @retval XTA_EIO      reading failed; `out` is unspecified
 *
 * @par Cost
 * One copy from the page cache, chunk line by chunk line; at most one chunk of scratch memory for
 * each thread (only where types are converted). No part depends on the number of expansions but a
 * table look-up for each chunk.
 * @par Source
 * F* is [DRX] III; placing by computed position is [DRX] II.A.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_read(xta_array *array, const xta_box *box,
                                                 const xta_io_options *options, void *out,
                                                 xta_error *err);

/** Write the cells of `box` from `in`. Only these cells are touched, so several threads and
 * processes may write disjoint boxes of one chunk. Parameters as for xta_array_read.
 *
 * @retval XTA_EBOX     `box` leaves the bounds; nothing is written
 * @retval XTA_ERANGE   a value does not fit the array's type (names the cell); nothing is written
 * @retval XTA_EACCESS  opened read-only
 * @retval XTA_ENOSPC   the disk is full; cells of the box are old or new
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_write(xta_array *array, const xta_box *box,
                                                  const xta_io_options *options, const void *in,
                                                  xta_error *err);

/** Set every cell of `box` to `value` (one cell of the array's type). Errors as for write. Where
 * whole chunks become the fill value again their disk space is given back. */
XTA_API XTA_MUST_CHECK xta_status xta_array_fill(xta_array *array, const xta_box *box,
                                                 const void *value, xta_error *err);

/** Read one cell: the same as a box of one, made for loops.
 * @param[in]  array  an open array
 * @param[in]  coord  ndim coordinates
 * @param[out] cell   cell_bytes; untouched on failure
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EBOX   outside the bounds
 * @par Cost
 * Some twenty nanoseconds when the page is in memory; takes no lock. */
XTA_API XTA_MUST_CHECK xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell,
                                                xta_error *err);

/** Write one cell. As xta_array_get; the first touch of a chunk reserves its disk space. */
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

/** F* of many chunks, at a fraction of the cost for each.
 * @param[in]  array      any array
 * @param[in]  n          how many chunks
 * @param[in]  chunks     n times ndim chunk coordinates, one chunk after the other. No other thread
 *                        may put in an axis meanwhile
 * @param[out] addresses  n linear chunk numbers; after a failure those before the chunk that `err`
 *                        names
 * @param[out] err        why it failed; NULL if not wanted
 * @retval XTA_EBOX       one of them is outside the allocated box
 * @par Cost
 * A lock for each thousand; then that of an address in a conventional array and a table look-up
 * for each axis. */
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

/** Every chunk that meets `box` (NULL: every chunk of the allocated box), in file order.
 * @param[in]  array  any array
 * @param[in]  box    in cells, within the bounds; NULL for all
 * @param[in]  each   called for each chunk; anything but 0 ends the walk with XTA_ECANCELLED
 * @param[in]  user   handed through
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_each_chunk(xta_array *array, const xta_box *box,
                                                       int (*each)(void *user,
                                                                   const xta_chunk *chunk),
                                                       void *user, xta_error *err);

/* ---- care of the files ---- */

/** One finding of xta_check. */
typedef struct xta_finding {
    bool fatal; /**< data or structure is lost or wrong; false: worth knowing (a torn tail, say) */
    uint64_t offset; /**< in the file named by the text */
    char text[XTA_ERROR_TEXT_BYTES];
} xta_finding;

/** Examine both files of an array. Never writes, takes no lock.
 * @param[in]  path    as for xta_array_open
 * @param[in]  report  called for each finding; may be NULL
 * @param[in]  user    handed through
 * @param[out] err     the first fatal finding
 * @retval XTA_OK       nothing fatal
 * @retval XTA_ECORRUPT at least one fatal finding
 * @par Cost
 * The whole journal, every address of the mapping's segments, sizes of the data file. */
XTA_API XTA_MUST_CHECK xta_status xta_check(const char *path,
                                            void (*report)(void *user, const xta_finding *finding),
                                            void *user, xta_error *err);

/** Give an array of layout 0 (XTA_HEADERLESS) a data file with a header, in its place: XTA_DIRECT.
 *
 * Bounds, cells, addresses, attributes and the history stay; the UUID is a new one. The array is
 * copied beside itself, and the new files take the place of the old ones by renaming, so that a
 * kill leaves one or the other. Handles that others have open must be opened again.
 *
 * @param[in]  path      of the array; no handle of this process may write to it
 * @param[out] upgraded  false: it was of the newest layout already, and nothing was done; NULL if
 *                       not wanted
 * @param[out] err       why it failed; the array is as it was
 * @retval XTA_ESTATE    work that fills the array is unfinished, or a growth together with other
 *                       arrays was cut off
 * @par Cost
 * One copy of what the data file holds, and as much free space on its disk. */
XTA_API XTA_MUST_CHECK xta_status xta_upgrade(const char *path, bool *upgraded, xta_error *err);

/** Rewrite the journal as one checkpoint, through a temporary file and a rename. The history before
 * it is given up. Other processes notice at their next refresh or structural step. The new file
 * takes the place of the real one, not of a symbolic link, and has its owner, mode, access control
 * list and user attributes.
 * @param[in]  path          as for xta_array_open
 * @param[out] before_bytes  journal before; NULL if not wanted
 * @param[out] after_bytes   journal after; NULL if not wanted
 * @param[out] err           why it failed; the old journal is then in place
 * @retval XTA_EACCESS  the journal has several names (hard links), or belongs to another user whose
 *                      file only root may make */
XTA_API XTA_MUST_CHECK xta_status xta_compact(const char *path, uint64_t *before_bytes,
                                              uint64_t *after_bytes, xta_error *err);

/** One entry of xta_dataset_list. */
typedef struct xta_dataset_entry {
    bool array;       /**< false: a folder */
    const char *name; /**< without suffix; valid during the call */
} xta_dataset_entry;

/** The arrays and folders in a folder, sorted by name.
 * @param[in]  folder  a path
 * @param[in]  each    called for each entry; anything but 0 ends the walk with XTA_ECANCELLED
 * @param[in]  user    handed through
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
