/* Files that are replaced as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATE_REPLACE_FILE_H
#define XTA_HYPER_STATE_REPLACE_FILE_H

#include <stddef.h>

#include <xta/status.h>

/* Replace a file by `n` bytes. A reader, also after a loss of power, finds either the old file or
 * the new one. The bytes are written to NAME.new in the same folder, synced, and renamed. That name
 * is always the same, unlike those of xta__replace_bytes, so that a follower can remove what a
 * killed one has left. */
xta_status xta__file_replace(const char *folder, const char *name, const void *bytes, size_t n,
                             xta_error *err);

/* The two halves of xta__file_replace, for a file whose disk space must be certain before it
 * replaces the old one. Messages use `name`, the name it will have in the end. */
xta_status xta__file_write(const char *folder, const char *temporary, const char *name,
                           const void *bytes, size_t n, xta_error *err);
xta_status xta__file_rename(const char *folder, const char *from, const char *to, xta_error *err);

/* The status for an errno, with a message. */
xta_status xta__file_error(const char *path, const char *what, int os_errno, xta_error *err);

/* "FOLDER/NAME", freed by the caller; NULL if out of memory. */
char *xta__file_path(const char *folder, const char *name);

#endif
