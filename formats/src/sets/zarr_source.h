/* What a Zarr store holds, as groups, dimensions and variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_ZARR_SOURCE_H
#define XTA_FORMATS_SETS_ZARR_SOURCE_H

#include "sets/tree/tree.h"

extern const set_reader xta__set_zarr;

#endif
