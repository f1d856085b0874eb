/* xta version.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_VERSION_H
#define XTA_TOOL_VERSION_H

#include "kit/cli.h"

extern const cli_command cli_version;

#endif
