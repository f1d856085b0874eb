/* xta export --format kerchunk: references to the chunks of an array or a data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_EXPORT_REFERENCES_H
#define XTA_TOOL_EXPORT_REFERENCES_H

#include <xta/zarr.h>

#include "kit/cli.h"

/* Export the array or the folder that the command line names. */
xta_status cli_export_references(const cli_args *args, const xta_references_options *options,
                                 cli_error *err);

#endif
