/* The node of an array in files, and the attributes of nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HIERARCHY_DESCRIBE_ARRAY_H
#define XTA_FORMATS_HIERARCHY_DESCRIBE_ARRAY_H

#include <xta/attribute.h>

#include "hierarchy/node.h"

/* Add the node of an array. `scope` precedes the names of its dimensions ("" or "group~"), `name`
 * is that of the array. The box is that of the snapshot. */
xta_status xta__hierarchy_add_array(xta_zarr *zarr, const char *path, const char *scope,
                                    const char *name, xta_array *array, hierarchy_node **out,
                                    xta_error *err);

/* Add one attribute. Names with a slash are XTA's own and are left out, as are values that JSON
 * does not have. */
void xta__hierarchy_add_attribute(hierarchy_node *node, const xta_attribute *a);
void xta__hierarchy_add_text_attribute(hierarchy_node *node, const char *name, const char *text);
/* Those of an array, or of an axis of it but for its coordinates. */
xta_status xta__hierarchy_add_attributes_of(hierarchy_node *node, xta_array *array, int axis,
                                            xta_error *err);

/* Where the cells of an array without coordinates begin: the attribute that an import reads.
 * `bare`: of each axis, whether it has no coordinates. */
void xta__hierarchy_add_origin(hierarchy_node *node, const bool bare[]);

#endif
