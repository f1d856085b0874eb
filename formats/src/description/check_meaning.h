/* Whether the cells of a source mean what those of the array mean.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_CHECK_MEANING_H
#define XTA_FORMATS_DESCRIPTION_CHECK_MEANING_H

#include "description/description.h"

/* Refuse sources whose cells mean something else: other packing, units, no-data. */
xta_status xta__check_meaning(xta_array *array, const bridge_description *what, const int axes[],
                              const int64_t at[], const char *source, xta_error *err);

#endif
