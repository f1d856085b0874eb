/* Reading and writing one cell, and selecting the functions that do it for an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CELL_H
#define XTA_ARRAY_IO_CELL_H

#include "array/state/open_array.h"

/* Select the functions that get and put call for this structure. To be called before it is
 * published, and whenever its bounds have changed. */
void xta__select_accessors(xta_array *array, xta__structure *structure);

/* The state of the handle can no longer be trusted: from now on every call but close fails. */
void xta__break(xta_array *array);

#endif
