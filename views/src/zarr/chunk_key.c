/* Keys of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/chunk_key.h"

#include <string.h>

/* One number without leading zeros; NULL: there is none, or it is beyond `n`. */
static const char *read_number(const char *text, int64_t n, int64_t *value)
{
    int64_t number = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        number = number * 10 + (*at - '0');
        if (number >= n || (number == *at - '0' && at > text)) {
            return NULL;
        }
    }
    *value = number;
    return at > text && number < n ? at : NULL;
}

static int64_t grid_length(const xta_zarr_node *node, int axis)
{
    int64_t length = node->box.hi[axis] - node->box.lo[axis];

    return length / node->chunk[axis] + (length % node->chunk[axis] != 0);
}

/* n000000000012: the number of a chunk, row by row of the grid, as references have it. */
static bool read_chunk_number(const xta_zarr_node *node, const char *text, int64_t chunk[])
{
    enum { DIGITS = 12 };
    int64_t number = 0;

    if (*text++ != 'n' || strlen(text) != DIGITS) {
        return false;
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        number = number * 10 + (*text - '0');
    }
    for (int axis = node->box.ndim - 1; axis >= 0; axis--) {
        int64_t n = grid_length(node, axis);
        if (n == 0) {
            return false;
        }
        chunk[axis] = number % n;
        number /= n;
    }
    return *text == '\0' && number == 0;
}

static bool read_coordinates(const xta_zarr_node *node, int version, const char *text,
                             int64_t chunk[])
{
    char separator = version == 2 ? '.' : '/';

    if (version == 3) {
        if (strncmp(text, "c/", 2) != 0) {
            return false;
        }
        text += 2;
    }
    for (int axis = 0; axis < node->box.ndim; axis++) {
        if (axis > 0 && *text++ != separator) {
            return false;
        }
        text = read_number(text, grid_length(node, axis), &chunk[axis]);
        if (text == NULL) {
            return false;
        }
    }
    return *text == '\0';
}

const xta_zarr_node *xta__chunk_key_parse(const xta_zarr *zarr, int version, const char *key,
                                          int64_t chunk[])
{
    const xta_zarr_node *node = NULL;

    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        size_t n = strlen(node->path);
        if (!node->group && strncmp(key, node->path, n) == 0 && key[n] == '/' &&
            (read_coordinates(node, version, key + n + 1, chunk) ||
             read_chunk_number(node, key + n + 1, chunk))) {
            return node;
        }
    }
    return NULL;
}

size_t xta__chunk_bytes(const xta_zarr_node *node)
{
    size_t bytes = node->cell_bytes;

    for (int axis = 0; axis < node->box.ndim; axis++) {
        if (__builtin_mul_overflow(bytes, (size_t)node->chunk[axis], &bytes)) {
            return 0;
        }
    }
    return bytes;
}
