/* Directions of vertex component analysis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_VCA_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_VCA_H

#include <stdbool.h>
#include <stddef.h>

#include "endmembers/simplex/selection.h"

/* The direction of step n of a random trace: that of the seed, made orthogonal to f of the pixels 1
 * .. n - 1, of length one. `scratch` has (n + 1) n_dims numbers. False if no such direction is
 * left. */
bool xta__vca_direction(const selection *s, size_t n, double *direction, double *scratch);

#endif
