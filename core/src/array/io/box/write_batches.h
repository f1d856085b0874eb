/* Writing in file order: chunks with consecutive addresses are written by one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_WRITE_BATCHES_H
#define XTA_ARRAY_IO_BOX_WRITE_BATCHES_H

#include "array/io/box/transfer_call.h"

/* Write `n` whole chunks of a batch, from number `first` on, which have consecutive addresses.
 * `line`: see xta__line_axis. */
xta_status xta__write_run(xta__transfer_call *t, int line, const xta__batch *batch, size_t first,
                          size_t n, xta_error *err);

/* Move all chunks of the region in the order of the file. */
xta_status xta__move_in_file_order(xta__transfer_call *t, int line, xta_error *err);

#endif
