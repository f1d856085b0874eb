/* Names of attributes that FITS files have; see docs/decisions/0010-bridges.md. A keyword is an
 * attribute of its own name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_NAMES_H
#define XTA_FORMATS_FITS_NAMES_H

#include "description/description.h"

#define FITS_OWN "fits/"
/* the cards, one a line, but those that follow from the cells */
#define FITS_HEADER  BRIDGE_FITS_HEADER
#define FITS_PRIMARY "fits/primary" /* likewise of an empty primary header before the image's own */

#endif
