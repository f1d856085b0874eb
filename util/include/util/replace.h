/* Files that replace others in one step, once they are complete.
 *
 * rename() replaces a symbolic link and not the file behind it, and the new file has the owner and
 * mode of whoever created it. Neither is what a user expects when a file is overwritten. Failures
 * are returned as an errno, 0 for none: the caller writes the message.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_REPLACE_H
#define XTA_UTIL_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new file beside the one that it will replace. All zeros: there is no file. */
typedef struct xta__new_file {
    int fd;     /* for reading and writing; -1: closed. A caller that closes it sets it to -1. */
    char *path; /* where it will be: the real file, with links followed */
    char *part; /* where it is now; NULL: there is none */
    uint64_t n_bytes; /* written by xta__new_file_write so far */
} xta__new_file;

/* Create a file with a unique name beside the one that `path` names, which need not exist. Must be
 * followed by xta__new_file_commit or _discard; after a failure it has been discarded. */
int xta__new_file_create(xta__new_file *file, const char *path);

/* Append all of the bytes to those written before, as xta__write_bytes does. */
int xta__new_file_write(xta__new_file *file, const void *bytes, size_t n);

/* Close the file and give it its name; it inherits the access rights of a file that it replaces.
 * `durable`: bytes and name are on the disk when this returns; EINVAL for a file that is already
 * closed, since its bytes were not synced. After a failure the file is discarded and the old one
 * stays, with one exception: if the folder cannot be synced, the new file is already in place, and
 * a power loss may bring back the old one. */
int xta__new_file_commit(xta__new_file *file, bool durable);

/* Close and remove it. Does nothing to an all-zero struct or to a file that was committed or
 * discarded. */
void xta__new_file_discard(xta__new_file *file);

/* All of the above for `n` bytes. */
int xta__replace_bytes(const char *path, const void *bytes, size_t n, bool durable);

/* ---- the steps, for files that are made in other ways ---- */

/* The mode with which to create a file that will replace `path`: private if `path` exists, since
 * its mode will be copied. */
unsigned xta__partial_mode(const char *path);

/* "target.suffix", where `target` is the file that `path` names: beside the real file. Freed by the
 * caller; NULL after a failure. */
int xta__partial_path(const char *path, const char *suffix, char **part);

/* Write all of the bytes at `offset` of an open file. If the system writes none of them and reports
 * no error, there is no space: ENOSPC. */
int xta__write_bytes(int fd, uint64_t offset, const void *bytes, size_t n);

/* Rename `part` to `path`, which is not a link, in one step. The access rights of a replaced file
 * are inherited, as above; `part` stays after a failure. */
int xta__put_in_place(const char *part, const char *path);

/* Rename `part`, which lies in the folder of the file that `path` names, to that file: links are
 * followed, not replaced. */
int xta__replace_file(const char *part, const char *path);

/* Sync the folder of `path`, so that its names are on the disk. Some file systems cannot, and
 * return EINVAL; there the names are as safe as they can be. */
int xta__sync_folder_of(const char *path);

#endif
