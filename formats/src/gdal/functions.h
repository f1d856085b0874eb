/* The functions of GDAL, which is loaded when the first raster is met: with its libraries it takes
 * longer than all else that most programs do with the formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GDAL_FUNCTIONS_H
#define XTA_FORMATS_GDAL_FUNCTIONS_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <xta/status.h>

/* Every function of GDAL that is called here. */
#define XTA__GDAL_FUNCTIONS(F)          \
    F(CPLAtof)                          \
    F(CPLError)                         \
    F(CPLGetErrorHandlerUserData)       \
    F(CPLGetFilename)                   \
    F(CPLParseNameValue)                \
    F(CPLPopErrorHandler)               \
    F(CPLPushErrorHandlerEx)            \
    F(CPLResetExtension)                \
    F(CPLSPrintf)                       \
    F(CPLStrdup)                        \
    F(CPLStrtod)                        \
    F(CSLAddString)                     \
    F(CSLCount)                         \
    F(CSLDestroy)                       \
    F(CSLDuplicate)                     \
    F(CSLFetchNameValue)                \
    F(CSLFindName)                      \
    F(CSLFindString)                    \
    F(CSLSetNameValue)                  \
    F(CSLTokenizeString2)               \
    F(GDALAllRegister)                  \
    F(GDALClose)                        \
    F(GDALCreate)                       \
    F(GDALCreateColorTable)             \
    F(GDALCreateCopy)                   \
    F(GDALDataTypeUnion)                \
    F(GDALDatasetRasterIOEx)            \
    F(GDALDeinitGCPs)                   \
    F(GDALDeleteDataset)                \
    F(GDALDestroyColorTable)            \
    F(GDALFlushCache)                   \
    F(GDALGetBlockSize)                 \
    F(GDALGetColorEntry)                \
    F(GDALGetColorEntryCount)           \
    F(GDALGetColorInterpretationByName) \
    F(GDALGetColorInterpretationName)   \
    F(GDALGetDataTypeByName)            \
    F(GDALGetDataTypeName)              \
    F(GDALGetDatasetDriver)             \
    F(GDALGetDescription)               \
    F(GDALGetDriver)                    \
    F(GDALGetDriverByName)              \
    F(GDALGetDriverCount)               \
    F(GDALGetDriverShortName)           \
    F(GDALGetGCPCount)                  \
    F(GDALGetGCPSpatialRef)             \
    F(GDALGetGCPs)                      \
    F(GDALGetGeoTransform)              \
    F(GDALGetMetadata)                  \
    F(GDALGetMetadataDomainList)        \
    F(GDALGetMetadataItem)              \
    F(GDALGetPaletteInterpretation)     \
    F(GDALGetRasterBand)                \
    F(GDALGetRasterCategoryNames)       \
    F(GDALGetRasterColorInterpretation) \
    F(GDALGetRasterColorTable)          \
    F(GDALGetRasterCount)               \
    F(GDALGetRasterDataType)            \
    F(GDALGetRasterNoDataValue)         \
    F(GDALGetRasterNoDataValueAsInt64)  \
    F(GDALGetRasterNoDataValueAsUInt64) \
    F(GDALGetRasterOffset)              \
    F(GDALGetRasterScale)               \
    F(GDALGetRasterUnitType)            \
    F(GDALGetRasterXSize)               \
    F(GDALGetRasterYSize)               \
    F(GDALGetSpatialRef)                \
    F(GDALIdentifyDriverEx)             \
    F(GDALInitGCPs)                     \
    F(GDALOpenEx)                       \
    F(GDALSetColorEntry)                \
    F(GDALSetDescription)               \
    F(GDALSetGCPs2)                     \
    F(GDALSetGeoTransform)              \
    F(GDALSetMetadata)                  \
    F(GDALSetMetadataItem)              \
    F(GDALSetRasterCategoryNames)       \
    F(GDALSetRasterColorInterpretation) \
    F(GDALSetRasterColorTable)          \
    F(GDALSetRasterNoDataValue)         \
    F(GDALSetRasterNoDataValueAsInt64)  \
    F(GDALSetRasterNoDataValueAsUInt64) \
    F(GDALSetRasterOffset)              \
    F(GDALSetRasterScale)               \
    F(GDALSetRasterUnitType)            \
    F(GDALSetSpatialRef)                \
    F(OSRDestroySpatialReference)       \
    F(OSRExportToWktEx)                 \
    F(OSRGetDataAxisToSRSAxisMapping)   \
    F(OSRGetLinearUnits)                \
    F(OSRGetUTMZone)                    \
    F(OSRImportFromESRI)                \
    F(OSRImportFromWkt)                 \
    F(OSRIsGeographic)                  \
    F(OSRIsSame)                        \
    F(OSRIsSameGeogCS)                  \
    F(OSRNewSpatialReference)           \
    F(OSRSetAxisMappingStrategy)        \
    F(OSRSetDataAxisToSRSAxisMapping)   \
    F(OSRSetWellKnownGeogCS)            \
    F(VSIFree)

/* Their addresses, under their names. */
typedef struct xta__gdal_functions {
#define XTA__MEMBER(name) __typeof__(name) *name;
    XTA__GDAL_FUNCTIONS(XTA__MEMBER)
#undef XTA__MEMBER
} xta__gdal_functions;

/* Valid once xta__gdal_load has succeeded. */
extern xta__gdal_functions xta__gdal;

/* Load GDAL, unless it is loaded, and register its drivers. `path` is for the message.
 * XTA_EUNSUPPORTED: the library is not there, or lacks a function. Threads may call it at the same
 * time. GDAL cannot be unloaded safely, so it stays. */
xta_status xta__gdal_load(const char *path, xta_error *err);

#endif
