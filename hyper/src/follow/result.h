/* The input of a step of an update.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_RESULT_H
#define XTA_HYPER_FOLLOW_RESULT_H

#include <xta/follow.h>

#include "scene/tile.h"

/* What a step of an update works on. */
typedef struct follow_step {
    xta_follow_report *report;
    const line_range *fresh; /* lines that the state does not cover */
    int n_fresh;
} follow_step;

/* The entry of a report for one result; later calls with the same name return the same entry. */
xta_follow_result *xta__follow_result(xta_follow_report *report, const char *name);

/* Seconds of a monotonic clock. */
double xta__follow_seconds(void);

#endif
