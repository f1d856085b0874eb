/* xta help.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_HELP_H
#define XTA_TOOL_HELP_H

#include "kit/cli.h"

extern const cli_command cli_help;

#endif
