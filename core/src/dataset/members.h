/* Members and groups of a data set. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MEMBERS_H
#define XTA_DATASET_MEMBERS_H

#include "dataset/open_dataset.h"

/* A member that is asked for, with the bounds that its dimensions give. */
typedef struct xta__new_member {
    const char *name;
    xta_type type;
    int ndim;
    const char *const *dimensions; /* NULL for an axis that is no dimension */
    xta_create_options options;
    int64_t chunk[XTA_MAX_NDIM];
    xta_box bounds;
} xta__new_member;

/* The steps of adding a member; the lock is held. First the journal names it as unfinished,
 * durably; then its array is created. The change that finishes it makes it a member. */
xta_status xta__dataset_mark_member(xta_dataset *set, const char *name, bool unfinished,
                                    xta_error *err);
xta_status xta__dataset_create_member(xta_dataset *set, const xta__new_member *w, xta_array **out,
                                      xta_error *err);

/* Delete the files of a member that the journal names as unfinished, if there are any, and then its
 * entry. */
xta_status xta__dataset_drop_member(xta_dataset *set, const char *name, xta_error *err);

/* Whether a file or folder may have this name. `what`: "member" or "group". XTA_EARG. */
xta_status xta__dataset_check_name(xta_dataset *set, const char *what, const char *name,
                                   xta_error *err);

/* XTA_ENOENT, with the names of those that there are. */
xta_status xta__dataset_no_member(xta_dataset *set, const char *name, xta_error *err);

#endif
