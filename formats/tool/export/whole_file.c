/* xta export DIR DST: a data set as a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <stdlib.h>

#include "formats_loader.h"
#include "progress_meter.h"

xta_status cli_export_whole_file(const cli_args *args, xta_dataset_export_options *options,
                                 cli_error *err)
{
    const char *folder = args->words[0], *file = args->words[1];
    char *line = cli_has(args, "no-history") ? NULL : cli_command_line(args);
    cli_meter meter = {0};
    cli_formats formats;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_formats_load(&formats, &err->error));
    XTA_TRY(xta_dataset_open(folder, NULL, &set, &err->error));
    options->history = line;
    options->progress = cli_meter_begin(&meter, file);
    XTA_TRY(formats.dataset_export(set, file, options, &err->error));

done:
    cli_meter_end(&meter);
    xta_dataset_close(set, NULL);
    free(line);
    return status;
}
