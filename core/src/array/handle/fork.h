/* Open handles are useless in a child process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_FORK_H
#define XTA_ARRAY_HANDLE_FORK_H

#include "array/state/open_array.h"

/* Add an open array to the list that the fork handler goes through; remove it. */
xta_status xta__handle_enter(xta_array *array, xta_error *err);
void xta__handle_leave(xta_array *array);

#endif
