/* Paths as foreign libraries are to see them: files of this machine, and nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_LOCAL_PATH_H
#define XTA_FORMATS_COMMON_LOCAL_PATH_H

#include <xta/status.h>

/* A path by which a foreign library finds the same file, and can find nothing else; to be freed.
 * NULL: out of memory. */
char *xta__local_path(const char *path);
/* XTA_ENOENT or XTA_EACCESS where nothing is at a path. */
xta_status xta__path_must_exist(const char *path, xta_error *err);

#endif
