/* The records of attributes, axis names and units.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/attribute_record.h"

#include "store/journal/fields.h"

void xta__encode_attribute(const xta__attribute_record *record, xta__bytes *out)
{
    size_t length = strlen(record->name);

    add_u32(out, (uint32_t)record->axis);
    add_u16(out, (unsigned)record->type);
    add_u16(out, (unsigned)length);
    add_u32(out, record->cell_bytes);
    add_u32(out, (uint32_t)record->side);
    add_u64(out, record->count);
    xta__bytes_add(out, record->name, length);
    add_padding(out);
    xta__bytes_add(out, record->values, record->value_bytes);
}

xta_status xta__decode_attribute(const xta__record *record, int ndim, xta__attribute_record *out,
                                 const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};
    bool of_axis = record->type == XTA__RECORD_AXIS_NAME || record->type == XTA__RECORD_AXIS_UNIT;
    uint32_t axis = read_u32(&in);
    unsigned type = read_u16(&in), length = read_u16(&in);

    out->axis = (int)axis;
    out->type = (xta_type)type;
    out->cell_bytes = read_u32(&in);
    uint32_t side = read_u32(&in);
    out->side = record->type == XTA__RECORD_ATTRIBUTE_GROW ? (xta_side)side : XTA_BACK;
    out->count = read_u64(&in);
    if (in.truncated || (axis != UINT32_MAX && axis >= (uint32_t)ndim) ||
        (of_axis && axis == UINT32_MAX)) {
        return corrupt(why, "the axis of an attribute is out of range");
    }
    if (!read_name(&in, length, out->name) || (length == 0 && !of_axis)) {
        return corrupt(why, "the name of an attribute is out of range");
    }
    skip_padding(&in, record->payload);
    if (in.truncated) {
        return corrupt(why, "the record is too short");
    }
    out->values = in.at;
    out->value_bytes = (size_t)(in.end - in.at);
    if (record->type == XTA__RECORD_ATTRIBUTE_GROW && side > XTA_FRONT) {
        return corrupt(why, "the side of an attribute that grows is out of range");
    }
    if (record->type != XTA__RECORD_ATTRIBUTE && record->type != XTA__RECORD_ATTRIBUTE_GROW) {
        return in.at == in.end ? XTA_OK : corrupt(why, "the record has a wrong length");
    }
    size_t fixed = xta_type_bytes(out->type);
    uint64_t bytes = 0;
    if ((!xta__is_cell_type(type) && type != XTA_TEXT) || out->cell_bytes == 0 ||
        (type != XTA_BYTES && out->cell_bytes != fixed) ||
        !xta__mul_u64(out->count, out->cell_bytes, &bytes) || bytes != out->value_bytes ||
        bytes > XTA__MAX_ATTRIBUTE_BYTES) {
        return corrupt(why, "type or length of an attribute is out of range");
    }
    return XTA_OK;
}
