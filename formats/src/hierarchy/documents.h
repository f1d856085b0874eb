/* Documents of metadata, written into texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HIERARCHY_DOCUMENTS_H
#define XTA_FORMATS_HIERARCHY_DOCUMENTS_H

#include "hierarchy/node.h"

typedef enum hierarchy_document {
    HIERARCHY_GROUP,      /* .zgroup */
    HIERARCHY_ARRAY,      /* .zarray */
    HIERARCHY_ATTRIBUTES, /* .zattrs */
    HIERARCHY_NODE,       /* zarr.json of one node */
    N_HIERARCHY_DOCUMENTS
} hierarchy_document;

/* Add a document of a node: false if a node of this kind has none of it. */
bool xta__hierarchy_add_document(xta__text *out, const hierarchy_node *node,
                                 hierarchy_document document);
/* The name of its key behind that of the node. */
const char *xta__hierarchy_document_name(hierarchy_document document);

/* Add `.zmetadata`, or the root's zarr.json with all others in it. */
void xta__hierarchy_add_consolidated(xta__text *out, const xta_zarr *zarr, int version);

#endif
