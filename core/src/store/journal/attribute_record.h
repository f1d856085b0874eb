/* The records of attributes, axis names and units.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_ATTRIBUTE_RECORD_H
#define XTA_STORE_JOURNAL_ATTRIBUTE_RECORD_H

#include "store/journal/record.h"

/* ATTRIBUTE, ATTRIBUTE_GROW; also REMOVE_ATTRIBUTE (name only), AXIS_NAME and AXIS_UNIT (name = the
 * text). */
typedef struct xta__attribute_record {
    int axis;
    xta_type type;
    uint32_t cell_bytes;
    uint64_t count;
    char name[XTA__MAX_NAME_BYTES + 1];
    const uint8_t *values; /* little-endian, borrowed */
    size_t value_bytes;
    xta_side side; /* ATTRIBUTE_GROW: where the values go */
} xta__attribute_record;

void xta__encode_attribute(const xta__attribute_record *record, xta__bytes *out);
xta_status xta__decode_attribute(const xta__record *record, int ndim, xta__attribute_record *out,
                                 const char **why);
#endif
