/* Paths with their links followed, and access rights of files. Failures are returned as an errno, 0
 * for none: the caller writes the message.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_FILES_H
#define XTA_UTIL_FILES_H

/* The file that `path` names: absolute, with all symbolic links followed. The file itself need not
 * exist, even if a link names it; its folder must. Freed by the caller; NULL after a failure. */
int xta__real_path(const char *path, char **real);

/* The same, except that a path that leads nowhere (its folder is missing or not accessible) is
 * returned unchanged: opening it then gives the system's error. */
int xta__target_path(const char *path, char **target);

/* Give the open file `fd` the owner, group, mode, access control list and user attributes of the
 * open file `like`. EPERM if only another user may do that. */
int xta__keep_access(int fd, int like);

#endif
