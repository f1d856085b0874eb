/* Two open files that have to be the same for a program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_TESTS_SAME_H
#define XTA_NETCDF_TESTS_SAME_H

#include <stddef.h>

/* Fails the test at the first difference of groups, dimensions, variables, types, fill values and
 * attributes. */
void same_definitions(int ours, int theirs);

/* The same for all values of all variables. */
void same_values(int ours, int theirs);

/* Bytes of a value in memory. */
size_t bytes_of(int type);

#endif
