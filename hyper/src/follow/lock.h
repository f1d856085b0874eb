/* One follower for each folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_LOCK_H
#define XTA_HYPER_FOLLOW_LOCK_H

#include "follow/follow_private.h"

/* Not collective; called on rank 0. Lock the folder, so that it has only one follower. */
xta_status xta__follow_lock(xta_follow *f, xta_error *err);
void xta__follow_unlock(xta_follow *f);

#endif
