/* xta import SRC DIR/: a whole file into a new data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <stdio.h>
#include <string.h>

#include "formats_loader.h"
#include "kit/escape.h"
#include "progress_meter.h"

bool cli_names_folder(const char *path)
{
    size_t n = strlen(path);

    return n > 1 && path[n - 1] == '/';
}

/* One line on standard error for each thing that cannot come. */
static void print_lost(void *user, const char *text)
{
    (void)user;
    fputs("xta import: lost: ", stderr);
    cli_print_name(stderr, text);
    fputc('\n', stderr);
}

static xta_status count_members(const char *folder, size_t *members, size_t *dimensions,
                                cli_error *err)
{
    xta_dataset *set = NULL;
    xta_status status = xta_dataset_open(folder, NULL, &set, &err->error);

    if (status == XTA_OK) {
        *members = xta_dataset_member_count(set);
        status = xta_dataset_dimension_count(set, dimensions, &err->error);
    }
    xta_dataset_close(set, NULL);
    return status;
}

static xta_status import_one(const cli_whole_import *what, const cli_formats *formats,
                             xta_progress progress, cli_error *err)
{
    xta_dataset_import_options options = XTA_DATASET_IMPORT_OPTIONS_INIT;

    options.lost = print_lost;
    options.strict = what->strict;
    options.all_listed = what->all_listed;
    options.trust = what->trust;
    options.memory_bytes = what->memory_bytes;
    options.progress = progress;
    options.select = what->select;
    return formats->dataset_import(what->sources[0], what->folder, &options, &err->error);
}

static xta_status import_several(const cli_whole_import *what, const cli_formats *formats,
                                 xta_progress progress, cli_error *err)
{
    xta_dataset_files_options options = XTA_DATASET_FILES_OPTIONS_INIT;

    options.dimension = what->append;
    options.front = what->front;
    options.overlap = what->overlap;
    options.lost = print_lost;
    options.strict = what->strict;
    options.all_listed = what->all_listed;
    options.trust = what->trust;
    options.memory_bytes = what->memory_bytes;
    options.progress = progress;
    options.select = what->select;
    return formats->dataset_import_files(what->sources, what->n_sources, what->folder, &options,
                                         &err->error);
}

xta_status cli_import_whole_file(const cli_whole_import *what, cli_error *err)
{
    cli_meter meter = {0};
    cli_formats formats;
    xta_status status = XTA_OK;
    size_t members = 0, dimensions = 0;

    XTA_TRY(cli_formats_load(&formats, &err->error));
    xta_progress progress = cli_meter_begin(&meter, what->sources[0]);
    XTA_TRY(what->merge ? import_several(what, &formats, progress, err)
                        : import_one(what, &formats, progress, err));
    cli_meter_end(&meter);
    XTA_TRY(count_members(what->folder, &members, &dimensions, err));
    printf("%zu members, %zu dimensions\n", members, dimensions);

done:
    cli_meter_end(&meter);
    return status;
}
