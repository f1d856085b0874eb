/* Growth of a data set. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_EDIT_GROWTH_H
#define XTA_DATASET_EDIT_GROWTH_H

#include "dataset/open_dataset.h"

#endif
