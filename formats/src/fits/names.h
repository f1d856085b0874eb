/* Names of the attributes made from FITS files; see docs/decisions/0010-bridges.md. A keyword is an
 * attribute of its own name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_NAMES_H
#define XTA_FORMATS_FITS_NAMES_H

#include "description/description.h"

#define FITS_OWN "fits/"
/* header cards, one on each line, except those that follow from the cells */
#define FITS_HEADER BRIDGE_FITS_HEADER
/* the same for an empty primary header before the image's own */
#define FITS_PRIMARY "fits/primary"

#endif
