/* Documents of metadata: versions 2 and 3 of Zarr.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hierarchy/documents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hierarchy/json_values.h"
#include "util/json.h"
#include "util/try.h"

static const char *const document_names[N_HIERARCHY_DOCUMENTS] = {".zgroup", ".zarray", ".zattrs",
                                                                  "zarr.json"};

const char *xta__hierarchy_document_name(hierarchy_document document)
{
    return document_names[document];
}

static void add_shape(xta__text *out, const hierarchy_node *node)
{
    const xta_box *box = &node->seen.box;

    for (int axis = 0; axis < box->ndim; axis++) {
        xta__text_printf(out, "%s%" PRId64, axis == 0 ? "[" : ", ", box->hi[axis] - box->lo[axis]);
    }
    xta__text_add_string(out, "]");
}

static void add_chunk(xta__text *out, const hierarchy_node *node)
{
    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        xta__text_printf(out, "%s%" PRId64, axis == 0 ? "[" : ", ", node->seen.chunk[axis]);
    }
    xta__text_add_string(out, "]");
}

static void add_dimension_names(xta__text *out, const hierarchy_node *node)
{
    for (int axis = 0; axis < node->seen.box.ndim; axis++) {
        xta__text_add_string(out, axis == 0 ? "[" : ", ");
        xta__hierarchy_add_string(out, node->dimensions[axis]);
    }
    xta__text_add_string(out, "]");
}

/* ---- version 2 ---- */

static void add_filters(xta__text *out, const hierarchy_node *node)
{
    if (!node->masked) {
        xta__text_add_string(out, "null");
        return;
    }
    unsigned char cell[16];
    bool small = node->seen.cell_bytes <= sizeof cell;
    const unsigned char *pattern = node->fill;

    if (small) {
        memcpy(cell, node->fill, node->seen.cell_bytes);
        xta__hierarchy_to_little(cell, node->seen.cell_bytes, node->seen.type,
                                 node->seen.cell_bytes);
        pattern = cell;
    }
    xta__text_add_string(out, "[{\"id\": \"xta_xor\", \"pattern\": \"");
    for (size_t k = 0; k < node->seen.cell_bytes; k++) {
        xta__text_printf(out, "%02x", pattern[k]);
    }
    xta__text_add_string(out, "\"}]");
}

static void add_array_v2(xta__text *out, const hierarchy_node *node)
{
    const unsigned char *fill = node->no_data != NULL ? node->no_data : node->fill;

    xta__text_add_string(out, "{\"zarr_format\": 2, \"shape\": ");
    add_shape(out, node);
    xta__text_add_string(out, ", \"chunks\": ");
    add_chunk(out, node);
    xta__text_add_string(out, ", \"dtype\": ");
    xta__hierarchy_add_type(out, 2, node->seen.type, node->seen.cell_bytes, node->text);
    xta__text_add_string(out, ", \"compressor\": null, \"fill_value\": ");
    if (fill != NULL) {
        xta__hierarchy_add_fill(out, 2, node->seen.type, node->seen.cell_bytes, fill);
    } else {
        xta__text_add_string(out, "null");
    }
    xta__text_printf(out, ", \"order\": \"%c\", \"filters\": ", node->column ? 'F' : 'C');
    add_filters(out, node);
    xta__text_add_string(out, "}");
}

static void add_attributes_v2(xta__text *out, const hierarchy_node *node)
{
    const xta__text *own = &node->attributes[ATTRIBUTES_V2];

    xta__text_add_string(out, "{");
    if (!node->seen.group) {
        xta__text_add_string(out, "\"_ARRAY_DIMENSIONS\": ");
        add_dimension_names(out, node);
        xta__text_add_string(out, own->n > 0 ? ", " : "");
    }
    xta__text_add(out, own->bytes, own->n);
    xta__text_add_string(out, "}");
}

/* ---- version 3 ---- */

static void add_array_v3(xta__text *out, const hierarchy_node *node)
{
    static const unsigned char zero[65536];

    xta__text_add_string(out, "{\"zarr_format\": 3, \"node_type\": \"array\", \"shape\": ");
    add_shape(out, node);
    xta__text_add_string(out, ", \"data_type\": ");
    xta__hierarchy_add_type(out, 3, node->seen.type, node->seen.cell_bytes, node->text);
    xta__text_add_string(
        out, ", \"chunk_grid\": {\"name\": \"regular\", \"configuration\": {\"chunk_shape\": ");
    add_chunk(out, node);
    xta__text_add_string(out, "}}, \"chunk_key_encoding\": {\"name\": \"default\", "
                              "\"configuration\": {\"separator\": \"/\"}}, \"fill_value\": ");
    xta__hierarchy_add_fill(out, 3, node->seen.type, node->seen.cell_bytes,
                            node->fill != NULL ? node->fill : zero);
    xta__text_add_string(out, ", \"codecs\": [");
    if (node->column) {
        xta__text_add_string(out, "{\"name\": \"transpose\", \"configuration\": {\"order\": [");
        for (int axis = node->seen.box.ndim - 1; axis >= 0; axis--) {
            xta__text_printf(out, "%d%s", axis, axis > 0 ? ", " : "]}}, ");
        }
    }
    xta__text_add_string(out, "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}"
                              "], \"dimension_names\": ");
    add_dimension_names(out, node);
}

static void add_node_v3(xta__text *out, const hierarchy_node *node)
{
    if (node->seen.group) {
        xta__text_add_string(out, "{\"zarr_format\": 3, \"node_type\": \"group\"");
    } else {
        add_array_v3(out, node);
    }
    xta__text_add_string(out, ", \"attributes\": {");
    xta__text_add(out, node->attributes[ATTRIBUTES_V3].bytes, node->attributes[ATTRIBUTES_V3].n);
    xta__text_add_string(out, "}");
}

/* ---- all ---- */

bool xta__hierarchy_add_document(xta__text *out, const hierarchy_node *node,
                                 hierarchy_document document)
{
    if (document == HIERARCHY_GROUP && node->seen.group) {
        xta__text_add_string(out, "{\"zarr_format\": 2}");
    } else if (document == HIERARCHY_ARRAY && !node->seen.group) {
        add_array_v2(out, node);
    } else if (document == HIERARCHY_ATTRIBUTES) {
        add_attributes_v2(out, node);
    } else if (document == HIERARCHY_NODE) {
        add_node_v3(out, node);
        xta__text_add_string(out, "}");
    } else {
        return false;
    }
    return true;
}

static void add_key(xta__text *out, const hierarchy_node *node, const char *name)
{
    char *key = xta__string("%s%s%s", node->path, node->path[0] != '\0' ? "/" : "", name);

    if (key == NULL) {
        out->failed = true;
        return;
    }
    xta__hierarchy_add_string(out, key);
    xta__text_add_string(out, ": ");
    free(key);
}

static void add_all_v2(xta__text *out, const xta_zarr *zarr)
{
    bool first = true;

    xta__text_add_string(out, "{\"zarr_consolidated_format\": 1, \"metadata\": {");
    for (size_t k = 0; k < zarr->n_nodes; k++) {
        const hierarchy_node *node = zarr->nodes[k];
        for (int d = HIERARCHY_GROUP; d <= HIERARCHY_ATTRIBUTES; d++) {
            if ((d == HIERARCHY_GROUP && !node->seen.group) ||
                (d == HIERARCHY_ARRAY && node->seen.group)) {
                continue;
            }
            xta__text_add_string(out, first ? "" : ", ");
            first = false;
            add_key(out, node, document_names[d]);
            xta__hierarchy_add_document(out, node, (hierarchy_document)d);
        }
    }
    xta__text_add_string(out, "}}");
}

static void add_all_v3(xta__text *out, const xta_zarr *zarr)
{
    add_node_v3(out, zarr->nodes[0]);
    xta__text_add_string(out, ", \"consolidated_metadata\": {\"kind\": \"inline\", "
                              "\"must_understand\": false, \"metadata\": {");
    for (size_t k = 1; k < zarr->n_nodes; k++) {
        xta__text_add_string(out, k > 1 ? ", " : "");
        xta__hierarchy_add_string(out, zarr->nodes[k]->path);
        xta__text_add_string(out, ": ");
        xta__hierarchy_add_document(out, zarr->nodes[k], HIERARCHY_NODE);
    }
    xta__text_add_string(out, "}}}");
}

void xta__hierarchy_add_consolidated(xta__text *out, const xta_zarr *zarr, int version)
{
    if (version == 2) {
        add_all_v2(out, zarr);
    } else {
        add_all_v3(out, zarr);
    }
}

/* The node and the document that a key names; NULL: none. */
static const hierarchy_node *find_document(const xta_zarr *zarr, int version, const char *key,
                                           hierarchy_document *document)
{
    int from = version == 2 ? HIERARCHY_GROUP : HIERARCHY_NODE,
        to = version == 2 ? HIERARCHY_ATTRIBUTES : HIERARCHY_NODE;
    const char *slash = strrchr(key, '/');
    const char *name = slash != NULL ? slash + 1 : key;
    size_t n = slash != NULL ? (size_t)(slash - key) : 0;

    for (int d = from; d <= to; d++) {
        for (size_t k = 0; k < zarr->n_nodes && strcmp(name, document_names[d]) == 0; k++) {
            const char *path = zarr->nodes[k]->path;
            if (strlen(path) == n && memcmp(path, key, n) == 0) {
                *document = (hierarchy_document)d;
                return zarr->nodes[k];
            }
        }
    }
    return NULL;
}

xta_status xta_zarr_document(const xta_zarr *zarr, int version, const char *key, char **text,
                             xta_error *err)
{
    xta__text out = {0};
    hierarchy_document document = HIERARCHY_NODE;
    const hierarchy_node *node = NULL;

    *text = NULL;
    if (version != 2 && version != 3) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: there is no version %d of Zarr here; take 2 or 3", zarr->path,
                             version);
    }
    if (strcmp(key, version == 2 ? ".zmetadata" : "zarr.json") == 0) {
        xta__hierarchy_add_consolidated(&out, zarr, version);
    } else {
        node = find_document(zarr, version, key, &document);
        if (node == NULL || !xta__hierarchy_add_document(&out, node, document)) {
            return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no document %s", zarr->path,
                                 key);
        }
    }
    *text = xta__text_detach(&out);
    return *text != NULL ? XTA_OK : xta__hierarchy_no_memory(zarr, err);
}
