/* Replacing an array by a new one beside it. The contracts are in <xta/replacement.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_REPLACEMENT_H
#define XTA_ARRAY_ADMIN_REPLACEMENT_H

#include <xta/replacement.h>

#endif
