/** @file
 * Replacement: a new pair of files replaces an array's old pair, all or nothing.
 *
 * The new array is created beside the old one (`path.rechunk`), the caller fills it, and
 * xta_replacement_commit puts it in place atomically: after a crash at any time either the complete
 * old array or the complete new one is there. xta_array_rechunk (<xta/repartition.h>) is built on
 * this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_REPLACEMENT_H
#define XTA_REPLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct xta_replacement xta_replacement; /**< Opaque; used by one thread at a time. */

/** Begin: lock the structure of an array, and open it for reading.
 *
 * Others that change the structure wait until xta_replacement_end. Nobody may write cells
 * meanwhile. Symbolic links are followed.
 *
 * Not collective.
 *
 * @param[in]  path         as for xta_array_open
 * @param[out] replacement  to be ended by xta_replacement_end; NULL on failure
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  a file has several names (hard links), or links lead to files in different
 *                      folders
 *
 * @par Cost
 * Opens the array twice; one sync of its cells.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_begin(const char *path,
                                                        xta_replacement **replacement,
                                                        xta_error *err);

/** The old array, open for reading. Borrowed, valid until xta_replacement_end. Never fails. */
XTA_API xta_array *xta_replacement_old(const xta_replacement *replacement);

/** Path at which the caller may keep a resume log: `path.rechunk.notes`. It is removed whenever the
 * new files are. Borrowed, valid until xta_replacement_end. Never fails. */
XTA_API const char *xta_replacement_notes_path(const xta_replacement *replacement);

/** A number that changes when cells of the old array are written: a resume log that holds it
 * belongs to the cells as they were then. Never fails. */
XTA_API uint64_t xta_replacement_stamp(const xta_replacement *replacement);

/** Create the new array beside the old one, without its cells.
 *
 * Its files have owner, mode, access control list and user attributes of the old ones. Files that
 * an earlier replacement left are removed, and so are those that this one created before.
 *
 * Not collective.
 *
 * @param[in]  replacement  begun
 * @param[in]  changes      as for xta_array_create_like
 * @param[out] fresh        the new array, writable; borrowed, valid until the next call of this
 *                          function, of xta_replacement_commit or of xta_replacement_end; NULL on
 *                          failure
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  the files belong to another user, for whom only root may create files
 *
 * @par Cost
 * That of xta_array_create_like.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_create(xta_replacement *replacement,
                                                         const xta_create_options *changes,
                                                         xta_array **fresh, xta_error *err);

/** Open the new array that an earlier replacement kept, if there is one and it matches `changes`.
 *
 * Not collective.
 *
 * @param[in]  replacement  begun
 * @param[in]  changes      as for xta_array_create_like
 * @param[out] fresh        as for xta_replacement_create; NULL: there is none, or it does not match
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  the files belong to another user, for whom only root may create files
 *
 * @par Cost
 * That of xta_array_open.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_resume(xta_replacement *replacement,
                                                         const xta_create_options *changes,
                                                         xta_array **fresh, xta_error *err);

/** Replace the old array by the new one, which is complete.
 *
 * The new array is closed. Handles that have the old one open fail at their next change of
 * structure, with a text that says to reopen the array.
 *
 * Not collective.
 *
 * @param[in]  replacement  with a new array
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_ESTATE  cells of the old array were written meanwhile, unfinished work fills it, or a
 *                     growth together with other arrays was interrupted; nothing has been replaced
 *
 * @par Cost
 * Four fsync.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_commit(xta_replacement *replacement,
                                                         xta_error *err);

/** End: close the arrays and release the lock.
 *
 * If nothing was committed the old array is unchanged.
 *
 * @param[in] replacement  NULL: nothing to do
 * @param[in] keep         without a commit: keep the new files and the resume log for
 *                         xta_replacement_resume; otherwise they are removed
 */
XTA_API void xta_replacement_end(xta_replacement *replacement, bool keep);

#ifdef __cplusplus
}
#endif
#endif
