/* The results of a follower that do not need endmembers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_PIXELS_H
#define XTA_HYPER_FOLLOW_PIXELS_H

#include "follow/follow_private.h"
#include "follow/result.h"

xta_status xta__follow_moments(xta_follow *f, const follow_step *step, xta_error *err);
xta_status xta__follow_ppi(xta_follow *f, const follow_step *step, xta_error *err);
xta_status xta__follow_mei(xta_follow *f, const follow_step *step, xta_error *err);

#endif
