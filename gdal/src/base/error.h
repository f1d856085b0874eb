/* Errors of the library as those of GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_BASE_ERROR_H
#define XTA_GDAL_BASE_ERROR_H

#include <xta/status.h>

namespace xta_gdal
{

/* Whether a call failed; if so, GDAL is told, with the text of the library. */
bool failed(xta_status status, const xta_error &err);

} // namespace xta_gdal

#endif
