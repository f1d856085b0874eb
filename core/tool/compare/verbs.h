/* The verb that compares arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_COMPARE_VERBS_H
#define XTA_TOOL_COMPARE_VERBS_H

#include "kit/cli.h"

extern const cli_command cli_diff;

#endif
