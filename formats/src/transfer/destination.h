/* Where an export goes: what may be replaced there, and files that appear only when they are
 * complete.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_DESTINATION_H
#define XTA_BRIDGE_DESTINATION_H

#include <sys/stat.h>

#include "description/format.h"

typedef struct bridge_destination {
    const char *given; /* as the caller wrote it, for error messages */
    char *path;        /* with symbolic links followed */
    char *folder;      /* folder that contains it */
    char *temporary;   /* our temporary folder in it; NULL: not created yet */
    const char *base;  /* last component of `path` */
    const bridge_format *format;
    xta_overwrite overwrite;
    bool exists; /* a non-empty file exists */
    bool add;    /* add one more variable to a copy of it */
    struct stat before;
} bridge_destination;

/* Inspect `given`, refuse what may not be replaced, and create the temporary folder. If `add` is
 * set afterwards, the folder contains a copy of the existing file. */
xta_status xta__destination_begin(bridge_destination *to, const char *given,
                                  const bridge_format *format, xta_overwrite overwrite,
                                  xta_error *err);
/* The path to write to; the caller frees it. NULL: out of memory. */
char *xta__destination_file(const bridge_destination *to);
/* Move everything in the temporary folder into place, the main file last. */
xta_status xta__destination_commit(const bridge_destination *to, xta_error *err);
/* Remove the temporary folder and free everything. */
void xta__destination_end(bridge_destination *to);
/* In an error, replace the name of the temporary file by the name that the caller used. */
void xta__destination_correct_error(const bridge_destination *to, xta_error *err);

#endif
