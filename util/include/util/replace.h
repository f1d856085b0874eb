/* Files that take the place of others in one step, once they are whole.
 *
 * rename() replaces a symbolic link and not the file behind it, and the new file has the owner and
 * mode of whoever made it. Nobody who saves over a file wants either. Failures are returned as an
 * errno, 0 for none: the caller knows what to say.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_REPLACE_H
#define XTA_UTIL_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new file beside the one that it will replace. Zeros are none. */
typedef struct xta__new_file {
    int fd;     /* for reading and writing; -1: closed. Whoever closes it himself sets it to -1. */
    char *path; /* where it will be: the real file, behind links */
    char *part; /* where it is now; NULL: there is none */
    uint64_t n_bytes; /* that xta__new_file_write has written */
} xta__new_file;

/* Create a file, of a name that nobody else uses, beside the one that `path` names, which need not
 * exist. Ends with xta__new_file_commit or _discard; after a failure it is discarded. */
int xta__new_file_create(xta__new_file *file, const char *path);

/* Write all of the bytes behind those that were written before, as xta__write_bytes does. */
int xta__new_file_write(xta__new_file *file, const void *bytes, size_t n);

/* Close the file and give it its name; a file that is replaced passes its access on. `durable`:
 * bytes and name are on the disk when this returns; EINVAL for a file that is closed already, whose
 * bytes nobody has synced. After a failure the file is discarded and the old one stays, with one
 * exception: where the folder cannot be synced the new file is in place already, and a loss of
 * power may bring the old one back. */
int xta__new_file_commit(xta__new_file *file, bool durable);

/* Close and remove it. Does nothing to zeros and to a file that was committed or discarded. */
void xta__new_file_discard(xta__new_file *file);

/* All of that for `n` bytes. */
int xta__replace_bytes(const char *path, const void *bytes, size_t n, bool durable);

/* ---- the steps, for files that are made in other ways ---- */

/* The mode to create a file with that will take the place of `path`: private where that exists and
 * has a mode of its own to pass on. */
unsigned xta__partial_mode(const char *path);

/* "target.suffix", where `target` is the file that `path` names: beside the real file. Freed by the
 * caller; NULL after a failure. */
int xta__partial_path(const char *path, const char *suffix, char **part);

/* Write all of the bytes at `offset` of an open file. A system that takes none of them and gives no
 * reason has no space for them: ENOSPC. */
int xta__write_bytes(int fd, uint64_t offset, const void *bytes, size_t n);

/* Rename `part` to `path`, which is no link, in one step. A file that is replaced passes its
 * access on, as above; `part` stays after a failure. */
int xta__put_in_place(const char *part, const char *path);

/* Rename `part`, which lies in the folder of the file that `path` names, to that file: links are
 * followed, not replaced. */
int xta__replace_file(const char *part, const char *path);

/* Have the names in the folder of `path` on the disk. Some file systems cannot, and say so by
 * EINVAL; there the names are as safe as they get. */
int xta__sync_folder_of(const char *path);

#endif
