/* The exchanges of N-FINDR.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_NFINDR_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_NFINDR_H

#include <stddef.h>

#include "endmembers/simplex/selection.h"

/* Collective. Exchange the n vertices until no exchange makes the simplex larger, or for
 * s->max_sweeps sweeps. */
xta_status xta__nfindr_exchange(selection *s, size_t n, size_t vertex[], xta_error *err);

#endif
