/* Attributes of a data set and of its dimensions. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_EDIT_ATTRIBUTES_H
#define XTA_DATASET_EDIT_ATTRIBUTES_H

#include "dataset/open_dataset.h"

#endif
