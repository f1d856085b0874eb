/* The members and groups of a data set: what its folder holds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_LISTING_H
#define XTA_DATASET_LISTING_H

#include "dataset/open_dataset.h"

/* NULL: there is no such member. */
xta__member *xta__dataset_find_member(xta_dataset *set, const char *name);

/* List the folder again. Members that are open stay open. */
xta_status xta__dataset_list(xta_dataset *set, xta_error *err);

/* Open a member, unless it is open. The mutex is held. */
xta_status xta__dataset_open_member(xta_dataset *set, xta__member *member, xta_error *err);

/* Apply what others have changed in the members that are open. The mutex is held. */
xta_status xta__dataset_refresh_members(xta_dataset *set, xta_error *err);

#endif
