/* Data files that somebody has truncated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/data_length.h"

#include "util/try.h"

xta_status xta__check_data_length(xta_array *array, xta_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_inquire(array, &info, err));
    if (info.mapped && info.slot_bytes > 0 &&
        (info.data_apparent_bytes < info.data_offset ||
         (info.data_apparent_bytes - info.data_offset) / info.slot_bytes < info.n_chunks)) {
        status = xta_error_set(err, XTA_EIO, 0,
                               "%s: its data file was truncated to %llu bytes; restore it",
                               xta_array_path(array), (unsigned long long)info.data_apparent_bytes);
    }

done:
    return status;
}
