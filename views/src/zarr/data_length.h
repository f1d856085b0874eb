/* Data files that somebody has truncated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_ZARR_DATA_LENGTH_H
#define XTA_VIEWS_ZARR_DATA_LENGTH_H

#include <xta/array.h>

/* Before cells are read: XTA_EIO if the data file is shorter than its chunks. Reading these through
 * a mapping would raise a signal, which ends a server and everything else that it serves. */
xta_status xta__check_data_length(xta_array *array, xta_error *err);

#endif
