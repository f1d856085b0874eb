/* Whether the growths of several arrays that a journal announces have happened.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_ANNOUNCED_GROWTH_H
#define XTA_ARRAY_HANDLE_ANNOUNCED_GROWTH_H

#include "array/state/open_array.h"

/* The journal may end with the announcement of a growth of several arrays, and not say whether it
 * happened. Read the journal of its leader; if the growth happened, apply it to the state and set
 * *changed. Takes no lock of the leader, and waits for nobody. */
xta_status xta__group_ask_leader(xta_array *array, bool *changed, xta_error *err);

/* The COMMIT records that other arrays may still have to read in this journal: their payloads,
 * which the caller clears and frees. */
xta_status xta__group_unsettled(xta_array *array, xta__bytes **payloads, size_t *n, xta_error *err);

#endif
