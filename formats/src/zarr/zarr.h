/* One array of a Zarr store as a format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_ZARR_H
#define XTA_FORMATS_ZARR_ZARR_H

#include "description/format.h"

extern const bridge_format xta__bridge_zarr;

#endif
