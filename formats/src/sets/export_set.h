/* Exporting a data set. The contract is in <xta/dataset_transfer.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_EXPORT_SET_H
#define XTA_FORMATS_SETS_EXPORT_SET_H

#include <xta/dataset_transfer.h>

#endif
