/* The codecs of Zarr: how the bytes of a chunk become cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/codecs.h"

#include <stdlib.h>
#include <string.h>

#include "common/copy_box.h"

void xta__zarr_chain_clear(zarr_chain *chain)
{
    if (chain->shard != NULL) {
        xta__zarr_chain_clear(&chain->shard->inner);
        xta__zarr_chain_clear(&chain->shard->index);
        free(chain->shard);
    }
    *chain = (zarr_chain){0};
}

static uint64_t count_cells(int ndim, const int64_t shape[])
{
    uint64_t n = 1;

    for (int d = 0; d < ndim; d++) {
        n *= (uint64_t)shape[d];
    }
    return n;
}

/* ---- cells ---- */

/* Swap the bytes of each number; a complex one has two. */
static void swap_bytes(const zarr_cells *cells, uint8_t *at, size_t n)
{
    bool complex = cells->type == XTA_C64 || cells->type == XTA_C128;
    size_t width = cells->type == XTA_BYTES ? 1 : cells->bytes / (complex ? 2 : 1);

    for (size_t k = 0; k + width <= n && width > 1; k += width) {
        for (size_t i = 0; i < width / 2; i++) {
            uint8_t byte = at[k + i];
            at[k + i] = at[k + width - 1 - i];
            at[k + width - 1 - i] = byte;
        }
    }
}

static void to_native(const zarr_chain *chain, const zarr_cells *cells, uint8_t *at, size_t n)
{
    const uint16_t one = 1;
    bool big = *(const uint8_t *)&one == 0;

    if (chain->big_endian != big) {
        swap_bytes(cells, at, n);
    }
    for (size_t k = 0; k < n && cells->type == XTA_BOOL; k++) {
        at[k] = at[k] != 0;
    }
}

/* ---- shards ---- */

static const char *decode_piece(const zarr_shard *shard, const zarr_cells *cells, int ndim,
                                const int64_t shape[], const int64_t lo[], const uint8_t *bytes,
                                size_t n, uint8_t *piece, uint8_t *out)
{
    const char *wrong = xta__zarr_decode(&shard->inner, cells, ndim, shard->chunk, bytes, n, piece);
    cell_view from = {.bytes = piece}, to = {.bytes = out};
    int64_t zero[XTA_MAX_NDIM] = {0};

    if (wrong == NULL && cells->longest == NULL) {
        xta__view_rows(&from, ndim, shard->chunk, zero, cells->bytes);
        xta__view_rows(&to, ndim, shape, zero, cells->bytes);
        for (int d = 0; d < ndim; d++) {
            to.bytes += lo[d] * to.stride[d];
        }
        xta__copy_view(&from, &to, ndim, shard->chunk, cells->bytes);
    }
    return wrong;
}

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t value = 0;

    memcpy(&value, at, sizeof value);
    return value;
}

/* The index: offset and length of each inner chunk, in row order; *index is for free. */
static const char *read_index(const zarr_shard *shard, uint64_t n_pieces, const uint8_t *bytes,
                              size_t n, uint8_t **index)
{
    const zarr_cells numbers = {.type = XTA_U64, .bytes = 8};
    const int64_t shape[1] = {(int64_t)(2 * n_pieces)};
    uint64_t length = 16 * n_pieces;

    for (int k = 0; k < shard->index.n_filters; k++) {
        length += shard->index.filters[k].kind == ZARR_CRC32C ? 4 : 0;
    }
    if (length > n) {
        return "it is too short for the index of its shard";
    }
    *index = malloc((size_t)(16 * n_pieces) + 1);
    return *index == NULL ? xta__zarr_no_memory
                          : xta__zarr_decode(&shard->index, &numbers, 1, shape,
                                             shard->index_first ? bytes : bytes + n - length,
                                             (size_t)length, *index);
}

static const char *decode_shard(const zarr_shard *shard, const zarr_cells *cells, int ndim,
                                const int64_t shape[], const uint8_t *bytes, size_t n, uint8_t *out)
{
    const char *wrong = NULL;
    int64_t lo[XTA_MAX_NDIM] = {0};
    uint64_t n_pieces = 1;

    for (int d = 0; d < ndim; d++) {
        n_pieces *= (uint64_t)(shape[d] / shard->chunk[d]);
    }
    uint8_t *index = NULL;
    uint8_t *piece = malloc((size_t)(count_cells(ndim, shard->chunk) * cells->bytes) + 1);
    wrong = piece == NULL ? xta__zarr_no_memory : read_index(shard, n_pieces, bytes, n, &index);
    if (wrong == NULL && cells->longest == NULL) {
        xta__repeat_cell(out, count_cells(ndim, shape), cells->fill, cells->bytes);
    }
    for (uint64_t k = 0; k < n_pieces && wrong == NULL; k++) {
        uint64_t offset = get_u64(index + 16 * k), length = get_u64(index + 16 * k + 8);
        bool missing = offset == UINT64_MAX && length == UINT64_MAX;
        if (!missing && (offset > n || length > n - offset)) {
            wrong = "the index of its shard names bytes beyond its end";
        } else if (!missing) {
            wrong = decode_piece(shard, cells, ndim, shape, lo, bytes + offset, (size_t)length,
                                 piece, out);
        }
        for (int d = ndim - 1; d >= 0; d--) {
            lo[d] += shard->chunk[d];
            if (lo[d] < shape[d]) {
                break;
            }
            lo[d] = 0;
        }
    }
    free(index);
    free(piece);
    return wrong;
}

/* ---- chunks ---- */

/* From the encoded axes to those of the array. */
static void permute(const zarr_chain *chain, int ndim, const int64_t shape[],
                    const int64_t encoded[], size_t cell_bytes, uint8_t *bytes, uint8_t *out)
{
    cell_view rows = {.bytes = bytes}, from = {.bytes = bytes}, to = {.bytes = out};
    int64_t zero[XTA_MAX_NDIM] = {0};

    xta__view_rows(&rows, ndim, encoded, zero, cell_bytes);
    xta__view_rows(&to, ndim, shape, zero, cell_bytes);
    for (int k = 0; k < ndim; k++) {
        from.stride[chain->axis[k]] = rows.stride[k];
    }
    xta__copy_view(&from, &to, ndim, shape, cell_bytes);
}

uint64_t xta__zarr_most_encoded(const zarr_chain *chain, uint64_t cells)
{
    // Texts have any length. A shard has 16 bytes of index for each piece, as have shards in it.
    uint64_t most = chain->texts != ZARR_NO_TEXTS ? ZARR_MOST_CHUNK_BYTES
                    : chain->shard != NULL        ? 2 * cells + 17 * ZARR_MOST_SHARD_DEPTH * cells
                                                  : 2 * cells;
    most += (uint64_t)1 << 20;
    return most < 2 * ZARR_MOST_CHUNK_BYTES ? most : 2 * ZARR_MOST_CHUNK_BYTES;
}

static const char *undo_filters(const zarr_chain *chain, size_t limit, const uint8_t **bytes,
                                size_t *n, uint8_t **own)
{
    for (int k = chain->n_filters - 1; k >= 0; k--) {
        uint8_t *next = NULL;
        bool exact = k == 0 && chain->shard == NULL && chain->texts == ZARR_NO_TEXTS;
        size_t most = exact ? limit : (size_t)xta__zarr_most_encoded(chain, limit);
        const char *wrong = xta__zarr_unfilter(&chain->filters[k], *bytes, *n, most, &next, n);
        if (wrong != NULL) {
            return wrong;
        }
        free(*own);
        *own = next;
        *bytes = next;
    }
    return NULL;
}

static const char *decode_texts(const zarr_chain *chain, const zarr_cells *cells, uint64_t n_cells,
                                const uint8_t *bytes, size_t n, uint8_t *out)
{
    const zarr_text_form form = {chain->texts, chain->big_endian, cells->code_points};
    const zarr_text_cells to = {cells->longest == NULL ? out : NULL, cells->bytes, cells->longest};

    return xta__zarr_decode_texts(&form, n_cells, bytes, n, &to);
}

const char *xta__zarr_decode(const zarr_chain *chain, const zarr_cells *cells, int ndim,
                             const int64_t shape[], const uint8_t *bytes, size_t n, uint8_t *out)
{
    int64_t encoded[XTA_MAX_NDIM];
    uint8_t *own = NULL, *temporary = NULL;
    size_t expected = (size_t)(count_cells(ndim, shape) * cells->bytes);
    const char *wrong = undo_filters(chain, expected, &bytes, &n, &own);

    for (int k = 0; k < ndim; k++) {
        encoded[k] = shape[chain->permuted ? chain->axis[k] : k];
    }
    if (wrong == NULL && chain->permuted && cells->longest == NULL) {
        temporary = malloc(expected + 1);
        wrong = temporary == NULL ? xta__zarr_no_memory : NULL;
    }
    uint8_t *to = chain->permuted ? temporary : out;
    if (wrong == NULL && chain->shard != NULL) {
        wrong = decode_shard(chain->shard, cells, ndim, encoded, bytes, n, to);
    } else if (wrong == NULL && chain->texts != ZARR_NO_TEXTS) {
        wrong = decode_texts(chain, cells, count_cells(ndim, shape), bytes, n, to);
    } else if (wrong == NULL && n != expected) {
        wrong = "it does not have as many bytes as its cells";
    } else if (wrong == NULL) {
        memcpy(to, bytes, n);
        to_native(chain, cells, to, n);
    }
    if (wrong == NULL && temporary != NULL) {
        permute(chain, ndim, shape, encoded, cells->bytes, temporary, out);
    }
    free(own);
    free(temporary);
    return wrong;
}
