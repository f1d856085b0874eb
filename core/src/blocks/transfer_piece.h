/* Private header: one piece of a chunk between the file and memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BLOCKS_TRANSFER_PIECE_H
#define XTA_BLOCKS_TRANSFER_PIECE_H

#include "blocks/array_grid.h"

/* Read the cells of `piece`, or write them. `given`: bytes from cell to cell in memory; NULL:
 * dense. */
xta_status xta__transfer_piece(xta__array_grid *b, const int64_t block[], const xta_box *piece,
                               uint8_t *cells, const int64_t given[], bool reading, xta_error *err);

#endif
