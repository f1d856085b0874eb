/* Replicas: handles of other processes, which know the structure from the root handle alone. Of the
 * functions only those marked XTA_PRIVATE_API leave libxta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_REPLICA_H
#define XTA_PRIVATE_REPLICA_H

#include "array/handle/replica.h"

#endif
