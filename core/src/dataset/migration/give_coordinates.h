/* Dimensions of the data set get planned coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MIGRATION_GIVE_COORDINATES_H
#define XTA_DATASET_MIGRATION_GIVE_COORDINATES_H

#include "dataset/migration/plan.h"

/* Make the lists, and then all dimensions have their coordinates by one durable change. On failure
 * nothing has changed. */
xta_status xta__migration_apply(xta_dataset *set, xta__migration *p, xta_error *err);

#endif
