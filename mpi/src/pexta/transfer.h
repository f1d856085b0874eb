/* One transfer between a global array and an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_TRANSFER_H
#define XTA_PEXTA_TRANSFER_H

#include "pexta/session.h"

/* Check handles, modes, types and limits of a transfer, which are the same on all ranks. */
xta_status xta__check_move(const xta__move *move, xta_error *err);

/* Move the cells; if `request` is given, what fits in memory is left to the thread. Collective
 * within a call; ends with a GA_Sync. */
xta_status xta__run_move(const xta__move *move, xta__request *request, xta_error *err);

/* How many processes read and write files. */
int xta__io_ranks(void);

#endif
