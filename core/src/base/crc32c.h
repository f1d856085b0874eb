/* A room of base/: the portable half of crc32c.c, so that a test can compare it on a machine that
 * would never take it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BASE_CRC32C_H
#define XTA_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The same function as xta__crc32c, with tables only. */
uint32_t xta__crc32c_portable(uint32_t crc, const void *bytes, size_t n);

#endif
