/* Growths of several arrays that a journal announces: whether they happened.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_ANNOUNCED_GROWTH_H
#define XTA_ARRAY_HANDLE_ANNOUNCED_GROWTH_H

#include "array/state/open_array.h"

/* A growth of several arrays may be announced at the end of the journal, without a word whether it
 * happened. Look into the journal of its leader; if it did, it is taken into the state, and
 * *changed. Waits for nobody. */
xta_status xta__group_look(xta_array *array, bool *changed, xta_error *err);

/* The COMMITs in the journal that other arrays may still want to see, as the payloads of as many
 * records. */
xta_status xta__group_unsettled(xta_array *array, xta__bytes **payloads, size_t *n, xta_error *err);

#endif
