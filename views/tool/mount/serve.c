/* The requests of the kernel, answered from nodes and flat files.
 *
 * An inode never changes, so its attributes are kept for a day; names are asked for again at every
 * open, so that it finds the latest step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "mount/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "mount/answer_buffer.h"
#include "mount/nodes.h"
#include "mount/report.h"
#include "mount/session.h"
#include "util/bus_guard.h"
#include "util/text.h"

#define FILE_SECONDS   86400.0
#define FOLDER_SECONDS 1.0

static mount_serve_options options;

static mount_node *node_of(fuse_ino_t ino)
{
    return ino == FUSE_ROOT_ID ? mount_nodes_root() : (mount_node *)(uintptr_t)ino;
}

static bool is_folder(const mount_node *node)
{
    return node->source.kind == MOUNT_FOLDER;
}

static double seconds_of(const mount_node *node)
{
    return is_folder(node) ? FOLDER_SECONDS : FILE_SECONDS;
}

/* ---- names ---- */

static void serve_init(void *user, struct fuse_conn_info *conn)
{
    (void)user;
    mount_session_choose(conn);
}

static void serve_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
    mount_node *node = NULL;
    struct fuse_entry_param entry = {0};
    int code = mount_node_lookup(node_of(parent), name, fuse_req_ctx(req)->pid, &node);

    if (code != 0) {
        fuse_reply_err(req, code);
        return;
    }
    entry.ino = (fuse_ino_t)(uintptr_t)node;
    entry.generation = node->number; // addresses of nodes are used again
    mount_node_stat(node, &entry.attr);
    entry.attr_timeout = seconds_of(node);
    entry.entry_timeout = is_folder(node) ? FOLDER_SECONDS : 0;
    if (fuse_reply_entry(req, &entry) != 0) {
        mount_node_forget(node, 1);
    }
}

static void serve_forget(fuse_req_t req, fuse_ino_t ino, uint64_t n)
{
    mount_node_forget(node_of(ino), n);
    fuse_reply_none(req);
}

static void serve_forget_multi(fuse_req_t req, size_t count, struct fuse_forget_data *forgets)
{
    for (size_t k = 0; k < count; k++) {
        mount_node_forget(node_of(forgets[k].ino), forgets[k].nlookup);
    }
    fuse_reply_none(req);
}

static void serve_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    struct stat attributes;

    (void)fi;
    mount_node_stat(node_of(ino), &attributes);
    fuse_reply_attr(req, &attributes, seconds_of(node_of(ino)));
}

static void serve_statfs(fuse_req_t req, fuse_ino_t ino)
{
    struct statvfs space;

    (void)ino;
    if (statvfs(mount_nodes_root()->source.path, &space) != 0) {
        fuse_reply_err(req, errno);
        return;
    }
    fuse_reply_statfs(req, &space);
}

/* ---- folders ---- */

static void serve_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    mount_names *names = calloc(1, sizeof *names);
    int code = names == NULL ? ENOMEM : mount_names_list(node_of(ino)->source.path, names);

    fi->fh = (uint64_t)(uintptr_t)names;
    if (code == 0 && fuse_reply_open(req, fi) == 0) {
        return;
    }
    if (names != NULL) {
        mount_names_clear(names);
        free(names);
    }
    if (code != 0) {
        fuse_reply_err(req, code);
    }
}

static void serve_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
                          struct fuse_file_info *fi)
{
    const mount_names *names = (const mount_names *)(uintptr_t)fi->fh;
    char *buffer = malloc(size);
    size_t used = 0;

    (void)ino;
    if (buffer == NULL) {
        fuse_reply_err(req, ENOMEM);
        return;
    }
    // The two entries that every folder has come first.
    for (size_t k = (size_t)offset; k < names->n + 2; k++) {
        const char *name = k == 0 ? "." : k == 1 ? ".." : names->items[k - 2].name;
        bool folder = k < 2 || names->items[k - 2].folder;
        // The number is that of no file: each snapshot has its own.
        struct stat attributes = {.st_mode = folder ? S_IFDIR : S_IFREG, .st_ino = UINT32_MAX};
        size_t n =
            fuse_add_direntry(req, buffer + used, size - used, name, &attributes, (off_t)(k + 1));
        if (n > size - used) {
            break;
        }
        used += n;
    }
    fuse_reply_buf(req, buffer, used);
    free(buffer);
}

static void serve_releasedir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    mount_names *names = (mount_names *)(uintptr_t)fi->fh;

    (void)ino;
    mount_names_clear(names);
    free(names);
    fuse_reply_err(req, 0);
}

/* ---- files ---- */

static void first_open(void)
{
    mount_session_read_ahead(options.mountpoint);
}

static void serve_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    static pthread_once_t opened = PTHREAD_ONCE_INIT;
    bool keep_cache = false;

    if ((fi->flags & O_ACCMODE) != O_RDONLY) {
        fuse_reply_err(req, EROFS);
        return;
    }
    pthread_once(&opened, first_open);
    int code =
        mount_node_open(node_of(ino), fuse_req_ctx(req)->pid, options.append_only, &keep_cache);
    if (code != 0) {
        fuse_reply_err(req, code);
        return;
    }
    fi->keep_cache = keep_cache;
    fi->noflush = 1;
    if (fuse_reply_open(req, fi) != 0) {
        mount_node_release(node_of(ino));
    }
}

static void serve_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    (void)fi;
    mount_node_release(node_of(ino));
    fuse_reply_err(req, 0);
}

/* Report that a file of the node was truncated, once. */
static void report_missing(mount_node *node)
{
    char *line = NULL;

    if (!atomic_exchange(&node->reported, true)) {
        line = xta__string("%s: its data file was truncated while it was open; open it again when "
                           "it is repaired (xta check)",
                           node->source.path);
        mount_report(line != NULL ? line : "a data file was truncated");
        free(line);
    }
}

static void serve_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
                       struct fuse_file_info *fi)
{
    mount_node *node = node_of(ino);
    xta_error err = {0};
    size_t n = 0;

    (void)fi;
    if (atomic_load(&node->missing)) {
        fuse_reply_err(req, EIO);
        return;
    }
    void *buffer = answer_buffer_take();
    if (buffer == NULL) {
        fuse_reply_err(req, ENOMEM);
        return;
    }
    size = size < MOUNT_REQUEST_BYTES ? size : MOUNT_REQUEST_BYTES;
    xta__bus_guard_enter(&node->missing);
    xta_status status = xta_flat_read(node->flat, (uint64_t)offset, size, buffer, &n, &err);
    if (xta__bus_guard_leave()) {
        report_missing(node);
        fuse_reply_err(req, EIO);
    } else if (status != XTA_OK) {
        mount_report(err.text);
        fuse_reply_err(req, EIO);
    } else {
        fuse_reply_buf(req, buffer, n);
    }
    answer_buffer_give(buffer);
}

static const struct fuse_lowlevel_ops operations = {
    .init = serve_init,
    .lookup = serve_lookup,
    .forget = serve_forget,
    .forget_multi = serve_forget_multi,
    .getattr = serve_getattr,
    .statfs = serve_statfs,
    .opendir = serve_opendir,
    .readdir = serve_readdir,
    .releasedir = serve_releasedir,
    .open = serve_open,
    .release = serve_release,
    .read = serve_read,
};

const struct fuse_lowlevel_ops *mount_serve(const mount_serve_options *given)
{
    options = *given;
    return &operations;
}
