/* Coordinates in memory. The contract of what reads them is in <xta/coordinates.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_COORDINATES_COORDINATES_H
#define XTA_COORDINATES_COORDINATES_H

#include <xta/coordinates.h>

/* What coordinates are, apart from their values. Unit and calendar are copied; NULL is "". */
typedef struct xta__coordinates_about {
    int64_t lo, hi; /* the cells */
    const char *unit;
    const char *calendar;
} xta__coordinates_about;

/* New coordinates, for xta_coordinates_free.
 *
 * XTA_ENOMEM, or as xta_regular_check. */
xta_status xta__coordinates_regular(const xta__coordinates_about *about, const xta_regular *regular,
                                    xta_coordinates **out, xta_error *err);

/* `values` has hi - lo numbers of `type`, native-endian.
 *
 * XTA_ENOMEM; XTA_ETYPE: complex numbers, or bytes. */
xta_status xta__coordinates_numbers(const xta__coordinates_about *about, xta_type type,
                                    const void *values, xta_coordinates **out, xta_error *err);

/* `text`, of `bytes` bytes, begins with hi - lo names: lines, of which the last may lack its end,
 * or, if `name_bytes` is not 0, as many bytes each, padded with zeros.
 *
 * XTA_ENOMEM. */
xta_status xta__coordinates_names(const xta__coordinates_about *about, const char *text,
                                  size_t bytes, size_t name_bytes, xta_coordinates **out,
                                  xta_error *err);

/* Whether the numbers are integers. */
bool xta__coordinates_whole(const xta_coordinates *coordinates);

/* The number of a cell from lo to hi - 1, exact: `i` if they are integers, else `f`. */
xta_coordinate xta__coordinates_number(const xta_coordinates *coordinates, int64_t cell);

#endif
