/* Private header: the resume log, a file that lists the finished output blocks.
 *
 * It has lines of text, each with a checksum over the rest of the line:
 *
 *   xta repartition 1 FINGERPRINT BOOT CRC     the first, and again when a run goes on
 *   block NUMBER CRC                           the cells of a block were handed to the system
 *   synced CRC                                 all noted so far has reached the disk
 *
 * After a kill, all complete lines are valid. After a loss of power (the system's boot number has
 * changed), only blocks before the last `synced` are. Reading ends at a line that is incomplete or
 * damaged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_RESUME_LOG_H
#define XTA_EXECUTOR_RESUME_LOG_H

#include "executor/block_map.h"
#include "util/os.h"

typedef struct xta__resume_log {
    xta__file file;
    uint64_t end;
    bool dirty; /* has lines since the last `synced` */
} xta__resume_log;

/* Create a resume log at `path` or, with `resume`, continue the existing one: `finished` then holds
 * the blocks below n_blocks that it lists. XTA_EEXIST: there is a log, and `resume` is not set;
 * XTA_ESTATE: it belongs to another repartition. */
xta_status xta__resume_log_open(xta__resume_log *log, const char *path, uint32_t fingerprint,
                                bool resume, uint64_t n_blocks, xta__block_map *finished,
                                xta_error *err);
xta_status xta__resume_log_add(xta__resume_log *log, uint64_t block, xta_error *err);

/* Record, durably, that the target is durable. */
xta_status xta__resume_log_synced(xta__resume_log *log, xta_error *err);

/* Close the log; with `remove`, delete its file. */
xta_status xta__resume_log_close(xta__resume_log *log, bool remove, xta_error *err);

#endif
