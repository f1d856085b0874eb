/* Errors of the library as those of GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <cpl_error.h>

namespace xta_gdal
{

static CPLErrorNum number_of(xta_status status)
{
    switch (status) {
    case XTA_EARG:
    case XTA_EBOX:
    case XTA_ETYPE:
    case XTA_ERANGE:
    case XTA_EOVERFLOW:
        return CPLE_IllegalArg;
    case XTA_ENOMEM:
        return CPLE_OutOfMemory;
    case XTA_EIO:
    case XTA_ENOSPC:
        return CPLE_FileIO;
    case XTA_ENOENT:
    case XTA_EFORMAT:
    case XTA_ECORRUPT:
        return CPLE_OpenFailed;
    case XTA_EACCESS:
        return CPLE_NoWriteAccess;
    case XTA_EUNSUPPORTED:
        return CPLE_NotSupported;
    default:
        return CPLE_AppDefined;
    }
}

bool failed(xta_status status, const xta_error &err)
{
    if (status == XTA_OK) {
        return false;
    }
    CPLError(CE_Failure, number_of(status), "%s (%s)", err.text, xta_status_name(status));
    return true;
}

} // namespace xta_gdal
