/* Which way the cells of a box go, and which chunks are left out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_DIRECTION_H
#define XTA_ARRAY_IO_BOX_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

/* From chunks to memory, or from memory to chunks. */
typedef enum xta__direction { XTA__READ, XTA__WRITE } xta__direction;

/* Whether a transfer leaves a chunk out. */
typedef bool xta__skips(void *user, const int64_t chunk[]);

#endif
