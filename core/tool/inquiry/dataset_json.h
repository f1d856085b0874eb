/* A data set as one JSON object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_INQUIRY_DATASET_JSON_H
#define XTA_TOOL_INQUIRY_DATASET_JSON_H

#include "kit/cli.h"

/* Print dimensions, members and attributes of the data set in a folder and of its groups. */
xta_status cli_dataset_json(FILE *out, const char *folder, cli_error *err);

#endif
