/* xta extend DIR: all arrays of a folder that have an axis, in one step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_EXTEND_FOLDER_H
#define XTA_TOOL_EXTEND_FOLDER_H

#include "kit/cli.h"

/* Grow the data set in the folder `args->words[0]` by the options axis, by and front, and print the
 * bounds of the members that have grown. `coordinates` of the new cells, for a single --axis:
 * values separated by commas, or the path of an .npy file; NULL: none are given. */
xta_status cli_extend_folder(const cli_args *args, const char *coordinates, bool json,
                             cli_error *err);

#endif
