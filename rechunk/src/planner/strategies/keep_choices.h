/* Keep: the buffers that are compared on one axis.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLANNER_KEEP_CHOICES_H
#define XTA_PLANNER_KEEP_CHOICES_H

#include "planner/model/search.h"

/* Buffers on one axis. */
typedef struct xta__choice {
    int64_t length; /* of the longest one */
    bool uneven;
    bool mirrored; /* of what is written */
    const xta__axis_schedule *schedule;
    xta__tally tally[2];
} xta__choice;

typedef struct xta__axis_choices {
    int n;
    int n_plain;         /* those of [KEEP]: the first ones */
    int shortest;        /* the one with the shortest buffers */
    xta__choice *choice; /* first r̂, then descending lengths, then those of the variants */
} xta__axis_choices;

/* The choices of one axis; the schedules belong to the search. `last`: the innermost axis, on which
 * nothing is cut. XTA_ENOMEM. */
xta_status xta__axis_choices_init(xta__axis_choices *choices, xta__search *search, int axis,
                                  bool last);
void xta__axis_choices_clear(xta__axis_choices *choices);

#endif
