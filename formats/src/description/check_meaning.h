/* Whether the cells of a source have the same meaning as those of the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_CHECK_MEANING_H
#define XTA_FORMATS_DESCRIPTION_CHECK_MEANING_H

#include "description/description.h"

/* Refuse a source whose cells have another meaning: other packing, units or no-data value. */
xta_status xta__check_meaning(xta_array *array, const bridge_description *what, const int axes[],
                              const int64_t at[], const char *source, xta_error *err);

#endif
