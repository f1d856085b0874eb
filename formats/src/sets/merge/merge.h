/* One file goes into a data set that is there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_MERGE_H
#define XTA_FORMATS_SETS_MERGE_H

#include "sets/merge/merge_plan.h"

/* A group of the file and its groups into the data set of the group. *found becomes true if one of
 * them has the dimension to append along. */
xta_status xta__merge_group(set_merge *job, const set_group *group, xta_dataset *set, bool *found,
                            xta_error *err);

#endif
