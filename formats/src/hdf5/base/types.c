/* HDF5: types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/base/types.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"

/* HDF5 has no text for half floats; only their byte order can differ. */
#define TURNED_HALF "IEEE_F16BE"

static xta_type integer_type(size_t bytes, bool is_signed)
{
    static const struct {
        size_t bytes;
        xta_type with_sign;
        xta_type without;
    } table[] = {
        {1, XTA_I8, XTA_U8}, {2, XTA_I16, XTA_U16}, {4, XTA_I32, XTA_U32}, {8, XTA_I64, XTA_U64}};
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (table[k].bytes == bytes) {
            return is_signed ? table[k].with_sign : table[k].without;
        }
    }
    return XTA_TYPE_SAME;
}

static xta_type float_type(hid_t type)
{
    size_t bytes = H5Tget_size(type);
    size_t precision = H5Tget_precision(type);
    if (precision != 8 * bytes) {
        return XTA_TYPE_SAME;
    }
    return bytes == 2 ? XTA_F16 : bytes == 4 ? XTA_F32 : bytes == 8 ? XTA_F64 : XTA_TYPE_SAME;
}

/* Two floats called r and i, as h5py and others write complex numbers. */
static xta_type compound_type(hid_t type)
{
    if (H5Tget_nmembers(type) != 2) {
        return XTA_TYPE_SAME;
    }
    char *first = H5Tget_member_name(type, 0);
    char *second = H5Tget_member_name(type, 1);
    hid_t a = H5Tget_member_type(type, 0);
    hid_t b = H5Tget_member_type(type, 1);
    bool named = first != NULL && second != NULL && (first[0] == 'r' || first[0] == 'R') &&
                 (second[0] == 'i' || second[0] == 'I');
    bool equal = H5Tget_class(a) == H5T_FLOAT && H5Tequal(a, b) > 0;
    xta_type part = named && equal ? float_type(a) : XTA_TYPE_SAME;
    H5free_memory(first);
    H5free_memory(second);
    H5Tclose(a);
    H5Tclose(b);
    return part == XTA_F32 ? XTA_C64 : part == XTA_F64 ? XTA_C128 : XTA_TYPE_SAME;
}

/* h5py writes bool as an enumeration of FALSE and TRUE. */
static bool is_bool(hid_t type)
{
    signed char value = -1;
    return H5Tget_nmembers(type) == 2 && H5Tget_size(type) == 1 &&
           H5Tenum_valueof(type, "FALSE", &value) >= 0 && value == 0 &&
           H5Tenum_valueof(type, "TRUE", &value) >= 0 && value == 1;
}

static xta_type enum_type(hid_t type)
{
    hid_t base = H5Tget_super(type);
    xta_type ours = is_bool(type)
                        ? XTA_BOOL
                        : integer_type(H5Tget_size(base), H5Tget_sign(base) != H5T_SGN_NONE);
    H5Tclose(base);
    return ours;
}

xta_type xta__hdf5_to_xta(hid_t type, size_t *cell_bytes)
{
    xta_type ours = XTA_TYPE_SAME;
    size_t bytes = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        ours = integer_type(bytes, H5Tget_sign(type) != H5T_SGN_NONE);
        break;
    case H5T_FLOAT:
        ours = float_type(type);
        break;
    case H5T_BITFIELD:
        ours = integer_type(bytes, false);
        break;
    case H5T_ENUM:
        ours = enum_type(type);
        break;
    case H5T_COMPOUND:
        ours = compound_type(type);
        break;
    case H5T_STRING:
        ours = H5Tis_variable_str(type) > 0 ? XTA_TYPE_SAME : XTA_BYTES;
        break;
    case H5T_OPAQUE:
        ours = XTA_BYTES;
        break;
    default:
        break;
    }
    if (ours == XTA_BYTES && (bytes < 1 || bytes > 65535)) {
        ours = XTA_TYPE_SAME;
    }
    *cell_bytes = ours == XTA_BYTES ? bytes : xta_type_bytes(ours);
    return ours;
}

/* IEEE 754 binary16, which HDF5 1.10 has no name for. */
static hid_t half_float(bool native)
{
    hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    bool good = H5Tset_fields(type, 15, 10, 5, 0, 10) >= 0 && H5Tset_size(type, 2) >= 0 &&
                H5Tset_ebias(type, 15) >= 0 &&
                (!native || H5Tset_order(type, H5Tget_order(H5T_NATIVE_FLOAT)) >= 0);
    if (!good) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

hid_t xta__hdf5_memory_type(hid_t file_type)
{
    size_t bytes = 0;
    xta_type ours = xta__hdf5_to_xta(file_type, &bytes);
    if (ours == XTA_TYPE_SAME) {
        return -1;
    }
    hid_t type = ours == XTA_F16 ? half_float(true) : H5Tget_native_type(file_type, H5T_DIR_ASCEND);
    if (type >= 0 && H5Tget_size(type) != bytes) {
        H5Tclose(type);
        type = -1;
    }
    return type;
}

static hid_t complex_type(hid_t part)
{
    size_t bytes = H5Tget_size(part);
    hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(type, "r", 0, part);
    H5Tinsert(type, "i", bytes, part);
    return type;
}

static hid_t bool_type(void)
{
    signed char no = 0;
    signed char yes = 1;
    hid_t type = H5Tenum_create(H5T_STD_I8LE);
    H5Tenum_insert(type, "FALSE", &no);
    H5Tenum_insert(type, "TRUE", &yes);
    return type;
}

static hid_t bytes_type(size_t bytes)
{
    hid_t type = H5Tcreate(H5T_OPAQUE, bytes);
    H5Tset_tag(type, "");
    return type;
}

hid_t xta__hdf5_from_xta(xta_type type, size_t cell_bytes)
{
    switch (type) {
    case XTA_BOOL:
        return bool_type();
    case XTA_I8:
        return H5Tcopy(H5T_STD_I8LE);
    case XTA_U8:
        return H5Tcopy(H5T_STD_U8LE);
    case XTA_I16:
        return H5Tcopy(H5T_STD_I16LE);
    case XTA_U16:
        return H5Tcopy(H5T_STD_U16LE);
    case XTA_I32:
        return H5Tcopy(H5T_STD_I32LE);
    case XTA_U32:
        return H5Tcopy(H5T_STD_U32LE);
    case XTA_I64:
        return H5Tcopy(H5T_STD_I64LE);
    case XTA_U64:
        return H5Tcopy(H5T_STD_U64LE);
    case XTA_F16:
        return half_float(false);
    case XTA_F32:
        return H5Tcopy(H5T_IEEE_F32LE);
    case XTA_F64:
        return H5Tcopy(H5T_IEEE_F64LE);
    case XTA_C64:
        return complex_type(H5T_IEEE_F32LE);
    case XTA_C128:
        return complex_type(H5T_IEEE_F64LE);
    case XTA_BYTES:
        return bytes_type(cell_bytes);
    default:
        return -1;
    }
}

hid_t xta__hdf5_type_for(const char *text, xta_type type, size_t cell_bytes)
{
    size_t bytes = 0;
    hid_t parsed = -1;
    if (text != NULL && strcmp(text, TURNED_HALF) == 0) {
        parsed = half_float(false);
        H5Tset_order(parsed, H5T_ORDER_BE);
    } else if (text != NULL) {
        parsed = H5LTtext_to_dtype(text, H5LT_DDL);
    }
    if (parsed >= 0 && xta__hdf5_to_xta(parsed, &bytes) == type && bytes == cell_bytes) {
        return parsed;
    }
    if (parsed >= 0) {
        H5Tclose(parsed);
    }
    return xta__hdf5_from_xta(type, cell_bytes);
}

char *xta__hdf5_type_text(hid_t type)
{
    size_t bytes = 0;
    size_t n = 0;
    xta_type ours = xta__hdf5_to_xta(type, &bytes);
    hid_t plain = xta__hdf5_from_xta(ours, bytes);
    bool same = H5Tequal(plain, type) > 0;
    H5Tclose(plain);
    if (same) {
        return NULL;
    }
    if (ours == XTA_F16) {
        return xta__bridge_copy(TURNED_HALF);
    }
    if (H5LTdtype_to_text(type, NULL, H5LT_DDL, &n) < 0) {
        return NULL;
    }
    char *text = calloc(n + 1, 1);
    if (text != NULL && H5LTdtype_to_text(type, text, H5LT_DDL, &n) < 0) {
        free(text);
        text = NULL;
    }
    return text;
}
