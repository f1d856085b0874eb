/** @file
 * Chunk shapes for known queries: how many chunks a query accesses on average, and for which shape
 * of a given size that number is lowest.
 *
 * Everything here is pure: shapes in, numbers out. <xta/access.h> records what a program reads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_TUNE_H
#define XTA_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One kind of access: a box of a certain shape, anywhere or at a fixed place. */
typedef struct xta_query {
    double weight; /**< how often, in any unit; above 0 */
    bool placed;   /**< at `lo`; false: all places within the bounds are equally likely */
    int64_t lo[XTA_MAX_NDIM];     /**< first cell, if placed */
    int64_t length[XTA_MAX_NDIM]; /**< cells on each axis, >= 1; clipped to the bounds */
    int64_t step[XTA_MAX_NDIM];   /**< every step-th cell of them; 0 and 1: every cell */
} xta_query;

/** The average number of chunks that a query accesses. Pure.
 *
 * Chunk borders are at multiples of the chunk lengths, as in arrays. The average is exact: over all
 * places of a query within the bounds, not over those of an endless array, where it would be
 * (length - 1) / chunk + 1 on each axis.
 *
 * @param[in]  bounds     the cells of the array; no axis may be empty
 * @param[in]  chunk      cells of a chunk on each axis, >= 1
 * @param[in]  queries    each of the bounds' number of axes
 * @param[in]  n_queries  at least 1
 * @param[out] cost       the weighted mean; untouched on failure
 * @retval XTA_EARG  an empty axis, a length, step, chunk or weight out of range, a placed query
 *                   that begins outside the bounds
 * @par Cost
 * O(queries * axes), independent of the bounds.
 * @par Source
 * [CXA] 5.2, Eq. 5.2.1 and 5.2.2; [ORS] 3.2. */
XTA_API XTA_MUST_CHECK xta_status xta_tune_cost(const xta_box *bounds, const int64_t chunk[],
                                                const xta_query *queries, size_t n_queries,
                                                double *cost);

/** What to optimise. Start from XTA_TUNE_PROBLEM_INIT. */
typedef struct xta_tune_problem {
    size_t struct_size; /**< sizeof(xta_tune_problem) */
    const xta_box *bounds;
    size_t cell_bytes;
    uint64_t chunk_bytes; /**< the largest allowed chunk; 0: 1 MiB */
    bool powers_of_two;   /**< as Morton and Hilbert order require */
    const xta_query *queries;
    size_t n_queries;
} xta_tune_problem;
#define XTA_TUNE_PROBLEM_INIT                          \
    {                                                  \
        sizeof(xta_tune_problem), 0, 0, 0, false, 0, 0 \
    }

/** The result of xta_tune_shape. */
typedef struct xta_tune_answer {
    int64_t chunk[XTA_MAX_NDIM];
    uint64_t chunk_bytes;
    double cost;        /**< as computed by xta_tune_cost */
    bool exact;         /**< no shape of at most `chunk_bytes` of the problem costs less */
    double lower_bound; /**< no shape costs less than this; 0: unknown */
} xta_tune_answer;

/** Find the chunk shape for which the queries access the fewest chunks. Pure; thread-safe.
 *
 * Among shapes of equal cost a larger and more even one is chosen, never one longer than the bounds
 * need.
 *
 * @param[in]  problem  what to optimise
 * @param[out] answer   untouched on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG   bounds, queries or sizes are invalid; the text names query and axis
 * @retval XTA_ENOMEM no memory for the tables
 * @par Cost
 * A few tenths of a second for about a hundred kinds of queries and chunks of up to a million
 * cells; the search stops after a fixed amount of work, and then `exact` is false.
 * @par Source
 * [CXA] 5.1 and 5.2; [SS] and [ORS] 3.2 for queries as weighted shapes; [ORS] for geometric
 * programming, whose dual is the lower bound here. */
XTA_API XTA_MUST_CHECK xta_status xta_tune_shape(const xta_tune_problem *problem,
                                                 xta_tune_answer *answer, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
