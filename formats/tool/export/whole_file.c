/* xta export DIR DST: a data set as a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "formats_loader.h"
#include "progress_meter.h"

static bool holds_coordinates(xta_array *array, int axis)
{
    xta_attribute found;

    return xta_attribute_get(array, axis, "values", &found, NULL) == XTA_OK ||
           xta_attribute_get(array, axis, "values//regular", &found, NULL) == XTA_OK;
}

/* Old arrays keep coordinates at their axes: until they are upgraded, the data set has none. */
static xta_status warn_of_axes(xta_dataset *set, cli_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    xta_dimension d;

    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        const char *name = xta_dataset_member_name(set, k);
        XTA_TRY(xta_dataset_member(set, name, &array, &err->error));
        for (int axis = 0; axis < xta_array_ndim(array); axis++) {
            const char *dimension = xta_axis_name(array, axis);
            if (dimension[0] != '\0' && holds_coordinates(array, axis) &&
                xta_dataset_dimension(set, dimension, &d, NULL) == XTA_OK && d.coordinates == 0) {
                fprintf(stderr,
                        "xta export: %s: coordinates of %s are at the axis of %s and are not "
                        "written; xta upgrade moves them to the data set\n",
                        xta_dataset_path(set), dimension, name);
            }
        }
    }

done:
    return status;
}

xta_status cli_export_whole_file(const cli_args *args, xta_dataset_export_options *options,
                                 cli_error *err)
{
    const char *folder = args->words[0], *file = args->words[1];
    char *line = cli_has(args, "no-history") ? NULL : cli_command_line(args);
    cli_meter meter = {0};
    cli_formats formats;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(cli_formats_load(&formats, &err->error));
    XTA_TRY(xta_dataset_open(folder, NULL, &set, &err->error));
    XTA_TRY(warn_of_axes(set, err));
    options->history = line;
    options->progress = cli_meter_begin(&meter, file);
    XTA_TRY(formats.dataset_export(set, file, options, &err->error));

done:
    cli_meter_end(&meter);
    xta_dataset_close(set, NULL);
    free(line);
    return status;
}
