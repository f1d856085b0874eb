/* Checking the files of an array. The contracts stand in <xta/array_maintenance.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_CHECK_H
#define XTA_ARRAY_ADMIN_CHECK_H

#include <xta/array.h>

#endif
