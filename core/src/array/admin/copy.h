/* Copying arrays. The contracts are in <xta/copy.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_COPY_H
#define XTA_ARRAY_ADMIN_COPY_H

#include <xta/copy.h>

#endif
