/* Writing an access log.
 *
 * The file is open for appending and every line is written by one system call, so it is appended
 * after the last complete line even while others write. A failure must not disturb the access that
 * is logged: it is kept and reported when the log is closed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/access.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/errors.h"

#define HEAD       "# XTA access log 1\n"
#define LINE_BYTES (XTA_MAX_NDIM * 64 + 64)

struct xta_access_log {
    int file;
    atomic_int os_errno; // of the first line that could not be written
    char *path;
};

static int append_text(int file, const char *text, size_t n)
{
    ssize_t sent;

    do {
        sent = write(file, text, n);
    } while (sent < 0 && errno == EINTR);
    // Part of a line was written: the disk is full, or the file has reached a limit.
    return sent == (ssize_t)n ? 0 : sent < 0 ? errno : ENOSPC;
}

/* An empty file gets the header line; any other must have it. */
static xta_status check_head(xta_access_log *log, xta_error *err)
{
    char head[sizeof HEAD - 1];
    ssize_t n = pread(log->file, head, sizeof head, 0);
    int os_errno = n < 0 ? errno : 0;

    if (n == 0) {
        os_errno = append_text(log->file, HEAD, sizeof HEAD - 1);
    } else if (n > 0 && (n != (ssize_t)sizeof head || memcmp(head, HEAD, sizeof head) != 0)) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: is no access log; give a file that is one or is not there yet",
                             log->path);
    }
    if (os_errno != 0) {
        return xta_error_set(err, xta__status_of_errno(os_errno), os_errno,
                             "%s: the access log cannot be written: %s", log->path,
                             strerror(os_errno));
    }
    return XTA_OK;
}

xta_status xta_access_log_open(const char *path, xta_access_log **out, xta_error *err)
{
    xta_access_log *log = calloc(1, sizeof *log);
    char *copy = strdup(path);
    xta_status status;

    *out = NULL;
    if (log == NULL || copy == NULL) {
        free(log);
        free(copy);
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for the access log", path);
    }
    log->path = copy;
    log->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log->file < 0) {
        status = xta_error_set(err, xta__status_of_errno(errno), errno,
                               "%s: the access log cannot be opened: %s", path, strerror(errno));
    } else {
        status = check_head(log, err);
    }
    if (status != XTA_OK) {
        if (log->file >= 0) {
            close(log->file);
        }
        free(log->path);
        free(log);
        return status;
    }
    *out = log;
    return XTA_OK;
}

/* One line. The text is never truncated: each number has at most 20 characters. */
static void log_access(void *user, xta_array *array, bool is_write, const xta_box *box,
                       const int64_t *step)
{
    xta_access_log *log = user;
    char line[LINE_BYTES];
    size_t n = (size_t)snprintf(line, sizeof line, "%c", is_write ? 'w' : 'r');
    bool steps = false;
    int none = 0;

    (void)array;
    for (int axis = 0; axis < box->ndim; axis++) {
        n += (size_t)snprintf(line + n, sizeof line - n, "%c%" PRId64 ":%" PRId64,
                              axis == 0 ? ' ' : ',', box->lo[axis], box->hi[axis]);
        steps = steps || (step != NULL && step[axis] != 1);
    }
    for (int axis = 0; steps && axis < box->ndim; axis++) {
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%" PRId64, axis == 0 ? " step " : ",",
                              step[axis]);
    }
    line[n++] = '\n';
    int os_errno = append_text(log->file, line, n);
    if (os_errno != 0) {
        atomic_compare_exchange_strong(&log->os_errno, &none, os_errno);
    }
}

void xta_access_log_watch(xta_access_log *log, xta_array *array)
{
    xta_array_watch(array, log_access, log);
}

xta_status xta_access_log_close(xta_access_log *log, xta_error *err)
{
    xta_status status = XTA_OK;

    if (log == NULL) {
        return XTA_OK;
    }
    int os_errno = atomic_load(&log->os_errno);
    if (close(log->file) != 0 && os_errno == 0) {
        os_errno = errno;
    }
    if (os_errno != 0) {
        status =
            xta_error_set(err, xta__status_of_errno(os_errno), os_errno,
                          "%s: not every access could be noted: %s", log->path, strerror(os_errno));
    }
    free(log->path);
    free(log);
    return status;
}
