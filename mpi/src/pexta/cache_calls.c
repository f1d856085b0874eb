/* The calls of the session cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <inttypes.h>
#include <string.h>

#include "pexta/cache/chunk_cache.h"
#include "pexta/requests.h"

static xta_status check_limit(const xta__disk *disk, double bytes, xta_error *err)
{
    double chunk_bytes = (double)disk->cell_bytes;

    for (int axis = 0; axis < disk->ndim; axis++) {
        chunk_bytes *= (double)disk->chunk[axis];
    }
    if (disk->mode == PEXTA_W) {
        return xta__fail(err, XTA_EACCESS, 0,
                         "%s: it is opened PEXTA_W, so nothing is read that a cache could keep; "
                         "open it PEXTA_RW or PEXTA_R",
                         disk->path);
    }
    if (!(bytes >= 0) || (bytes > 0 && bytes < chunk_bytes)) {
        return xta__fail(
            err, XTA_EARG, 0,
            "%s: a cache of %.0f bytes; a chunk has %.0f: give at least that, or 0 for "
            "no cache",
            disk->path, bytes, chunk_bytes);
    }
    return XTA_OK;
}

/* Bit for bit: the arguments that are compared between ranks are integers. */
static int64_t bits_of(double value)
{
    int64_t bits = 0;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

int PEXTA_Set_cache(int p_a, double bytes)
{
    xta_error *err = &xta__pexta.last;
    xta__arguments arguments = {0};
    xta_status status = XTA_OK;

    xta__arguments_add(&arguments, "p_a", p_a);
    xta__arguments_add(&arguments, "bytes", bits_of(bytes));
    status = xta__enter("PEXTA_Set_cache", &arguments);
    xta__disk *disk = status == XTA_OK ? xta__disk_of(p_a, err) : NULL;
    if (disk == NULL) {
        return (int)(status != XTA_OK ? status : XTA_EARG);
    }
    status = check_limit(disk, bytes, err);
    if (status != XTA_OK) {
        return (int)status;
    }
    // Reads in progress use the cache that there is.
    const xta__move all = {.disk = disk, .write = true, .box = disk->bounds};
    xta__settle(&all);
    xta__cache_free(disk->cache);
    disk->cache = NULL;
    if (bytes > 0) {
        const double most = 1e18;
        disk->cache = xta__cache_new(disk->ndim, disk->chunk, disk->cell_bytes,
                                     (uint64_t)(bytes < most ? bytes : most));
        status = disk->cache != NULL
                     ? XTA_OK
                     : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cache of %.0f bytes",
                                 disk->path, bytes);
    }
    int code = xta__leave(status);
    if (code != XTA_OK) {
        xta__cache_free(disk->cache);
        disk->cache = NULL;
    }
    return code;
}

int PEXTA_Inquire_cache(int p_a, int64_t *requested, int64_t *found, int64_t *bytes)
{
    int64_t sums[3] = {0};
    xta_status status = XTA_OK;
    const xta__disk *disk = xta__enter_with("PEXTA_Inquire_cache", p_a, &status);

    if (disk == NULL) {
        return (int)status;
    }
    if (disk->cache != NULL) {
        const xta__cache_counts counts = xta__cache_count(disk->cache);
        sums[0] = (int64_t)counts.requested;
        sums[1] = (int64_t)counts.found;
        sums[2] = (int64_t)counts.bytes;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_INT64_T, MPI_SUM, xta__pexta.comm);
    int64_t *const to[] = {requested, found, bytes};
    for (int k = 0; k < 3; k++) {
        if (to[k] != NULL) {
            *to[k] = sums[k];
        }
    }
    return xta__leave(XTA_OK);
}
