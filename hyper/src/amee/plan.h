/* The steps of AMEE.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_PLAN_H
#define XTA_HYPER_AMEE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum { AMEE_MOST_STEPS = 64, AMEE_MOST_RADIUS = 15 };

/* The steps of an analysis: step k has windows of radius radius[k]. With `replaced` it works on the
 * result of the step before, else on the scene itself. */
typedef struct amee_plan {
    int n_steps;
    int radius[AMEE_MOST_STEPS];
    bool replaced;
    int64_t reach; /* lines from a spectrum to the farthest window that can choose it */
} amee_plan;

#endif
