/* A FUSE session: options, large requests, threads, and its end by signals. Nothing here knows what
 * is mounted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_SESSION_H
#define XTA_VIEWS_TOOL_MOUNT_SESSION_H

#include <stdbool.h>

#ifndef FUSE_USE_VERSION
#define FUSE_USE_VERSION 312
#endif
#include <fuse_lowlevel.h>

#include <xta/status.h>

typedef struct mount_session_options {
    const char *mountpoint; /* an absolute path */
    const char *name;       /* of the file system, in the list of mounts */
    bool foreground;
    bool allow_other;
} mount_session_options;

/* Largest request, how far the kernel reads ahead, and how many requests are served at a time. */
enum { MOUNT_REQUEST_BYTES = 1 << 20, MOUNT_READ_AHEAD_KIB = 4096, MOUNT_THREADS = 16 };

/* Whether there is a /dev/fuse that this process may open. */
bool mount_session_possible(void);

/* Choose what the kernel offers; for the function `init` of `operations`. */
void mount_session_choose(struct fuse_conn_info *conn);

/* Let the kernel read ahead in larger steps than it does for FUSE by default. Only root may; for
 * others nothing happens. Called after the first request that is no `init`. */
void mount_session_read_ahead(const char *mountpoint);

/* Called with `user` when it is mounted, in the calling process; and before the first request, in
 * the process that serves. A failure ends the session. */
typedef xta_status mount_session_ready(void *user, xta_error *err);

/* Mount, serve until the file system is unmounted or a signal (INT, TERM, HUP) arrives, unmount.
 * Without `foreground` the calling process ends with 0 once it is mounted, and another one
 * serves. */
xta_status mount_session_run(const struct fuse_lowlevel_ops *operations,
                             const mount_session_options *options, mount_session_ready *mounted,
                             mount_session_ready *ready, void *user, xta_error *err);

#endif
