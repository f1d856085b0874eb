/** @file
 * Repartitioning: cells go from blocks of one shape into blocks of another, within a memory limit.
 *
 * A source and a target are a grid of blocks each (<xta/block_grid.h>): an XTA array, a folder of
 * block files, a variable of a foreign file, one dense file. xta_repartition_run makes a plan
 * (<xta/rechunk.h>) and runs it: reading and writing overlap on two threads, finished blocks are
 * noted in a resume file, and the source is never written to.
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

/** How far a run has come. */
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
    uint64_t memory_bytes;    /**< limit of all buffers for cells; 0: 1 GiB */
    int n_threads;            /**< 1, or 2: reading and writing overlap; 0: 2 */
    const char *resume_path;  /**< notes of finished blocks; NULL: not resumable */
    bool resume;              /**< go on where the notes end */
    bool verify;              /**< read both sides again at the end and compare every cell */
    uint64_t first_component; /**< the part of the plan to run, for several processes */
    uint64_t n_components;    /**< 0: all from the first on */
    /** Called on the caller's thread some twenty times a second, and at the end; anything but 0
     * stops the run. */
    int (*report)(void *user, const xta_repartition_progress *progress);
    void *user; /**< given to `report` */
} xta_repartition_options;
#define XTA_REPARTITION_OPTIONS_INIT                                                          \
    {                                                                                         \
        sizeof(xta_repartition_options), XTA_RECHUNK_SWEEP, 0, 0, 0, false, false, 0, 0, 0, 0 \
    }

/** What a run did, without the pass that verifies (but for its peak). */
typedef struct xta_repartition_report {
    uint64_t reads; /**< system calls that moved cells, but for those by the mapping or the cache of
                         an array; calls of the grid where it does not count them */
    uint64_t writes;
    uint64_t runs_read; /**< R, as counted by the plan */
    uint64_t runs_written;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t peak_bytes;     /**< of buffers for cells; never above the limit */
    uint64_t blocks_resumed; /**< that were finished before this run */
    double seconds;
} xta_repartition_report;

/** The plan that xta_repartition_run would make.
 *
 * @param[in]  from     source
 * @param[in]  to       target
 * @param[in]  options  NULL: the defaults
 * @param[out] plan     to be freed by the caller; NULL on failure
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG     bounds or partitions do not fit together
 * @retval XTA_ETYPE    types differ
 * @retval XTA_ENOMEM   the limit is too small; the text says what would be enough
 */
XTA_API XTA_MUST_CHECK xta_status xta_repartition_plan(const xta_blocks *from, const xta_blocks *to,
                                                       const xta_repartition_options *options,
                                                       xta_rechunk_plan **plan, xta_error *err);

/** At most how many system calls move cells when a plan is run between grids that count them: runs
 * that follow each other are moved by one call, and long ones in slices of about 1 MiB, or of the
 * staging buffer if that is shorter. Pure. */
XTA_API void xta_repartition_calls(const xta_rechunk_facts *facts, uint64_t *reads,
                                   uint64_t *writes);

/** Repartition.
 *
 * Not collective. Bounds and types of both sides must be equal. The source is never written to. On
 * failure the target is incomplete, and the resume file says what is finished; after success there
 * is no resume file, and with one the target has been synced.
 *
 * A resume file is begun by a run with `resume_path`. With `resume` too, the run goes on with the
 * file if there is one: blocks that it names are neither read nor written again. Strategy, limit
 * and number of threads may differ from the run before; the source must not have changed.
 *
 * @param[in]  from     source
 * @param[in]  to       target
 * @param[in]  options  NULL: the defaults
 * @param[out] report   NULL if not wanted; filled in on failure too
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EARG      bounds or partitions do not fit together
 * @retval XTA_ETYPE     types differ
 * @retval XTA_ENOMEM    the limit is too small; the text says what would be enough
 * @retval XTA_EEXIST    there is a resume file, and `resume` is not set
 * @retval XTA_ESTATE    the resume file belongs to another source or target
 * @retval XTA_ECORRUPT  verification found a difference; the text says where. There is no resume
 *                       file then: nothing of the target is to be trusted
 * @retval XTA_ECANCELLED  `report` asked to stop
 * @par Cost
 * The plan's operations, neighbours joined, large ones in slices; one copy of each cell in memory
 * (two where pieces are distributed to parts). Beside the limit, at most 16 MiB of tables and what
 * the grids themselves need.
 */
XTA_API XTA_MUST_CHECK xta_status xta_repartition_run(xta_blocks *from, xta_blocks *to,
                                                      const xta_repartition_options *options,
                                                      xta_repartition_report *report,
                                                      xta_error *err);

/** Give an array another chunk shape or order in its place.
 *
 * The new array is made beside the old one (`path.rechunk`), made durable, and put in its place so
 * that whenever the machine stops there is the old array or the new one, whole. The structure is
 * locked meanwhile: others who want to change it wait, and are then told to open the array again.
 * Nobody may write cells: if the data file was changed nothing is replaced. Symbolic links are
 * followed, and the new files have owner, mode, access control list and user attributes of the old
 * ones.
 *
 * After a failure the old array is as it was. What was made of the new one is removed, but kept
 * with its notes (`path.rechunk.notes`) if the run was cancelled or the disk was full; with
 * `resume` in `options` it is then continued, else begun again. `resume_path` is not used. The
 * history and the uuid of the array begin anew.
 *
 * @param[in]  path     as for xta_array_open
 * @param[in]  changes  as for xta_array_create_like
 * @param[in]  options  NULL: the defaults
 * @param[out] report   NULL if not wanted
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_ESTATE   cells were written meanwhile; nothing has been replaced
 * @retval XTA_EACCESS  a file has several names (hard links), belongs to another user whose files
 *                      only root may make, or links have put the two files apart
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
