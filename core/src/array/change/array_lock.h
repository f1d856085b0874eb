/* A lock over several calls that belong together. The contract is in <xta/work.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_ARRAY_LOCK_H
#define XTA_ARRAY_CHANGE_ARRAY_LOCK_H

#include <xta/work.h>

#endif
