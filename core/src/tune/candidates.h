/* The chunk lengths among which the best shape is searched.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TUNE_CANDIDATES_H
#define XTA_TUNE_CANDIDATES_H

#include "tune/search.h"

/* Fill in the candidates of an axis.
 * XTA_ENOMEM: the search can still be cleared. */
xta_status xta__candidates_find(xta__search *search, int axis) XTA_MUST_CHECK;

#endif
