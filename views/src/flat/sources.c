/* Where the bytes of a flat file come from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/sources.h"

#include <stdlib.h>

#include "util/compiler.h"
#include "util/hash.h"
#include "util/try.h"
#include "util/vector.h"

xta_status xta__flat_no_memory(const char *path, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "%s: out of memory", path);
}

bool xta__flat_own(xta_flat *flat, void *block)
{
    if (block == NULL || !XTA__RESERVE(flat->blocks, flat->blocks_capacity, flat->n_blocks + 1)) {
        free(block);
        return false;
    }
    flat->blocks[flat->n_blocks++] = block;
    return true;
}

bool xta__flat_add(xta_flat *flat, const flat_source *source)
{
    if (source->n_bytes == 0) {
        return true;
    }
    if (!XTA__RESERVE(flat->sources, flat->sources_capacity, flat->n_sources + 1)) {
        return false;
    }
    flat->sources[flat->n_sources++] = *source;
    return true;
}

/* Bytes of each number of a cell. */
static size_t number_bytes(xta_type type)
{
    switch (type) {
    case XTA_C64:
        return 4;
    case XTA_C128:
        return 8;
    case XTA_BYTES:
        return 1;
    default:
        return xta_type_bytes(type);
    }
}

flat_source xta__flat_cells(xta_array *array, bool big_endian)
{
    xta_type type = xta_array_type(array);

    return (flat_source){.array = array,
                         .box = xta_array_bounds(array),
                         .type = type,
                         .cell_bytes = xta_array_cell_bytes(array),
                         .swap_bytes = big_endian == XTA__BIG_ENDIAN ? 1 : number_bytes(type)};
}

static int by_offset(const void *a, const void *b)
{
    uint64_t left = ((const flat_source *)a)->offset, right = ((const flat_source *)b)->offset;

    return left < right ? -1 : left > right;
}

void xta__flat_sort(xta_flat *flat)
{
    if (flat->n_sources > 1) {
        qsort(flat->sources, flat->n_sources, sizeof flat->sources[0], by_offset);
    }
}

size_t xta__flat_find(const xta_flat *flat, uint64_t offset)
{
    size_t lo = 0, hi = flat->n_sources;

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const flat_source *source = &flat->sources[middle];
        if (source->offset + source->n_bytes <= offset) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

xta_status xta__flat_add_version(xta_flat *flat, xta_array *array, xta_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;
    uint64_t hash = flat->version;

    XTA_TRY(xta_array_inquire(array, &info, err));
    hash = xta__hash_bytes(hash, info.uuid, sizeof info.uuid);
    hash = xta__hash_bytes(hash, &info.n_steps, sizeof info.n_steps);
    hash = xta__hash_bytes(hash, info.bounds.lo, (size_t)info.ndim * sizeof info.bounds.lo[0]);
    hash = xta__hash_bytes(hash, info.bounds.hi, (size_t)info.ndim * sizeof info.bounds.hi[0]);
    flat->version = hash;

done:
    return status;
}
