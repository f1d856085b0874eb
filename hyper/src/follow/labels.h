/* Labels and abundances of a follower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_LABELS_H
#define XTA_HYPER_FOLLOW_LABELS_H

#include "follow/follow_private.h"
#include "follow/result.h"

/* Write labels and abundances of the lines that the state does not cover. */
xta_status xta__follow_label_new(xta_follow *f, const follow_step *step, xta_error *err);
/* Write labels and abundances of the lines that it does cover, after the endmembers have changed.
 */
xta_status xta__follow_label_old(xta_follow *f, const follow_step *step, xta_error *err);
/* Delete the arrays that cannot be computed with these endmembers. */
xta_status xta__follow_remove_missing(xta_follow *f, xta_error *err);

#endif
