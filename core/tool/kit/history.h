/* The attribute `history` of what a verb has made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_HISTORY_H
#define XTA_TOOL_KIT_HISTORY_H

#include "kit/cli.h"

/* The option of verbs that do this. */
#define CLI_NO_HISTORY(type) \
    CLI_FLAG(type, no_history, "no-history", "do not add this command to the history of the result")

/* Add the command line to the history of the data set in a folder, or of an array. Where that is no
 * text, a line on standard error says so. */
xta_status cli_add_history(const cli_args *args, const char *path, cli_error *err);

#endif
