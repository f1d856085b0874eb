/* The header of base/: element types, and what every file of the core uses from util/.
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

#include "base/private_api.h"
#include "util/box_text.h"
#include "util/bytes.h"
#include "util/checked.h"
#include "util/compiler.h"
#include "util/crc32c.h"
#include "util/huge_page.h"
#include "util/try.h"

/* Whether a value of an enum from a file or a caller is an element type of arrays. */
bool xta__is_cell_type(unsigned type);

/* Bytes of one number inside a cell: what a big-endian host swaps. 1 for bytes and text. */
size_t xta__type_unit(xta_type type);

#endif
