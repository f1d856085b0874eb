/* Errors of commands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_ERRORS_H
#define XTA_TOOL_KIT_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

/* Why a command failed. `usage`: the command line is invalid; otherwise a call failed. */
typedef struct cli_error {
    xta_error error;
    bool usage;
    int result_code;  // exit code if nothing failed: what a comparison found
    int failure_code; // exit code after a failure; 0: CLI_FAILURE
} cli_error;

/* Fail with a usage error, or with any other status. Both return the status. */
xta_status cli_usage(cli_error *err, const char *format, ...) XTA_PRINTF(2, 3);
xta_status cli_fail(cli_error *err, xta_status status, int os_errno, const char *format, ...)
    XTA_PRINTF(4, 5);

/* The entry of `names` that is nearest to `text`, or NULL if none is near. */
const char *cli_nearest(const char *text, const char *const names[], size_t n_names);

#endif
