/* Coordinates that an import brings: whether they are those that its cells get in the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_IMPORT_COORDINATES_H
#define XTA_FORMATS_DESCRIPTION_IMPORT_COORDINATES_H

#include "description/description.h"

/* Refuse a source whose coordinates, georeference included, are not those that its cells get in the
 * array: others on cells that are there, or none or out of order on new ones. Nothing is
 * changed. */
xta_status xta__coordinates_check(xta_array *array, const bridge_description *what,
                                  const int axes[], const int64_t at[], const char *source,
                                  xta_error *err);

#endif
