/* The format of HDF5 files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_HDF5_H
#define XTA_FORMATS_HDF5_HDF5_H

#include "description/format.h"

extern const bridge_format xta__bridge_hdf5;

#endif
