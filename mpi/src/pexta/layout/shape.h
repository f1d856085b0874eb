/* The shape of chunks. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_LAYOUT_SHAPE_H
#define XTA_PEXTA_LAYOUT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The chunk for an array that has `dims` cells so far, for requests of request[axis] cells or,
 * where that is unknown, blocks of block[axis] cells; values not above 0 are unknown. False, with
 * `chunk` untouched, if all are unknown. */
bool xta__request_chunk(size_t cell_bytes, int ndim, const int64_t dims[], const int64_t request[],
                        const int64_t block[], int64_t chunk[]);

#endif
