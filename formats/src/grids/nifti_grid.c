/* A NIfTI image as a grid of blocks: a dense file, or, compressed, runs that are read from front
 * to back.
 *
 * A compressed image is written uncompressed and compressed at the end; meanwhile both files exist.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "grids/common/grid_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "grids/common/dense_grid.h"
#include "grids/common/format_grid.h"
#include "grids/common/target_spec.h"
#include "grids/common/unfinished_files.h"
#include "nifti/gzip.h"
#include "nifti/header.h"
#include "nifti/nifti.h"
#include "util/try.h"

static bool prepare_gzip(void *state, const bridge_description *what)
{
    (void)state;
    (void)what;
    return true; // reading a piece unpacks everything before it
}

static xta_status open_plain(const char *path, const xta_blocks_options *options,
                             xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    bridge_dense *file = NULL;
    void *state = NULL;
    xta_import_options how = XTA_IMPORT_OPTIONS_INIT;
    bridge_target target = {NULL, -1};
    xta__description_init(&what);
    XTA_TRY(xta__bridge_nifti.open(path, &how, &target, &what, &state, err));
    file = state;
    XTA_TRY(xta__blocks_dense_source(file, &what, options, blocks, err));
done:
    if (file != NULL) {
        xta__bridge_nifti.close(file); // frees what the grid does not own yet
    }
    xta__description_clear(&what);
    return status;
}

static xta_status nifti_open(const char *path, const xta_blocks_options *options,
                             xta_blocks *blocks, xta_error *err)
{
    return xta__nifti_is_gzip(path)
               ? xta__format_grid_open(&xta__bridge_nifti, path, options, prepare_gzip, blocks, err)
               : open_plain(path, options, blocks, err);
}

/* `unfinished` is not compressed; the compressed file is written beside it. */
static xta_status finish_packed(const char *unfinished, const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    char *packed = xta__unfinished_path(unfinished);
    if (packed == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    XTA_TRY(xta__nifti_gzip(unfinished, packed, err));
    int fd = open(packed, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0) {
        status = xta__blocks_io_error(packed, "make it durable", errno, err);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (status == XTA_OK) {
        status = xta__unfinished_finish(packed, path, err);
    }
    if (status == XTA_OK) {
        unlink(unfinished);
    }
done:
    if (status != XTA_OK) {
        unlink(packed);
    }
    free(packed);
    return status;
}

static xta_status nifti_create(const target_spec *spec, xta_blocks *blocks, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description what;
    unsigned char *head = NULL;
    size_t n = 0;
    XTA_TRY(xta__target_spec_describe(spec, &what, err));
    XTA_TRY(xta__nifti_make_header(&what, spec->path, 0, &head, &n, err));
    XTA_TRY(xta__blocks_dense_target(spec, XTA_COLUMN, head, n,
                                     xta__nifti_is_gzip(spec->path) ? finish_packed : NULL, blocks,
                                     err));
done:
    free(head);
    xta__description_clear(&what);
    return status;
}

const blocks_kind xta__blocks_nifti = {
    .name = "nifti",
    .open = nifti_open,
    .create = nifti_create,
};
