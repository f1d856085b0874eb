/* Partitions of an array's cells into blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/partition.h>

#include <stddef.h>

xta_partition xta_partition_regular(int ndim, const int64_t block[], const int64_t origin[])
{
    xta_partition partition = {.ndim = ndim};

    for (int axis = 0; axis < ndim && axis < XTA_MAX_NDIM; axis++) {
        partition.axis[axis].length = block[axis];
        partition.axis[axis].origin = origin == NULL ? 0 : origin[axis];
    }
    return partition;
}
