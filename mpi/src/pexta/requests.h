/* Transfers and growths in progress.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_REQUESTS_H
#define XTA_PEXTA_REQUESTS_H

#include "pexta/session.h"

/* A new request for a move; NULL if there is no memory. */
xta__request *xta__request_new(const xta__move *move);

/* Number a request and put it into the list. */
void xta__request_enlist(xta__request *request);

/* Remove it from the list, if it is there, wait for its jobs and free it. */
void xta__request_drop(xta__request *request);

/* Wait for this rank's jobs of the requests that touch the same cells as `move`, if either writes
 * them. True if there were any; a GA_Sync has then been made, too. Collective within a call. */
bool xta__settle(const xta__move *move);

/* Complete the growths of an array in the order in which they were requested: their bounds then
 * hold on all ranks, and their status is found when they are waited for. Collective within a
 * call. */
void xta__complete_growths(const xta__disk *disk);

/* Complete the requests of an array (NULL: all) and drop them: the first failure, agreed on. */
xta_status xta__complete_all(const xta__disk *disk, xta_error *err);

#endif
