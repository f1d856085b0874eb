/* What an array is: for programs, and printed for users.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pexta/session.h"
#include "pexta/transfer.h"
#include "pexta/types.h"

int PEXTA_Inquire64(int p_a, int *type, int *ndim, int64_t dims[], char *name, char *filename)
{
    xta_error *err = &xta__pexta.last;

    xta__clear(err);
    const xta__disk *disk = xta__disk_of(p_a, err);
    if (disk == NULL) {
        return XTA_EARG;
    }
    if (type != NULL) {
        *type = disk->type;
    }
    if (ndim != NULL) {
        *ndim = disk->ndim;
    }
    for (int axis = 0; axis < disk->ndim && dims != NULL; axis++) {
        dims[axis] = disk->bounds.hi[axis] - disk->bounds.lo[axis];
    }
    if (name != NULL) {
        memcpy(name, disk->name, strlen(disk->name) + 1);
    }
    if (filename != NULL) {
        memcpy(filename, disk->filename, strlen(disk->filename) + 1);
    }
    return XTA_OK;
}

static const char *mode_name(int mode)
{
    return mode == PEXTA_R ? "PEXTA_R" : mode == PEXTA_W ? "PEXTA_W" : "PEXTA_RW";
}

static void print_axes(const xta__disk *disk)
{
    printf("  axis       length        first cell          chunk\n");
    for (int axis = 0; axis < disk->ndim; axis++) {
        printf("  %4d %12" PRId64 " %17" PRId64 " %14" PRId64 "\n", axis,
               disk->bounds.hi[axis] - disk->bounds.lo[axis], disk->bounds.lo[axis],
               disk->chunk[axis]);
    }
}

static void print_requests(const xta__disk *disk)
{
    int n = 0;

    for (const xta__request *r = xta__pexta.requests; r != NULL; r = r->next) {
        if (r->move.disk == disk && !r->complete) {
            printf("  request %d: %s, not complete\n", r->id, r->move.write ? "write" : "read");
            n++;
        }
    }
    if (n == 0) {
        printf("  requests: none under way\n");
    }
}

int PEXTA_Print_internals(int p_a)
{
    xta_error *err = &xta__pexta.last;
    xta_array_info info;

    xta__clear(err);
    const xta__disk *disk = xta__disk_of(p_a, err);
    if (disk == NULL) {
        return XTA_EARG;
    }
    if (xta__pexta.rank != 0) {
        return XTA_OK;
    }
    xta_status status = xta_array_inquire(disk->array, &info, err);
    if (status != XTA_OK) {
        return (int)status;
    }
    printf("PEXTA array %d: \"%s\"\n", p_a, disk->name);
    printf("  file %s, opened %s, %s\n", disk->path, mode_name(disk->mode),
           info.mapped ? "mapped" : "through a chunk cache");
    printf("  type %s, %zu bytes a cell\n", xta__ga_type_name(disk->type), disk->cell_bytes);
    print_axes(disk);
    printf("  chunks: %" PRIu64 " of %" PRIu64 " bytes, in %" PRIu64 " segments after %" PRIu64
           " structural steps\n",
           info.n_chunks, info.chunk_bytes, info.n_segments, info.n_steps);
    printf("  processes: %d, of which %d read and write files\n", xta__pexta.n_ranks,
           xta__io_ranks());
    print_requests(disk);
    fflush(stdout);
    return XTA_OK;
}
