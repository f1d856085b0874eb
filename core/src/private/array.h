/* The open array, its structure, journal and chunk store, as the core itself sees them. Of the
 * functions only those marked XTA_PRIVATE_API leave libxta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_ARRAY_H
#define XTA_PRIVATE_ARRAY_H

#include "array/array.h"

#endif
