/* Checkpoints: the whole state as one record at the end of a journal that has grown long.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_CHECKPOINT_H
#define XTA_ARRAY_STATE_CHECKPOINT_H

#include "array/state/open_array.h"

/* Append a checkpoint if the journal has grown long enough since the last one. The locks are held,
 * and the state is that of the journal's end. The next sync makes it durable and enters it in the
 * header. */
void xta__checkpoint_if_due(xta_array *array);

/* The same at the end of a change, and the header of the journal names it, so that readers find it
 * at once. */
void xta__checkpoint_after_change(xta_array *array);

#endif
