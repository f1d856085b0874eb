/* A picture as a data: URI (RFC 2397), its bytes as text (RFC 4648, section 4).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_DATA_URI_H
#define XTA_PICTURE_REPORT_DATA_URI_H

#include <stdbool.h>

#include "util/text.h"

/* The media type of an SVG or a PNG. */
const char *xta__picture_media_type(bool svg);

void xta__add_data_uri(xta__text *out, bool svg, const xta__text *file);

#endif
