/* xta export DIR DST: a data set as a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats_loader.h"
#include "progress_meter.h"

bool cli_is_dataset(const char *path)
{
    struct stat facts;
    size_t n = strlen(path);
    char *journal = malloc(n + 5);
    bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    bool array = false;

    if (journal != NULL && n > 0 && path[n - 1] != '/') {
        memcpy(journal, path, n);
        strcpy(journal + n, ".xmd");
        array = access(journal, F_OK) == 0;
    }
    free(journal);
    return folder && !array;
}

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
