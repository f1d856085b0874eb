/* Moving the cells of a box between chunks and the memory of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_BOX_TRANSFER_H
#define XTA_ARRAY_IO_BOX_BOX_TRANSFER_H

#include "array/io/box/direction.h"
#include "array/state/open_array.h"

/* Move the cells of a box between chunks and memory. Box and options have been checked. */
xta_status xta__transfer(xta_array *array, const xta_box *box, const xta_io_options *options,
                         xta__direction direction, void *memory, xta_error *err);

/* The same for a box that belongs to a transfer of `of_cells` cells in all: a large one bypasses
 * the caches of the processor on its way to memory. `skips` NULL: no chunk is left out. */
XTA_PRIVATE_API xta_status xta__transfer_box_piece(xta_array *array, const xta_box *box,
                                                   const xta_io_options *options,
                                                   xta__direction direction, void *memory,
                                                   uint64_t of_cells, xta__skips *skips,
                                                   void *skips_user, xta_error *err);

/* A write by a thread that has the lock of the array. */
xta_status xta__write_locked(xta_array *array, const xta_box *box, const xta_io_options *options,
                             const void *memory, xta_error *err);

/* Whether all of these cells can be written: their conversion to the type of the array is tried
 * out. Box and options have been checked. */
XTA_PRIVATE_API xta_status xta__check_cells(xta_array *array, const xta_box *box,
                                            const xta_io_options *options, const void *cells,
                                            xta_error *err);

#endif
