/* xta ls: the arrays and folders in a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/folder.h"
#include "kit/print/describe.h"

/* Values of the options. */
typedef struct ls_options {
    bool with_facts;
    bool recursive;
    bool json;
} ls_options;

static const cli_option options[] = {
    CLI_FLAG(ls_options, with_facts, "long",
             "with type, bounds and bytes of the cells of each array (-l for short)"),
    CLI_FLAG(ls_options, recursive, "recursive",
             "with what is in the folders, indented below them (-R for short)"),
    CLI_FLAG(ls_options, json, "json", "print one JSON object, with what --long shows"),
};

static const ls_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct listing {
    const char *folder;
    const ls_options *options;
    xta_error first; // why an array could not be opened
    int depth;       // of JSON: of the folders that are open
    bool any;        // of JSON: an entry precedes in this folder
} listing;

/* The bytes of the cells within the bounds; UINT64_MAX if 64 bits cannot hold them. */
static uint64_t cell_bytes_of(xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    uint64_t cells = 0, bytes = 0;

    return xta_box_cells(&bounds, &cells) == XTA_OK &&
                   !__builtin_mul_overflow(cells, xta_array_cell_bytes(array), &bytes)
               ? bytes
               : UINT64_MAX;
}

/* Open the array of an entry. The listing continues if it cannot be opened: *array is NULL then. */
static xta_status open_entry(listing *list, const char *name, xta_array **array, xta_error *why,
                             cli_error *err)
{
    char *path = NULL;
    xta_status status = cli_join(list->folder, name, &path, err);

    *array = NULL;
    if (status == XTA_OK && xta_array_open(path, NULL, array, why) != XTA_OK &&
        list->first.status == XTA_OK) {
        list->first = *why;
    }
    free(path);
    return status;
}

/* The last part of a name. */
static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash != NULL ? slash + 1 : name;
}

/* ---- for people ---- */

static void print_facts(xta_array *array)
{
    xta_error ignored;

    if (array == NULL) {
        printf("\t?");
        return;
    }
    const xta_box bounds = xta_array_bounds(array);
    printf("\t%s", xta_type_name(xta_array_type(array)));
    if (xta_array_type(array) == XTA_BYTES) {
        printf(":%zu", xta_array_cell_bytes(array));
    }
    printf("\t");
    cli_print_box(stdout, &bounds);
    printf("\t%" PRIu64, cell_bytes_of(array));
    if (xta_array_check_finished(array, &ignored) == XTA_EUNFINISHED) {
        printf("\tunfinished");
    }
}

static xta_status print_entry(void *user, const cli_member *member, cli_error *err)
{
    listing *list = user;
    xta_array *array = NULL;
    xta_error why;
    xta_status status = XTA_OK;

    printf("%*s", 2 * member->depth, "");
    cli_print_name(stdout, last_part(member->name));
    printf("%s", member->array ? "" : "/");
    if (list->options->with_facts && member->array) {
        XTA_TRY(open_entry(list, member->name, &array, &why, err));
        print_facts(array);
    }
    printf("\n");
done:
    (void)xta_array_close(array, NULL);
    return status;
}

/* ---- for programs ---- */

/* End the folders below `depth`. */
static void end_folders(listing *list, int depth)
{
    while (list->depth > depth) {
        list->depth--;
        if (list->any) {
            printf("\n%*s", 2 * list->depth + 2, "");
        }
        printf("]}");
        list->any = true;
    }
}

static void put_facts(xta_array *array, const xta_error *why)
{
    xta_error ignored;

    if (array == NULL) {
        printf(", \"error\": ");
        cli_json_text(stdout, why->text);
        return;
    }
    const xta_box bounds = xta_array_bounds(array);
    printf(", \"type\": \"%s\", \"cell_bytes\": %zu, \"bounds\": ",
           xta_type_name(xta_array_type(array)), xta_array_cell_bytes(array));
    cli_json_box(stdout, &bounds);
    printf(", \"bytes\": %" PRIu64 ", \"unfinished\": %s", cell_bytes_of(array),
           xta_array_check_finished(array, &ignored) == XTA_EUNFINISHED ? "true" : "false");
}

static xta_status put_entry(void *user, const cli_member *member, cli_error *err)
{
    listing *list = user;
    xta_array *array = NULL;
    xta_error why = {.status = XTA_OK};
    xta_status status = XTA_OK;

    end_folders(list, member->depth);
    printf("%s\n%*s{\"name\": ", list->any ? "," : "", 2 * member->depth + 2, "");
    cli_json_text(stdout, last_part(member->name));
    printf(", \"kind\": \"%s\"", member->array ? "array" : "folder");
    list->any = true;
    if (member->array) {
        XTA_TRY(open_entry(list, member->name, &array, &why, err));
        put_facts(array, &why);
        printf("}");
    } else if (list->options->recursive) {
        printf(", \"entries\": [");
        list->depth++;
        list->any = false;
    } else {
        printf("}");
    }
done:
    (void)xta_array_close(array, NULL);
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const ls_options *values = values_of(args);
    listing list = {.folder = args->n_words > 0 ? args->words[0] : ".", .options = values};
    xta_status status = XTA_OK;

    if (values->json) {
        printf("{\"folder\": ");
        cli_json_text(stdout, list.folder);
        printf(", \"entries\": [");
    }
    XTA_TRY(cli_members_visit(list.folder, values->recursive,
                              values->json ? put_entry : print_entry, &list, err));
    if (values->json) {
        end_folders(&list, 0);
        printf("\n]}\n");
    }
    if (list.first.status != XTA_OK) {
        err->error = list.first;
        status = list.first.status;
    }
done:
    return status;
}

const cli_command cli_ls = {
    .name = "ls",
    .summary = "list the arrays and folders in a folder",
    .usage = "[DIR] [-l | --long] [-R | --recursive] [--json]",
    .details = "Prints a line for each array, and for each folder with a slash behind its name, "
               "sorted. With -l type, bounds and bytes of the cells follow, separated by tabs, and "
               "the word unfinished behind an array that is not whole; an array that cannot be "
               "opened has a question mark there, and the exit code is 1. With -R what is in a "
               "folder follows it, indented.",
    .example = "  xta ls -l .",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(ls_options),
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
