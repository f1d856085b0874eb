/* The endmembers of a follower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_ENDMEMBERS_H
#define XTA_HYPER_FOLLOW_ENDMEMBERS_H

#include <stdbool.h>

#include "follow/follow_private.h"
#include "follow/result.h"

/* Select the endmembers; *changed: they differ from those before. */
xta_status xta__follow_endmembers(xta_follow *f, const follow_step *step, bool *changed,
                                  xta_error *err);

#endif
