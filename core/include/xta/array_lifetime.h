/** @file
 * Arrays begin and end: create, open, copy, sync, close, delete. Included by <xta/array.h>, which
 * has the rules for threads and processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_LIFETIME_H
#define XTA_ARRAY_LIFETIME_H

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

#ifdef __cplusplus
}
#endif
#endif
