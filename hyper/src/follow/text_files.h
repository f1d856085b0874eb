/* The small files of a follower: endmembers as text, and bases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_TEXT_FILES_H
#define XTA_HYPER_FOLLOW_TEXT_FILES_H

#include "follow/follow_private.h"

xta_status xta__follow_endmembers_csv(const xta_follow *f, xta_error *err);
xta_status xta__follow_bases(const xta_follow *f, xta_error *err);

#endif
