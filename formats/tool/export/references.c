/* xta export --format kerchunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "references.h"

#include <string.h>

#include "formats_loader.h"
#include "kit/folder.h"
#include "kit/print/json.h"

/* Options that mean something for references. */
static xta_status check_given(const cli_args *args, cli_error *err)
{
    static const char *const allowed[] = {"format", "url",   "zarr", "replace",
                                          "force",  "as-of", "json", "allow-unfinished"};

    for (int k = 0; k < args->n_given; k++) {
        bool good = false;
        for (size_t j = 0; j < CLI_COUNT(allowed); j++) {
            good = good || strcmp(args->given[k].option->name, allowed[j]) == 0;
        }
        if (!good) {
            return cli_usage(err,
                             "--%s: references are to all cells as they are stored; leave it out",
                             args->given[k].option->name);
        }
    }
    return XTA_OK;
}

xta_status cli_export_references(const cli_args *args, const xta_references_options *options,
                                 cli_error *err)
{
    xta_status status = XTA_OK;
    xta_zarr_options how = XTA_ZARR_OPTIONS_INIT;
    const char *from = args->words[0], *file = args->words[1];
    cli_formats formats = {0};
    xta_array *array = NULL;
    xta_dataset *set = NULL;
    xta_zarr *zarr = NULL;

    how.stored = true;
    XTA_TRY(check_given(args, err));
    if (cli_is_folder(from) && cli_has(args, "as-of")) {
        XTA_TRY(
            cli_usage(err, "--as-of is for one array, and %s is a data set; leave it out", from));
    }
    XTA_TRY(cli_formats_load(&formats, &err->error));
    if (cli_is_folder(from)) {
        XTA_TRY(xta_dataset_open(from, NULL, &set, &err->error));
        XTA_TRY(formats.zarr_of_dataset(set, &how, &zarr, &err->error));
    } else {
        XTA_TRY(cli_open(args, from, &array, err));
        XTA_TRY(formats.zarr_of_array(array, &how, &zarr, &err->error));
    }
    XTA_TRY(formats.references_export(zarr, file, options, &err->error));
    if (cli_has(args, "json")) {
        fputs(set != NULL ? "{\"folder\": " : "{\"array\": ", stdout);
        cli_json_text(stdout, from);
        fputs(", \"file\": ", stdout);
        cli_json_text(stdout, file);
        fputs("}\n", stdout);
    }

done:
    if (formats.zarr_free != NULL) {
        formats.zarr_free(zarr);
    }
    xta_dataset_close(set, NULL);
    return cli_close(array, status, err);
}
