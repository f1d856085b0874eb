/* Numbers of 16 bits (binary16).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/half.h"

#include <math.h>

uint16_t xta__zarr_half(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    int exponent = 0;

    if (isnan(value)) {
        return 0x7e00 | sign;
    }
    if (size >= 65520) {
        return 0x7c00 | sign;
    }
    frexp(size, &exponent);
    exponent = size == 0 || exponent < -13 ? -13 : exponent;
    // In units of the last place, of which a normal number has 1024 to 2047.
    double units = nearbyint(ldexp(size, 11 - exponent));
    return (uint16_t)(sign | (uint16_t)(((exponent + 13) << 10) + (int)units));
}

double xta__zarr_from_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, units = bits & 1023;
    double size = exponent == 31  ? (units != 0 ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(units, -24)
                                  : ldexp(units + 1024, exponent - 25);

    return (bits & 0x8000) != 0 ? -size : size;
}
