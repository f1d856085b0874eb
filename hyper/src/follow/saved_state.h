/* What a follower keeps in its state file, and its objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_SAVED_STATE_H
#define XTA_HYPER_FOLLOW_SAVED_STATE_H

#include <stdbool.h>

#include "follow/follow_private.h"
#include "state/state_file.h"

/* Collective. The state file, read by rank 0 and given to all. */
xta_status xta__follow_read_state(const xta_follow *f, state_file *state, bool *there,
                                  xta_error *err);
/* Not collective. New objects, empty. */
xta_status xta__follow_make_objects(xta_follow *f, xta_error *err);
void xta__follow_free_objects(xta_follow *f);
/* The object of AMEE needs its array, so it is made when that is open. */
xta_status xta__follow_make_amee(xta_follow *f, xta_error *err);
/* Collective. Objects and coverage as the state file has them. */
xta_status xta__follow_load(xta_follow *f, xta_error *err);
/* Collective. Write the state of an update that will be complete, under another name: from here on
 * a full disk cannot stop it. */
xta_status xta__follow_prepare_state(xta_follow *f, xta_error *err);
/* Collective. Let that state be the state. */
xta_status xta__follow_commit_state(xta_follow *f, xta_error *err);
/* Collective. Save what was saved last, but with labels and abundances not covered. */
xta_status xta__follow_save_unlabelled(xta_follow *f, xta_error *err);
/* Collective. Save that nothing is covered. */
xta_status xta__follow_save_empty(xta_follow *f, xta_error *err);

#endif
