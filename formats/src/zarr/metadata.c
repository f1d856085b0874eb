/* What a Zarr array is: parsing of `.zarray` and `zarr.json`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/text.h"
#include "zarr/fill_value.h"
#include "zarr/parse_codecs.h"
#include "zarr/types.h"

void xta__zarr_array_clear(zarr_array *array)
{
    xta__zarr_chain_clear(&array->chain);
    free(array->fill);
    free(array->fill_text);
    *array = (zarr_array){0};
}

/* Whole numbers of at least `least`, as many as the array has axes. */
static bool read_lengths(const json_t *list, int ndim, int64_t least, int64_t out[])
{
    if (!json_is_array(list) || json_array_size(list) != (size_t)ndim) {
        return false;
    }
    for (int d = 0; d < ndim; d++) {
        const json_t *one = json_array_get(list, (size_t)d);
        out[d] = json_integer_value(one);
        if (!json_is_integer(one) || out[d] < least || out[d] >= XTA__COORD_LIMIT) {
            return false;
        }
    }
    return true;
}

static const char *read_shape(const json_t *shape, const json_t *chunk, zarr_array *out)
{
    size_t unit = out->chain.texts == ZARR_UTF32 ? 4 * out->code_points : out->cell_bytes;
    uint64_t cells = unit, bytes = unit;
    size_t ndim = json_array_size(shape);

    if (ndim > XTA_MAX_NDIM) {
        return "it has more than 32 dimensions";
    }
    out->ndim = (int)ndim;
    if (!read_lengths(shape, out->ndim, 0, out->shape)) {
        return "its shape is no list of lengths";
    }
    if (!read_lengths(chunk, out->ndim, 0, out->chunk)) {
        return "the shape of its chunks is not one length of at least 1 for each dimension";
    }
    for (int d = 0; d < out->ndim; d++) {
        uint64_t length = out->shape[d] > 0 ? (uint64_t)out->shape[d] : 1;
        if (out->chunk[d] == 0 && out->shape[d] == 0) {
            out->chunk[d] = 1; // as some writers do it
        }
        if (out->chunk[d] == 0) {
            return "the shape of its chunks is not one length of at least 1 for each dimension";
        }
        if (!xta__mul_u64(cells, length, &cells) || cells >= XTA__OFFSET_LIMIT) {
            return "it has more cells than any array";
        }
        if (!xta__mul_u64(bytes, (uint64_t)out->chunk[d], &bytes) ||
            bytes > ZARR_MOST_CHUNK_BYTES) {
            return "a chunk of it has more than 1 GiB";
        }
    }
    return NULL;
}

static const char *read_separator(const json_t *json, char otherwise, char *out)
{
    const char *text = json_string_value(json);

    *out = text != NULL ? text[0] : otherwise;
    bool good =
        (json == NULL || (text != NULL && strlen(text) == 1)) && (*out == '.' || *out == '/');
    return good ? NULL : "its separator of dimensions is neither . nor /";
}

static const char *keep_text(const json_t *json, zarr_array *out)
{
    const char *text = json_string_value(json);
    bool none = json == NULL || json_is_null(json) ||
                (json_is_integer(json) && json_integer_value(json) == 0);

    if (text == NULL && !none) {
        return "its fill value is no text";
    }
    if (none || text[0] == '\0') {
        return NULL;
    }
    out->fill_text = xta__strdup(text);
    return out->fill_text != NULL ? NULL : xta__zarr_no_memory;
}

static const char *keep_fill(const json_t *json, zarr_array *out)
{
    if (out->chain.texts != ZARR_NO_TEXTS) {
        return keep_text(json, out);
    }
    out->fill = calloc(1, out->cell_bytes);
    if (out->fill == NULL) {
        return xta__zarr_no_memory;
    }
    out->has_fill = json != NULL && !json_is_null(json);
    bool good = !out->has_fill || xta__zarr_read_fill(json, out->type, out->cell_bytes, out->fill);
    return good ? NULL : "its fill value is none of its type";
}

static bool read_type_v2(const char *type, zarr_array *out)
{
    bool *big_endian = &out->chain.big_endian;

    out->chain.texts =
        type != NULL ? xta__zarr_texts_v2(type, &out->code_points, big_endian) : ZARR_NO_TEXTS;
    if (out->chain.texts != ZARR_NO_TEXTS) {
        out->type = XTA_BYTES;
        out->cell_bytes = 1;
        return true;
    }
    return type != NULL && xta__zarr_type_v2(type, &out->type, &out->cell_bytes, big_endian);
}

const char *xta__zarr_parse_v2(const json_t *json, zarr_array *out, char text[160])
{
    const char *wrong = NULL;
    const char *type = json_string_value(json_object_get(json, "dtype"));
    const char *order = json_string_value(json_object_get(json, "order"));

    *out = (zarr_array){0};
    if (json_integer_value(json_object_get(json, "zarr_format")) != 2) {
        wrong = "its metadata is of no version 2";
    } else if (!read_type_v2(type, out)) {
        snprintf(text, 160, "its cells are of type %.60s", type != NULL ? type : "of a compound");
        wrong = text;
    } else if (order == NULL || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0)) {
        wrong = "its order is neither C nor F";
    }
    wrong = wrong != NULL
                ? wrong
                : read_shape(json_object_get(json, "shape"), json_object_get(json, "chunks"), out);
    wrong = wrong != NULL ? wrong
                          : read_separator(json_object_get(json, "dimension_separator"), '.',
                                           &out->separator);
    wrong = wrong != NULL ? wrong : keep_fill(json_object_get(json, "fill_value"), out);
    if (wrong == NULL) {
        out->chain.permuted = strcmp(order, "F") == 0 && out->ndim > 1;
        for (int d = 0; d < out->ndim; d++) {
            out->chain.axis[d] = out->ndim - 1 - d;
        }
        wrong = xta__zarr_codecs_v2(json_object_get(json, "filters"),
                                    json_object_get(json, "compressor"), &out->chain, text);
    }
    if (wrong != NULL) {
        xta__zarr_array_clear(out);
    }
    return wrong;
}

static const char *read_keys(const json_t *encoding, zarr_array *out)
{
    const char *name = xta__zarr_name_of(encoding);
    const json_t *options = json_object_get(encoding, "configuration");

    out->keys_of_v3 = name != NULL && strcmp(name, "default") == 0;
    if (!out->keys_of_v3 && (name == NULL || strcmp(name, "v2") != 0)) {
        return "the encoding of its chunks' keys is neither default nor v2";
    }
    return read_separator(json_object_get(options, "separator"), out->keys_of_v3 ? '/' : '.',
                          &out->separator);
}

/* Objects that a reader must understand, beside those of the specification. */
static const char *check_extensions(const json_t *json)
{
    static const char *const known[] = {
        "zarr_format",        "node_type",  "shape",  "data_type",  "chunk_grid",
        "chunk_key_encoding", "fill_value", "codecs", "attributes", "dimension_names"};
    const char *key = NULL;
    json_t *value = NULL;
    json_t *object = (json_t *)(uintptr_t)json;

    json_object_foreach(object, key, value)
    {
        bool is_known = json_is_false(json_object_get(value, "must_understand"));
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            is_known = is_known || strcmp(known[k], key) == 0;
        }
        if (strcmp(key, "storage_transformers") == 0) {
            is_known = json_array_size(value) == 0;
        }
        if (!is_known) {
            return "its metadata has an extension that must be understood";
        }
    }
    return NULL;
}

/* *number_bytes: of the numbers in a cell. */
static bool read_type_v3(const json_t *json, zarr_array *out, size_t *number_bytes)
{
    const char *type = xta__zarr_name_of(json);
    const json_t *options = json_object_get(json, "configuration");

    out->chain.texts =
        type != NULL ? xta__zarr_texts_v3(type, options, &out->code_points) : ZARR_NO_TEXTS;
    if (out->chain.texts != ZARR_NO_TEXTS) {
        out->type = XTA_BYTES;
        out->cell_bytes = 1;
        *number_bytes = out->chain.texts == ZARR_UTF32 ? 4 : 1;
        return true;
    }
    bool good = type != NULL && json_object_size(options) == 0 &&
                xta__zarr_type_v3(type, &out->type, &out->cell_bytes);
    *number_bytes = good && out->type != XTA_BYTES ? out->cell_bytes : 1;
    return good;
}

const char *xta__zarr_parse_v3(const json_t *json, zarr_array *out, char text[160])
{
    const char *wrong = NULL;
    const json_t *type = json_object_get(json, "data_type");
    const char *name = xta__zarr_name_of(type);
    const json_t *grid = json_object_get(json, "chunk_grid");
    const char *kind = json_string_value(json_object_get(grid, "name"));
    const json_t *chunk = json_object_get(json_object_get(grid, "configuration"), "chunk_shape");

    size_t number_bytes = 1;

    *out = (zarr_array){0};
    if (!read_type_v3(type, out, &number_bytes)) {
        snprintf(text, 160, "its cells are of type %.60s", name != NULL ? name : "of an extension");
        wrong = text;
    } else if (kind == NULL || strcmp(kind, "regular") != 0) {
        wrong = "its chunks form no regular grid";
    }
    wrong = wrong != NULL ? wrong : check_extensions(json);
    wrong = wrong != NULL ? wrong : read_shape(json_object_get(json, "shape"), chunk, out);
    wrong = wrong != NULL ? wrong : read_keys(json_object_get(json, "chunk_key_encoding"), out);
    wrong = wrong != NULL ? wrong : keep_fill(json_object_get(json, "fill_value"), out);
    if (wrong == NULL) {
        wrong = xta__zarr_codecs_v3(json_object_get(json, "codecs"), out->ndim, out->chunk,
                                    number_bytes, &out->chain, text);
    }
    if (wrong != NULL) {
        xta__zarr_array_clear(out);
    }
    return wrong;
}
