/* A first guess at the abundances of one pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_FCLS_GUESS_H
#define XTA_HYPER_UNMIXING_FCLS_GUESS_H

#include <stddef.h>

#include "unmixing/unmixer.h"

/* Abundances near the best ones, all >= 0 and with the right sum, and the set of those above 0,
 * which is nearly always the right one. The set may be empty. `work` has xta__guess_doubles
 * numbers. */
void xta__unmix_guess(const xta_unmixer *unmixer, const double *y, double *work, support_set *set,
                      double *abundances);
size_t xta__guess_doubles(const xta_unmixer *unmixer);

#endif
