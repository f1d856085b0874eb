/* The options of a follower, and whether a state was made with them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_OPTIONS_H
#define XTA_HYPER_FOLLOW_OPTIONS_H

#include "follow/follow_private.h"
#include "state/state_file.h"

/* Copy the options, with what they imply, and write them as text. What was allocated before a
 * failure is freed when the follower is closed. */
xta_status xta__follow_copy_options(xta_follow *f, const xta_follow_options *options,
                                    xta_error *err);
/* The options for selecting a simplex, from the whole scene or from candidates. */
xta_simplex_options xta__follow_simplex_options(const xta_follow *f);
/* Whether a state was made with these options. */
xta_status xta__follow_same_options(const xta_follow *f, const state_file *state, xta_error *err);

#endif
