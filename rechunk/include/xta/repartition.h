/** @file
 * Repartitioning: cells move from blocks of one shape into blocks of another, within a memory
 * budget.
 *
 * The source and the target are grids of blocks (<xta/block_grid.h>): an XTA array, a folder of
 * block files, a variable of a foreign file, one dense file. xta_repartition_run makes a plan
 * (<xta/rechunk.h>) and runs it: reading and writing overlap on two threads, finished blocks are
 * recorded in a resume log, and the source is never written to.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_REPARTITION_H
#define XTA_REPARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/block_grid.h>
#include <xta/create_like.h>
#include <xta/rechunk.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The progress of a run. */
typedef struct xta_repartition_progress {
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t bytes_total; /**< to be written */
    uint64_t blocks_done; /**< output blocks */
    uint64_t blocks_total;
    double seconds; /**< since the beginning of this run */
} xta_repartition_progress;

/** How to repartition. Start from XTA_REPARTITION_OPTIONS_INIT. */
typedef struct xta_repartition_options {
    size_t struct_size; /**< sizeof(xta_repartition_options) */
    xta_rechunk_strategy strategy;
    uint64_t memory_bytes;    /**< memory budget: limit on all buffers for cells; 0: 1 GiB */
    int n_threads;            /**< 1, or 2: reading and writing overlap; 0: 2 */
    const char *resume_path;  /**< resume log of finished blocks; NULL: not resumable */
    bool resume;              /**< continue from where the resume log ends */
    bool verify;              /**< read both sides again at the end, and compare every cell */
    uint64_t first_component; /**< first component of the plan to run, when several processes share
                                   it */
    uint64_t n_components;    /**< number of components; 0: all from the first on */
    /** Called in the caller's thread about twenty times a second, and at the end; a result other
     * than 0 stops the run. */
    int (*report)(void *user, const xta_repartition_progress *progress);
    void *user;        /**< passed to `report` */
    unsigned variants; /**< of keep: XTA_VARIANT_... */
    xta_partition
        buffer; /**< keep only: these read buffers; ndim 0: searched. Edges are borrowed for
                               the call */
} xta_repartition_options;
#define XTA_REPARTITION_OPTIONS_INIT                                                              \
    {                                                                                             \
        sizeof(xta_repartition_options), XTA_RECHUNK_SWEEP, 0, 0, 0, false, false, 0, 0, 0, 0, 0, \
        {                                                                                         \
            0,                                                                                    \
            {                                                                                     \
                {                                                                                 \
                    0, 0, 0, 0                                                                    \
                }                                                                                 \
            }                                                                                     \
        }                                                                                         \
    }

/** What a run did, without the verification pass (but including its peak memory). */
typedef struct xta_repartition_report {
    uint64_t reads; /**< system calls that moved cells, except those through the mapping or the
                         cache of an array; calls of the grid, if that does not count system
                         calls */
    uint64_t writes;
    uint64_t runs_read; /**< R, as counted by the plan */
    uint64_t runs_written;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t peak_bytes;     /**< peak memory of buffers for cells; never above the memory budget */
    uint64_t blocks_resumed; /**< blocks that were finished before this run */
    double seconds;
} xta_repartition_report;

/** The plan that xta_repartition_run would make.
 *
 * @param[in]  from     source
 * @param[in]  to       target
 * @param[in]  options  NULL: the defaults
 * @param[out] plan     to be freed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG     bounds or partitions do not match
 * @retval XTA_ETYPE    types differ
 * @retval XTA_ENOMEM   the memory budget is too small; the text says how much would be enough
 */
XTA_API XTA_MUST_CHECK xta_status xta_repartition_plan(const xta_blocks *from, const xta_blocks *to,
                                                       const xta_repartition_options *options,
                                                       xta_rechunk_plan **plan, xta_error *err);

/** An upper bound on the system calls that move cells when a plan runs between grids that count
 * them: adjacent runs are moved by one call, and long ones in slices of about 1 MiB, or of the
 * staging buffer if that is shorter. Pure. */
XTA_API void xta_repartition_calls(const xta_rechunk_facts *facts, uint64_t *reads,
                                   uint64_t *writes);

/** Repartition.
 *
 * Not collective. Bounds and types of both sides must be equal. The source is never written to. On
 * failure the target is incomplete, and the resume log says which blocks are finished. On success
 * the resume log is removed; if there was one, the target has been synced.
 *
 * A run with `resume_path` starts a resume log. If `resume` is also set, the run continues with an
 * existing log: blocks that it names are neither read nor written again. Strategy, memory budget
 * and number of threads may differ from the earlier run; the source must not have changed.
 *
 * @param[in]  from     source
 * @param[in]  to       target
 * @param[in]  options  NULL: the defaults
 * @param[out] report   NULL if not wanted; filled in on failure too
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG      bounds or partitions do not match
 * @retval XTA_ETYPE     types differ
 * @retval XTA_ENOMEM    the memory budget is too small; the text says how much would be enough
 * @retval XTA_EEXIST    there is a resume log, and `resume` is not set
 * @retval XTA_ESTATE    the resume log belongs to another source or target
 * @retval XTA_ECORRUPT  verification found a difference; the text says where. The resume log is
 *                       then removed, since nothing in the target can be trusted
 * @retval XTA_ECANCELLED  `report` asked to stop
 * @par Cost
 * The plan's operations, adjacent ones joined, large ones in slices; one copy of each cell in
 * memory (two with XTA_HOLD_FRAGMENTS). In addition to the memory budget, at most 16 MiB of tables
 * and what the grids themselves need.
 */
XTA_API XTA_MUST_CHECK xta_status xta_repartition_run(xta_blocks *from, xta_blocks *to,
                                                      const xta_repartition_options *options,
                                                      xta_repartition_report *report,
                                                      xta_error *err);

/** Change the chunk shape or order of an array in place.
 *
 * The new array is created beside the old one (`path.rechunk`), made durable, and put in its place
 * atomically: after a crash at any time either the complete old array or the complete new one is
 * there. Meanwhile the structure is locked: other processes that change it wait, and their calls
 * then fail with a text that says to open the array again. No process may write cells: if the data
 * file has changed, nothing is replaced. Symbolic links are followed, and the new files have owner,
 * mode, access control list and user attributes of the old ones.
 *
 * After a failure the old array is unchanged. The incomplete new one is removed, unless the run was
 * cancelled or the disk was full: then it is kept with its resume log (`path.rechunk.notes`), and a
 * later call with `resume` in `options` continues it; without it, the call starts again.
 * `resume_path` is not used. The array gets a new history and a new UUID.
 *
 * @param[in]  path     as for xta_array_open
 * @param[in]  changes  as for xta_array_create_like
 * @param[in]  options  NULL: the defaults
 * @param[out] report   NULL if not wanted
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_ESTATE   cells were written meanwhile; nothing has been replaced
 * @retval XTA_EACCESS  a file has several names (hard links) or belongs to another user, for whom
 *                      only root may create files, or symbolic links lead to files in different
 *                      folders
 * @par Cost
 * That of xta_repartition_run; disk space for both arrays; four fsync.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_rechunk(const char *path,
                                                    const xta_create_options *changes,
                                                    const xta_repartition_options *options,
                                                    xta_repartition_report *report, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
