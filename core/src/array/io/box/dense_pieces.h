/* Packed cells of single chunks, between the memory of a call and messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_DENSE_PARTS_H
#define XTA_ARRAY_IO_BOX_DENSE_PARTS_H

#include "array/io/box/direction.h"
#include "array/state/open_array.h"

/* A transfer whose chunks are in other processes: slices between the memory of a call and
 * messages. */
typedef struct xta__dense_pieces xta__dense_pieces;

/* Box and options have been checked. */
XTA_PRIVATE_API xta_status xta__dense_pieces_new(xta_array *array, const xta_box *box,
                                                 const xta_io_options *options,
                                                 xta__direction direction, void *memory,
                                                 xta__dense_pieces **out, xta_error *err);
XTA_PRIVATE_API void xta__dense_pieces_free(xta__dense_pieces *parts);

/* Copy the cells of one chunk into `dense` (for a write), or from it (for a read): row-major, in
 * the array's type. *n_bytes: the length of `dense`. Fails only if values must be converted. */
XTA_PRIVATE_API xta_status xta__dense_pieces_move(xta__dense_pieces *parts, const int64_t chunk[],
                                                  uint8_t *dense, size_t *n_bytes, xta_error *err);

#endif
