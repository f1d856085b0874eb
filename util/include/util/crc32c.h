/* CRC-32C (Castagnoli), the checksum of records and headers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_CRC32C_H
#define XTA_UTIL_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C of `n` bytes, continuing from `crc` (0 to begin). */
uint32_t xta__crc32c(uint32_t crc, const void *bytes, size_t n);

/* The same with tables only: the version for a machine without the instruction. */
uint32_t xta__crc32c_portable(uint32_t crc, const void *bytes, size_t n);

#endif
