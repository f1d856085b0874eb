/* Listing the arrays of a folder. The contracts stand in <xta/array_maintenance.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_LIST_H
#define XTA_ARRAY_ADMIN_LIST_H

#include <xta/array.h>

#endif
