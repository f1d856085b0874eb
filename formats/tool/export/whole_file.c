/* xta export DIR DST: a data set as a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include "formats_loader.h"
#include "progress_meter.h"

xta_status cli_export_whole_file(const char *folder, const char *file,
                                 xta_dataset_export_options *options, cli_error *err)
{
    cli_meter meter = {0};
    cli_formats formats;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_formats_load(&formats, &err->error));
    XTA_TRY(xta_dataset_open(folder, NULL, &set, &err->error));
    options->progress = cli_meter_begin(&meter, file);
    XTA_TRY(formats.dataset_export(set, file, options, &err->error));

done:
    cli_meter_end(&meter);
    xta_dataset_close(set, NULL);
    return status;
}
