/* Where an export goes: what may be replaced there, and files that appear only when they are whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_DESTINATION_H
#define XTA_BRIDGE_DESTINATION_H

#include <sys/stat.h>

#include "description/format.h"

typedef struct bridge_destination {
    const char *given; /* as the caller wrote it: what errors name */
    char *path;        /* with symbolic links followed */
    char *folder;      /* where it lies */
    char *temporary;   /* a folder of our own in it; NULL: not made yet */
    const char *base;  /* last component of `path` */
    const bridge_format *format;
    xta_overwrite overwrite;
    bool exists; /* a file that is not empty is there */
    bool add;    /* a copy of it gets one more variable */
    struct stat before;
} bridge_destination;

/* Find out what is at `given`, refuse what may not be replaced, and make the temporary folder.
 * With `add` set afterwards, a copy of the existing file lies in it. */
xta_status xta__destination_begin(bridge_destination *to, const char *given,
                                  const bridge_format *format, xta_overwrite overwrite,
                                  xta_error *err);
/* The path to write to; the caller frees it. NULL: out of memory. */
char *xta__destination_file(const bridge_destination *to);
/* Put everything in the temporary folder in its place, the main file last. */
xta_status xta__destination_commit(const bridge_destination *to, xta_error *err);
/* Remove the temporary folder and free everything. */
void xta__destination_end(bridge_destination *to);
/* Replace the temporary file's name in an error by the one that the caller knows. */
void xta__destination_correct_error(const bridge_destination *to, xta_error *err);

#endif
