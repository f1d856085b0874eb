/* The verbs that change the structure of an array, its attributes or its journal: one file for
 * each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_STRUCTURE_VERBS_H
#define XTA_TOOL_STRUCTURE_VERBS_H

#include "kit/cli.h"

extern const cli_command cli_create, cli_extend, cli_shrink, cli_add_axis, cli_attr, cli_compact,
    cli_undo, cli_upgrade;

#endif
