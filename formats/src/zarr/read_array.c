/* What an array of a store is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/read_array.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/try.h"
#include "zarr/chunks.h"

enum { MOST_TEXTS = 1 << 26, MOST_TEXT_BYTES = 65535 };

/* Texts get the length of the longest. *wrong: why they cannot come; NULL: they can. */
static xta_status measure_texts(const zarr_store *store, const char *path, zarr_array *array,
                                const char **wrong, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t cells = 1, of_chunk = 1;
    size_t longest = 0;

    for (int d = 0; d < array->ndim; d++) {
        cells *= (uint64_t)array->shape[d]; // xta__zarr_parse has checked both
        of_chunk *= (uint64_t)array->chunk[d];
    }
    if (cells > MOST_TEXTS) {
        *wrong = "it has more than 2^26 texts";
        goto done;
    }
    XTA_TRY(xta__zarr_measure_texts(store, path, array, &longest, err));
    if (longest > MOST_TEXT_BYTES || of_chunk * longest > ZARR_MOST_CHUNK_BYTES) {
        *wrong = "its longest text has more than 65535 bytes, or makes chunks of more than 1 GiB";
        goto done;
    }
    array->cell_bytes = longest;
    array->fill = calloc(1, longest);
    if (array->fill == NULL) {
        XTA_TRY(xta__bridge_no_memory(store->path, err));
    }
    array->has_fill = array->fill_text != NULL;
    if (array->has_fill) {
        memcpy(array->fill, array->fill_text, strlen(array->fill_text));
    }

done:
    return status;
}

xta_status xta__zarr_read_array(const zarr_store *store, const char *path, const json_t *json,
                                zarr_array *array, const char **wrong, char text[160],
                                xta_error *err)
{
    *wrong = store->version == 2 ? xta__zarr_parse_v2(json, array, text)
                                 : xta__zarr_parse_v3(json, array, text);
    if (*wrong == xta__zarr_no_memory) {
        return xta__bridge_no_memory(store->path, err);
    }
    if (*wrong != NULL || array->chain.texts == ZARR_NO_TEXTS) {
        return XTA_OK;
    }
    xta_status status = measure_texts(store, path, array, wrong, err);
    if (status != XTA_OK || *wrong != NULL) {
        xta__zarr_array_clear(array);
    }
    return status;
}
