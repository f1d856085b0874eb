/* From memory to files and back. The contracts stand in <xta/array_lifetime.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_ADMIN_SAVE_H
#define XTA_ARRAY_ADMIN_SAVE_H

#include <xta/array.h>

#endif
