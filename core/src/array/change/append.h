/* Growing an array together with the new cells. The contracts are in <xta/append.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_APPEND_H
#define XTA_ARRAY_CHANGE_APPEND_H

#include <xta/array.h>

#endif
