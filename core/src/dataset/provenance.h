/* Provenance of a data set. The contract is in <xta/provenance.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_PROVENANCE_H
#define XTA_DATASET_PROVENANCE_H

#include <xta/provenance.h>

#include "dataset/open_dataset.h"

#endif
