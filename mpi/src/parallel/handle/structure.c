/* Growth and other changes of the structure: rank 0 makes them through its root handle and notifies
 * the others.
 *
 * A step is three collective operations, whatever has happened to the array before: the ranks meet
 * (agree.c), rank 0 gives notice (notice.c), and they agree whether all could apply it. A refresh
 * without news takes only the first two.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/agree/notice.h"
#include "parallel/handle/handle.h"

/* The start of a notice. Two words for each of `ndim` axes follow, and then the news. */
typedef struct heading {
    int32_t news; /* xta__news */
    int32_t ndim; /* axes of the bounds after the step; 0: they are not sent */
    uint64_t n_steps;
} heading;

static void add_bounds(xta__bytes *payload, const xta_box *bounds)
{
    xta__bytes_add(payload, bounds->lo, (size_t)bounds->ndim * sizeof bounds->lo[0]);
    xta__bytes_add(payload, bounds->hi, (size_t)bounds->ndim * sizeof bounds->hi[0]);
}

/* Read the bounds at `bytes`. Returns the bytes after them. */
static const uint8_t *read_bounds(const uint8_t *bytes, int ndim, xta_box *bounds)
{
    size_t n = (size_t)ndim * sizeof bounds->lo[0];

    bounds->ndim = ndim;
    memcpy(bounds->lo, bytes, n);
    memcpy(bounds->hi, bytes + n, n);
    return bytes + 2 * n;
}

/* Rank 0: write heading, bounds and news. */
static xta_status write_news(xta_parallel *p, const xta_box *bounds, xta__bytes *payload,
                             xta__replica_base *now, xta_error *err)
{
    heading head = {.ndim = bounds != NULL ? bounds->ndim : 0};
    xta__news news = XTA__NO_NEWS;

    xta__bytes_add(payload, &head, sizeof head);
    if (bounds != NULL) {
        add_bounds(payload, bounds);
    }
    xta_status status = xta__replica_news(p->root, &p->base, payload, &news, now, err);
    if (status == XTA_OK) {
        head.news = (int32_t)news;
        head.n_steps = now->n_steps;
        memcpy(payload->bytes, &head, sizeof head);
    }
    return status;
}

/* Rank 0 notifies the ranks of what its root handle has learned, and the replicas apply it.
 * `status` is that of rank 0 so far. *bounds (unless NULL) becomes rank 0's on all ranks. *any:
 * whether there was any news. */
static xta_status notify_ranks(xta_parallel *p, xta_status status, xta_box *bounds, bool *any,
                               xta_error *err)
{
    uint8_t small[XTA__NOTICE_BYTES];
    xta__bytes payload = {.bytes = small, .capacity = sizeof small, .borrowed = true};
    xta__replica_base now = {.pending = false};
    heading head = {.news = XTA__NO_NEWS};

    if (p->rank == 0 && status == XTA_OK) {
        status = write_news(p, bounds, &payload, &now, err);
    }
    status = xta__notify(p->comm, p->rank, status, &payload, err);
    if (status == XTA_OK) {
        memcpy(&head, payload.bytes, sizeof head);
        const uint8_t *at = payload.bytes + sizeof head;
        at = bounds != NULL ? read_bounds(at, head.ndim, bounds) : at;
        xta__bytes news = {.bytes = (uint8_t *)(uintptr_t)at,
                           .n = payload.n - (size_t)(at - payload.bytes)};
        if (head.news != XTA__NO_NEWS) {
            status = xta__replica_apply(p->array, (xta__news)head.news, &news, head.n_steps, err);
            status = xta_agree(p->comm, status, err);
            // If not all could apply it, the ranks now see different structures.
            p->broken = status != XTA_OK;
        }
    }
    if (status == XTA_OK && p->rank == 0) {
        p->base = now;
    }
    if (any != NULL) {
        *any = head.news != XTA__NO_NEWS;
    }
    xta__bytes_clear(&payload);
    return status;
}

/* The root handle of this rank, opened when it is first needed. */
static xta_status need_root(xta_parallel *p, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = p->writable;
    options.lock = p->by_lock_file ? XTA_LOCK_FILE : XTA_LOCK_SYSTEM;
    return p->root != NULL ? XTA_OK : xta__array_open_again(p->array, &options, &p->root, err);
}

static xta_status writable(const xta_parallel *p, const char *what, xta_error *err)
{
    return p->writable
               ? XTA_OK
               : xta__fail(err, XTA_EACCESS, 0, "%s: cannot %s: opened read-only; open it writable",
                           p->array->path, what);
}

/* The arguments that must be the same on all ranks. */
static void argue_growths(xta__meeting *meeting, const xta_growth *growths, int n)
{
    xta__argue(meeting, "the number of growths", n);
    for (int k = 0; k < n && k < 2 * XTA_MAX_NDIM; k++) {
        xta__argue(meeting, "the axis of a growth", growths[k].axis);
        xta__argue(meeting, "the side of a growth", (int64_t)growths[k].side);
        xta__argue(meeting, "the cells of a growth", growths[k].by);
    }
}

static xta_status change_bounds(xta_parallel *p, xta__call call, const xta_growth *growths, int n,
                                xta_box *after, xta_error *err)
{
    xta__meeting meeting = {.call = call};
    xta_box bounds = {.ndim = 0};
    bool grows = call == XTA__CALL_EXTEND;

    xta__clear(err);
    argue_growths(&meeting, growths, n);
    meeting.mine = writable(p, grows ? "extend" : "shrink", err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        status = grows ? xta_array_extend(p->root, growths, n, &bounds, err)
                       : xta_array_shrink(p->root, growths, n, &bounds, err);
        if (status == XTA_OK && p->root->chunk_store->windows == NULL) {
            // Cells that were reset may still lie in the root handle's cache.
            status = xta_array_refresh(p->root, NULL, err);
        }
    }
    // The bounds right after this step: the replicas may already show later changes by others.
    status = notify_ranks(p, status, &bounds, NULL, err);
    if (status == XTA_OK && after != NULL) {
        *after = bounds;
    }
    return status;
}

xta_status xta_parallel_extend(xta_parallel *p, const xta_growth *growths, int n_growths,
                               xta_box *after, xta_error *err)
{
    return change_bounds(p, XTA__CALL_EXTEND, growths, n_growths, after, err);
}

xta_status xta_parallel_shrink(xta_parallel *p, const xta_growth *shrinks, int n_shrinks,
                               xta_box *after, xta_error *err)
{
    return change_bounds(p, XTA__CALL_SHRINK, shrinks, n_shrinks, after, err);
}

xta_status xta_parallel_extend_alone(xta_parallel *p, const xta_growth *growths, int n_growths,
                                     xta_box *after, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(writable(p, "extend", err));
    pthread_mutex_lock(&p->lock);
    status = need_root(p, err);
    pthread_mutex_unlock(&p->lock);
    XTA_TRY(status);
    // The root handle may have been opened before the array got an axis.
    XTA_TRY(xta_array_refresh(p->root, NULL, err));
    XTA_TRY(xta_array_extend(p->root, growths, n_growths, after, err));

done:
    return status;
}

xta_status xta_parallel_add_axis(xta_parallel *p, int position, const char *name, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_ADD_AXIS};
    int64_t letters = 0;

    xta__clear(err);
    for (const char *c = name != NULL ? name : ""; *c != '\0'; c++) {
        letters = (int64_t)((uint64_t)letters * 257 + (unsigned char)*c);
    }
    xta__argue(&meeting, "the position of the axis", position);
    xta__argue(&meeting, "the name of the axis", letters);
    meeting.mine = writable(p, "add an axis", err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        status = xta_array_add_axis(p->root, position, name, err);
    }
    return notify_ranks(p, status, NULL, NULL, err);
}

xta_status xta_parallel_refresh(xta_parallel *p, bool *changed, xta_error *err)
{
    xta__meeting meeting = {.call = XTA__CALL_REFRESH};

    xta__clear(err);
    xta_status status = xta__meet(p, &meeting, err);
    if (status != XTA_OK) {
        return status;
    }
    if (p->rank == 0) {
        // The root handle knows what this rank has grown alone; the replicas do not.
        status = xta_array_refresh(p->root, NULL, err);
    }
    return notify_ranks(p, status, NULL, changed, err);
}
