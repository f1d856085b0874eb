/* Attributes of an array or a data set that say what it was, or is to be, in a NetCDF file; written
 * by an import, see docs/decisions/0010-bridges.md. A NetCDF name never has a slash.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_BASE_NAMES_H
#define XTA_NETCDF_BASE_NAMES_H

#define NAME_OF_VARIABLE  "netcdf/name"      /* of a member or group, if it could not have it */
#define NAME_OF_DIMENSION "netcdf/dimension" /* of an axis, if it had to differ */
#define NAME_VARIABLES    "netcdf/variables" /* in file order, one on each line */
#define NAME_UNLIMITED    "netcdf/unlimited" /* of an axis: "yes" */
#define NAME_STRINGS      "netcdf/strings"   /* "yes": cells are texts, padded with zeros */
#define NAME_LENGTHS      "//string"         /* suffix: lengths of the strings of an attribute */
#define NAME_SCALAR       "import/scalar"    /* one cell on one axis was a scalar */
#define NAME_ORIGIN       "xta_origin"       /* where axes without coordinates begin */
#define NAME_VALUES       "values"           /* of an axis: coordinates of its cells */

#endif
