/* Names of attributes that describe the file of a data set, beside those of netcdf/names.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_NAMES_H
#define XTA_FORMATS_SETS_NAMES_H

#define SET_NAME    "netcdf/name"    /* of a member, if it could not have the variable's */
#define SET_STRINGS "netcdf/strings" /* "yes": its cells are texts, padded with zeros */

#endif
