/* An open array: agreeing on its bounds, writing back, and closing it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/disk.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pexta/cache/chunk_cache.h"

static xta_status catch_up(xta__disk *disk, const xta_box *bounds, xta_error *err)
{
    const struct timespec pause = {0, 100000000};
    xta_status status = XTA_OK;

    // On some file systems others see a change a little later.
    for (int tries = 0; tries < 50 && status == XTA_OK; tries++) {
        xta_box seen = xta_array_bounds(disk->array);
        if (seen.ndim == bounds->ndim && xta_box_contains(&seen, bounds)) {
            return XTA_OK;
        }
        if (tries > 0) {
            nanosleep(&pause, NULL);
        }
        status = xta_array_refresh(disk->array, NULL, err);
    }
    return xta__fail(err, status == XTA_OK ? XTA_EIO : status, 0,
                     "%s: rank %d does not see the bounds that rank 0 sees; the folder must be one "
                     "that all ranks share",
                     disk->path, xta__pexta.rank);
}

static xta_status read_facts(xta__disk *disk, xta_error *err)
{
    xta_array_info info;
    xta_status status = xta_array_inquire(disk->array, &info, err);

    if (status == XTA_OK) {
        disk->cell_bytes = info.cell_bytes;
        disk->mapped = info.mapped;
        disk->ndim = info.ndim;
        memcpy(disk->chunk, info.chunk, sizeof disk->chunk);
        memcpy(disk->uuid, info.uuid, sizeof disk->uuid);
    }
    return status;
}

static xta_status check_ndim(const xta__disk *disk, int ndim, xta_error *err)
{
    if (ndim > PEXTA_MAX_NDIM) {
        return xta__fail(err, XTA_ETYPE, 0, "%s: it has %d axes; Global Arrays have %d at most",
                         disk->path, ndim, PEXTA_MAX_NDIM);
    }
    return XTA_OK;
}

xta_status xta__share_bounds(xta__disk *disk, xta_status status, xta_error *err)
{
    xta_box bounds = {0};

    if (status == XTA_OK && xta__pexta.rank == 0) {
        bounds = xta_array_bounds(disk->array);
        status = check_ndim(disk, bounds.ndim, err);
    }
    status = xta_agree(xta__pexta.comm, status, err);
    if (status != XTA_OK) {
        return status;
    }
    MPI_Bcast(&bounds, (int)sizeof bounds, MPI_BYTE, 0, xta__pexta.comm);
    status = catch_up(disk, &bounds, err);
    if (status == XTA_OK) {
        status = read_facts(disk, err);
    }
    status = xta_agree(xta__pexta.comm, status, err);
    if (status == XTA_OK) {
        disk->bounds = bounds;
    }
    return status;
}

xta_status xta__exchange(xta__disk *disk, bool written, xta_error *err)
{
    xta_status status = disk->mapped ? XTA_OK : xta_array_refresh(disk->array, NULL, err);

    // Other machines read the cells from the file server.
    return status == XTA_OK && written && xta__pexta.apart ? xta_array_sync(disk->array, err)
                                                           : status;
}

bool xta__same_array(const xta__disk *a, const xta__disk *b)
{
    return a == b || memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

bool xta__is_cached(const xta__disk *disk)
{
    for (const xta__disk *d = xta__pexta.disks; d != NULL; d = d->next) {
        if (d->cache != NULL && xta__same_array(d, disk)) {
            return true;
        }
    }
    return false;
}

void xta__drop_cached(const xta__disk *disk, const xta_box *box)
{
    for (xta__disk *d = xta__pexta.disks; d != NULL; d = d->next) {
        // An axis that this handle has not seen yet: PEXTA_Refresh empties its cache.
        if (d->cache != NULL && d->ndim == box->ndim && xta__same_array(d, disk)) {
            xta__cache_drop(d->cache, box);
        }
    }
}

static void unlink_disk(xta__disk *disk)
{
    xta__disk **at = &xta__pexta.disks;

    while (*at != disk) {
        at = &(*at)->next;
    }
    *at = disk->next;
}

xta_status xta__close_disk(xta__disk *disk, xta_status so_far, xta_error *err)
{
    unlink_disk(disk);
    xta_status status = xta_array_close(disk->array, so_far == XTA_OK ? err : NULL);
    xta__cache_free(disk->cache);
    free(disk);
    return so_far != XTA_OK ? so_far : status;
}
