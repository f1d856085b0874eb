/* Axes lose coordinates that the data set has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_MIGRATION_STRIP_AXES_H
#define XTA_DATASET_MIGRATION_STRIP_AXES_H

#include "dataset/open_dataset.h"

/* Remove the attributes of all axes that say what the data set says, too. *n_axes is increased by
 * their number. */
xta_status xta__migration_strip(xta_dataset *set, size_t *n_axes, xta_error *err);

#endif
