/* Everything about an array as one JSON object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_INFO_JSON_H
#define XTA_TOOL_KIT_INFO_JSON_H

#include "kit/cli.h"

xta_status cli_info_json(FILE *out, xta_array *array, const xta_array_info *info, cli_error *err);

#endif
