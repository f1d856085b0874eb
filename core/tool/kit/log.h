/* The access log of the tool: what --log and XTA_ACCESS_LOG name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_LOG_H
#define XTA_CLI_LOG_H

#include "kit/command.h"

/* Have an array watched if there is an option --log or a variable XTA_ACCESS_LOG. `args` may be
 * NULL. */
xta_status cli_log_watch(const cli_args *args, xta_array *array, cli_error *err);

/* At the end, when all arrays are closed: give back `status`, or what the log says if everything
 * before went well. */
xta_status cli_log_end(xta_status status, cli_error *err);

#endif
