/* Bringing a selection up to date with new lines.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_REPLAY_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SELECTION_REPLAY_H

#include <stddef.h>

#include "endmembers/simplex/selection.h"
#include "scene/tile.h"

/* Collective. Score the pixels of the new lines for all steps of n traces. */
xta_status xta__traces_replay(selection_trace *traces, size_t n, const selection *like,
                              line_range fresh, xta_error *err);

#endif
