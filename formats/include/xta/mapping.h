/** @file
 * Mappings: a dataset of an open HDF5, NetCDF or FITS file as an array that grows in every
 * direction, and back into that dataset. Libraries libxta_map-serial, -openmpi, -mpich.
 *
 * <xta/map_hdf5.h>, <xta/map_netcdf.h> and <xta/map_fits.h> make such a handle and write it back;
 * this header has what all of them share. The array is an ordinary one: it grows by
 * xta_array_extend, and its cells and attributes are read and written as those of any array.
 *
 * Threads. The foreign libraries are not made for threads: no other thread may be in one of them
 * while a function of these headers is. Two mappings of one process take turns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_MAPPING_H
#define XTA_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/attribute.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A mapped dataset. Opaque; returned by a map function, freed by xta_mapping_close. */
typedef struct xta_mapping xta_mapping;

/** How to map. Start from XTA_MAPPING_OPTIONS_INIT; zero means the default in every member. */
typedef struct xta_mapping_options {
    size_t struct_size;    /**< sizeof(xta_mapping_options) */
    const char *path;      /**< create the array in files, which stay; NULL: in memory */
    const int64_t *chunk;  /**< chunk shape of the array; NULL: that of the dataset, else chosen */
    uint64_t memory_bytes; /**< limit of the buffers between array and file; 0: 64 MiB */
} xta_mapping_options;
#define XTA_MAPPING_OPTIONS_INIT                   \
    {                                              \
        sizeof(xta_mapping_options), NULL, NULL, 0 \
    }

/** The array. Never fails.
 * @param[in] map  a mapped dataset
 * @return borrowed: valid until xta_mapping_close, which closes it */
XTA_API xta_array *xta_mapping_array(const xta_mapping *map);

/** Why the last xtaHDFwrite, xtaNetCDFwrite or xtaFITSwrite of this handle failed. Never fails.
 * @param[in] map  a mapped dataset
 * @return borrowed: valid until the next write or xta_mapping_close; status XTA_OK if it did not
 * fail */
XTA_API const xta_error *xta_mapping_error(const xta_mapping *map);

/** What an object around the dataset is. */
typedef enum xta_mapping_kind {
    XTA_MAPPED_GROUP = 0,     /**< a group; of FITS: a header without cells */
    XTA_MAPPED_DATASET = 1,   /**< a dataset, variable or image */
    XTA_MAPPED_DIMENSION = 2, /**< a dimension of NetCDF: `bounds[0]` cells */
    XTA_MAPPED_TYPE = 3,      /**< a named type */
    XTA_MAPPED_TABLE = 4,     /**< a table of FITS */
    XTA_MAPPED_LINK = 5       /**< a soft or external link, which is not followed */
} xta_mapping_kind;

/** One object: a group on the way from the root to the dataset, or a member of its group. */
typedef struct xta_mapping_object {
    xta_mapping_kind kind;
    const char *path; /**< in the file, from "/" on; borrowed until xta_mapping_close */
    bool mapped;      /**< it is the mapped dataset itself */
    xta_type type;    /**< of the cells; XTA_TYPE_SAME if it has none, or of a type XTA lacks */
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    size_t n_attributes;
} xta_mapping_object;

/** How many objects the handle has. Never fails.
 * @param[in] map  a mapped dataset */
XTA_API size_t xta_mapping_object_count(const xta_mapping *map);

/** Object number `k`: the groups from the root down, then the members of the dataset's group, the
 * dataset among them, in the order in which the foreign library lists them.
 * @param[in]  map     a mapped dataset
 * @param[in]  k       0 to xta_mapping_object_count - 1
 * @param[out] object  untouched on failure
 * @param[out] err     why it failed; NULL if not wanted
 * @retval XTA_ENOENT  there is no such object */
XTA_API XTA_MUST_CHECK xta_status xta_mapping_object_at(const xta_mapping *map, size_t k,
                                                        xta_mapping_object *object, xta_error *err);

/** Attribute number `j` of object number `k`. Attributes that none of XTA's can hold (references,
 * compounds, more than 4 MiB) are left out. Those of the mapped dataset are attributes of the
 * array instead, and can be changed there.
 * @param[in]  map        a mapped dataset
 * @param[in]  k          0 to xta_mapping_object_count - 1
 * @param[in]  j          0 to n_attributes - 1 of that object
 * @param[out] attribute  borrowed until xta_mapping_close; untouched on failure
 * @param[out] err        why it failed; NULL if not wanted
 * @retval XTA_ENOENT     there is no such object or attribute */
XTA_API XTA_MUST_CHECK xta_status xta_mapping_object_attribute(const xta_mapping *map, size_t k,
                                                               size_t j, xta_attribute *attribute,
                                                               xta_error *err);

/** Close the array and free the handle, whatever the status; NULL is allowed. Nothing is written
 * to the foreign file, whose handles are the caller's and stay open.
 * @param[in]  map  a mapped dataset, or NULL
 * @param[out] err  why it failed; NULL if not wanted
 * @return the errors of xta_array_close */
XTA_API xta_status xta_mapping_close(xta_mapping *map, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
