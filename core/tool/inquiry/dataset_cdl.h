/* A data set as CDL, the notation of ncdump -h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_INQUIRY_DATASET_CDL_H
#define XTA_TOOL_INQUIRY_DATASET_CDL_H

#include "kit/cli.h"

/* Print the header of the data set in a folder: dimensions, variables and attributes, and those of
 * its groups. ncgen reads it. */
xta_status cli_print_dataset(FILE *out, const char *folder, cli_error *err);

#endif
