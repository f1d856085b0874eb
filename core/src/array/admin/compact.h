/* Compacting a journal. The contracts stand in <xta/array_maintenance.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_COMPACT_H
#define XTA_ARRAY_ADMIN_COMPACT_H

#include <xta/array.h>

#endif
