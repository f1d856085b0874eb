/* xta upgrade: give arrays of early releases a data file with a header, and the data sets of
 * folders the coordinates that axes hold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include <stdlib.h>

#include "kit/folder.h"
#include "kit/print/json.h"

/* Values of the options. */
typedef struct upgrade_options {
    bool json;
} upgrade_options;

static const cli_option options[] = {
    CLI_FLAG(upgrade_options, json, "json", "print one JSON object"),
};

/* What is upgraded. */
typedef struct upgrade_job {
    bool json;
    const char *folder; // of the members that are visited
    bool folders;       // their turn, after all arrays
    int n;              // arrays and folders so far
} upgrade_job;

/* Say what has become of one path. */
static void report(upgrade_job *job, const char *what, const char *path, bool upgraded,
                   const char *done)
{
    if (job->json) {
        printf("%s\n  {\"%s\": ", job->n > 0 ? "," : "", what);
        cli_json_text(stdout, path);
        printf(", \"upgraded\": %s}", upgraded ? "true" : "false");
    } else {
        printf("%s: %s\n", path, done);
    }
    job->n++;
}

static xta_status upgrade_array(upgrade_job *job, const char *path, cli_error *err)
{
    bool upgraded = false;
    xta_status status = xta_upgrade(path, &upgraded, &err->error);

    if (status == XTA_OK) {
        report(job, "array", path, upgraded, upgraded ? "upgraded" : "is of the newest layout");
    }
    return status;
}

/* Coordinates that axes of the arrays hold move to the data set of the folder. */
static xta_status upgrade_folder(upgrade_job *job, const char *path, cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;
    size_t n = 0;
    char text[80];

    how.writable = true;
    XTA_TRY(xta_dataset_open(path, &how, &set, &err->error));
    XTA_TRY(xta_dataset_upgrade(set, &n, &err->error));
    if (n > 0) {
        snprintf(text, sizeof text, "coordinates of %zu ax%cs moved to the data set", n,
                 n == 1 ? 'i' : 'e');
        report(job, "folder", path, true, text);
    }
    status = xta_dataset_close(set, &err->error);
    set = NULL;

done:
    xta_dataset_close(set, NULL);
    return status;
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    upgrade_job *job = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_join(job->folder, member->name, &path, err));
    status = job->folders == member->array ? XTA_OK
             : member->array               ? upgrade_array(job, path, err)
                                           : upgrade_folder(job, path, err);
done:
    free(path);
    return status;
}

/* First the arrays, which get another UUID, then the folders. */
static xta_status upgrade_all(upgrade_job *job, cli_error *err)
{
    xta_status status = XTA_OK;

    job->folders = false;
    XTA_TRY(cli_members_visit(job->folder, true, visit_member, job, err));
    job->folders = true;
    XTA_TRY(upgrade_folder(job, job->folder, err));
    XTA_TRY(cli_members_visit(job->folder, true, visit_member, job, err));

done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    upgrade_job job = {.json = ((const upgrade_options *)args->values)->json};
    xta_status status = XTA_OK;

    fputs(job.json ? "{\"arrays\": [" : "", stdout);
    for (int k = 0; k < args->n_words && status == XTA_OK; k++) {
        job.folder = args->words[k];
        status = cli_is_folder(job.folder) ? upgrade_all(&job, err)
                                           : upgrade_array(&job, job.folder, err);
    }
    fputs(job.json && status == XTA_OK ? "\n]}\n" : "", stdout);
    return status;
}

const cli_command cli_upgrade = {
    .name = "upgrade",
    .summary = "give arrays and folders of early releases the newest layout",
    .usage = "A... [--json]",
    .details =
        "Copies each array beside itself, with a header in the data file that ties it to its "
        "journal, and puts the copy in its place, all or nothing. Cells, addresses, "
        "attributes and history stay. Releases before 0.2 cannot read the result. An array "
        "of the newest layout is left alone. Of a folder, every array is upgraded, those of the "
        "folders in it included, and coordinates that axes of the arrays hold move to the data set "
        "of the folder: labels stay as they are. Arrays that disagree about them are an error that "
        "names both, and nothing moves.",
    .example = "  xta upgrade runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(upgrade_options),
    .min_words = 1,
    .max_words = 64,
    .run = run,
};
