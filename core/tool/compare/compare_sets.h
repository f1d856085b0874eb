/* Comparing what two data sets say about their arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMPARE_COMPARE_SETS_H
#define XTA_TOOL_COMPARE_COMPARE_SETS_H

#include "compare/compare_arrays.h"

/* Compare the `dataset.xmd` of two folders, and report under the name `name`: attributes of the
 * sets and of their dimensions, regular coordinates, unlimited dimensions, and the order of the
 * members and of the groups that both have. Nothing is done if neither folder has one. */
xta_status cli_compare_sets(const cli_comparison *comparison, const char *name, const char *a,
                            const char *b, cli_error *err);

#endif
