/* The verbs that read and write cells: one file for each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_CELLS_VERBS_H
#define XTA_TOOL_CELLS_VERBS_H

#include "kit/cli.h"

extern const cli_command cli_read, cli_write, cli_fill;

#endif
