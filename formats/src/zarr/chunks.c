/* Reading cells of a Zarr array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/chunks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/copy_box.h"
#include "util/text.h"
#include "util/try.h"

char *xta__zarr_chunk_key(const zarr_array *array, const int64_t at[])
{
    xta__text key = {0};

    if (array->keys_of_v3) {
        xta__text_add_string(&key, "c");
    } else if (array->ndim == 0) {
        xta__text_add_string(&key, "0");
    }
    for (int d = 0; d < array->ndim; d++) {
        if (d > 0 || array->keys_of_v3) {
            xta__text_add(&key, &array->separator, 1);
        }
        xta__text_printf(&key, "%" PRId64, at[d]);
    }
    return xta__text_detach(&key);
}

static uint64_t chunk_cells(const zarr_array *array)
{
    uint64_t n = 1;

    for (int d = 0; d < array->ndim; d++) {
        n *= (uint64_t)array->chunk[d];
    }
    return n;
}

static char *name_of(const char *node, const zarr_array *array, const int64_t at[])
{
    char *key = xta__zarr_chunk_key(array, at);
    char *name = key != NULL ? xta__string("%s%s%s", node, node[0] != '\0' ? "/" : "", key) : NULL;

    free(key);
    return name;
}

/* Decode a file of a chunk; *missing: there is none. `out` holds the cells of a chunk; with
 * `longest` it is NULL, and texts are measured. */
static xta_status decode(const zarr_store *store, const char *name, const zarr_array *array,
                         uint8_t *out, size_t *longest, bool *missing, xta_error *err)
{
    const zarr_cells cells = {.type = array->type,
                              .bytes = array->cell_bytes,
                              .fill = array->fill,
                              .code_points = array->code_points,
                              .longest = longest};
    uint64_t bytes = chunk_cells(array) * array->cell_bytes;
    uint8_t *encoded = NULL;
    size_t n = 0;
    xta_status status = xta__zarr_store_read(
        store, name, xta__zarr_most_encoded(&array->chain, bytes), &encoded, &n, err);

    *missing = encoded == NULL;
    if (status != XTA_OK || *missing) {
        return status;
    }
    const char *wrong =
        xta__zarr_decode(&array->chain, &cells, array->ndim, array->chunk, encoded, n, out);
    free(encoded);
    if (wrong == xta__zarr_no_memory) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s/%s: out of memory", store->path, name);
    }
    return wrong == NULL
               ? XTA_OK
               : xta_error_set(err, XTA_EFORMAT, 0,
                               "%s/%s: %s; write this chunk again, or remove it if its cells are "
                               "missing",
                               store->path, name, wrong);
}

static xta_status load(const zarr_store *store, const char *node, const zarr_array *array,
                       const int64_t at[], zarr_chunk_cache *cache, xta_error *err)
{
    size_t n = (size_t)array->ndim * sizeof at[0];

    if (cache->array == array && memcmp(cache->at, at, n) == 0) {
        return XTA_OK;
    }
    free(cache->cells);
    cache->array = NULL;
    cache->cells = malloc((size_t)(chunk_cells(array) * array->cell_bytes) + 1);
    char *name = name_of(node, array, at);
    xta_status status = name != NULL && cache->cells != NULL
                            ? decode(store, name, array, cache->cells, NULL, &cache->missing, err)
                            : xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", store->path);
    if (status == XTA_OK) {
        cache->array = array;
        memcpy(cache->at, at, n);
    }
    free(name);
    return status;
}

/* The next chunk of a box in row order; false: there is none. */
static bool step(const zarr_array *array, const xta_box *box, int64_t at[])
{
    for (int d = array->ndim - 1; d >= 0; d--) {
        if (++at[d] * array->chunk[d] < box->hi[d]) {
            return true;
        }
        at[d] = box->lo[d] / array->chunk[d];
    }
    return false;
}

/* The cells that a chunk and the box share. */
static void copy_chunk(const zarr_array *array, const zarr_chunk_cache *cache, const xta_box *box,
                       uint8_t *cells)
{
    cell_view from = {.bytes = cache->cells}, to = {.bytes = cells};
    int64_t shape[XTA_MAX_NDIM], first[XTA_MAX_NDIM], in_box[XTA_MAX_NDIM], extent[XTA_MAX_NDIM];

    for (int d = 0; d < array->ndim; d++) {
        int64_t begin = cache->at[d] * array->chunk[d], end = begin + array->chunk[d];
        int64_t lo = begin > box->lo[d] ? begin : box->lo[d];
        int64_t hi = end < box->hi[d] ? end : box->hi[d];
        first[d] = lo - begin;
        in_box[d] = lo - box->lo[d];
        shape[d] = hi - lo;
        extent[d] = box->hi[d] - box->lo[d];
    }
    xta__view_rows(&from, array->ndim, array->chunk, first, array->cell_bytes);
    xta__view_rows(&to, array->ndim, extent, in_box, array->cell_bytes);
    xta__copy_view(&from, &to, array->ndim, shape, array->cell_bytes);
}

xta_status xta__zarr_read_box(const zarr_store *store, const char *node, const zarr_array *array,
                              zarr_chunk_cache *cache, const xta_box *box, uint8_t *cells,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t at[XTA_MAX_NDIM] = {0};
    uint64_t n = 1;

    for (int k = 0; k < array->ndim; k++) {
        at[k] = box->lo[k] / array->chunk[k];
        n *= (uint64_t)(box->hi[k] - box->lo[k]);
    }
    xta__repeat_cell(cells, n, array->fill, array->cell_bytes);
    do {
        XTA_TRY(load(store, node, array, at, cache, err));
        if (!cache->missing) {
            copy_chunk(array, cache, box, cells);
        }
    } while (step(array, box, at));

done:
    return status;
}

bool xta__zarr_is_empty(const zarr_store *store, const char *node, const zarr_array *array,
                        const xta_box *box)
{
    int64_t at[XTA_MAX_NDIM] = {0};
    bool empty = true;

    for (int k = 0; k < array->ndim; k++) {
        at[k] = box->lo[k] / array->chunk[k];
    }
    do {
        char *name = name_of(node, array, at);
        empty = name != NULL && !xta__zarr_store_may_have(store, name);
        free(name);
    } while (empty && step(array, box, at));
    return empty;
}

xta_status xta__zarr_measure_texts(const zarr_store *store, const char *node,
                                   const zarr_array *array, size_t *longest, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box all = {.ndim = array->ndim};
    int64_t at[XTA_MAX_NDIM] = {0};
    bool missing = false;

    *longest = array->fill_text != NULL ? strlen(array->fill_text) : 1;
    for (int k = 0; k < array->ndim; k++) {
        all.hi[k] = array->shape[k];
    }
    if (xta_box_empty(&all) && array->ndim > 0) {
        return XTA_OK;
    }
    do {
        char *name = name_of(node, array, at);
        status = name != NULL ? decode(store, name, array, NULL, longest, &missing, err)
                              : xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", store->path);
        free(name);
    } while (status == XTA_OK && step(array, &all, at));
    return status;
}
