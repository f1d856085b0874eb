/* Names of unfinished files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_UNFINISHED_FILES_H
#define XTA_FORMATS_GRIDS_COMMON_UNFINISHED_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/status.h>

#define UNFINISHED_SUFFIX ".part"

xta_status xta__blocks_io_error(const char *path, const char *doing, int code, xta_error *err);
/* The path with `.part` appended; NULL: out of memory. */
char *xta__unfinished_path(const char *path);
/* Whether a target may be started: nothing exists, or, with `resume`, only its unfinished file
 * does. */
xta_status xta__unfinished_may_begin(const char *path, const char *unfinished, bool resume,
                                     xta_error *err);
/* Give a finished, durable file its name. */
xta_status xta__unfinished_finish(const char *unfinished, const char *path, xta_error *err);
/* Bytes of a file; XTA_ENOENT if there is none. */
xta_status xta__file_bytes(const char *path, uint64_t *bytes, xta_error *err);

#endif
