/* A FUSE session.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mount/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/try.h"

void mount_session_choose(struct fuse_conn_info *conn)
{
    conn->max_readahead = MOUNT_READ_AHEAD_KIB << 10;
    conn->max_background = 64;
    conn->congestion_threshold = 48;
    conn->want &= ~(unsigned)FUSE_CAP_READDIRPLUS; // it would open every array of a folder
    conn->want |= conn->capable & (FUSE_CAP_ASYNC_READ | FUSE_CAP_PARALLEL_DIROPS |
                                   FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_SPLICE_WRITE);
}

void mount_session_read_ahead(const char *mountpoint)
{
    struct statx mounted;
    char path[64];

    // Without a request to this process, which is serving one.
    if (statx(AT_FDCWD, mountpoint, AT_STATX_DONT_SYNC, STATX_TYPE, &mounted) != 0) {
        return;
    }
    snprintf(path, sizeof path, "/sys/class/bdi/%u:%u/read_ahead_kb", mounted.stx_dev_major,
             mounted.stx_dev_minor);
    FILE *setting = fopen(path, "w");
    if (setting != NULL) {
        fprintf(setting, "%d\n", MOUNT_READ_AHEAD_KIB);
        fclose(setting);
    }
}

/* Options as `mount -o` has them. */
static xta_status make_arguments(const mount_session_options *options, struct fuse_args *arguments,
                                 xta_error *err)
{
    char text[128];

    snprintf(text, sizeof text, "-oro,nosuid,nodev,fsname=%s,subtype=%s%s", options->name,
             options->name, options->allow_other ? ",allow_other,default_permissions" : "");
    bool good =
        fuse_opt_add_arg(arguments, options->name) == 0 && fuse_opt_add_arg(arguments, text) == 0;
    return good ? XTA_OK : xta_error_set(err, XTA_ENOMEM, 0, "out of memory");
}

static xta_status serve(struct fuse_session *session, xta_error *err)
{
    struct fuse_loop_config *loop = fuse_loop_cfg_create();

    if (loop == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "out of memory");
    }
    fuse_loop_cfg_set_clone_fd(loop, 0);
    fuse_loop_cfg_set_idle_threads(loop, MOUNT_THREADS);
    fuse_loop_cfg_set_max_threads(loop, MOUNT_THREADS);
    int code = fuse_session_loop_mt(session, loop);
    fuse_loop_cfg_destroy(loop);
    // A positive code is the signal that ended it.
    return code >= 0 ? XTA_OK : xta_error_set(err, XTA_EIO, -code, "serving requests failed");
}

bool mount_session_possible(void)
{
    return access("/dev/fuse", R_OK | W_OK) == 0;
}

/* Where the file system cannot be mounted libfuse says why on standard error. */
static xta_status cannot_mount(const mount_session_options *options, xta_error *err)
{
    return !mount_session_possible()
               ? xta_error_set(err, XTA_EUNSUPPORTED, errno,
                               "%s: cannot mount: /dev/fuse is missing or may not be opened; load "
                               "the module fuse, or give the container the device",
                               options->mountpoint)
               : xta_error_set(err, XTA_EIO, 0, "%s: cannot mount; libfuse says why above",
                               options->mountpoint);
}

xta_status mount_session_run(const struct fuse_lowlevel_ops *operations,
                             const mount_session_options *options, mount_session_ready *mounted,
                             mount_session_ready *ready, void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
    struct fuse_session *session = NULL;
    bool handlers = false, is_mounted = false;

    XTA_TRY(make_arguments(options, &arguments, err));
    session = fuse_session_new(&arguments, operations, sizeof *operations, NULL);
    if (session == NULL) {
        XTA_TRY(xta_error_set(err, XTA_EIO, 0, "libfuse does not start; it says why above"));
    }
    handlers = fuse_set_signal_handlers(session) == 0;
    is_mounted = fuse_session_mount(session, options->mountpoint) == 0;
    if (!handlers || !is_mounted) {
        XTA_TRY(cannot_mount(options, err));
    }
    XTA_TRY(mounted(user, err));
    if (fuse_daemonize(options->foreground) != 0) {
        XTA_TRY(xta_error_set(err, XTA_EIO, errno, "cannot go on in the background"));
    }
    XTA_TRY(ready(user, err));
    XTA_TRY(serve(session, err));

done:
    if (is_mounted) {
        fuse_session_unmount(session);
    }
    if (handlers) {
        fuse_remove_signal_handlers(session);
    }
    if (session != NULL) {
        fuse_session_destroy(session);
    }
    fuse_opt_free_args(&arguments);
    return status;
}
