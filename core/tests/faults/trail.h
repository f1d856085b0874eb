/* What an array that was cut short may be: the models it may be in, and the judgement.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_TRAIL_H
#define XTA_TESTS_TRAIL_H

#include "script.h"
#include "support/folder.h"
#include "support/report.h"

#define TRAIL_MAX_STEPS 400
#define TRAIL_FILL      3

/* An array, and the model of what it was found to be last. */
typedef struct life {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    oracle_cells model;
    double note; /* of the attribute, -1: none yet */
} life;

/* The models from the last sync told to the step that may have been under way. */
typedef struct trail {
    oracle_cells states[TRAIL_MAX_STEPS + 2];
    script_step steps[TRAIL_MAX_STEPS + 2];
    double notes[TRAIL_MAX_STEPS + 2];
    int n;
    int told; /* the last state told to be complete */
} trail;

/* Create the array and its model. */
void life_begin(life *l);

/* Adds a finding of xta_check to the story; `user` is the life. */
void life_finding(void *user, const xta_finding *finding);

/* Follow the script on the model: `told` of its steps are known to be complete. */
void trail_retrace(life *l, test_random script, uint32_t told, trail *t);

/* The array opens, is as the trail allows, and xta_check finds nothing fatal. If `power` was
 * lost, steps that were complete but not synced may be gone. The model becomes what the array
 * is. */
void trail_judge(life *l, const trail *t, bool power);

void trail_clear(trail *t);

#endif
