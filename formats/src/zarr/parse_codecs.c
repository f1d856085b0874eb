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

    // So zarr-python and zarrita call codecs of version 2 in stores of version 3.
    if (name != NULL && strncmp(name, "numcodecs.", 10) == 0) {
        name += 10;
    }
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

static bool is_text_codec(const json_t *filter)
{
    const char *name = json_string_value(json_object_get(filter, "id"));

    return name != NULL && strcmp(name, "vlen-utf8") == 0;
}

const char *xta__zarr_codecs_v2(const json_t *filters, const json_t *compressor, zarr_chain *chain,
                                char text[160])
{
    const char *wrong = NULL;
    size_t first = chain->texts == ZARR_ANY_LENGTH ? 1 : 0;

    if (filters != NULL && !json_is_null(filters) && !json_is_array(filters)) {
        return "its filters are no list";
    }
    if (compressor != NULL && !json_is_null(compressor) && !json_is_object(compressor)) {
        return "its compressor is no object";
    }
    if (first == 1 && !is_text_codec(json_array_get(filters, 0))) {
        return "its cells are objects, not texts in vlen-utf8";
    }
    for (size_t k = first; k < json_array_size(filters) && wrong == NULL; k++) {
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

/* What a chain turns into bytes. */
typedef struct chain_cells {
    int ndim;
    const int64_t *shape;
    size_t number_bytes; /* that have an order; 1: none */
    int depth;           /* of shards */
} chain_cells;

static const char *parse_chain(const json_t *codecs, const chain_cells *of, zarr_chain *chain,
                               char text[160]);

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

static const char *read_shard(const json_t *options, const chain_cells *of, zarr_chain *chain,
                              char text[160])
{
    int ndim = of->ndim;
    int64_t encoded[XTA_MAX_NDIM], n = 2;
    const chain_cells of_index = {1, &n, 8, ZARR_MOST_SHARD_DEPTH};
    const char *place = json_string_value(json_object_get(options, "index_location"));

    if (of->depth == ZARR_MOST_SHARD_DEPTH) {
        return "its shards are nested deeper than 4";
    }
    if (place != NULL && strcmp(place, "start") != 0 && strcmp(place, "end") != 0) {
        return "the index of its shards is neither at the start nor at the end";
    }
    chain->shard = calloc(1, sizeof *chain->shard);
    if (chain->shard == NULL) {
        return xta__zarr_no_memory;
    }
    for (int d = 0; d < ndim; d++) {
        encoded[d] = of->shape[chain->permuted ? chain->axis[d] : d];
    }
    const char *wrong = read_shard_shape(json_object_get(options, "chunk_shape"), ndim, encoded,
                                         chain->shard->chunk);
    for (int d = 0; d < ndim && wrong == NULL; d++) {
        n *= encoded[d] / chain->shard->chunk[d];
    }
    chain->shard->index_first = place != NULL && strcmp(place, "start") == 0;
    if (wrong == NULL) {
        const chain_cells inner = {ndim, chain->shard->chunk, of->number_bytes, of->depth + 1};
        chain->shard->inner.texts = chain->texts;
        wrong = parse_chain(json_object_get(options, "codecs"), &inner, &chain->shard->inner, text);
    }
    if (wrong == NULL) {
        wrong = parse_chain(json_object_get(options, "index_codecs"), &of_index,
                            &chain->shard->index, text);
    }
    for (int k = 0; k < chain->shard->index.n_filters && wrong == NULL; k++) {
        bool fixed = chain->shard->index.filters[k].kind == ZARR_CRC32C;
        wrong = fixed ? NULL : "the index of its shards has no fixed length";
    }
    return wrong;
}

static const char *read_byte_order(const json_t *options, size_t number_bytes, zarr_chain *chain)
{
    const json_t *endian = json_object_get(options, "endian");
    const char *name = json_string_value(endian);

    if (endian == NULL && number_bytes == 1) {
        return NULL;
    }
    if (name == NULL || (strcmp(name, "little") != 0 && strcmp(name, "big") != 0)) {
        return "its byte order is neither little nor big";
    }
    chain->big_endian = name[0] == 'b';
    return NULL;
}

/* A codec that turns cells into bytes. */
static const char *read_serializer(const char *name, const json_t *options, const chain_cells *of,
                                   zarr_chain *chain, char text[160])
{
    bool any_length = strcmp(name, "vlen-utf8") == 0;

    if (strcmp(name, "sharding_indexed") == 0) {
        return read_shard(options, of, chain, text);
    }
    if (any_length != (chain->texts == ZARR_ANY_LENGTH)) {
        return any_length ? "its codec vlen-utf8 needs texts"
                          : "its texts need the codec vlen-utf8";
    }
    return any_length ? NULL : read_byte_order(options, of->number_bytes, chain);
}

static bool is_serializer(const char *name)
{
    return name != NULL && (strcmp(name, "bytes") == 0 || strcmp(name, "vlen-utf8") == 0 ||
                            strcmp(name, "sharding_indexed") == 0);
}

static const char *read_codec(const json_t *codec, const chain_cells *of, bool *cells,
                              zarr_chain *chain, char text[160])
{
    const char *name = xta__zarr_name_of(codec);
    const json_t *options = json_object_get(codec, "configuration");
    bool transpose = name != NULL && strcmp(name, "transpose") == 0;
    zarr_filter_kind kind;

    if (transpose && *cells) {
        return read_transpose(json_object_get(options, "order"), of->ndim, chain);
    }
    if (transpose) {
        return "its transpose is behind the codec that turns cells into bytes";
    }
    if (is_serializer(name)) {
        bool first = *cells;
        *cells = false;
        return first ? read_serializer(name, options, of, chain, text)
                     : "its codecs turn cells into bytes twice";
    }
    if (*cells) {
        return find_filter(name, &kind) ? "its codecs do not turn cells into bytes"
                                        : unknown(name, text);
    }
    return add_filter(name, options, chain, text);
}

static const char *parse_chain(const json_t *codecs, const chain_cells *of, zarr_chain *chain,
                               char text[160])
{
    const char *wrong = NULL;
    bool cells = true;

    if (!json_is_array(codecs)) {
        return "its codecs are no list";
    }
    for (size_t k = 0; k < json_array_size(codecs) && wrong == NULL; k++) {
        wrong = read_codec(json_array_get(codecs, k), of, &cells, chain, text);
    }
    return wrong == NULL && cells ? "its codecs do not turn cells into bytes" : wrong;
}

const char *xta__zarr_name_of(const json_t *json)
{
    return json_string_value(json_is_string(json) ? json : json_object_get(json, "name"));
}

const char *xta__zarr_codecs_v3(const json_t *codecs, int ndim, const int64_t shape[],
                                size_t number_bytes, zarr_chain *chain, char text[160])
{
    const chain_cells of = {ndim, shape, number_bytes, 0};

    return parse_chain(codecs, &of, chain, text);
}
