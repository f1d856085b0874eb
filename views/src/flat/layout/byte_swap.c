/* Byte swaps of many numbers. Each loop has a constant unit, so that compilers make vectors of it:
 * one shuffle of a register where the processor has that.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/layout/byte_swap.h"

#include <stdint.h>
#include <string.h>

#include "util/clones.h"

static inline void swap_2(uint8_t *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint16_t v;
        memcpy(&v, bytes + 2 * k, sizeof v);
        v = (uint16_t)(v << 8 | v >> 8);
        memcpy(bytes + 2 * k, &v, sizeof v);
    }
}

static inline void swap_4(uint8_t *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint32_t v;
        memcpy(&v, bytes + 4 * k, sizeof v);
        v = v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
        memcpy(bytes + 4 * k, &v, sizeof v);
    }
}

static inline void swap_8(uint8_t *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t v;
        memcpy(&v, bytes + 8 * k, sizeof v);
        v = (v & 0x00ff00ff00ff00ff) << 8 | (v >> 8 & 0x00ff00ff00ff00ff);
        v = (v & 0x0000ffff0000ffff) << 16 | (v >> 16 & 0x0000ffff0000ffff);
        v = v << 32 | v >> 32;
        memcpy(bytes + 8 * k, &v, sizeof v);
    }
}

XTA__CLONES void xta__swap_numbers(void *numbers, size_t n_bytes, size_t unit)
{
    if (unit == 2) {
        swap_2(numbers, n_bytes / 2);
    } else if (unit == 4) {
        swap_4(numbers, n_bytes / 4);
    } else if (unit == 8) {
        swap_8(numbers, n_bytes / 8);
    }
}
