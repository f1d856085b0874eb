/* A private header of os/: the table of mounts, and which of them have locks that are local to the
 * node. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_OS_MOUNTS_H
#define XTA_OS_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/* A field of a line, still encoded: a blank is \040, and so on. */
typedef struct xta__mount_field {
    const char *text;
    size_t n;
} xta__mount_field;

/* A line of /proc/self/mountinfo. */
typedef struct xta__mount {
    unsigned major, minor;    /* of the device */
    xta__mount_field point;   /* where it is mounted */
    xta__mount_field options; /* of this mount */
    xta__mount_field type;
    xta__mount_field file_system_options;
} xta__mount;

/* The mount that holds the file `path` (absolute, no links) on a device: among the mounts of the
 * device (or all mounts, if the device has none), the one whose mount point is the longest prefix
 * of the path, and among equal ones the last. False if there is none. `text`: the whole table. */
bool xta__mount_of(const char *text, unsigned major, unsigned minor, const char *path,
                   xta__mount *out);

/* Why locks of a mount do not reach other nodes, and what to do. */
typedef struct xta__mount_flaw {
    const char *option, *remedy;
} xta__mount_flaw;

/* NULL: nothing is known against its locks. */
const xta__mount_flaw *xta__mount_lock_flaw(const xta__mount *mount);

#endif
