/** @file
 * Access logs: which boxes of an array are read and written, as text, for <xta/tune.h>.
 *
 * The text has a line for each access:
 *
 *     # XTA access log 1
 *     r 0:2,0:180,5:6
 *     w -1:0,0:180,0:360
 *     r 0:100,7:8,0:360 step 10,1,1
 *
 * r is a read and w a write, then the box, lo:hi for each axis, then the step if there is one.
 * Lines that begin with # are comments. Each line is appended in one piece, so several threads and
 * processes may write to one log.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ACCESS_H
#define XTA_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A log that is being written. Opaque. */
typedef struct xta_access_log xta_access_log;

/** Open a log for appending; the file is created if it does not exist.
 * @param[in]  path  a text file
 * @param[out] log   to be closed by the caller; NULL on failure
 * @param[out] err   why it failed; NULL if not wanted
 * @retval XTA_EFORMAT  the file is not empty and is not an access log
 * @retval XTA_EACCESS, XTA_ENOENT, XTA_EIO  it cannot be opened or written */
XTA_API XTA_MUST_CHECK xta_status xta_access_log_open(const char *path, xta_access_log **log,
                                                      xta_error *err);

/** Log every read and write of an array from now on. No other call on the array may be in progress.
 * Several arrays may share a log if they have the same number of axes. */
XTA_API void xta_access_log_watch(xta_access_log *log, xta_array *array);

/** Close a log (NULL: nothing). Its arrays must have been closed, or must no longer be watched
 * (xta_array_watch with NULL).
 * @param[in]  log  freed whatever the status
 * @param[out] err  why it failed
 * @retval XTA_ENOSPC, XTA_EIO  a line could not be written; those before it are in the file */
XTA_API XTA_MUST_CHECK xta_status xta_access_log_close(xta_access_log *log, xta_error *err);

/** One line of a log. */
typedef struct xta_access_entry {
    uint64_t line; /**< of the file, from 1 */
    bool write;
    xta_box box;
    int64_t step[XTA_MAX_NDIM]; /**< 1 if there is none */
} xta_access_entry;

/** Read the entries of a log, in the order of the file.
 * @param[in]  path  a log
 * @param[in]  each  called for each entry; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user  passed to `each`
 * @param[out] err   why it failed; names file and line
 * @retval XTA_ENOENT   no such file
 * @retval XTA_EFORMAT  a line is not an entry */
XTA_API XTA_MUST_CHECK xta_status xta_access_log_read(const char *path,
                                                      int (*each)(void *user,
                                                                  const xta_access_entry *entry),
                                                      void *user, xta_error *err);

/** Which entries of a log to use. */
typedef struct xta_access_choice {
    bool no_reads;  /**< leave out reads */
    bool no_writes; /**< leave out writes */
    bool placed;    /**< keep the place of each box; false: only its shape counts */
} xta_access_choice;

/** The queries of a log: equal ones are merged into one, weighted by how often they occur.
 * @param[in]  path     a log
 * @param[in]  bounds   accesses are clipped to them, and empty ones left out
 * @param[in]  choice   NULL: reads and writes, not placed
 * @param[out] queries  to be freed by the caller with free(); NULL on failure and if there are none
 * @param[out] n        how many
 * @param[out] err      why it failed
 * @retval XTA_EFORMAT  a line is not an entry, or of another number of axes than the bounds
 * @retval XTA_ENOMEM   no memory for them */
XTA_API XTA_MUST_CHECK xta_status xta_access_log_queries(const char *path, const xta_box *bounds,
                                                         const xta_access_choice *choice,
                                                         xta_query **queries, size_t *n,
                                                         xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
