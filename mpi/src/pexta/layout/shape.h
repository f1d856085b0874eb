/* The shape of chunks. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_LAYOUT_SHAPE_H
#define XTA_PEXTA_LAYOUT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A chunk of an array that has `dims` cells so far, for requests of request[axis] cells, or blocks
 * of block[axis] cells where it is not above 0; each is not above 0 where it is unknown. False, and
 * `chunk` untouched, if all is unknown. */
bool xta__request_chunk(size_t cell_bytes, int ndim, const int64_t dims[], const int64_t request[],
                        const int64_t block[], int64_t chunk[]);

#endif
