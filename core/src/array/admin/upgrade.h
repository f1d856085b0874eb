/* Giving an array of an old layout the newest one. The contracts stand in
 * <xta/array_maintenance.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_UPGRADE_H
#define XTA_ARRAY_ADMIN_UPGRADE_H

#include <xta/array.h>

#endif
