/* Running a whole selection.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SGA_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SGA_H

#include "endmembers/simplex/selection.h"

/* Collective. Run the selection along s->p: first the greedy one, then the exchanges of N-FINDR if
 * s->exchange is set. */
xta_status xta__select(selection *s, xta_error *err);

#endif
