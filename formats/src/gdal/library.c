/* The GDAL library: catching its errors, converting types, numbers as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/library.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdal/functions.h"
#include "util/json.h"

static void CPL_STDCALL keep_first(CPLErr class, CPLErrorNum number, const char *text)
{
    raster_log *log = xta__gdal.CPLGetErrorHandlerUserData();
    (void)number;
    if (class >= CE_Failure && !log->failed) {
        log->failed = true;
        snprintf(log->text, sizeof log->text, "%s", text);
        for (char *c = log->text; *c != '\0'; c++) {
            *c = iscntrl((unsigned char)*c) ? ' ' : *c;
        }
    }
}

void xta__raster_catch(raster_log *log)
{
    memset(log, 0, sizeof *log);
    xta__gdal.CPLPushErrorHandlerEx(keep_first, log);
}

void xta__raster_release(void)
{
    xta__gdal.CPLPopErrorHandler();
}

xta_status xta__raster_failure(const raster_log *log, const char *path, const char *what,
                               xta_error *err)
{
    bool full = strstr(log->text, "No space left") != NULL;
    return xta_error_set(err, full ? XTA_ENOSPC : XTA_EFOREIGN, 0, "%s: %s: GDAL says: %s", path,
                         what, log->text[0] != '\0' ? log->text : "nothing");
}

const char *xta__raster_number(double value, char text[GD_NUMBER_BYTES])
{
    xta__real_text(value, text);
    return text;
}

static const struct {
    GDALDataType foreign;
    xta_type ours;
} types[] = {
    {GDT_Byte, XTA_U8},     {GDT_UInt16, XTA_U16},   {GDT_Int16, XTA_I16},
    {GDT_UInt32, XTA_U32},  {GDT_Int32, XTA_I32},    {GDT_Float32, XTA_F32},
    {GDT_Float64, XTA_F64}, {GDT_CFloat32, XTA_C64}, {GDT_CFloat64, XTA_C128},
    {GDT_Byte, XTA_BOOL},
};

GDALDataType xta__raster_type(xta_type type, bool *signed_byte)
{
    *signed_byte = false;
    if (type == XTA_I8) { // a type in its own right since GDAL 3.7
        GDALDataType own = xta__gdal.GDALGetDataTypeByName("Int8");
        *signed_byte = own == GDT_Unknown;
        return own == GDT_Unknown ? GDT_Byte : own;
    }
    if (type == XTA_I64 || type == XTA_U64) { // since GDAL 3.5
        return xta__gdal.GDALGetDataTypeByName(type == XTA_I64 ? "Int64" : "UInt64");
    }
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (types[k].ours == type) {
            return types[k].foreign;
        }
    }
    return GDT_Unknown;
}
