/* Files that are replaced as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATE_REPLACE_FILE_H
#define XTA_HYPER_STATE_REPLACE_FILE_H

#include <stddef.h>

#include <xta/status.h>

/* Replace a file by `n` bytes: a reader, and whoever comes after a loss of power, finds the old
 * file or the new one. Written under another name in the same folder, synchronised, renamed. */
xta_status xta__file_replace(const char *folder, const char *name, const void *bytes, size_t n,
                             xta_error *err);

/* The two halves of it, for a file whose room is to be sure before it counts. Messages name `name`,
 * whatever it is called until it is renamed. */
xta_status xta__file_write(const char *folder, const char *temporary, const char *name,
                           const void *bytes, size_t n, xta_error *err);
xta_status xta__file_rename(const char *folder, const char *from, const char *to, xta_error *err);

/* An error of the system as a status: full, forbidden, missing, or XTA_EIO. */
xta_status xta__file_error(const char *path, const char *what, int os_errno, xta_error *err);

/* "FOLDER/NAME", to be freed; NULL if memory is out. */
char *xta__file_path(const char *folder, const char *name);

#endif
