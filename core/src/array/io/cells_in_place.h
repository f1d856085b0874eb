/* Cells that are read where they lie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CELLS_IN_PLACE_H
#define XTA_ARRAY_IO_CELLS_IN_PLACE_H

#include <xta/array.h>

/* The functions of this file are public. */

#endif
