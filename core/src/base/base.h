/* The header of base/: limits of coordinates, element types, and boxes in messages; with it what
 * every file of the core takes from util/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BASE_BASE_H
#define XTA_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/box.h>
#include <xta/options.h>
#include <xta/status.h>
#include <xta/type.h>

#include "private/api.h"
#include "util/bytes.h"
#include "util/checked.h"
#include "util/compiler.h"
#include "util/crc32c.h"
#include "util/huge_page.h"
#include "util/try.h"

/* Coordinates lie strictly between -XTA__COORD_LIMIT and XTA__COORD_LIMIT, addresses and offsets
 * below XTA__OFFSET_LIMIT, so that sums and differences of two of them never overflow. */
#define XTA__COORD_LIMIT  ((int64_t)1 << 62)
#define XTA__OFFSET_LIMIT ((uint64_t)1 << 62)

/* Whether a value of an enum from a file or a caller is an element type of arrays. */
bool xta__is_cell_type(unsigned type);

/* Bytes of one number inside a cell: what a big-endian host swaps. 1 for bytes and text. */
size_t xta__type_unit(xta_type type);

/* A box as "0:4,-2:3", for messages. `text` holds `capacity` bytes; cut if too small. Returns
 * text. */
XTA_PRIVATE_API const char *xta__box_text(const xta_box *box, char *text, size_t capacity);

/* `n` coordinates as "1,2,-3", for messages. Returns text. */
const char *xta__coord_text(const int64_t coord[], int n, char *text, size_t capacity);

#endif
