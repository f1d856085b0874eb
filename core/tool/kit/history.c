/* The command line as a line of `history`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/history.h"

#include <stdio.h>
#include <stdlib.h>

#include "kit/folder.h"

static xta_status add_to_folder(const char *path, const char *line, cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    how.writable = true;
    XTA_TRY(xta_dataset_open(path, &how, &set, &err->error));
    XTA_TRY(xta_dataset_add_history(set, line, &err->error));
    status = xta_dataset_close(set, &err->error);
    set = NULL;
done:
    xta_dataset_close(set, NULL);
    return status;
}

static xta_status add_to_array(const char *path, const char *line, cli_error *err)
{
    xta_array *array = NULL;
    xta_status status = cli_open_writable(path, &array, err);

    if (status == XTA_OK) {
        status = xta_array_add_history(array, line, &err->error);
    }
    return cli_close(array, status, err);
}

xta_status cli_add_history(const cli_args *args, const char *path, cli_error *err)
{
    char *line = cli_command_line(args);
    xta_status status = XTA_OK;

    if (line == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its history", path);
    }
    status = cli_is_folder(path) ? add_to_folder(path, line, err) : add_to_array(path, line, err);
    free(line);
    if (status == XTA_EARG) {
        // An attribute of that name which is no text stays as it is: the result is there.
        fprintf(stderr, "xta %s: no line of history: %s\n", args->command->name, err->error.text);
        status = XTA_OK;
    }
    return status;
}
