/* Byte swaps of many numbers, as fast as they can be read and written. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_LAYOUT_BYTE_SWAP_H
#define XTA_VIEWS_FLAT_LAYOUT_BYTE_SWAP_H

#include <stddef.h>

/* Swap the bytes of each number in place; `unit`, bytes of a number, is 1, 2, 4 or 8 and divides
 * `n_bytes`. Any alignment. */
void xta__swap_numbers(void *numbers, size_t n_bytes, size_t unit);

#endif
