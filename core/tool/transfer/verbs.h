/* The verbs that make arrays from arrays, and rename them: one file for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_TRANSFER_VERBS_H
#define XTA_TOOL_TRANSFER_VERBS_H

#include "kit/cli.h"

extern const cli_command cli_copy, cli_concat, cli_rename;

#endif
