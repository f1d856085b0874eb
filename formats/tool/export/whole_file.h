/* xta export DIR DST: a data set as a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_EXPORT_WHOLE_FILE_H
#define XTA_TOOL_EXPORT_WHOLE_FILE_H

#include <xta/dataset_transfer.h>

#include "kit/cli.h"

/* `options` without progress. */
xta_status cli_export_whole_file(const cli_args *args, xta_dataset_export_options *options,
                                 cli_error *err);

#endif
