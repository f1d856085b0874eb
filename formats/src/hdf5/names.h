/* Names of the attributes made from HDF5 files; see docs/decisions/0010-bridges.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_NAMES_H
#define XTA_FORMATS_HDF5_NAMES_H

#define H5_OWN       "hdf5/"
#define H5_CHUNKS    "hdf5/chunks"    /* int64, one for each axis */
#define H5_FILTERS   "hdf5/filters"   /* int32: shuffle, deflate level, checksum */
#define H5_TYPE      "hdf5/type"      /* HDF5's text for the type, if it is not the plain one */
#define H5_UNLIMITED "hdf5/unlimited" /* of an axis: "yes" */
#define H5_SCALE     "hdf5/scale"     /* of an axis: name of its scale, if it differs */
#define H5_GLOBALS   "global/"
#define H5_VALUES    "values"
/* Beside an attribute: int64 with kind, character set, padding, length of a string, number of axes
 * (-1: none at all), lengths of axes. */
#define H5_FORM "//hdf5"
/* int64: lengths of the strings in the text, which has one on each line */
#define H5_STRINGS "//string"

#define H5_N_FILTERS 3

enum { FORM_NUMBERS = 0, FORM_FIXED = 1, FORM_VARIABLE = 2 };

#endif
