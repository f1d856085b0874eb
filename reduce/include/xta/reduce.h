/** @file
 * Reductions: statistics over whole axes of an array, in one pass, with the same bits for any
 * number of threads and processes, any shape of chunks and any history of growth.
 *
 * @par The sum
 * A result cell has one input cell for each coordinate of the reduced axes, a1 < a2 < ... < am. Its
 * sum is defined by these coordinates alone. Every partial sum starts at +0.0, so cells that do not
 * count (outside the bounds, of other groups, missing, NaN) might as well be +0.0, and no partial
 * sum is ever -0.0. All arithmetic is in double; nothing is contracted.
 * - Coordinates are divided into blocks of 1024 on each reduced axis: block floor(c / 1024),
 *   anchored at coordinate 0, negative ones too.
 * - On the last reduced axis am, within its block, lane c mod 8 (0 to 7 also for negative c) adds
 *   its cells in ascending order. The eight lanes are folded in halves:
 *   ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7)).
 * - On each other reduced axis, from the last to the first, the sums of the axes behind it are
 *   added in ascending order of the coordinate within the block: one chain.
 * - The block sums form a tree on each axis, from the last reduced axis to the first. A node of
 *   level l and index i covers the blocks [i 2^l, (i + 1) 2^l), and is its lower half plus its
 *   upper half. The blocks below 0 and those from 0 on are two trees, which are added last, the
 *   negative one first. A half without blocks is left out.
 *
 * Growth at either end adds blocks and completes nodes; it changes no node that was complete.
 *
 * @par The other statistics
 * The count is that of the cells that count. The sum of integers (and bools) is exact; one that
 * int64 (of unsigned types uint64) cannot hold is an error. The mean is the sum, of integers
 * rounded once, divided by the count. The variance is M2 / (count - ddof): for each lane the pivot
 * is its first counted cell p, and with s and q the lane's sums of (x - p) and (x - p)^2 in
 * ascending order its mean is p + s / n and its M2 is q - s (s / n); since p belongs to the lane
 * little cancels. Lanes, chains and tree merge (n, mean, M2) by Chan's formula in place of each
 * addition of the sum; an empty side leaves the other unchanged. Minimum and maximum do not depend
 * on any order; a zero is +0.0. Every NaN result is the same quiet NaN.
 *
 * @par Which cells count
 * A missing value never counts (of floats compared as numbers; NaN is allowed). NaN cells that are
 * not missing do not count either, but with `propagate_nan` a single one makes sum, mean, variance,
 * minimum and maximum NaN. Cells that were never written hold the array's fill value and count as
 * any other; set `missing` to the fill value if they should not. Where fewer than `min_count` cells
 * count, every statistic but the count has no value; nor has the mean, the minimum and the maximum
 * of no cell, and the variance of `ddof` cells or fewer. The sum of no cell is 0. No value is NaN
 * in float results; in integer results the least value of a signed type and the greatest of an
 * unsigned one. It is the fill value of the result array. Sums, minima and maxima of integers may
 * have these values, too: the count tells which is the case.
 *
 * @par Source
 * [CXA] 1, 10.1.5 (aggregation along growing dimensions); the tree is that of pairwise summation
 * (Higham, Accuracy and Stability of Numerical Algorithms, 4.2) with fixed nodes; merging moments:
 * Chan, Golub and LeVeque, Updating formulae and a pairwise algorithm for computing sample
 * variances (1979), eq. 2.1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_REDUCE_H
#define XTA_REDUCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/communicator.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is computed of the cells of one result. */
typedef enum xta_reduce_statistic {
    XTA_REDUCE_COUNT = 0, /**< u64 */
    XTA_REDUCE_SUM = 1,   /**< f64; of integers i64, of unsigned integers and bool u64 */
    XTA_REDUCE_MEAN = 2,  /**< f64 */
    XTA_REDUCE_MIN = 3,   /**< the array's type */
    XTA_REDUCE_MAX = 4,   /**< the array's type */
    XTA_REDUCE_VAR = 5,   /**< f64 */
    XTA_REDUCE_STATISTICS = 6
} xta_reduce_statistic;

/** The most groups of a reduction. */
#define XTA_REDUCE_MOST_GROUPS ((int64_t)1 << 24)

/** The memory budget if the options give none: 512 MiB. */
#define XTA_REDUCE_MEMORY_BYTES ((uint64_t)512 << 20)

/** What to reduce, and how. Start from XTA_REDUCE_OPTIONS_INIT. */
typedef struct xta_reduce_options {
    size_t struct_size; /**< sizeof(xta_reduce_options) */
    const int *axes;    /**< reduced axes, ascending; NULL: all axes */
    int n_axes;
    /** The axis whose coordinates are grouped, one of the reduced ones: it remains in the result,
     * with one coordinate for each group. Used if `labels` or `group_length` is set. */
    int group_axis;
    /** A label for each coordinate of the bounds of `group_axis`. Each label >= 0 is a group; the
     * result's coordinates 0, 1, ... are the labels in ascending order. Coordinates with a negative
     * label belong to no group. NULL: none. */
    const int64_t *labels;
    int64_t n_labels;      /**< the length of `group_axis` */
    int64_t group_length;  /**< above 0: the groups are floor(coordinate / group_length), which is
                               also their coordinate in the result. 0: none */
    const void *missing;   /**< one cell of the array's type that does not count; NULL: none */
    bool propagate_nan;    /**< a NaN makes the result NaN; false: NaN is skipped */
    uint64_t min_count;    /**< the fewest cells that give a value; 0: see above */
    uint64_t ddof;         /**< the variance is M2 / (count - ddof); 0: of a population */
    int threads;           /**< 1 to 1024; 0: as many as the process may use */
    uint64_t memory_bytes; /**< memory budget of this process, without the results; 0: 512 MiB */
    const xta_communicator *communicator; /**< who shares the work; NULL: this process alone */
    const xta_box
        *box; /**< reduce these cells, within the bounds, and no others; NULL: all. What is
                             said about the bounds is then said about the box */
} xta_reduce_options;
#define XTA_REDUCE_OPTIONS_INIT                                                  \
    {                                                                            \
        sizeof(xta_reduce_options), 0, 0, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, 0, 0 \
    }

/** Facts about a reduction. */
typedef struct xta_reduce_facts {
    xta_box bounds;        /**< of the array that was reduced, or the box */
    uint64_t n_cells;      /**< cells in these bounds; each is read once, by one member */
    uint64_t n_cells_read; /**< by this member */
    uint64_t n_groups;     /**< 1 without groups */
    uint64_t n_tiles;      /**< parts of the result that were computed one after the other */
    uint64_t memory_bytes; /**< peak memory of this member */
} xta_reduce_facts;

/** "count", "sum", "mean", "min", "max" or "var"; "?" for a value that is none. Never fails. */
XTA_API const char *xta_reduce_statistic_name(xta_reduce_statistic statistic);

/** The type of the results of a statistic. Never fails.
 * @param[in] statistic  which
 * @param[in] type       of the array to be reduced */
XTA_API xta_type xta_reduce_result_type(xta_reduce_statistic statistic, xta_type type);

/** The distinct labels >= 0 in ascending order: label k is that of coordinate k of the result.
 * @param[in]  labels    any; may be NULL if `n_labels` is 0
 * @param[in]  n_labels  how many
 * @param[out] distinct  to be freed with free(); NULL on failure or if there are none
 * @param[out] n         how many
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_ENOMEM  out of memory */
XTA_API XTA_MUST_CHECK xta_status xta_reduce_distinct_labels(const int64_t *labels,
                                                             int64_t n_labels, int64_t **distinct,
                                                             size_t *n, xta_error *err);

/** Create the array for the results of one statistic: the axes that remain, with their coordinates
 * (negative ones too), names and units. The grouped axis has a coordinate for each group and, with
 * `labels`, the attribute "labels" (i64). If no axis remains, there is one of length 1 named "all".
 *
 * Results that lie far from coordinate 0 occupy no more memory, and no more blocks of a disk, than
 * their chunks: the coordinates before them are a hole, which counts in the length of the file.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  array      to be reduced
 * @param[in]  options    NULL: all axes
 * @param[in]  statistic  which
 * @param[in]  path       as for xta_array_create; NULL: an array in memory
 * @param[out] out        to be closed by the caller; NULL on failure
 * @param[out] err        why it failed; then no file is left behind
 * @retval XTA_EARG   options that do not fit the array
 * @retval XTA_EBOX   the box leaves the bounds
 * @retval XTA_ETYPE  the array holds complex numbers, bytes or text */
XTA_API XTA_MUST_CHECK xta_status xta_reduce_create(xta_array *array,
                                                    const xta_reduce_options *options,
                                                    xta_reduce_statistic statistic,
                                                    const char *path, xta_array **out,
                                                    xta_error *err);

/** Reduce an array over axes, into arrays made by xta_reduce_create with the same options.
 *
 * Collective over options->communicator: all members pass the same array (each its own handle) at
 * the same structural step, the same statistics and the same options but threads and results; each
 * reads its share of the cells. Without a communicator not collective, and safe from several
 * threads.
 *
 * @param[in]  array         open; its bounds must not change meanwhile
 * @param[in]  options       NULL: all axes, NaN skipped
 * @param[in]  statistics    which, in any order
 * @param[in]  n_statistics  1 to XTA_REDUCE_STATISTICS
 * @param[in]  results       an array for each statistic, writable. NULL: this member only computes
 * @param[out] facts         NULL if not wanted; zeros on failure
 * @param[out] err           why it failed; NULL if not wanted. The results are then unspecified
 * @retval XTA_EARG    options or statistics that do not fit the array; members that disagree (the
 *                     text, the same for all, says about what; nothing was computed)
 * @retval XTA_EBOX    a result has other bounds than xta_reduce_create gives it, or the box leaves
 *                     the bounds
 * @retval XTA_ETYPE   the array holds complex numbers, bytes or text, or a result has another type
 * @retval XTA_ERANGE  a sum of integers leaves 64 bits; the text names the result cell
 * @retval XTA_ENOMEM  the memory budget is too small; the text says how much is enough
 * @par Cost
 * Each cell is read once. Where cells lie in row order they are taken from the mapping or the chunk
 * cache, without a copy. Memory: what a part of the result needs for each block of 1024^m cells,
 * within the budget, and a share for each thread. */
XTA_API XTA_MUST_CHECK xta_status xta_reduce(xta_array *array, const xta_reduce_options *options,
                                             const xta_reduce_statistic statistics[],
                                             int n_statistics, xta_array *const results[],
                                             xta_reduce_facts *facts, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
