/* Abundances of one pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_FCLS_H
#define XTA_HYPER_UNMIXING_FCLS_H

#include <stdbool.h>
#include <stddef.h>

#include "unmixing/support_maps.h"

/* Abundances of the pixel with coordinates y; `work` has xta__active_doubles numbers. False if out
 * of memory. */
bool xta__unmix_active(const xta_unmixer *unmixer, set_maps *maps, const double *y, double *work,
                       double *abundances);
size_t xta__active_doubles(const xta_unmixer *unmixer);
/* Abundances with all endmembers and without constraints on signs. */
bool xta__unmix_free(const xta_unmixer *unmixer, set_maps *maps, const double *y, double *work,
                     double *abundances);

#endif
