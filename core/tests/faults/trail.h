/* The possible states of an array after a kill or a loss of power: their models, and the comparison
 * with them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_TRAIL_H
#define XTA_TESTS_TRAIL_H

#include "script.h"
#include "support/folder.h"
#include "support/report.h"

#define TRAIL_MAX_STEPS 400
#define TRAIL_FILL      3

/* An array, and the model of its state at the last comparison. */
typedef struct life {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    oracle_cells model;
    double note; /* of the attribute, -1: none yet */
} life;

/* The models from the last reported sync to the step that may have been in progress. */
typedef struct trail {
    oracle_cells states[TRAIL_MAX_STEPS + 2];
    script_step steps[TRAIL_MAX_STEPS + 2];
    double notes[TRAIL_MAX_STEPS + 2];
    int n;
    int told; /* the last state reported as complete */
} trail;

/* Create the array and its model. */
void life_begin(life *l);

/* Adds a finding of xta_check to the report; `user` is the life. */
void life_finding(void *user, const xta_finding *finding);

/* Follow the script on the model; `told` is the number of its steps known to be complete. */
void trail_retrace(life *l, test_random script, uint32_t told, trail *t);

/* Check that the array opens in a state that the trail allows, and that xta_check finds nothing
 * fatal. If `power` was lost, steps that were complete but not synced may be gone. The model is set
 * to the state of the array. */
void trail_judge(life *l, const trail *t, bool power);

void trail_clear(trail *t);

#endif
