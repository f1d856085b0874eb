/* Replicas: handles of other processes, which get the structure only from the root handle. libxta
 * exports only the functions marked XTA_PRIVATE_API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_REPLICA_H
#define XTA_PRIVATE_REPLICA_H

#include "array/handle/replica.h"

#endif
