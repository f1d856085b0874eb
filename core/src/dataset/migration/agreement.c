/* Whether the coordinates of two axes are the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/migration/agreement.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coordinates/coordinates.h"

/* Whether an integer and a floating-point number are the same number. */
static bool is_whole(int64_t whole, double real)
{
    return real >= -0x1p63 && real < 0x1p63 && (double)whole == real && (int64_t)real == whole;
}

static bool same_number(const xta_coordinates *a, const xta_coordinates *b, int64_t cell)
{
    xta_coordinate x = xta__coordinates_number(a, cell), y = xta__coordinates_number(b, cell);

    if (xta__coordinates_whole(a)) {
        return xta__coordinates_whole(b) ? x.i == y.i : is_whole(x.i, y.f);
    }
    return xta__coordinates_whole(b) ? is_whole(y.i, x.f)
                                     : x.f == y.f || (isnan(x.f) && isnan(y.f));
}

int64_t xta__coordinates_first_difference(const xta_coordinates *a, const xta_coordinates *b)
{
    int64_t cell = xta_coordinates_lo(a), hi = xta_coordinates_hi(a);
    bool names = xta_coordinates_kind_of(a) == XTA_COORDINATES_NAMES;
    bool same = names == (xta_coordinates_kind_of(b) == XTA_COORDINATES_NAMES);

    while (same && cell < hi) {
        same = names ? strcmp(xta_coordinates_name(a, cell), xta_coordinates_name(b, cell)) == 0
                     : same_number(a, b, cell);
        cell += same;
    }
    return cell;
}

const char *xta__coordinate_text(const xta_coordinates *coordinates, int64_t cell,
                                 char text[XTA__COORDINATE_TEXT_BYTES])
{
    const char *name = xta_coordinates_name(coordinates, cell);

    if (name != NULL) {
        snprintf(text, XTA__COORDINATE_TEXT_BYTES, "\"%.60s\"", name);
    } else if (xta__coordinates_whole(coordinates)) {
        snprintf(text, XTA__COORDINATE_TEXT_BYTES, "%" PRId64,
                 xta__coordinates_number(coordinates, cell).i);
    } else {
        snprintf(text, XTA__COORDINATE_TEXT_BYTES, "%.17g",
                 xta__coordinates_number(coordinates, cell).f);
    }
    return text;
}
