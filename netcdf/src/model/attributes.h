/* Attributes between a data set or an array and the shadow, in both directions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_ATTRIBUTES_H
#define XTA_NETCDF_MODEL_ATTRIBUTES_H

#include <netcdf.h>

#include <xta/attribute.h>
#include <xta/dataset.h>

/* What has attributes: a data set, one of its dimensions, an array, or one of its axes. */
typedef struct netcdf_owner {
    xta_dataset *set;      /* NULL: an array */
    const char *dimension; /* of the set; NULL: the set itself */
    xta_array *array;
    int axis; /* of the array, or XTA_ON_ARRAY */
} netcdf_owner;

/* Find an attribute that is a text; NULL: there is none. Borrowed. */
const char *xta__nc_text_of(const netcdf_owner *owner, const char *name);

/* Give a variable of the shadow (or NC_GLOBAL, with NC_NAT) the attributes of an owner whose names
 * are `prefix` and a name of NetCDF. */
int xta__nc_copy_attributes(const netcdf_owner *owner, const char *prefix, int group, int variable,
                            nc_type cells);

/* Set an attribute from what a program put into the shadow. */
int xta__nc_store_attribute(const netcdf_owner *owner, int group, int variable, const char *name);

/* Remove an attribute, if it is there. */
int xta__nc_remove_attribute(const netcdf_owner *owner, const char *name);

#endif
