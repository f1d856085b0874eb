/* Coordinates that axes of members hold move to the data set. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MIGRATION_MIGRATE_H
#define XTA_DATASET_MIGRATION_MIGRATE_H

#include "dataset/open_dataset.h"

/* Begin a change that concerns dimensions, as xta__dataset_change_begin: coordinates that axes of
 * members hold have been moved to the data set. Ends with xta__dataset_change_end, unless it fails.
 *
 * Returns: as xta_dataset_upgrade. */
xta_status xta__dataset_change_migrated(xta_dataset *set, xta_error *err);

#endif
