/* What a data set says about its arrays, copied to another one. The contract is in
 * <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_COPY_ENTRIES_H
#define XTA_DATASET_COPY_ENTRIES_H

#include "dataset/open_dataset.h"

#endif
