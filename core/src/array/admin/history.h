/* The steps of an array. The contracts stand in <xta/array_structure.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_HISTORY_H
#define XTA_ARRAY_ADMIN_HISTORY_H

#include <xta/array.h>

#endif
