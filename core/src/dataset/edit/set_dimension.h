/* Dimensions are set and removed. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_EDIT_SET_DIMENSION_H
#define XTA_DATASET_EDIT_SET_DIMENSION_H

#include "dataset/open_dataset.h"

#endif
