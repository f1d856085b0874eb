/* The access log of the tool, which --log or XTA_ACCESS_LOG names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_LOG_H
#define XTA_CLI_LOG_H

#include "kit/command.h"

/* Log accesses to an array if there is an option --log or a variable XTA_ACCESS_LOG. `args` may be
 * NULL. */
xta_status cli_log_watch(const cli_args *args, xta_array *array, cli_error *err);

/* Call at the end, when all arrays are closed: returns `status`, or the status of the log if there
 * was no error before. */
xta_status cli_log_end(xta_status status, cli_error *err);

#endif
