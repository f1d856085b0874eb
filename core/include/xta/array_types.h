/** @file
 * The types of the array: orders, sides, policies, layouts, the options of a call, and what an
 * array reports about itself. Functions that take them are in xta/array.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_TYPES_H
#define XTA_ARRAY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The order of a grid of cells. A chunk may use any of the four, the caller's memory only the
 * first two. */
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

/** How many chunks are given addresses when growth needs new ones. Chunks allocated beyond the
 * bounds are holes and use no disk space.
 * @par Source
 * [CXA] 3.3, 5.3, A.1; [DRX] Fig. 2. docs/decisions/0003-growth-policies.md has the exact rules. */
typedef enum xta_policy {
    XTA_EXACT = 0,  /**< the chunks the bounds need */
    XTA_LINEAR = 1, /**< rounded up to a multiple of `policy_amount` chunks */
    XTA_EXPONENTIAL =
        2, /**< the axis' allocated length is multiplied by `policy_amount` until it fits */
    XTA_CUBICAL = 3, /**< the other axes are extended at the back until none is shorter */
    XTA_SHELL = 4    /**< the first allocation grows shell by shell from one chunk; later growth as
                          XTA_EXACT */
} xta_policy;

/** How chunks lie in the data file: raw cells, chunk q at byte `data_offset + q * slot_bytes`. */
typedef enum xta_layout {
    XTA_LAYOUT_DEFAULT = 0, /**< when creating: the newest, XTA_DIRECT */
    XTA_HEADERLESS = 1,     /**< layout 0 of the files, written and read by releases before 0.2: the
                                 data file holds cells only, `data_offset` is 0, and nothing in it
                                 identifies its journal; `xta upgrade` adds a header */
    XTA_DIRECT = 2          /**< layout 2 of the files: the data file begins with a header that
                                 holds the UUID of the array, and `data_offset` is 4096 or more */
} xta_layout;

/** How the cells of a file are accessed. */
typedef enum xta_access {
    XTA_ACCESS_AUTO = 0, /**< the fastest method that is safe for this file */
    /** The file mapped into memory; the page cache is the buffer pool. Three things raise SIGBUS,
     * as with every mapped file: accessing a part of the data file that was truncated while it is
     * open; reading a hole on a full in-memory file system (tmpfs; XTA_ACCESS_AUTO uses the cache
     * there); and changing cells on a full XFS file system if, while the data file was being
     * written, somebody made a copy of it that shares its blocks (as cp does unless given
     * --reflink=never). */
    XTA_ACCESS_MAPPED = 1,
    /** A chunk cache of `cache_bytes`, write-back. A truncated data file gives XTA_ECORRUPT, and
     * the text names the offset. When it is closed, the process keeps its memory for the next
     * caches, at most 64 MiB in all. */
    XTA_ACCESS_CACHED = 2
} xta_access;

/** Which lock keeps other handles from changing an array at the same time. */
typedef enum xta_locking {
    XTA_LOCK_DEFAULT = 0, /**< the environment variable XTA_LOCK, file or system; if unset,
                               system */
    XTA_LOCK_SYSTEM = 1,  /**< the lock of the file system, tested when it is first acquired */
    /** In addition a lock file, `x.xmd.lock`, for file systems whose locks do not reach other
     * nodes; every program that writes the array has to use it. A change costs two more syncs; if
     * the sync of its record fails, the change may have been made, and the handle returns
     * XTA_ESTATE. The lock file of a killed process is removed by the next change on the same
     * machine; on other machines changes fail with XTA_EBUSY after 30 seconds (XTA_LOCK_WAIT), and
     * the text names process and host. Unfinished work (xta/work.h) and xta_array_lock return
     * XTA_EUNSUPPORTED. */
    XTA_LOCK_FILE = 2
} xta_locking;

/** How to create an array. Start from XTA_CREATE_OPTIONS_INIT; zero means the default in every
 * field. */
typedef struct xta_create_options {
    size_t struct_size;   /**< sizeof(xta_create_options) */
    const int64_t *chunk; /**< cells of a chunk on each axis; NULL: chosen from type and bounds */
    uint64_t chunk_bytes; /**< target size when the library chooses; 0: 1 MiB */
    xta_order order;      /**< of the cells inside a chunk */
    const void *fill;     /**< one cell; NULL: zero */
    xta_policy policy;
    uint32_t policy_amount;   /**< of linear (>= 1) and exponential (>= 2); 0: 2 */
    const char *const *names; /**< axis names; entries or the pointer may be NULL */
    uint32_t cell_bytes;      /**< length of one XTA_BYTES cell; ignored otherwise */
    xta_layout layout;
    uint64_t alignment_bytes; /**< slots are rounded up to a multiple of it; 0: 1 */
    xta_access access;
    uint64_t cache_bytes;  /**< limit of the chunk cache; 0: 64 MiB */
    bool exclusive_writer; /**< as in xta_open_options */
    xta_locking lock;      /**< as in xta_open_options */
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
    /** Exclusive writer: until this handle is closed no other handle, in this or another process,
     * may change structure, attributes and names; such calls return XTA_EBUSY after half a second.
     * Everything else works: other handles read and write cells, sync, and see each step of this
     * handle at their next refresh. Growth through this handle needs no system call, which makes it
     * some twenty times faster; as always, a step survives SIGKILL once the call has returned, and
     * is durable after xta_array_sync. Meanwhile both files are longer than necessary, by holes and
     * zeros that are removed on close (after a kill those of the data file remain). Requires
     * `writable`. */
    bool exclusive_writer;
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

/** The layout of the caller's memory, for read and write. Start from XTA_IO_OPTIONS_INIT. */
typedef struct xta_io_options {
    size_t struct_size; /**< sizeof(xta_io_options) */
    xta_type type;      /**< type of the cells in memory; XTA_TYPE_SAME: the array's */
    xta_order order;    /**< XTA_ROW or XTA_COLUMN, dense */
    /** Bytes from one cell to the next on each axis, possibly negative; `order` is then ignored and
     * the buffer points at the cell of box.lo. NULL: dense. */
    const int64_t *strides;
    /** Transfer every step[axis]-th cell from box.lo on, >= 1; memory then holds ceil((hi - lo) /
     * step) cells on each axis. NULL: all. */
    const int64_t *step;
    /** The most threads that move the cells of a box of 2 MiB or more, each at least 1 MiB: the
     * calling thread, and others that are created for the call and end with it. 1 to 1024; 0: the
     * value of the environment variable XTA_THREADS when the handle was created, or 1. The number
     * of threads does not change what is read and written. */
    int threads;
} xta_io_options;
#define XTA_IO_OPTIONS_INIT                                     \
    {                                                           \
        sizeof(xta_io_options), XTA_TYPE_SAME, XTA_ROW, 0, 0, 0 \
    }

/** The properties of an array, as one plain value. */
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
    uint64_t slot_bytes;          /**< of the slot of one chunk in the file */
    uint64_t data_offset;         /**< byte of the data file where chunk 0 begins */
    uint64_t n_chunks;            /**< in the allocated box: addresses 0 .. n_chunks - 1 */
    uint64_t n_segments;          /**< axial records */
    uint64_t n_steps;             /**< structural steps so far; the creation is step 0 */
    uint64_t journal_bytes;       /**< 0 for a memory array, like the next two */
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

/** One segment: the chunks adjoined by one growth (or by several that continued one another). */
typedef struct xta_segment {
    bool initial; /**< the first allocation; axis and side are then undefined */
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
    XTA_STEP_CHECKPOINT = 4 /**< where compaction merged the earlier steps */
} xta_step_kind;

/** One entry of the history. */
typedef struct xta_step {
    uint64_t step;
    xta_step_kind kind;
    int n_growths; /**< of extend and shrink, in the order of execution */
    xta_growth growths[2 * XTA_MAX_NDIM];
    int axis;       /**< of add_axis: where the axis was inserted */
    xta_box bounds; /**< after the step */
} xta_step;

/** One chunk, as xta_array_each_chunk passes it. */
typedef struct xta_chunk {
    uint64_t address;
    xta_box chunk; /**< its chunk coordinate, as a box of one chunk */
    xta_box cells; /**< its cells within the bounds (empty if it is over-allocated) */
} xta_chunk;

/** An open array. Opaque; returned by create, open or new, freed by close. */
typedef struct xta_array xta_array;

#ifdef __cplusplus
}
#endif

#endif
