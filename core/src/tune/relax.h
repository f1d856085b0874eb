/* The relaxed problem, whose solution bounds the cost from below.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TUNE_RELAX_H
#define XTA_TUNE_RELAX_H

#include "tune/search.h"

/* Build the tables of the relaxed problem once; then find the relaxed problem with the best bound,
 * starting from search->best, which is replaced if a better shape is found. */
xta_status xta__relax_begin(xta__search *search) XTA_MUST_CHECK;
void xta__relax(xta__search *search);

/* The index of a budget in the list; `cells` must be one. */
size_t xta__budget_at(const xta__search *search, int64_t cells);

#endif
