/* xta ls: the arrays and folders in a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include "kit/print/describe.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

/* Values of the options. */
typedef struct ls_options {
    bool with_facts;
} ls_options;

static const cli_option options[] = {
    CLI_FLAG(ls_options, with_facts, "long", "with type and bounds of each array (-l for short)"),
};

static const ls_options *values_of(const cli_args *args)
{
    return args->values;
}

typedef struct listing {
    const char *folder;
    bool with_facts;
    xta_error first; // why an array could not be opened
} listing;

/* Print what follows the name of an array. The listing continues if the array cannot be opened. */
static void print_facts(listing *list, const char *name)
{
    char *path = xta__string("%s/%s", list->folder, name);
    xta_array *array = NULL;
    xta_error error;
    xta_box bounds;

    if (path == NULL) {
        xta_error_set(&list->first, XTA_ENOMEM, 0, "%s: no memory for its path", name);
        return;
    }
    if (xta_array_open(path, NULL, &array, &error) != XTA_OK) {
        printf("\t?");
        if (list->first.status == XTA_OK) {
            list->first = error;
        }
    } else {
        bounds = xta_array_bounds(array);
        printf("\t%s", xta_type_name(xta_array_type(array)));
        if (xta_array_type(array) == XTA_BYTES) {
            printf(":%zu", xta_array_cell_bytes(array));
        }
        printf("\t");
        cli_print_box(stdout, &bounds);
        if (xta_array_check_finished(array, &error) == XTA_EUNFINISHED) {
            printf("\tunfinished");
        }
    }
    xta_array_close(array, NULL);
    free(path);
}

static int print_entry(void *user, const xta_dataset_entry *entry)
{
    listing *list = user;

    cli_print_name(stdout, entry->name);
    printf("%s", entry->array ? "" : "/");
    if (list->with_facts && entry->array) {
        print_facts(list, entry->name);
    }
    printf("\n");
    return 0;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    listing list = {.folder = args->n_words > 0 ? args->words[0] : ".",
                    .with_facts = values_of(args)->with_facts};
    xta_status status = xta_dataset_list(list.folder, print_entry, &list, &err->error);

    if (status == XTA_OK && list.first.status != XTA_OK) {
        err->error = list.first;
        status = list.first.status;
    }
    return status;
}

const cli_command cli_ls = {
    .name = "ls",
    .summary = "list the arrays and folders in a folder",
    .usage = "[DIR] [-l | --long]",
    .details = "Prints a line for each array, and for each folder with a slash behind its name, "
               "sorted. With -l type and bounds follow, separated by tabs, and the word unfinished "
               "behind an array that is not whole; an array that cannot be "
               "opened has a question mark there, and the exit code is 1.",
    .example = "  xta ls -l .",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(ls_options),
    .min_words = 0,
    .max_words = 1,
    .run = run,
};
