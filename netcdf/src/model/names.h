/* Names that NetCDF accepts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_NAMES_H
#define XTA_NETCDF_MODEL_NAMES_H

#include <stdbool.h>

/* A name for NetCDF, to be freed: without slashes, and no blanks at its end. NULL: no memory. */
char *xta__nc_legal_name(const char *name);

/* Whether a definition has failed because of its name, and another one may do. Replaces the name:
 * a name that is taken gets a `_` at its end, one that NetCDF does not accept begins with it. */
bool xta__nc_try_other_name(int code, char **name);

#endif
