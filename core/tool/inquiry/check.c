/* xta check: check both files of an array, or those of a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include "kit/print/describe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/folder.h"

/* Values of the options. */
typedef struct check_options {
    bool json;
} check_options;

static const cli_option options[] = {
    CLI_FLAG(check_options, json, "json", "print one JSON object"),
};

static void put_finding(void *user, const xta_finding *finding)
{
    uint64_t *n_findings = user;

    printf("%s\n  {\"fatal\": %s, \"offset\": %" PRIu64 ", \"text\": ",
           (*n_findings)++ > 0 ? "," : "", finding->fatal ? "true" : "false", finding->offset);
    cli_json_text(stdout, finding->text);
    printf("}");
}

static xta_status check_json(const char *path, cli_error *err)
{
    uint64_t n_findings = 0;

    printf("{\"array\": ");
    cli_json_text(stdout, path);
    printf(", \"findings\": [");
    xta_status status = xta_check(path, put_finding, &n_findings, &err->error);
    if (status == XTA_OK || n_findings > 0) {
        printf("%s], \"clean\": %s}\n", n_findings > 0 ? "\n" : "",
               status == XTA_OK && n_findings == 0 ? "true" : "false");
    }
    return status;
}

/* Findings go to standard output: they are the result of the command. */
static void print_finding(void *user, const xta_finding *finding)
{
    uint64_t *n_findings = user;

    (*n_findings)++;
    printf("%s: ", finding->fatal ? "fatal" : "note");
    cli_print_name(stdout, finding->text);
    if (strstr(finding->text, "offset ") == NULL) {
        printf(" (offset %" PRIu64 ")", finding->offset);
    }
    printf("\n");
}

/* ---- folders ---- */

/* What was found in a folder. */
typedef struct folder_check {
    const char *root;
    bool json;
    uint64_t n_arrays, n_findings, n_bad;
} folder_check;

static xta_status name_missing(folder_check *f, const char *name, const char *path, cli_error *err)
{
    xta_dataset *set = NULL;
    const char *missing = NULL;
    xta_status status = XTA_OK;

    if (!xta_dataset_exists(path)) {
        return XTA_OK;
    }
    XTA_TRY(xta_dataset_open(path, NULL, &set, &err->error));
    for (size_t k = 0; (missing = xta_dataset_missing_name(set, k)) != NULL; k++) {
        f->n_bad++;
        if (f->json) {
            printf("%s\n  {\"array\": ", f->n_arrays++ > 0 ? "," : "");
            cli_json_text(stdout, missing);
            fputs(", \"folder\": ", stdout);
            cli_json_text(stdout, name);
            fputs(", \"missing\": true, \"findings\": [], \"clean\": false}", stdout);
        } else {
            cli_print_name(stdout, name);
            fputs(name[0] != '\0' ? "/" : "", stdout);
            cli_print_name(stdout, missing);
            fputs(": fatal: dataset.xmd names it, and it is not there\n", stdout);
        }
    }
done:
    xta_dataset_close(set, NULL);
    return status;
}

/* A finding in an array of the folder, with the name of the array. */
typedef struct named_findings {
    const char *name;
    uint64_t n;
} named_findings;

static void print_named(void *user, const xta_finding *finding)
{
    named_findings *found = user;

    cli_print_name(stdout, found->name);
    fputs(": ", stdout);
    print_finding(&found->n, finding);
}

static void check_member(folder_check *f, const char *name, const char *path)
{
    named_findings found = {name, 0};
    xta_error why = {0};

    if (f->json) {
        printf("%s\n  {\"array\": ", f->n_arrays++ > 0 ? "," : "");
        cli_json_text(stdout, name);
        fputs(", \"findings\": [", stdout);
    }
    xta_status status = f->json ? xta_check(path, put_finding, &found.n, &why)
                                : xta_check(path, print_named, &found, &why);
    if (f->json) {
        fputs(found.n > 0 ? "\n], " : "], ", stdout);
        if (status != XTA_OK && found.n == 0) {
            fputs("\"error\": ", stdout);
            cli_json_text(stdout, why.text);
            fputs(", ", stdout);
        }
        printf("\"clean\": %s}", status == XTA_OK && found.n == 0 ? "true" : "false");
    } else if (status != XTA_OK && found.n == 0) {
        cli_print_name(stdout, name);
        fputs(": fatal: ", stdout);
        cli_print_name(stdout, why.text);
        fputc('\n', stdout);
    }
    f->n_findings += found.n;
    f->n_bad += status != XTA_OK;
}

static xta_status visit_entry(void *user, const cli_member *member, cli_error *err)
{
    folder_check *f = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_join(f->root, member->name, &path, err));
    if (member->array) {
        check_member(f, member->name, path);
    } else {
        status = name_missing(f, member->name, path, err);
    }
done:
    free(path);
    return status;
}

static xta_status check_folder(const char *path, bool json, cli_error *err)
{
    folder_check f = {.root = path, .json = json};
    xta_status status = XTA_OK;

    if (json) {
        fputs("{\"folder\": ", stdout);
        cli_json_text(stdout, path);
        fputs(", \"arrays\": [", stdout);
    }
    XTA_TRY(name_missing(&f, "", path, err));
    XTA_TRY(cli_members_visit(path, true, visit_entry, &f, err));
    if (json) {
        printf("\n], \"clean\": %s}\n", f.n_bad + f.n_findings == 0 ? "true" : "false");
    } else if (f.n_bad + f.n_findings == 0) {
        puts("clean");
    }
    if (f.n_bad > 0) {
        status = cli_fail(err, XTA_ECORRUPT, 0,
                          "%s: %" PRIu64 " of its arrays and groups are damaged or missing", path,
                          f.n_bad);
    }
done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    uint64_t n_findings = 0;
    bool json = ((const check_options *)args->values)->json;

    if (cli_is_folder(args->words[0])) {
        return check_folder(args->words[0], json, err);
    }
    if (json) {
        return check_json(args->words[0], err);
    }
    xta_status status = xta_check(args->words[0], print_finding, &n_findings, &err->error);

    if (status == XTA_OK && n_findings == 0) {
        printf("clean\n");
    }
    return status;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "check the files of an array, or of a folder",
    .usage = "A|DIR [--json]",
    .details =
        "Checks the journal, the mapping and the size of the data file, and prints each "
        "finding: \"note\" is worth knowing (such as a record that was cut off by a crash, "
        "which the next writer removes), \"fatal\" means that something is lost or wrong. "
        "In a folder it checks every array, those of the folders in it included, and that what "
        "dataset.xmd names is there. Never writes. Exit code 0: nothing fatal; 1: a fatal finding, "
        "or no such array; 2: "
        "the command line is wrong.",
    .example = "  xta check runs",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(check_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
