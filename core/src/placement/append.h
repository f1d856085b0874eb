/* Data sets grow with cells and coordinates. The contract is in <xta/dataset_append.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLACEMENT_APPEND_H
#define XTA_PLACEMENT_APPEND_H

#include <xta/dataset_append.h>

#endif
