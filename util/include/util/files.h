/* Paths with their links followed, and files put in the place of others. Failures are returned as
 * an errno, 0 for none: the caller knows what to say.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_FILES_H
#define XTA_UTIL_FILES_H

/* The file that `path` names: absolute, with all symbolic links followed. The file itself need not
 * exist, also where a link names it; its folder must. Freed by the caller; NULL after a failure. */
int xta__real_path(const char *path, char **real);

/* The same, except that a path that leads nowhere (its folder is missing or closed to us) is
 * returned as it is: whoever opens it is told by the system what is wrong. */
int xta__target_path(const char *path, char **target);

/* Give the open file `fd` the owner, group, mode, access control list and user attributes of the
 * open file `like`. EPERM where only another user may do that. */
int xta__keep_access(int fd, int like);

/* The mode to create a file with that will take the place of `path`: private where that exists and
 * has a mode of its own to pass on. */
unsigned xta__part_mode(const char *path);

/* "target.suffix", where `target` is the file that `path` names: beside the real file. Freed by the
 * caller; NULL after a failure. */
int xta__part_path(const char *path, const char *suffix, char **part);

/* Rename `part` to `path`, which is no link, in one step. A file that is replaced passes its
 * access on, as above; `part` stays after a failure. */
int xta__put_in_place(const char *part, const char *path);

/* Rename `part`, which lies in the folder of the file that `path` names, to that file: links are
 * followed, not replaced. */
int xta__replace_file(const char *part, const char *path);

#endif
