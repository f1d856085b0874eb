/* Files that hold only cells, in row or column order, after an optional header: raw and npy.
 *
 * A box is read as runs: the fastest axes, as far as the box covers them completely, form one run
 * with the next slower axis, so that a slab across the slowest axis is one run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "dense/dense_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "description/description.h"
#include "util/bytes.h"
#include "util/errors.h"
#include "util/try.h"

#define SWAP_BLOCK_BYTES 65536

size_t xta__dense_unit(xta_type type)
{
    switch (type) {
    case XTA_C64:
        return 4;
    case XTA_C128:
        return 8;
    case XTA_BYTES:
    case XTA_TEXT:
        return 1;
    default:
        return xta_type_bytes(type);
    }
}

static xta_status system_failure(const char *path, const char *doing, int code, xta_error *err)
{
    return xta_error_set(err, xta__status_of_errno(code), code, "%s: cannot %s: %s", path, doing,
                         strerror(code));
}

xta_status xta__dense_open(bridge_dense *file, const char *path, uint64_t *file_bytes,
                           xta_error *err)
{
    struct stat facts;
    file->path = xta__bridge_copy(path);
    if (file->path == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0 || fstat(file->fd, &facts) != 0) {
        return system_failure(path, "open it", errno, err);
    }
    if (!S_ISREG(facts.st_mode)) {
        return xta_error_set(err, XTA_EFORMAT, 0, "%s: is not a regular file", path);
    }
    *file_bytes = (uint64_t)facts.st_size;
    return XTA_OK;
}

xta_status xta__dense_create(bridge_dense *file, const char *path, xta_error *err)
{
    file->path = xta__bridge_copy(path);
    if (file->path == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return file->fd < 0 ? system_failure(path, "create it", errno, err) : XTA_OK;
}

static void count_call(const bridge_dense *file, int side)
{
    if (file->n_calls != NULL) {
        file->n_calls[side]++;
    }
}

xta_status xta__dense_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                            xta_error *err)
{
    char *at = bytes;
    if (file->get != NULL) {
        return file->get(file, offset, bytes, n, err);
    }
    while (n > 0) {
        count_call(file, 0);
        ssize_t got = pread(file->fd, at, n, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return system_failure(file->path, "read", errno, err);
        }
        if (got == 0) {
            return xta_error_set(err, XTA_EFORMAT, 0, "%s: ends at byte %llu, %zu bytes too early",
                                 file->path, (unsigned long long)offset, n);
        }
        at += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return XTA_OK;
}

xta_status xta__dense_put_bytes(const bridge_dense *file, uint64_t offset, const void *bytes,
                                size_t n, xta_error *err)
{
    const char *at = bytes;
    while (n > 0) {
        count_call(file, 1);
        ssize_t put = pwrite(file->fd, at, n, (off_t)offset);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return system_failure(file->path, "write", errno, err);
        }
        at += put;
        offset += (uint64_t)put;
        n -= (size_t)put;
    }
    return XTA_OK;
}

bool xta__dense_total(const bridge_dense *file, uint64_t *bytes)
{
    uint64_t total = file->cell_bytes;
    for (int axis = 0; axis < file->ndim; axis++) {
        uint64_t n = (uint64_t)file->bounds[axis];
        if (n == 0) {
            *bytes = 0;
            return true;
        }
        if (total > (uint64_t)INT64_MAX / n) {
            return false;
        }
        total *= n;
    }
    *bytes = total;
    return true;
}

/* A box as runs, with axes slowest first; the last `ndim - split` axes form one run. */
typedef struct run_plan {
    int axis[XTA_MAX_NDIM];
    uint64_t stride[XTA_MAX_NDIM]; /* bytes, by position in `axis` */
    int split;
    uint64_t run_bytes;
    uint64_t n_runs;
} run_plan;

static run_plan plan_runs(const bridge_dense *file, const xta_box *box)
{
    run_plan plan;
    uint64_t stride = file->cell_bytes;
    bool whole = true; // every faster axis is covered completely
    plan.split = file->ndim;
    plan.run_bytes = file->cell_bytes;
    plan.n_runs = 1;
    for (int k = file->ndim - 1; k >= 0; k--) {
        int axis = file->order == XTA_COLUMN ? file->ndim - 1 - k : k;
        uint64_t n = (uint64_t)(box->hi[axis] - box->lo[axis]);
        plan.axis[k] = axis;
        plan.stride[k] = stride;
        stride *= (uint64_t)file->bounds[axis];
        if (whole) {
            plan.split = k;
            plan.run_bytes *= n;
        } else {
            plan.n_runs *= n;
        }
        whole = whole && n == (uint64_t)file->bounds[axis];
    }
    return plan;
}

static uint64_t run_offset(const bridge_dense *file, const run_plan *plan, const xta_box *box,
                           uint64_t run)
{
    uint64_t offset = file->offset;
    for (int k = file->ndim - 1; k >= 0; k--) {
        int axis = plan->axis[k];
        uint64_t at = (uint64_t)box->lo[axis];
        if (k < plan->split) {
            uint64_t n = (uint64_t)(box->hi[axis] - box->lo[axis]);
            at += run % n;
            run /= n;
        }
        offset += at * plan->stride[k];
    }
    return offset;
}

xta_status xta__dense_read(const bridge_dense *file, const xta_box *box, void *cells,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    char *at = cells;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    run_plan plan = plan_runs(file, box);
    for (uint64_t run = 0; run < plan.n_runs; run++) {
        uint64_t offset = run_offset(file, &plan, box, run);
        XTA_TRY(xta__dense_bytes(file, offset, at, plan.run_bytes, err));
        xta__swap_bytes(at, plan.run_bytes, file->swap_bytes);
        at += plan.run_bytes;
    }
done:
    return status;
}

/* Write through a small buffer: the cells are the caller's and must not change. */
static xta_status put_swapped(const bridge_dense *file, uint64_t offset, const char *cells,
                              uint64_t n_bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    char *block = malloc(SWAP_BLOCK_BYTES);
    if (block == NULL) {
        return xta__bridge_no_memory(file->path, err);
    }
    for (uint64_t done_bytes = 0; done_bytes < n_bytes;) {
        uint64_t left = n_bytes - done_bytes;
        size_t n = left < SWAP_BLOCK_BYTES ? (size_t)left : SWAP_BLOCK_BYTES;
        memcpy(block, cells + done_bytes, n);
        xta__swap_bytes(block, n, file->swap_bytes);
        XTA_TRY(xta__dense_put_bytes(file, offset + done_bytes, block, n, err));
        done_bytes += n;
    }
done:
    free(block);
    return status;
}

xta_status xta__dense_write(const bridge_dense *file, const xta_box *box, const void *cells,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    const char *at = cells;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    run_plan plan = plan_runs(file, box);
    for (uint64_t run = 0; run < plan.n_runs; run++) {
        uint64_t offset = run_offset(file, &plan, box, run);
        if (file->swap_bytes > 1) {
            XTA_TRY(put_swapped(file, offset, at, plan.run_bytes, err));
        } else {
            XTA_TRY(xta__dense_put_bytes(file, offset, at, plan.run_bytes, err));
        }
        at += plan.run_bytes;
    }
done:
    return status;
}

xta_status xta__dense_finish(bridge_dense *file, xta_error *err)
{
    int fd = file->fd;
    file->fd = -1;
    if (fsync(fd) != 0) {
        int code = errno;
        close(fd);
        return system_failure(file->path, "make it durable", code, err);
    }
    return close(fd) != 0 ? system_failure(file->path, "close it", errno, err) : XTA_OK;
}

void xta__dense_close(bridge_dense *file)
{
    if (file->fd >= 0) {
        close(file->fd);
    }
    file->fd = -1;
    free(file->path);
    file->path = NULL;
}
