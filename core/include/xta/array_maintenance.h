/** @file
 * Maintenance of the files of an array: check, compact, repair. Included by <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_MAINTENANCE_H
#define XTA_ARRAY_MAINTENANCE_H

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

/** One finding of xta_check. */
typedef struct xta_finding {
    bool fatal; /**< data or structure is lost or wrong; false: a note (a torn tail, for example) */
    uint64_t offset; /**< in the file named by the text */
    char text[XTA_ERROR_TEXT_BYTES];
} xta_finding;

/** Check both files of an array. Never writes, acquires no lock.
 * @param[in]  path    as for xta_array_open
 * @param[in]  report  called for each finding; may be NULL
 * @param[in]  user    passed to `report`
 * @param[out] err     the first fatal finding
 * @retval XTA_OK       nothing fatal
 * @retval XTA_ECORRUPT at least one fatal finding
 * @par Cost
 * Reads the whole journal, every address of the mapping's segments, and the sizes of the data
 * file. */
XTA_API XTA_MUST_CHECK xta_status xta_check(const char *path,
                                            void (*report)(void *user, const xta_finding *finding),
                                            void *user, xta_error *err);

/** Convert an array of layout 0 (XTA_HEADERLESS), in place, to a data file with a header:
 * XTA_DIRECT.
 *
 * Bounds, cells, addresses, attributes and history are kept; the UUID is new. The array is copied
 * to new files beside it, which replace the old ones by renaming, so a kill leaves either the old
 * or the new files. Handles that others have open must be reopened.
 *
 * @param[in]  path      of the array; no handle of this process may write to it
 * @param[out] upgraded  false: it already had the newest layout, and nothing was done; NULL if not
 *                       wanted
 * @param[out] err       why it failed; the array is as it was
 * @retval XTA_ESTATE    work that fills the array is unfinished, or a growth together with other
 *                       arrays was interrupted
 * @par Cost
 * One copy of what the data file holds, and as much free space on its disk. */
XTA_API XTA_MUST_CHECK xta_status xta_upgrade(const char *path, bool *upgraded, xta_error *err);

/** Rewrite the journal as one checkpoint, through a temporary file and a rename. The earlier
 * history is discarded. Other processes notice at their next refresh or structural step. The new
 * file replaces the actual file, not a symbolic link to it, and keeps its owner, mode, access
 * control list and user attributes.
 * @param[in]  path          as for xta_array_open
 * @param[out] before_bytes  journal size before; NULL if not wanted
 * @param[out] after_bytes   journal size after; NULL if not wanted
 * @param[out] err           why it failed; the old journal is then in place
 * @retval XTA_EACCESS  the journal has several names (hard links), or belongs to another user, for
 *                      whom only root may create files */
XTA_API XTA_MUST_CHECK xta_status xta_compact(const char *path, uint64_t *before_bytes,
                                              uint64_t *after_bytes, xta_error *err);

/** One entry of xta_dataset_list. */
typedef struct xta_dataset_entry {
    bool array;       /**< false: a folder */
    const char *name; /**< without suffix; valid during the call */
} xta_dataset_entry;

/** The arrays and folders in a folder, sorted by name.
 * @param[in]  folder  a path
 * @param[in]  each    called for each entry; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user    passed to `each`
 * @param[out] err     why it failed
 * @retval XTA_ENOENT  no such folder */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_list(const char *folder,
                                                   int (*each)(void *user,
                                                               const xta_dataset_entry *entry),
                                                   void *user, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
