/* Little-endian fields of files, and byte swaps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_BYTES_H
#define XTA_UTIL_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint16_t xta__get_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static inline uint32_t xta__get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t xta__get_u64(const uint8_t *p)
{
    return (uint64_t)xta__get_u32(p) | (uint64_t)xta__get_u32(p + 4) << 32;
}

static inline void xta__put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void xta__put_u32(uint8_t *p, uint32_t v)
{
    xta__put_u16(p, (uint16_t)v);
    xta__put_u16(p + 2, (uint16_t)(v >> 16));
}

static inline void xta__put_u64(uint8_t *p, uint64_t v)
{
    xta__put_u32(p, (uint32_t)v);
    xta__put_u32(p + 4, (uint32_t)(v >> 32));
}

/* Swap the bytes of each number in `n_bytes` bytes, in place; a number has `unit` bytes. Remaining
 * bytes that do not form a whole number are unchanged. */
static inline void xta__swap_bytes(void *numbers, size_t n_bytes, size_t unit)
{
    uint8_t *bytes = numbers;

    for (size_t at = 0; unit > 1 && unit <= n_bytes - at; at += unit) {
        for (size_t k = 0; k < unit / 2; k++) {
            uint8_t kept = bytes[at + k];
            bytes[at + k] = bytes[at + unit - 1 - k];
            bytes[at + unit - 1 - k] = kept;
        }
    }
}

#endif
