/* Regular coordinates become a list. The contract is in <xta/dataset_append.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_EDIT_LIST_COORDINATES_H
#define XTA_DATASET_EDIT_LIST_COORDINATES_H

#include <xta/dataset_append.h>

#include "dataset/open_dataset.h"

/* The same; the lock of the set is held. */
xta_status xta__dataset_list_regular(xta_dataset *set, const char *dimension, xta_error *err);

#endif
