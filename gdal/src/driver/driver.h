/* The driver, as GDAL registers it from gdal_XTA.so.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_DRIVER_DRIVER_H
#define XTA_GDAL_DRIVER_DRIVER_H

#include <xta/status.h>

extern "C" XTA_API void GDALRegister_XTA(void);

#endif
