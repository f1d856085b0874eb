/* The requests of the kernel, answered from nodes and flat files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_SERVE_H
#define XTA_VIEWS_TOOL_MOUNT_SERVE_H

#include <stdbool.h>

#include "mount/session.h"

typedef struct mount_serve_options {
    const char *mountpoint;
    bool append_only; /* cells are written once: what is cached stays right */
} mount_serve_options;

/* The functions of a session, and what they need to know, which is copied. Once for the process,
 * after mount_nodes_begin. */
const struct fuse_lowlevel_ops *mount_serve(const mount_serve_options *given);

#endif
