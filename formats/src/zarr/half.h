/* Numbers of 16 bits (binary16).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_HALF_H
#define XTA_FORMATS_ZARR_HALF_H

#include <stdint.h>

/* The nearest one, ties to even. */
uint16_t xta__zarr_half(double value);
double xta__zarr_from_half(uint16_t bits);

#endif
