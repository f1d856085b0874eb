/* Rows of neighbouring chunks that continue each other in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_GATHER_ROWS_H
#define XTA_ARRAY_IO_BOX_GATHER_ROWS_H

#include "array/io/box/chunk_slice.h"
#include "array/io/box/transfer_call.h"

enum { XTA__MOST_PIECES = 64 }; /* chunks whose rows are copied together */

/* The axis along which rows of neighbouring chunks continue each other; -1 if none. */
int xta__line_axis(const xta__transfer_call *t);

/* A copy plan of all axes but `line`. */
void xta__plan_rows(const xta__transfer_call *t, int line, const xta__chunk_slice *slice,
                    xta__copy_plan *plan);

/* Read all chunks of the region, line by line. */
xta_status xta__read_lines(xta__transfer_call *t, int line, xta_error *err);

#endif
