/* Codecs in Zarr's metadata.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/parse_codecs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *unknown(const char *name, char text[160])
{
    snprintf(text, 160, "it needs the codec %.60s", name != NULL ? name : "of no name");
    return text;
}

static bool find_filter(const char *name, zarr_filter_kind *kind)
{
    static const struct {
        const char *name;
        zarr_filter_kind kind;
    } filters[] = {{"zlib", ZARR_DEFLATE},   {"gzip", ZARR_DEFLATE}, {"zstd", ZARR_ZSTD},
                   {"blosc", ZARR_BLOSC},    {"lz4", ZARR_LZ4},      {"crc32c", ZARR_CRC32C},
                   {"shuffle", ZARR_SHUFFLE}};

    for (size_t k = 0; k < sizeof filters / sizeof filters[0] && name != NULL; k++) {
        if (strcmp(filters[k].name, name) == 0) {
            *kind = filters[k].kind;
            return true;
        }
    }
    return false;
}

static const char *add_filter(const char *name, const json_t *options, zarr_chain *chain,
                              char text[160])
{
    zarr_filter filter = {.element_bytes = 4};
    const json_t *element = json_object_get(options, "elementsize");

    if (!find_filter(name, &filter.kind)) {
        return unknown(name, text);
    }
    if (chain->n_filters == ZARR_MOST_FILTERS) {
        return "it has more than 8 codecs";
    }
    if (element != NULL) {
        json_int_t bytes = json_integer_value(element);
        if (bytes < 1 || bytes > 65535) {
            return "its shuffle has elements of no length";
        }
        filter.element_bytes = (size_t)bytes;
    }
    chain->filters[chain->n_filters++] = filter;
    return NULL;
}

const char *xta__zarr_codecs_v2(const json_t *filters, const json_t *compressor, zarr_chain *chain,
                                char text[160])
{
    const char *wrong = NULL;

    for (size_t k = 0; k < json_array_size(filters) && wrong == NULL; k++) {
        const json_t *one = json_array_get(filters, k);
        wrong = add_filter(json_string_value(json_object_get(one, "id")), one, chain, text);
    }
    if (wrong == NULL && json_is_object(compressor)) {
        const char *name = json_string_value(json_object_get(compressor, "id"));
        wrong = add_filter(name, compressor, chain, text);
    }
    return wrong;
}

/* ---- version 3 ---- */

static const char *parse_chain(const json_t *codecs, int ndim, const int64_t shape[], int depth,
                               zarr_chain *chain, char text[160]);

static const char *read_transpose(const json_t *order, int ndim, zarr_chain *chain)
{
    static const char wrong[] = "its transpose is no order of all axes";
    int before[XTA_MAX_NDIM];
    uint64_t seen = 0;

    if (json_array_size(order) != (size_t)ndim) {
        return wrong;
    }
    for (int d = 0; d < ndim; d++) {
        before[d] = chain->permuted ? chain->axis[d] : d;
    }
    for (int d = 0; d < ndim; d++) {
        const json_t *one = json_array_get(order, (size_t)d);
        json_int_t axis = json_integer_value(one);
        if (!json_is_integer(one) || axis < 0 || axis >= ndim || (seen >> axis & 1) != 0) {
            return wrong;
        }
        seen |= (uint64_t)1 << axis;
        chain->axis[d] = before[axis];
    }
    chain->permuted = true;
    return NULL;
}

static const char *read_shard_shape(const json_t *list, int ndim, const int64_t encoded[],
                                    int64_t chunk[])
{
    if (json_array_size(list) != (size_t)ndim) {
        return "the chunks of its shards have another number of dimensions";
    }
    for (int d = 0; d < ndim; d++) {
        chunk[d] = json_integer_value(json_array_get(list, (size_t)d));
        if (chunk[d] < 1 || encoded[d] % chunk[d] != 0) {
            return "the chunks of its shards do not divide them";
        }
    }
    return NULL;
}

static const char *read_shard(const json_t *options, int ndim, const int64_t shape[], int depth,
                              zarr_chain *chain, char text[160])
{
    int64_t encoded[XTA_MAX_NDIM], n = 2;
    const char *place = json_string_value(json_object_get(options, "index_location"));

    if (depth == ZARR_MOST_SHARD_DEPTH) {
        return "its shards are nested deeper than 4";
    }
    chain->shard = calloc(1, sizeof *chain->shard);
    if (chain->shard == NULL) {
        return "out of memory";
    }
    for (int d = 0; d < ndim; d++) {
        encoded[d] = shape[chain->permuted ? chain->axis[d] : d];
    }
    const char *wrong = read_shard_shape(json_object_get(options, "chunk_shape"), ndim, encoded,
                                         chain->shard->chunk);
    for (int d = 0; d < ndim && wrong == NULL; d++) {
        n *= encoded[d] / chain->shard->chunk[d];
    }
    chain->shard->index_first = place != NULL && strcmp(place, "start") == 0;
    if (wrong == NULL) {
        wrong = parse_chain(json_object_get(options, "codecs"), ndim, chain->shard->chunk,
                            depth + 1, &chain->shard->inner, text);
    }
    if (wrong == NULL) {
        wrong = parse_chain(json_object_get(options, "index_codecs"), 1, &n, ZARR_MOST_SHARD_DEPTH,
                            &chain->shard->index, text);
    }
    for (int k = 0; k < chain->shard->index.n_filters && wrong == NULL; k++) {
        bool fixed = chain->shard->index.filters[k].kind == ZARR_CRC32C;
        wrong = fixed ? NULL : "the index of its shards has no fixed length";
    }
    return wrong;
}

static const char *read_codec(const json_t *codec, int ndim, const int64_t shape[], int depth,
                              bool *cells, zarr_chain *chain, char text[160])
{
    // A codec without a configuration may be its name alone.
    const char *name =
        json_string_value(json_is_string(codec) ? codec : json_object_get(codec, "name"));
    const json_t *options = json_object_get(codec, "configuration");
    bool is_bytes = name != NULL && strcmp(name, "bytes") == 0;
    bool is_shard = name != NULL && strcmp(name, "sharding_indexed") == 0;

    if (name != NULL && strcmp(name, "transpose") == 0 && *cells) {
        return read_transpose(json_object_get(options, "order"), ndim, chain);
    }
    if ((is_bytes || is_shard) && !*cells) {
        return "its codecs turn bytes into bytes twice";
    }
    if (is_bytes) {
        const char *endian = json_string_value(json_object_get(options, "endian"));
        chain->big_endian = endian != NULL && strcmp(endian, "big") == 0;
        *cells = false;
        return NULL;
    }
    if (is_shard) {
        *cells = false;
        return read_shard(options, ndim, shape, depth, chain, text);
    }
    zarr_filter_kind kind;
    if (*cells) {
        return find_filter(name, &kind) ? "its codecs do not turn cells into bytes"
                                        : unknown(name, text);
    }
    return add_filter(name, options, chain, text);
}

static const char *parse_chain(const json_t *codecs, int ndim, const int64_t shape[], int depth,
                               zarr_chain *chain, char text[160])
{
    const char *wrong = NULL;
    bool cells = true;

    for (size_t k = 0; k < json_array_size(codecs) && wrong == NULL; k++) {
        wrong = read_codec(json_array_get(codecs, k), ndim, shape, depth, &cells, chain, text);
    }
    return wrong == NULL && cells ? "its codecs do not turn cells into bytes" : wrong;
}

const char *xta__zarr_codecs_v3(const json_t *codecs, int ndim, const int64_t shape[],
                                zarr_chain *chain, char text[160])
{
    return parse_chain(codecs, ndim, shape, 0, chain, text);
}
