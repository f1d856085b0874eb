/* What a follower keeps in its state file, and its objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_SAVED_STATE_H
#define XTA_HYPER_FOLLOW_SAVED_STATE_H

#include <stdbool.h>

#include "follow/follow_private.h"
#include "state/state_file.h"

/* Collective. Read the state file on rank 0 and give it to all members. */
xta_status xta__follow_read_state(const xta_follow *f, state_file *state, bool *there,
                                  xta_error *err);
/* Not collective. Make new, empty objects. */
xta_status xta__follow_make_objects(xta_follow *f, xta_error *err);
void xta__follow_free_objects(xta_follow *f);
/* Make the object of AMEE, which needs its array, once that is open. */
xta_status xta__follow_make_amee(xta_follow *f, xta_error *err);
/* Collective. Load the objects and the coverage from the state file. */
xta_status xta__follow_load(xta_follow *f, xta_error *err);
/* Collective. Write the state of the finished update under another name. From here on a full disk
 * cannot stop the update. */
xta_status xta__follow_prepare_state(xta_follow *f, xta_error *err);
/* Collective. Rename that file to the state file. */
xta_status xta__follow_commit_state(xta_follow *f, xta_error *err);
/* Collective. Save the last saved state again, but with labels and abundances marked as not
 * covered. */
xta_status xta__follow_save_unlabelled(xta_follow *f, xta_error *err);
/* Collective. Save a state in which nothing is covered. */
xta_status xta__follow_save_empty(xta_follow *f, xta_error *err);

#endif
