/* The verbs that report on arrays: one file for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_INQUIRY_VERBS_H
#define XTA_TOOL_INQUIRY_VERBS_H

#include "kit/cli.h"

extern const cli_command cli_info, cli_ls, cli_address, cli_check, cli_history, cli_tune;

#endif
