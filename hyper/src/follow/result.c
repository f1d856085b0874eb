/* The entries of a report, and the clock that times them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "follow/result.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

xta_follow_result *xta__follow_result(xta_follow_report *report, const char *name)
{
    xta_follow_result *result;

    for (size_t k = 0; k < report->n_results; k++) {
        if (strcmp(report->result[k].name, name) == 0) {
            return &report->result[k];
        }
    }
    result = &report->result[report->n_results < XTA_FOLLOW_RESULTS - 1 ? report->n_results++
                                                                        : report->n_results];
    *result = (xta_follow_result){0};
    snprintf(result->name, sizeof result->name, "%s", name);
    return result;
}

double xta__follow_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
