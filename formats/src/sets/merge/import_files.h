/* Several files into one data set. The contract is in <xta/dataset_transfer.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_IMPORT_FILES_H
#define XTA_FORMATS_SETS_IMPORT_FILES_H

#include <xta/dataset_transfer.h>

#endif
