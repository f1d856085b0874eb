/* xta import SRC DIR/: a whole file into a new data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <stdio.h>
#include <string.h>

#include "formats_loader.h"
#include "kit/escape.h"
#include "kit/print/json.h"
#include "progress_meter.h"

typedef struct lost_list {
    bool json;
    size_t n;
} lost_list;

bool cli_names_folder(const char *path)
{
    size_t n = strlen(path);

    return n > 1 && path[n - 1] == '/';
}

/* One line on standard error for each thing that cannot come, and an item in the object. */
static void print_lost(void *user, const char *text)
{
    lost_list *lost = user;

    if (lost->json) {
        fputs(lost->n++ > 0 ? ",\n  " : "\n  ", stdout);
        cli_json_text(stdout, text);
    }
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
                             xta_progress progress, lost_list *lost, cli_error *err)
{
    xta_dataset_import_options options = XTA_DATASET_IMPORT_OPTIONS_INIT;

    options.lost = print_lost;
    options.lost_user = lost;
    options.strict = what->strict;
    options.all_listed = what->all_listed;
    options.trust = what->trust;
    options.memory_bytes = what->memory_bytes;
    options.progress = progress;
    options.select = what->select;
    return formats->dataset_import(what->sources[0], what->folder, &options, &err->error);
}

static xta_status import_several(const cli_whole_import *what, const cli_formats *formats,
                                 xta_progress progress, lost_list *lost, cli_error *err)
{
    xta_dataset_files_options options = XTA_DATASET_FILES_OPTIONS_INIT;

    options.dimension = what->append;
    options.front = what->front;
    options.overlap = what->overlap;
    options.lost = print_lost;
    options.lost_user = lost;
    options.strict = what->strict;
    options.all_listed = what->all_listed;
    options.trust = what->trust;
    options.memory_bytes = what->memory_bytes;
    options.progress = progress;
    options.select = what->select;
    return formats->dataset_import_files(what->sources, what->n_sources, what->folder, &options,
                                         &err->error);
}

/* The object as far as its list of what cannot come. */
static void print_head(const cli_whole_import *what)
{
    fputs("{\"folder\": ", stdout);
    cli_json_text(stdout, what->folder);
    fputs(", \"sources\": [", stdout);
    for (size_t k = 0; k < what->n_sources; k++) {
        fputs(k > 0 ? ", " : "", stdout);
        cli_json_text(stdout, what->sources[k]);
    }
    fputs("], \"lost\": [", stdout);
}

xta_status cli_import_whole_file(const cli_whole_import *what, cli_error *err)
{
    cli_meter meter = {0};
    cli_formats formats;
    xta_status status = XTA_OK;
    lost_list lost = {.json = what->json};
    size_t members = 0, dimensions = 0;

    XTA_TRY(cli_formats_load(&formats, &err->error));
    xta_progress progress = cli_meter_begin(&meter, what->sources[0]);
    if (what->json) {
        print_head(what);
    }
    XTA_TRY(what->merge ? import_several(what, &formats, progress, &lost, err)
                        : import_one(what, &formats, progress, &lost, err));
    cli_meter_end(&meter);
    XTA_TRY(count_members(what->folder, &members, &dimensions, err));
    printf(what->json ? "], \"members\": %zu, \"dimensions\": %zu}\n"
                      : "%zu members, %zu dimensions\n",
           members, dimensions);

done:
    cli_meter_end(&meter);
    return status;
}
