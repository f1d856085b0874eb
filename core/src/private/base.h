/* Limits of coordinates, and what the core takes from util/.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_BASE_H
#define XTA_PRIVATE_BASE_H

#include "base/base.h"

#endif
