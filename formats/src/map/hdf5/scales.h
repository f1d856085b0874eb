/* Scales of axes that are resized with the dataset.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_HDF5_SCALES_H
#define XTA_FORMATS_MAP_HDF5_SCALES_H

#include <hdf5.h>

#include "hdf5/dataset.h"
#include "map/handle.h"

/* One scale, as it will be. */
typedef struct map_scale {
    hid_t dataset;
    hid_t memory_type; /* negative: it keeps no values that move */
    hsize_t length;
    void *values;
} map_scale;

typedef struct map_scales {
    map_scale *items;
    size_t n, capacity;
} map_scales;

/* Under the lock. Find the scales of all axes, whose box changes from `was` to that of the array,
 * refuse those that cannot follow, and compute their values. Writes nothing. */
xta_status xta__mapping_scales_find(const hdf5_file *f, const xta_mapping *map, const xta_box *was,
                                    map_scales *out, xta_error *err);
/* Under the lock. Resize and write them. */
xta_status xta__mapping_scales_write(const map_scales *scales, const char *label, xta_error *err);
/* Under the lock. */
void xta__mapping_scales_clear(map_scales *scales);

#endif
