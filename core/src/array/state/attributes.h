/* Attributes, names and units of axes, as the journal builds them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_ATTRIBUTES_H
#define XTA_ARRAY_STATE_ATTRIBUTES_H

#include <xta/attribute.h>

#include "store/store.h"

/* One attribute. Its values lie in `buffer` from `before_bytes` on, so that more can be added
 * before and after them without moving the existing ones. */
typedef struct xta__attribute {
    int axis;
    xta_attribute value; /* its name is owned */
    uint8_t *buffer;
    size_t buffer_bytes, before_bytes;
} xta__attribute;

typedef struct xta__attributes {
    xta__attribute *items;
    size_t n, capacity;
    char *names[XTA_MAX_NDIM]; /* of axes; NULL: none */
    char *units[XTA_MAX_NDIM];
} xta__attributes;

/* NULL: there is none of this name on this axis. */
xta__attribute *xta__attributes_find(const xta__attributes *attributes, int axis, const char *name);
/* A change in two steps. Preparing it does everything that can fail. Once its record is in the
 * journal it is installed, which cannot fail; if the record could not be written, it is dropped. */
typedef struct xta__attribute_change {
    unsigned record_type;
    int axis;
    xta_attribute value; /* of ATTRIBUTE, ATTRIBUTE_GROW; owned */
    xta_side side;       /* of ATTRIBUTE_GROW */
    char *text;          /* of the others: the name; NULL for none */
} xta__attribute_change;
xta_status xta__attributes_prepare(xta__attributes *attributes, unsigned record_type,
                                   const xta__attribute_record *record,
                                   xta__attribute_change *change);
void xta__attributes_install(xta__attributes *attributes, xta__attribute_change *change);
void xta__attributes_drop(xta__attribute_change *change);

/* Prepare and install. */
xta_status xta__attributes_apply(xta__attributes *attributes, unsigned record_type,
                                 const xta__attribute_record *record);

/* Attributes of axes at or after `position` move up by one axis. */
void xta__attributes_add_axis(xta__attributes *attributes, int position);
xta_status xta__attributes_encode(const xta__attributes *attributes, xta__bytes *nested,
                                  uint32_t *n_nested);
void xta__attributes_clear(xta__attributes *attributes);

#endif
