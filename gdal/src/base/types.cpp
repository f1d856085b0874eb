/* Types of cells, of GDAL and of the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/types.h"

#include <gdal_version.h>

namespace xta_gdal
{

/* Int8; GDT_Unknown: this GDAL has none. */
static GDALDataType signed_byte_type()
{
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
    return GDT_Int8;
#else
    return GDT_Unknown;
#endif
}

struct TypePair {
    xta_type ours;
    SeenAs seen;
};

static const TypePair pairs[] = {
    {XTA_U8, {GDT_Byte, XTA_U8}},         {XTA_I16, {GDT_Int16, XTA_I16}},
    {XTA_U16, {GDT_UInt16, XTA_U16}},     {XTA_I32, {GDT_Int32, XTA_I32}},
    {XTA_U32, {GDT_UInt32, XTA_U32}},     {XTA_I64, {GDT_Int64, XTA_I64}},
    {XTA_U64, {GDT_UInt64, XTA_U64}},     {XTA_F32, {GDT_Float32, XTA_F32}},
    {XTA_F64, {GDT_Float64, XTA_F64}},    {XTA_C64, {GDT_CFloat32, XTA_C64}},
    {XTA_C128, {GDT_CFloat64, XTA_C128}}, {XTA_BOOL, {GDT_Byte, XTA_U8}},
    {XTA_F16, {GDT_Float32, XTA_F32}},
};

static SeenAs other_type(xta_type type)
{
    for (const TypePair &pair : pairs) {
        if (pair.ours == type) {
            return pair.seen;
        }
    }
    return {GDT_Unknown, XTA_TYPE_SAME};
}

SeenAs raster_type(xta_type type, bool *signed_byte)
{
    GDALDataType own = signed_byte_type();
    *signed_byte = type == XTA_I8 && own == GDT_Unknown;
    if (type == XTA_I8) {
        return {*signed_byte ? GDT_Byte : own, XTA_I8};
    }
    return other_type(type);
}

SeenAs multidim_type(xta_type type)
{
    GDALDataType own = signed_byte_type();
    if (type == XTA_I8 && own == GDT_Unknown) {
        return {GDT_Int16, XTA_I16};
    }
    return type == XTA_I8 ? SeenAs{own, XTA_I8} : other_type(type);
}

GDALDataType plain_type(GDALDataType type)
{
    if (type == GDT_CInt16) {
        return GDT_CFloat32;
    }
    return type == GDT_CInt32 ? GDT_CFloat64 : type;
}

xta_type array_type(GDALDataType type, bool signed_byte)
{
    if ((type == GDT_Byte && signed_byte) || (type == signed_byte_type() && type != GDT_Unknown)) {
        return XTA_I8;
    }
    for (const TypePair &pair : pairs) {
        if (pair.seen.gdal == plain_type(type)) {
            return pair.ours;
        }
    }
    return XTA_TYPE_SAME;
}

} // namespace xta_gdal
