/* Raw files: little-endian cells, dense, and nothing else.
 *
 * Type and bounds come from the caller or, where the cells go into an existing array, from that
 * array; the length of the file then gives the length of the appended axis. An export loses
 * everything but the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dense/raw.h"

#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "util/try.h"

static const char *const suffixes[] = {"raw", "bin", NULL};

static bool raw_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    (void)head;
    (void)n_bytes;
    return false; // any file could be raw, so the format must be requested
}

/* Bytes of a row of cells across the appended axis; false if that overflows or is 0. */
static bool row_bytes(bridge_dense *file, int axis, uint64_t *bytes)
{
    file->bounds[axis] = 1;
    return xta__dense_total(file, bytes) && *bytes > 0;
}

static xta_status raw_shape(bridge_dense *file, const char *path, uint64_t file_bytes,
                            const xta_import_options *options, const bridge_target *target,
                            xta_error *err)
{
    uint64_t bytes = 0;
    if (options->bounds != NULL) {
        file->ndim = options->ndim;
        for (int axis = 0; axis < file->ndim && axis < XTA_MAX_NDIM; axis++) {
            file->bounds[axis] = options->bounds[axis];
        }
    } else if (target->info != NULL && target->append_axis >= 0) {
        const xta_box *bounds = &target->info->bounds;
        file->ndim = bounds->ndim;
        for (int axis = 0; axis < file->ndim; axis++) {
            file->bounds[axis] = bounds->hi[axis] - bounds->lo[axis];
        }
        if (row_bytes(file, target->append_axis, &bytes)) {
            file->bounds[target->append_axis] = (int64_t)(file_bytes / bytes);
        }
    }
    if (file->ndim < 1 || file->ndim > XTA_MAX_NDIM) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: raw cells need their number of axes (1 to %d) and bounds; they "
                             "were given %d axes",
                             path, XTA_MAX_NDIM, file->ndim);
    }
    for (int axis = 0; axis < file->ndim; axis++) {
        if (file->bounds[axis] < 0) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: axis %d: bounds must be 0 or more, not %lld", path, axis,
                                 (long long)file->bounds[axis]);
        }
    }
    if (!xta__dense_total(file, &bytes)) {
        return xta_error_set(err, XTA_EOVERFLOW, 0, "%s: the bounds given pass 2^63 bytes", path);
    }
    if (bytes != file_bytes) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: type and bounds need %llu bytes, the file has %llu", path,
                             (unsigned long long)bytes, (unsigned long long)file_bytes);
    }
    return XTA_OK;
}

static xta_status raw_open(const char *path, const xta_import_options *options,
                           const bridge_target *target, bridge_description *what, void **state,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;
    bridge_dense *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    what->type = options->type;
    if (what->type == XTA_TYPE_SAME && target->info != NULL) {
        what->type = target->info->type;
    }
    what->cell_bytes = xta_type_bytes(what->type);
    if (what->type == XTA_BYTES && target->info != NULL) {
        what->cell_bytes = target->info->cell_bytes;
    }
    XTA_TRY(xta__dense_open(file, path, &file_bytes, err));
    if (what->cell_bytes == 0 || what->type == XTA_TEXT) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: raw cells need a type of numbers, such as f32", path);
        goto done;
    }
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(what->type) : 0;
    XTA_TRY(raw_shape(file, path, file_bytes, options, target, err));
    what->ndim = file->ndim;
    memcpy(what->bounds, file->bounds, sizeof what->bounds);
    *state = file;
    file = NULL;
done:
    if (file != NULL) {
        xta__dense_close(file);
        free(file);
    }
    return status;
}

static xta_status raw_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    return xta__dense_read(state, box, cells, err);
}

static void raw_close(void *state)
{
    xta__dense_close(state);
    free(state);
}

static xta_status raw_create(const char *path, const xta_export_options *options,
                             bridge_description *what, void **state, xta_error *err)
{
    bridge_dense *file = calloc(1, sizeof *file);
    if (file == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    file->fd = -1;
    xta_status status = xta__dense_create(file, path, err);
    if (status != XTA_OK) {
        raw_close(file);
        return status;
    }
    what->order = options->order;
    for (int k = 0; k < what->ndim; k++) {
        what->slow[k] = what->order == XTA_COLUMN ? what->ndim - 1 - k : k;
    }
    file->cell_bytes = what->cell_bytes;
    file->swap_bytes = XTA__BIG_ENDIAN ? xta__dense_unit(what->type) : 0;
    file->ndim = what->ndim;
    file->order = what->order;
    memcpy(file->bounds, what->bounds, sizeof file->bounds);
    *state = file;
    return XTA_OK;
}

static xta_status raw_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    return xta__dense_write(state, box, cells, err);
}

static xta_status raw_finish(void *state, xta_error *err)
{
    xta_status status = xta__dense_finish(state, err);
    raw_close(state);
    return status;
}

const bridge_format xta__bridge_raw = {
    .name = "raw",
    .summary = "raw: bare little-endian cells (.raw, .bin), import and export",
    .suffixes = suffixes,
    .sniff = raw_sniff,
    .open = raw_open,
    .read = raw_read,
    .close = raw_close,
    .create = raw_create,
    .write = raw_write,
    .finish = raw_finish,
    .abandon = raw_close,
};
