/* Members, groups and dimensions get other names. The contract is in <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_RENAME_H
#define XTA_DATASET_RENAME_H

#include "dataset/open_dataset.h"

#endif
