/* Data sets are created, opened, refreshed, synced and closed. The contract is in
 * <xta/dataset.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_LIFETIME_H
#define XTA_DATASET_LIFETIME_H

#include "dataset/open_dataset.h"

#endif
