/* xta concat of folders: what their data sets say.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_TRANSFER_CONCAT_SETS_H
#define XTA_TOOL_TRANSFER_CONCAT_SETS_H

#include "kit/cli.h"

/* Whether data sets can be joined along a dimension: regular coordinates of the other dimensions
 * are the same in all, and those of this one have the same type, unit and calendar, or none has
 * any. `inner` is "" or the path of a group in each folder. */
xta_status cli_check_sets(const char *const folders[], size_t n, const char *inner,
                          const char *along, cli_error *err);

/* Give the joined folder attributes, dimensions and order of the first data set. Regular
 * coordinates along the dimension stay so if the data sets continue one another exactly; otherwise
 * they become a list. Which cells came from which folder is noted. */
xta_status cli_join_sets(const char *const folders[], size_t n, const char *inner,
                         const char *along, const char *out, cli_error *err);

#endif
