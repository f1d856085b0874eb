/* The format of FITS images.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_FITS_H
#define XTA_FORMATS_FITS_FITS_H

#include "description/format.h"

extern const bridge_format xta__bridge_fits;

#endif
