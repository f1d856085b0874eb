/* Paths in the form in which they are passed to foreign libraries: files of this machine, and
 * nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_LOCAL_PATH_H
#define XTA_FORMATS_COMMON_LOCAL_PATH_H

#include <xta/status.h>

/* A path by which a foreign library finds the same file, and cannot find anything else; the caller
 * frees it. NULL: out of memory. */
char *xta__local_path(const char *path);
/* Check that something exists at a path: XTA_ENOENT or XTA_EACCESS if not. */
xta_status xta__path_must_exist(const char *path, xta_error *err);

#endif
