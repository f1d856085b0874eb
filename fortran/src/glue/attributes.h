/* What module xta calls for attributes, names, units and coordinates; as glue/array.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_ATTRIBUTES_H
#define XTA_FORTRAN_GLUE_ATTRIBUTES_H

#include "glue/memory.h"

/* Texts that an axis has. */
enum { XTAF_NAME = 1, XTAF_UNIT = 2, XTAF_ATTRIBUTE = 3 };

/* A text of an axis: XTAF_NAME, XTAF_UNIT, or the attribute `name`. Its pointer and length; valid
 * until the array is changed. */
xta_status xtaf_text(xta_array *array, int number, int what, const char *name, const char **text,
                     int64_t *length, xta_error *err);
xta_status xtaf_set_text(xta_array *array, int number, int what, const char *name, const char *text,
                         xta_error *err);
/* How many numbers an attribute has; and these, converted to the type of `values`, which has room
 * for them. */
xta_status xtaf_numbers_count(xta_array *array, int number, const char *name, int64_t *count,
                              xta_error *err);
xta_status xtaf_numbers(xta_array *array, int number, const char *name, const CFI_cdesc_t *values,
                        xta_error *err);
/* `values`: a scalar, or elements that lie together. */
xta_status xtaf_set_numbers(xta_array *array, int number, const char *name,
                            const CFI_cdesc_t *values, xta_error *err);
xta_status xtaf_remove(xta_array *array, int number, const char *name, xta_error *err);
xta_status xtaf_set_regular(xta_array *array, int number, double origin, double step,
                            xta_error *err);
/* The coordinates of the cells [first, first + n) of an axis. */
xta_status xtaf_coordinates(xta_array *array, int number, int64_t first, int64_t n, double values[],
                            xta_error *err);

#endif
