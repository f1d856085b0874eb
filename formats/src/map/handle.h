/* A mapped dataset: the array, the objects around the dataset, the last error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MAP_HANDLE_H
#define XTA_FORMATS_MAP_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/mapping.h>

#include "description/description.h"

typedef enum map_format { MAP_HDF5, MAP_NETCDF, MAP_FITS } map_format;

/* One object around the dataset; its attributes are on XTA_ON_ARRAY of the description. */
typedef struct map_object {
    xta_mapping_kind kind;
    char *path;
    bool mapped;
    bridge_description what;
} map_object;

struct xta_mapping {
    map_format format;
    xta_array *array;
    char *path; /* of the array's files; NULL: in memory */
    uint64_t memory_bytes;
    const int64_t *chunk; /* while mapping */
    int group;            /* NetCDF: of the variable */
    char *source;         /* NetCDF: path of the file */
    map_object *objects;
    size_t n_objects, objects_capacity;
    xta_error error;
};

/* An empty handle. */
xta_status xta__mapping_new(map_format format, const xta_mapping_options *options,
                            xta_mapping **out, xta_error *err);
/* Free a handle whose mapping failed: files of the array go, too. */
void xta__mapping_discard(xta_mapping *map);
/* Begin an object; the pointer is valid until the next one. NULL: out of memory. */
map_object *xta__mapping_add_object(xta_mapping *map, xta_mapping_kind kind, const char *path);
/* A handle given to a function that writes: XTA_EARG if it is none of this format. */
xta_status xta__mapping_check_format(const xta_mapping *map, map_format format, const char *wanted,
                                     xta_error *err);
/* Cells and number of axes of `label` against those of the array. */
xta_status xta__mapping_check_cells(const xta_mapping *map, const bridge_description *what,
                                    const char *label, xta_error *err);

#endif
