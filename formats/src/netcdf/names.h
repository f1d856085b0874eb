/* Names of the attributes made from NetCDF files; see docs/decisions/0010-bridges.md. A NetCDF name
 * never contains a slash.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NETCDF_NAMES_H
#define XTA_FORMATS_NETCDF_NAMES_H

#define NC_FORMAT         "netcdf/format"
#define NC_VARIABLES      "netcdf/variables"  /* those imported, in file order, one on each line */
#define NC_DIMENSIONS     "netcdf/dimensions" /* likewise */
#define NC_DIMENSION      "netcdf/dimension"  /* of an axis, if its name had to differ */
#define NC_UNLIMITED_AXIS "netcdf/unlimited"  /* of an axis: "yes" */
#define NC_GLOBALS        "global/"
#define NC_COMPANION      "variable/" /* variable/NAME holds values, variable/NAME/ATT attributes */
#define NC_OWN            "netcdf/"   /* prefix for attributes about the variable's own storage */
#define NC_VALUES         "values"
#define NC_CHUNKS         "chunks"  /* int64, one for each dimension */
#define NC_FILTERS        "filters" /* int32: shuffle, deflate level, fletcher32, byte order */
/* int64: lengths of the strings in the text, which has one on each line */
#define NC_STRINGS "//string"

#define NC_N_FILTERS 4

#define KEY_BYTES         600
#define NETCDF_NAME_BYTES (2 * NC_MAX_NAME + 64)
#define LONGEST_NAME      255 /* for the name of an XTA attribute */

#endif
