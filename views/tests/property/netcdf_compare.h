/* Whether two NetCDF files hold the same, as NetCDF's own library reads them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TESTS_PROPERTY_NETCDF_COMPARE_H
#define XTA_VIEWS_TESTS_PROPERTY_NETCDF_COMPARE_H

#include "support/report.h"

/* Dimensions, variables with their types and values, and attributes, by name; the order of them and
 * which dimensions are unlimited do not matter. Returns the
 * number of values compared. */
size_t netcdf_compare(test_story *story, const char *left, const char *right);

/* Whether a file has these dimensions, and variables with these, and none has _FillValue. */
void netcdf_check_names(test_story *story, const char *path, const char *wanted);

#endif
