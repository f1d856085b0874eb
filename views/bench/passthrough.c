/* A FUSE file system of one plain file, "file", for comparison with xta mount: the same session,
 * the same attributes and cache, and reads by pread into a buffer of the thread; `--splice` moves
 * pages instead.
 *
 *   passthrough FILE MNT [--splice]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "mount/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_INO = 2 };

static int file;
static bool by_splice;
static const char *mountpoint;
static pthread_key_t buffers;

static void attributes_of(fuse_ino_t ino, struct stat *out)
{
    *out = (struct stat){.st_ino = ino, .st_mode = S_IFDIR | 0555, .st_nlink = 2};
    if (ino == FILE_INO) {
        fstat(file, out);
        out->st_ino = ino;
    }
}

static void pass_init(void *user, struct fuse_conn_info *conn)
{
    (void)user;
    mount_session_choose(conn);
}

static void pass_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
    struct fuse_entry_param entry = {.ino = FILE_INO, .attr_timeout = 86400};

    (void)parent;
    if (strcmp(name, "file") != 0) {
        fuse_reply_err(req, ENOENT);
        return;
    }
    attributes_of(FILE_INO, &entry.attr);
    fuse_reply_entry(req, &entry);
}

static void pass_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    struct stat attributes;

    (void)fi;
    attributes_of(ino, &attributes);
    fuse_reply_attr(req, &attributes, 86400);
}

static void first_open(void)
{
    mount_session_read_ahead(mountpoint);
}

static void pass_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    static pthread_once_t opened = PTHREAD_ONCE_INIT;

    (void)ino;
    pthread_once(&opened, first_open);
    fi->noflush = 1;
    fuse_reply_open(req, fi);
}

static void *buffer_of_thread(void)
{
    void *buffer = pthread_getspecific(buffers);

    if (buffer == NULL && posix_memalign(&buffer, 4096, MOUNT_REQUEST_BYTES) == 0) {
        pthread_setspecific(buffers, buffer);
    }
    return buffer;
}

static void pass_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
                      struct fuse_file_info *fi)
{
    (void)ino;
    (void)fi;
    if (by_splice) {
        struct fuse_bufvec pages = FUSE_BUFVEC_INIT(size);
        pages.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
        pages.buf[0].fd = file;
        pages.buf[0].pos = offset;
        fuse_reply_data(req, &pages, 0);
        return;
    }
    char *buffer = buffer_of_thread();
    ssize_t n = buffer != NULL ? pread(file, buffer, size, offset) : -1;
    if (n < 0) {
        fuse_reply_err(req, EIO);
    } else {
        fuse_reply_buf(req, buffer, (size_t)n);
    }
}

static const struct fuse_lowlevel_ops operations = {
    .init = pass_init,
    .lookup = pass_lookup,
    .getattr = pass_getattr,
    .open = pass_open,
    .read = pass_read,
};

static xta_status mounted(void *user, xta_error *err)
{
    (void)user;
    (void)err;
    return XTA_OK;
}

static xta_status begin(void *user, xta_error *err)
{
    (void)user;
    return pthread_key_create(&buffers, free) == 0
               ? XTA_OK
               : xta_error_set(err, XTA_ENOMEM, 0, "no key for buffers");
}

int main(int argc, char *argv[])
{
    xta_error err = {0};

    if (argc < 3) {
        fprintf(stderr, "usage: passthrough FILE MNT [--splice]\n");
        return 2;
    }
    file = open(argv[1], O_RDONLY);
    mountpoint = realpath(argv[2], NULL); // serving begins with chdir("/")
    by_splice = argc > 3 && strcmp(argv[3], "--splice") == 0;
    if (file < 0) {
        perror(argv[1]);
        return 1;
    }
    if (mountpoint == NULL) {
        perror(argv[2]);
        return 1;
    }
    const mount_session_options session = {
        .mountpoint = mountpoint, .name = "passthrough", .foreground = true};
    if (mount_session_run(&operations, &session, mounted, begin, NULL, &err) != XTA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
