/* Whether the coordinates of two axes are the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MIGRATION_AGREEMENT_H
#define XTA_DATASET_MIGRATION_AGREEMENT_H

#include <xta/coordinates.h>

/* The first cell whose coordinates differ; the end of the cells: none. Both have the same cells.
 * Numbers of different types are equal if they are the same number. NaN equals NaN. */
int64_t xta__coordinates_first_difference(const xta_coordinates *a, const xta_coordinates *b);

/* The coordinate of a cell for a message. */
enum { XTA__COORDINATE_TEXT_BYTES = 80 };
const char *xta__coordinate_text(const xta_coordinates *coordinates, int64_t cell,
                                 char text[XTA__COORDINATE_TEXT_BYTES]);

#endif
