/* xta upgrade: give arrays of early releases a data file with a header.
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
    int n;              // arrays so far
} upgrade_job;

static xta_status upgrade_array(upgrade_job *job, const char *path, cli_error *err)
{
    bool upgraded = false;
    xta_status status = xta_upgrade(path, &upgraded, &err->error);

    if (status == XTA_OK && job->json) {
        printf("%s\n  {\"array\": ", job->n > 0 ? "," : "");
        cli_json_text(stdout, path);
        printf(", \"upgraded\": %s}", upgraded ? "true" : "false");
    } else if (status == XTA_OK) {
        printf("%s: %s\n", path, upgraded ? "upgraded" : "is of the newest layout");
    }
    job->n++;
    return status;
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    upgrade_job *job = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    if (member->array) {
        XTA_TRY(cli_join(job->folder, member->name, &path, err));
        status = upgrade_array(job, path, err);
    }
done:
    free(path);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    upgrade_job job = {.json = ((const upgrade_options *)args->values)->json};
    xta_status status = XTA_OK;

    fputs(job.json ? "{\"arrays\": [" : "", stdout);
    for (int k = 0; k < args->n_words && status == XTA_OK; k++) {
        job.folder = args->words[k];
        status = cli_is_folder(job.folder)
                     ? cli_members_visit(job.folder, true, visit_member, &job, err)
                     : upgrade_array(&job, job.folder, err);
    }
    fputs(job.json && status == XTA_OK ? "\n]}\n" : "", stdout);
    return status;
}

const cli_command cli_upgrade = {
    .name = "upgrade",
    .summary = "give arrays of early releases a header in the data file",
    .usage = "A... [--json]",
    .details =
        "Copies each array beside itself, with a header in the data file that ties it to its "
        "journal, and puts the copy in its place, all or nothing. Cells, addresses, "
        "attributes and history stay. Releases before 0.2 cannot read the result. An array "
        "of the newest layout is left alone. Of a folder, every array is upgraded, those of the "
        "folders in it included.",
    .example = "  xta upgrade runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(upgrade_options),
    .min_words = 1,
    .max_words = 64,
    .run = run,
};
