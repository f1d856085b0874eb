/* Boxes and coordinates as text, for messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_BOX_TEXT_H
#define XTA_UTIL_BOX_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>

/* A box as "0:4,-2:3", for messages. `text` holds `capacity` bytes; cut if too small. Returns
 * text. */
const char *xta__box_text(const xta_box *box, char *text, size_t capacity);

/* `n` coordinates as "1,2,-3", for messages. Returns text. */
const char *xta__coord_text(const int64_t coord[], int n, char *text, size_t capacity);

#endif
