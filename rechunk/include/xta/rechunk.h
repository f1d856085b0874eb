/** @file
 * Plans for repartitioning: from blocks of one shape to blocks of another, within a memory budget.
 *
 * A plan is a value: it is computed from shapes alone, can be printed and iterated over, and
 * accesses no file. <xta/repartition.h> runs it.
 *
 * Terms. A *block* is stored contiguously, in row-major or column-major order, as a file of its own
 * or as a chunk of a file. A *piece* is the part of one block that one operation moves. A block
 * that is moved whole is one contiguous run; a piece of it may consist of many runs.
 *
 * Two ways of counting, both as in [KEEP] but with its errata (docs/REPARTITION.md):
 * - R, *runs*: the contiguous runs of all pieces (opening a block and its first run count as one);
 *   the preads and pwrites that a program would issue.
 * - T, *thesis*: opening the block of a piece counts 1, and each run of the piece counts 1 more,
 *   unless the whole block is moved.
 *
 * @par Source
 * [KEEP] T. Guedon, A heuristic to repartition large multi-dimensional arrays with reduced disk
 * seeking, Concordia University, 2020: chapters 2 and 3, Eq. 2 and 3, Algorithms 1 and 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_RECHUNK_H
#define XTA_RECHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/partition.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The strategy that makes the plan. */
typedef enum xta_rechunk_strategy {
    XTA_RECHUNK_SWEEP = 0, /**< components, working ends by thickness, cuts by shortest path; never
                                more runs than another strategy, and for equally many runs never
                                more bytes */
    XTA_RECHUNK_KEEP = 1,  /**< [KEEP] Algorithms 1 and 2, with errata applied */
    XTA_RECHUNK_BASELINE = 2, /**< [KEEP] 2.5: read a block, write its pieces immediately */
    XTA_RECHUNK_SPLIT = 3,    /**< one-sided: slabs of input blocks are read, and outputs written
                                   from them ("multiple reads" in the work that [KEEP] builds on) */
    XTA_RECHUNK_MERGE = 4     /**< one-sided: slabs of output blocks are filled from all inputs they
                                   intersect ("clustered") */
} xta_rechunk_strategy;

/** The method, within a strategy, that made the plan. */
typedef enum xta_rechunk_method {
    XTA_RECHUNK_BY_NOTHING = 0,       /**< there are no cells */
    XTA_RECHUNK_BY_WHOLE_BLOCKS = 1,  /**< no block is cut */
    XTA_RECHUNK_BY_SLABS = 2,         /**< one axis is cut where that adds the fewest runs */
    XTA_RECHUNK_BY_THIN_SLABS = 3,    /**< nothing is kept in memory from slab to slab */
    XTA_RECHUNK_BY_INPUT_SLABS = 4,   /**< as many input blocks as fit at a time */
    XTA_RECHUNK_BY_OUTPUT_SLABS = 5,  /**< as many output blocks as fit at a time */
    XTA_RECHUNK_BY_READ_SHAPE = 6,    /**< keep: reads of one shape */
    XTA_RECHUNK_BY_GRID = 7,          /**< sweep uses the plan of keep */
    XTA_RECHUNK_BY_SINGLE_BLOCKS = 8, /**< baseline: one input block at a time */
    XTA_RECHUNK_BY_BUFFERS = 9, /**< keep: buffers that are uneven, mirrored or in another order */
} xta_rechunk_method;

/** What keep may do beyond [KEEP] 3.2, as its section 4.1 proposes; flags. Sweep uses the plan of
 * keep where that is cheaper, and then these as well. */
typedef enum xta_rechunk_variant {
    XTA_VARIANT_ANY_ORDER = 1,  /**< buffers follow one another in any order of axes */
    XTA_VARIANT_UNEVEN = 2,     /**< buffers need not be of one length on an axis: they end where
                                    blocks end, or divide blocks evenly */
    XTA_VARIANT_MIRRORED = 4,   /**< on an axis, buffers may be of what is written: inputs are then
                                    read ahead, or cut, instead of outputs */
    XTA_VARIANT_WHOLE_READS = 8 /**< keep only: no input block is cut, so that reading takes one run
                                     for each */
} xta_rechunk_variant;

/** What the memory budget counts. */
typedef enum xta_rechunk_account {
    XTA_ACCOUNT_LIVE = 0, /**< cells read and not yet written, as [KEEP] counts */
    XTA_ACCOUNT_ALLOCATED =
        1 /**< every byte of a buffer for cells (pending pieces and staging), and the bytes of the
               tables of pieces beyond XTA_RECHUNK_FREE_TABLES */
} xta_rechunk_account;

/** Bytes of tables that a run needs for each pending piece, in addition to its cells; and the total
 * up to which ALLOCATED does not count them. */
#define XTA_RECHUNK_TABLE_BYTES(ndim) (192 + 32 * (uint64_t)(ndim))
#define XTA_RECHUNK_FREE_TABLES       ((uint64_t)16 << 20)

/** How a run keeps cells between reading and writing. The memory of a piece is allocated when it is
 * read, and freed after the write that uses its last cell. */
typedef enum xta_rechunk_hold {
    XTA_HOLD_PIECES = 0, /**< each piece read is one buffer of its cells; in addition there is one
                              staging buffer, for writing */
    XTA_HOLD_FRAGMENTS =
        1 /**< each piece read is distributed, row by row, to one buffer for each output block that
               it intersects, rounded up to a multiple of 64 bytes plus 64 more; in addition there
               are two staging buffers */
} xta_rechunk_hold;

/** What to repartition. Start from XTA_RECHUNK_PROBLEM_INIT. */
typedef struct xta_rechunk_problem {
    size_t struct_size; /**< sizeof(xta_rechunk_problem) */
    xta_box bounds;     /**< the cells */
    xta_partition from;
    xta_partition to;
    xta_block_home from_home;
    xta_block_home to_home;
    uint64_t cell_bytes;
    uint64_t memory_bytes;
    xta_rechunk_account account;
    xta_rechunk_strategy strategy;
    /** Bytes of a staging buffer of a run, part of ALLOCATED. 0: an eighth of the memory budget, at
     * most 8 MiB, at least one row of the longest block; at least one block if only whole blocks
     * can be moved. */
    uint64_t staging_bytes;
    bool from_column;  /**< in the source's blocks the first axis is the fastest */
    bool to_column;    /**< the same for the target's blocks */
    unsigned variants; /**< of keep: XTA_VARIANT_... */
    /** Keep only: axes (bit d) on which nothing is held from one buffer to the next, so that what a
     * buffer has of an output block is written at once. */
    unsigned pass_axes;
    xta_partition buffer; /**< keep only: these read buffers, of any lengths; ndim 0: searched */
} xta_rechunk_problem;
#define XTA_RECHUNK_PROBLEM_INIT                                                              \
    {                                                                                         \
        sizeof(xta_rechunk_problem), {0, {0}, {0}}, {0, {{0, 0, 0, 0}}}, {0, {{0, 0, 0, 0}}}, \
            XTA_BLOCKS_FILES, XTA_BLOCKS_FILES, 0, 0, XTA_ACCOUNT_LIVE, XTA_RECHUNK_SWEEP, 0, \
            false, false, 0, 0,                                                               \
        {                                                                                     \
            0,                                                                                \
            {                                                                                 \
                {                                                                             \
                    0, 0, 0, 0                                                                \
                }                                                                             \
            }                                                                                 \
        }                                                                                     \
    }

/** What a plan will do. Bytes are bytes of cells; a clipped block counts as its clipped size,
 * except in XTA_BLOCKS_CHUNKS, where a block moved whole moves its whole slot, and in
 * XTA_BLOCKS_WHOLE, where each read moves a whole block. */
typedef struct xta_rechunk_facts {
    xta_rechunk_strategy strategy; /**< the requested one */
    const char *way;               /**< the name of `method` */
    xta_rechunk_hold hold; /**< ALLOCATED: the one with the fewest runs; LIVE: pieces if they also
                                fit */
    uint64_t n_from;       /**< number of input blocks */
    uint64_t n_to;         /**< number of output blocks */
    uint64_t n_reads;
    uint64_t n_writes; /**< number of pieces moved */
    uint64_t read_runs;
    uint64_t write_runs; /**< R of each side */
    uint64_t read_seeks;
    uint64_t write_seeks; /**< T of each side */
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t peak_live_bytes;
    /** The most that a run with one thread allocates: exact, unless a component has more than about
     * a million pieces; then an upper bound. */
    uint64_t peak_allocated_bytes;
    uint64_t staging_bytes;           /**< bytes of a staging buffer */
    uint64_t n_components;            /**< components: parts that share no block and can run
                                           concurrently */
    int64_t read_shape[XTA_MAX_NDIM]; /**< of keep, baseline, split, merge: the shape of one read;
                                           zeros if there is none */
    bool at_lower_bound;              /**< read_runs + write_runs == n_from + n_to */
    xta_rechunk_method method;        /**< which method within the strategy made the plan */
    int buffer_order[XTA_MAX_NDIM];   /**< where read_shape is set: its axes, the slowest first */
    unsigned uneven_axes; /**< axes (bit d) with buffers of several lengths; read_shape: longest */
    unsigned mirrored_axes; /**< axes (bit d) whose buffers are of what is written */
} xta_rechunk_facts;

/** One operation of a plan. */
typedef struct xta_rechunk_op {
    bool write;                  /**< false: a piece is read */
    bool whole;                  /**< the piece is all of its block (within the bounds) */
    int64_t block[XTA_MAX_NDIM]; /**< number of the block on each axis, from 0 */
    xta_box piece;               /**< its cells, within bounds */
    uint64_t component;          /**< number of the component */
    uint64_t runs;               /**< number of contiguous runs of the piece in its block */
} xta_rechunk_op;

typedef struct xta_rechunk_plan xta_rechunk_plan; /**< Opaque; immutable once made. */
typedef struct xta_rechunk_iterator
    xta_rechunk_iterator; /**< A plan iterator: a position in the list of operations. */

/** Make a plan. Pure; the problem is copied, including its edges.
 * @param[in]  problem  what to repartition
 * @param[out] plan     to be freed by xta_rechunk_plan_free; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG      bounds, cuts or sizes are invalid; the text names the axis
 * @retval XTA_EUNSUPPORTED  the strategy writes pieces of blocks, the target accepts only whole
 *                           ones
 * @retval XTA_ENOMEM    not possible within `memory_bytes` (the text ends with "; N bytes are
 *                       enough", and N is), or no memory for the plan itself
 * @par Cost
 * Milliseconds, independent of the number of cells; depends on the number of blocks only for
 * irregular cuts, or for cuts that never coincide.
 */
XTA_API XTA_MUST_CHECK xta_status xta_rechunk_plan_new(const xta_rechunk_problem *problem,
                                                       xta_rechunk_plan **plan, xta_error *err);
XTA_API void xta_rechunk_plan_free(xta_rechunk_plan *plan);

/** Facts about a plan; valid as long as the plan. */
XTA_API const xta_rechunk_facts *xta_rechunk_plan_facts(const xta_rechunk_plan *plan);

/** Iterate over the operations of components `first` to `first + n - 1` in the order in which they
 * run. The plan must outlive the iterator; iterators are independent of each other. Each piece lies
 * in one block. Every cell of the bounds is in one piece that is read and in one that is written,
 * and read before it is written. A block of an XTA_BLOCKS_WHOLE source may be read for several
 * pieces.
 * @retval XTA_EARG    there are no such components
 * @retval XTA_ENOMEM  no memory
 */
XTA_API XTA_MUST_CHECK xta_status xta_rechunk_iterator_new(const xta_rechunk_plan *plan,
                                                           uint64_t first, uint64_t n,
                                                           xta_rechunk_iterator **walk,
                                                           xta_error *err);
/** The next operation; false at the end. */
XTA_API bool xta_rechunk_iterator_next(xta_rechunk_iterator *walk, xta_rechunk_op *op);
XTA_API void xta_rechunk_iterator_free(xta_rechunk_iterator *walk);

/** "sweep", "keep", "baseline", "split", "merge". */
XTA_API const char *xta_rechunk_strategy_name(xta_rechunk_strategy strategy);

/** "nothing to do", "lower bound", "slabs", "thin slabs", "slabs of input blocks", "slabs of output
 * blocks", "reads of one shape", "grid", "baseline", "buffers". */
XTA_API const char *xta_rechunk_method_name(xta_rechunk_method method);

/** What a method does and when it is used, as one sentence without a full stop. */
XTA_API const char *xta_rechunk_method_reason(xta_rechunk_method method);

#ifdef __cplusplus
}
#endif
#endif
