/* Making an array durable, closing it, deleting it. The contracts stand in <xta/array_lifetime.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CLOSE_H
#define XTA_ARRAY_HANDLE_CLOSE_H

#include <xta/array.h>

#endif
