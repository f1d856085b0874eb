/* Cells of a box between chunks and memory, for whoever divides a transfer between processes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_TRANSFER_H
#define XTA_PRIVATE_TRANSFER_H

#include "array/array.h"
#include "private/api.h"

/* Move the cells of a box, which is part of a transfer of `of_cells` cells: what is known to be
 * large goes past the processor's caches on its way to memory. `skips` NULL: no chunk is left
 * out. */
XTA_PRIVATE_API xta_status xta__transfer_part(xta_array *array, const xta_box *box,
                                              const xta_io_options *options,
                                              xta__direction direction, void *memory,
                                              uint64_t of_cells, xta__skips *skips,
                                              void *skips_user, xta_error *err);

/* Whether all of these cells can be written: conversions are tried. Box and options have been
 * checked. */
XTA_PRIVATE_API xta_status xta__check_cells(xta_array *array, const xta_box *box,
                                            const xta_io_options *options, const void *cells,
                                            xta_error *err);

/* Cells of single chunks between the memory of a call and messages. */
typedef struct xta__dense_parts xta__dense_parts;

/* Box and options have been checked. */
XTA_PRIVATE_API xta_status xta__dense_parts_new(xta_array *array, const xta_box *box,
                                                const xta_io_options *options,
                                                xta__direction direction, void *memory,
                                                xta__dense_parts **out, xta_error *err);
XTA_PRIVATE_API void xta__dense_parts_free(xta__dense_parts *parts);

/* The cells of one chunk into `dense` (of a write), or from there (of a read): row-major, in the
 * array's type. *n_bytes: how many there are. Fails only where values must be converted. */
XTA_PRIVATE_API xta_status xta__dense_parts_move(xta__dense_parts *parts, const int64_t chunk[],
                                                 uint8_t *dense, size_t *n_bytes, xta_error *err);

#endif
