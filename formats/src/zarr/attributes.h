/* Attributes of Zarr as attributes of a description, and back.
 *
 * Texts, whole numbers, reals and booleans become attributes of these types, and lists of two
 * numbers or more become lists. Anything else (null, objects, other lists) becomes its JSON text;
 * the names of these are kept in ZARR_JSON, so that an export writes the values again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_ATTRIBUTES_H
#define XTA_FORMATS_ZARR_ATTRIBUTES_H

#include <jansson.h>

#include "description/description.h"

/* `skip`: a name that is left out. Names that are none here are added to the array `illegal`.
 * False: out of memory. */
bool xta__zarr_read_attributes(const json_t *attributes, const char *skip, bridge_description *what,
                               json_t *illegal);

/* xarray keeps the fill value of missing cells in an attribute: in version 3 reals are the bytes of
 * a double in base64. It gets the type of the cells, if it is a value of it. False: out of
 * memory. */
bool xta__zarr_type_fill(bridge_description *what);

#endif
