/* What an array says about itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_FACTS_ARRAY_FACTS_H
#define XTA_PICTURE_FACTS_ARRAY_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/attribute.h>

#include "drawing/number_text.h"

/* Item `k` of an attribute as a number; false if there is no such number. */
bool xta__picture_attribute_number(const xta_attribute *a, size_t k, double *value);
/* Copy text that will be shown: one line, cut at the end of a character. */
void xta__picture_copy_text(const char *from, size_t n, char text[PICTURE_TEXT_BYTES]);

/* The first value of a numeric attribute; false if there is no such number. */
bool xta__picture_number(xta_array *array, int axis, const char *name, double *value);
/* The text of an attribute, cut to PICTURE_TEXT_BYTES - 1; "" and false if there is none. */
bool xta__picture_text(xta_array *array, int axis, const char *name, char text[PICTURE_TEXT_BYTES]);
/* The title of an array: the one given, else its name. */
void xta__picture_title(xta_array *array, const char *given, char text[PICTURE_TEXT_BYTES]);
/* The name of an axis, or "axis 2". */
void xta__picture_axis_name(xta_array *array, int axis, char text[PICTURE_TEXT_BYTES]);
/* "64 y x 96 x": the lengths of a box with the names of its axes, except those in the set
 * `left_out` (one bit for each axis). */
void xta__picture_shape_text(xta_array *array, const xta_box *box, uint32_t left_out,
                             char text[PICTURE_TEXT_BYTES]);

/* Numbers along an axis: values[k] belongs to coordinate lo + k. */
typedef struct picture_series {
    double *values;
    int64_t lo;
    int64_t n;
} picture_series;

/* Read the attribute `name` of an axis if it has a number for each coordinate; n = 0 if not. False
 * if out of memory. */
bool xta__picture_series(xta_array *array, int axis, const char *name, picture_series *series);
/* The number at a coordinate; NaN if there is none. */
double xta__picture_series_at(const picture_series *series, int64_t coord);
void xta__picture_series_clear(picture_series *series);

#endif
