/* Whether the coordinates in an import agree with those of the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_IMPORT_COORDINATES_H
#define XTA_FORMATS_DESCRIPTION_IMPORT_COORDINATES_H

#include "description/description.h"

/* Refuse a source whose coordinates, including its georeference, do not agree with the array:
 * different coordinates for existing cells, or none or unordered ones for new cells. Nothing is
 * changed. */
xta_status xta__coordinates_check(xta_array *array, const bridge_description *what,
                                  const int axes[], const int64_t at[], const char *source,
                                  xta_error *err);

#endif
