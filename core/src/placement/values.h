/* Coordinates that come, in the type, unit and calendar of a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLACEMENT_VALUES_H
#define XTA_PLACEMENT_VALUES_H

#include <xta/dataset_append.h>

#include "base/base.h"

/* The values of cells: as the dimension keeps them, and as numbers to compare. */
typedef struct xta__values {
    int64_t n;
    xta_type type;
    size_t cell_bytes;
    bool whole;              /* numbers are integers: `i` of each */
    char *cells;             /* n of `type` */
    xta_coordinate *numbers; /* NULL: they are names */
} xta__values;

/* What values are converted to, and how messages call the dimension. */
typedef struct xta__values_wanted {
    const char *path, *dimension;
    xta_type type;
    size_t cell_bytes;
    const char *unit, *calendar; /* "": none */
} xta__values_wanted;

/* Convert. XTA_EARG: units or calendars do not agree; XTA_ERANGE: a value does not fit the type;
 * XTA_ENOMEM. */
xta_status xta__values_convert(const xta_new_coordinates *from, const xta__values_wanted *to,
                               xta__values *out, xta_error *err);

/* n cells that are of the type wanted already. `cells` is freed with the values, and on failure. */
xta_status xta__values_own(const xta__values_wanted *what, void *cells, int64_t n, xta__values *out,
                           xta_error *err);

void xta__values_clear(xta__values *values);

/* Negative, 0 or positive: value a[j] before, equal to or after b[k]. Names: 0 or 1. */
int xta__values_compare(const xta__values *a, int64_t j, const xta__values *b, int64_t k);

/* A value in a message. */
enum { XTA__VALUE_TEXT_BYTES = 80 };
const char *xta__value_text(const xta__values *values, int64_t k, char text[XTA__VALUE_TEXT_BYTES]);

#endif
