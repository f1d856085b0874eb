/* The driver, as GDAL registers it from gdal_XTA.so.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "driver/driver.h"

#include <gdal_priv.h>
#include <gdal_version.h>

#include <xta/status.h>

#include "driver/files.h"
#include "driver/open.h"
#include "multidim/group.h"
#include "raster/create.h"

using namespace xta_gdal;

static void describe(GDALDriver *driver)
{
    driver->SetDescription("XTA");
    driver->SetMetadataItem(GDAL_DMD_LONGNAME, "XTA: arrays that grow");
    driver->SetMetadataItem(GDAL_DMD_EXTENSION, "xmd");
    driver->SetMetadataItem(GDAL_DMD_EXTENSIONS, "xmd pma");
    driver->SetMetadataItem(GDAL_DMD_CONNECTION_PREFIX, "XTA:");
    driver->SetMetadataItem(GDAL_DMD_SUBDATASETS, "YES");
    driver->SetMetadataItem(GDAL_DCAP_RASTER, "YES");
    driver->SetMetadataItem(GDAL_DCAP_MULTIDIM_RASTER, "YES");
    driver->SetMetadataItem(GDAL_DCAP_CREATE_MULTIDIMENSIONAL, "YES");
    driver->SetMetadataItem(GDAL_DMD_CREATIONDATATYPES,
                            "Byte UInt16 Int16 UInt32 Int32 Int64 UInt64 Float32 Float64 CInt16 "
                            "CInt32 CFloat32 CFloat64");
    driver->SetMetadataItem(GDAL_DMD_OPENOPTIONLIST, OPEN_OPTIONS);
    driver->SetMetadataItem(GDAL_DMD_CREATIONOPTIONLIST, RASTER_CREATION_OPTIONS);
    driver->SetMetadataItem(GDAL_DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST, ARRAY_CREATION_OPTIONS);
}

/* GDAL calls it when it loads the plugin. */
extern "C" XTA_API void GDALRegister_XTA(void)
{
    // Classes of GDAL have another layout in each of its versions.
    if (!GDAL_CHECK_VERSION("the XTA driver") || GDALGetDriverByName("XTA") != nullptr) {
        return;
    }
    GDALDriver *driver = new GDALDriver();
    describe(driver);
    driver->pfnIdentify = identify;
    driver->pfnOpen = open;
    driver->pfnCreate = create_raster;
    driver->pfnCreateCopy = copy_raster;
    driver->pfnCreateMultiDimensional = create_multidim;
    driver->pfnDelete = delete_files;
    driver->pfnRename = rename_files;
    driver->pfnCopyFiles = copy_files;
    GetGDALDriverManager()->RegisterDriver(driver);
}
