/* The frame of the calls that move cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_CALLS_H
#define XTA_PEXTA_CALLS_H

#include "pexta/session.h"

/* Enter a call that names an array, a global array and `more`; NULL, and an agreed status, on
 * failure. */
xta__disk *xta__enter_transfer(const char *call, int g_a, int p_a, const xta__arguments *more,
                               xta_status *status);

/* Check a transfer, move all of it and leave the call. */
int xta__move_now(const xta__move *move);

#endif
