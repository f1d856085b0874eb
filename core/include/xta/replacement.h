/** @file
 * Replacement: a new pair of files takes the place of an array's old pair, all or nothing.
 *
 * The new array is made beside the old one (`path.rechunk`), the caller fills it, and
 * xta_replacement_commit puts it in place so that whenever the machine stops there is the old array
 * or the new one, whole. xta_array_rechunk (<xta/repartition.h>) is made of this.
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

typedef struct xta_replacement xta_replacement; /**< Opaque; of one thread at a time. */

/** Begin: lock the structure of an array, and open it to be read.
 *
 * Others who want to change the structure wait until xta_replacement_end. Nobody may write cells
 * meanwhile. Symbolic links are followed.
 *
 * Not collective.
 *
 * @param[in]  path         as for xta_array_open
 * @param[out] replacement  to be ended by xta_replacement_end; NULL on failure
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  a file has several names (hard links), or links have put the two files apart
 *
 * @par Cost
 * Two openings of the array, one sync of its cells.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_begin(const char *path,
                                                        xta_replacement **replacement,
                                                        xta_error *err);

/** The old array, open to be read. Borrowed, valid until xta_replacement_end. Never fails. */
XTA_API xta_array *xta_replacement_old(const xta_replacement *replacement);

/** Where the caller may keep notes of how far it is, to resume later: `path.rechunk.notes`. They
 * are removed where the new files are. Borrowed, valid until xta_replacement_end. Never fails. */
XTA_API const char *xta_replacement_notes_path(const xta_replacement *replacement);

/** A number that is another one once cells of the old array have been written: notes that name it
 * belong to the cells that were there. Never fails. */
XTA_API uint64_t xta_replacement_stamp(const xta_replacement *replacement);

/** Create the new array beside the old one, without its cells.
 *
 * Its files have owner, mode, access control list and user attributes of the old ones. What an
 * earlier replacement left is removed, and so is what this one has created before.
 *
 * Not collective.
 *
 * @param[in]  replacement  begun
 * @param[in]  changes      as for xta_array_create_like
 * @param[out] fresh        the new array, writable; borrowed, valid until the next call of this
 *                          function, of xta_replacement_commit or of xta_replacement_end; NULL on
 *                          failure
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  the files belong to another user, whose files only root may make
 *
 * @par Cost
 * That of xta_array_create_like.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_create(xta_replacement *replacement,
                                                         const xta_create_options *changes,
                                                         xta_array **fresh, xta_error *err);

/** Open the new array that an earlier replacement kept, if there is one and it is as `changes` want
 * it.
 *
 * Not collective.
 *
 * @param[in]  replacement  begun
 * @param[in]  changes      as for xta_array_create_like
 * @param[out] fresh        as of xta_replacement_create; NULL: there is none, or not such a one
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_EACCESS  the files belong to another user, whose files only root may make
 *
 * @par Cost
 * That of xta_array_open.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_resume(xta_replacement *replacement,
                                                         const xta_create_options *changes,
                                                         xta_array **fresh, xta_error *err);

/** Put the new array, which is complete, in the place of the old one.
 *
 * The new array is closed. Whoever has the old one open is told, at its next change of structure,
 * to open the array again.
 *
 * Not collective.
 *
 * @param[in]  replacement  with a new array
 * @param[out] err          why it failed; NULL if not wanted
 * @retval XTA_ESTATE  cells of the old array were written meanwhile, unfinished work fills it, or a
 *                     growth together with other arrays was cut off; nothing has been replaced
 *
 * @par Cost
 * Four fsync.
 */
XTA_API XTA_MUST_CHECK xta_status xta_replacement_commit(xta_replacement *replacement,
                                                         xta_error *err);

/** End: close the arrays and give the lock back.
 *
 * If nothing was committed the old array is as it was.
 *
 * @param[in] replacement  NULL: nothing to do
 * @param[in] keep         without a commit: leave the new files and the notes for
 *                         xta_replacement_resume; otherwise they are removed
 */
XTA_API void xta_replacement_end(xta_replacement *replacement, bool keep);

#ifdef __cplusplus
}
#endif
#endif
