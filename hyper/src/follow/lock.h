/* One follower for each folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_LOCK_H
#define XTA_HYPER_FOLLOW_LOCK_H

#include "follow/follow_private.h"

/* Not collective; rank 0. One follower for each folder. */
xta_status xta__follow_lock(xta_follow *f, xta_error *err);
void xta__follow_unlock(xta_follow *f);

#endif
