/* Snapshots as Zarr stores. A view has handles of its own, which are never refreshed: they are the
 * snapshot.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/zarr_view.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/bytes.h"
#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"
#include "zarr/chunk_key.h"
#include "zarr/data_length.h"
#include "zarr/pin.h"

struct xta_zarr_view {
    char *path;
    xta_array *array; /* or */
    xta_dataset *set;
    xta_zarr *zarr;
    char *pin;
};

static xta_status no_memory(const char *path, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a view of it", path);
}

void xta_zarr_view_close(xta_zarr_view *view)
{
    if (view != NULL) {
        xta_zarr_free(view->zarr);
        xta_array_close(view->array, NULL);
        xta_dataset_close(view->set, NULL);
        free(view->pin);
        free(view->path);
        free(view);
    }
}

const char *xta_zarr_view_pin(const xta_zarr_view *view)
{
    return view->pin;
}

const xta_zarr *xta_zarr_view_hierarchy(const xta_zarr_view *view)
{
    return view->zarr;
}

/* ---- open ---- */

/* Whether a path is that of a folder, and not of an array of the same name. */
static bool is_folder(const char *path)
{
    struct stat st;
    char *journal = xta__string("%s.xmd", path);
    bool array = journal != NULL && stat(journal, &st) == 0;

    free(journal);
    return !array && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static xta_status open_array(xta_zarr_view *view, const char *pin, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array_info info;

    if (pin != NULL) {
        options.at_step = true;
        if (!xta__pin_read_step(pin, &options.step)) {
            return xta_error_set(err, XTA_EARG, 0, "%s: '%s' is no step; they are counted from 0",
                                 view->path, pin);
        }
    }
    XTA_TRY(xta_array_open(view->path, &options, &view->array, err));
    XTA_TRY(xta_array_inquire(view->array, &info, err));
    view->pin = pin != NULL ? xta__string("%s", pin) : xta__string("%" PRIu64, info.n_steps);
    status = view->pin != NULL ? XTA_OK : no_memory(view->path, err);

done:
    return status;
}

static xta_status name_snapshot(xta_zarr_view *view, xta_error *err)
{
    xta__text text = {0};
    bool good = xta__pin_write(&text, view->zarr);

    view->pin = xta__text_detach(&text);
    if (!good) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: the name of a dimension has one of , = @ / and backslash, and no "
                             "address of a snapshot can name it; rename the dimension",
                             view->path);
    }
    return view->pin != NULL ? XTA_OK : no_memory(view->path, err);
}

/* Whether an axis of a node has this dimension, which is named by group and axis. */
static bool has_dimension(const xta_zarr_node *node, int axis, const char *dimension)
{
    const char *slash = strrchr(node->path, '/');
    size_t n = slash != NULL ? (size_t)(slash - node->path) + 1 : 0;

    for (size_t k = 0; k < n; k++) {
        if (dimension[k] != (node->path[k] == '/' ? '~' : node->path[k])) {
            return false;
        }
    }
    return strcmp(dimension + n, node->dimensions[axis]) == 0;
}

/* Whether the cells of a pinned dimension have ever been there: they lie in chunks that each array
 * has. Cells that were removed since have the fill value. */
static xta_status was_there(const xta_zarr *now, const xta_zarr_bounds *b, bool *was,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_zarr_node *node = NULL;
    bool found = false, fits = true;

    for (size_t k = 0; (node = xta_zarr_node_at(now, k)) != NULL; k++) {
        xta_array_info info;
        for (int axis = 0; node->array != NULL && axis < node->box.ndim; axis++) {
            if (!has_dimension(node, axis, b->dimension)) {
                continue;
            }
            XTA_TRY(xta_array_inquire(node->array, &info, err));
            found = true;
            fits = fits && b->lo >= info.allocated.lo[axis] * info.chunk[axis] &&
                   b->hi <= info.allocated.hi[axis] * info.chunk[axis];
        }
    }
    *was = found && fits;

done:
    return status;
}

/* Coordinates are computed for the bounds of a pin, so it must not name any. */
static xta_status check_dimensions(xta_dataset *set, const char *path, const view_bounds *pinned,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta_zarr *now = NULL;
    xta_zarr_bounds b;
    bool was = false;

    XTA_TRY(xta_zarr_of_dataset(set, NULL, &now, err));
    for (size_t k = 0; k < pinned->n; k++) {
        const xta_zarr_bounds *asked = &pinned->bounds[k];
        XTA_TRY(was_there(now, asked, &was, err));
        for (size_t j = 0; !was && xta_zarr_bounds_at(now, j, &b); j++) {
            was = strcmp(b.dimension, asked->dimension) == 0 && b.lo <= asked->lo &&
                  asked->hi <= b.hi;
        }
        if (!was) {
            XTA_TRY(
                xta_error_set(err, XTA_ENOENT, 0,
                              "%s: dimension %s never had all cells of this snapshot, or is not "
                              "there any more; take the newest one",
                              path, asked->dimension));
        }
    }

done:
    xta_zarr_free(now);
    return status;
}

static xta_status open_set(xta_zarr_view *view, const char *pin, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_zarr_options options = XTA_ZARR_OPTIONS_INIT;
    view_bounds pinned = {0};

    XTA_TRY(xta_dataset_open(view->path, NULL, &view->set, err));
    if (pin != NULL) {
        status = xta__pin_read(pin, &pinned);
        XTA_TRY(status == XTA_EARG ? xta_error_set(err, XTA_EARG, 0,
                                                   "%s: '%s' is no snapshot; it is NAME=LO:HI for "
                                                   "each dimension, with commas between",
                                                   view->path, pin)
                : status == XTA_OK ? XTA_OK
                                   : no_memory(view->path, err));
        options.bounds = pinned.bounds;
        options.n_bounds = pinned.n;
        XTA_TRY(check_dimensions(view->set, view->path, &pinned, err));
    }
    XTA_TRY(xta_zarr_of_dataset(view->set, &options, &view->zarr, err));
    XTA_TRY(name_snapshot(view, err));

done:
    xta__pin_clear(&pinned);
    return status;
}

static xta_status new_view(const char *path, xta_zarr_view **out, xta_error *err)
{
    xta_zarr_view *view = calloc(1, sizeof *view);

    *out = view;
    if (view == NULL) {
        return no_memory(path, err);
    }
    view->path = xta__string("%s", path);
    return view->path != NULL ? XTA_OK : no_memory(path, err);
}

xta_status xta_zarr_view_open(const char *path, const char *pin, xta_zarr_view **out,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    xta_zarr_view *view = NULL;

    *out = NULL;
    XTA_TRY(new_view(path, &view, err));
    if (is_folder(path)) {
        XTA_TRY(open_set(view, pin, err));
    } else {
        XTA_TRY(open_array(view, pin, err));
        XTA_TRY(xta_zarr_of_array(view->array, NULL, &view->zarr, err));
    }
    *out = view;
    view = NULL;

done:
    xta_zarr_view_close(view);
    return status;
}

/* ---- the newest cells under old keys ---- */

/* The bounds of now, but those of `like` where it begins. XTA_ESTATE: the dimensions are others. */
static xta_status bounds_from(const char *path, const xta_zarr *now, const xta_zarr *like,
                              view_bounds *out, xta_error *err)
{
    xta_zarr_bounds old, b;
    bool same = true;

    for (size_t k = 0; same && xta_zarr_bounds_at(now, k, &b); k++) {
        if (!XTA__RESERVE(out->bounds, out->capacity, k + 1)) {
            return no_memory(path, err);
        }
        same = xta_zarr_bounds_at(like, k, &old) && strcmp(old.dimension, b.dimension) == 0;
        b.lo = same ? old.lo : b.lo;
        b.hi = b.hi > b.lo ? b.hi : b.lo;
        out->bounds[out->n++] = b;
    }
    if (!same || xta_zarr_bounds_at(like, out->n, &old)) {
        return xta_error_set(err, XTA_ESTATE, 0, "%s: it has other dimensions now", path);
    }
    return XTA_OK;
}

/* Whether both have the same arrays, with the same axes. */
static bool same_nodes(const xta_zarr *a, const xta_zarr *b)
{
    const xta_zarr_node *one = NULL, *other = NULL;
    size_t k = 0;

    for (; (one = xta_zarr_node_at(a, k)) != NULL; k++) {
        other = xta_zarr_node_at(b, k);
        if (other == NULL || strcmp(one->path, other->path) != 0 ||
            one->box.ndim != other->box.ndim || one->type != other->type) {
            return false;
        }
    }
    return xta_zarr_node_at(b, k) == NULL;
}

xta_status xta_zarr_view_open_from(const char *path, const xta_zarr_view *like, xta_zarr_view **out,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    xta_zarr_options options = XTA_ZARR_OPTIONS_INIT;
    xta_zarr_view *view = NULL;
    view_bounds bounds = {0};
    xta_zarr *whole = NULL;

    *out = NULL;
    XTA_TRY(xta_zarr_view_open(path, NULL, &view, err));
    whole = view->zarr; // the names of the bounds are in it
    view->zarr = NULL;
    XTA_TRY(bounds_from(path, whole, like->zarr, &bounds, err));
    options.bounds = bounds.bounds;
    options.n_bounds = bounds.n;
    XTA_TRY(view->set != NULL ? xta_zarr_of_dataset(view->set, &options, &view->zarr, err)
                              : xta_zarr_of_array(view->array, &options, &view->zarr, err));
    if (!same_nodes(view->zarr, like->zarr)) {
        XTA_TRY(xta_error_set(err, XTA_ESTATE, 0, "%s: it has other arrays now", path));
    }
    *out = view;
    view = NULL;

done:
    xta_zarr_free(whole);
    xta__pin_clear(&bounds);
    xta_zarr_view_close(view);
    return status;
}

/* ---- keys ---- */

static void to_little(unsigned char *bytes, size_t n, const xta_zarr_node *node)
{
    const uint16_t one = 1;
    bool complex = node->type == XTA_C64 || node->type == XTA_C128;

    if (*(const unsigned char *)&one == 0 && node->type != XTA_BYTES) {
        xta__swap_bytes(bytes, n, complex ? node->cell_bytes / 2 : node->cell_bytes);
    }
}

static void fill_cells(unsigned char *bytes, size_t n, const xta_zarr_node *node)
{
    const void *fill = xta_array_fill_value(node->array);

    for (size_t at = 0; at < n; at += node->cell_bytes) {
        memcpy(bytes + at, fill, node->cell_bytes);
    }
}

/* Read the cells of a chunk that there are into a whole chunk. */
static xta_status read_chunk(const xta_zarr_node *node, const int64_t chunk[], unsigned char *bytes,
                             size_t n, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t strides[XTA_MAX_NDIM], stride = (int64_t)node->cell_bytes;
    xta_box whole = {.ndim = node->box.ndim}, bounds = xta_array_bounds(node->array);
    unsigned char *first = bytes;

    for (int axis = 0; axis < whole.ndim; axis++) {
        whole.lo[axis] = node->box.lo[axis] + chunk[axis] * node->chunk[axis];
        whole.hi[axis] = whole.lo[axis] + node->chunk[axis];
    }
    xta_box cells = xta_box_intersect(&whole, &node->box);
    cells = xta_box_intersect(&cells, &bounds);
    if (!xta_box_equal(&cells, &whole)) {
        fill_cells(bytes, n, node);
    }
    if (xta_box_empty(&cells)) {
        return XTA_OK;
    }
    for (int axis = whole.ndim - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        first += (cells.lo[axis] - whole.lo[axis]) * stride;
        stride *= node->chunk[axis];
    }
    options.strides = strides;
    return xta_array_read(node->array, &cells, &options, first, err);
}

/* A chunk of coordinates, in memory or computed. */
static void copy_values(const xta_zarr_node *node, int64_t chunk, unsigned char *bytes, size_t n)
{
    size_t at = (size_t)chunk * n, left = node->values_bytes - at;

    const int64_t lo = node->box.lo[0] + chunk * node->chunk[0];

    memset(bytes, 0, n);
    left = left < n ? left : n;
    if (node->regular != NULL) {
        xta_regular_values(node->regular, lo, lo + (int64_t)(left / node->cell_bytes), bytes);
    } else {
        memcpy(bytes, (const unsigned char *)node->values + at, left);
    }
}

static xta_status get_chunk(const xta_zarr_view *view, const xta_zarr_node *node,
                            const int64_t chunk[], unsigned char **bytes, size_t *n_bytes,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = xta__chunk_bytes(node);
    unsigned char *memory = n > 0 ? malloc(n) : NULL;

    if (memory == NULL) {
        return no_memory(view->path, err);
    }
    if (node->array != NULL) {
        XTA_TRY(xta__check_data_length(node->array, err));
        XTA_TRY(read_chunk(node, chunk, memory, n, err));
    } else {
        copy_values(node, chunk[0], memory, n);
    }
    to_little(memory, n, node);
    *bytes = memory;
    *n_bytes = n;
    memory = NULL;

done:
    free(memory);
    return status;
}

xta_status xta_zarr_view_get(xta_zarr_view *view, int version, const char *key,
                             unsigned char **bytes, size_t *n_bytes, xta_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    char *text = NULL;
    const xta_zarr_node *node = xta__chunk_key_parse(view->zarr, version, key, chunk);

    *bytes = NULL;
    *n_bytes = 0;
    if (node != NULL) {
        return get_chunk(view, node, chunk, bytes, n_bytes, err);
    }
    xta_status status = xta_zarr_document(view->zarr, version, key, &text, err);
    if (status == XTA_OK) {
        *bytes = (unsigned char *)text;
        *n_bytes = strlen(text);
    }
    return status;
}

size_t xta_zarr_view_chunk_bytes(const xta_zarr_view *view, int version, const char *key)
{
    int64_t chunk[XTA_MAX_NDIM];
    const xta_zarr_node *node = xta__chunk_key_parse(view->zarr, version, key, chunk);

    return node != NULL ? xta__chunk_bytes(node) : 0;
}
