/* Whole files in a build without NetCDF: there are none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/dataset_transfer.h>

xta_status xta_dataset_import(const char *source, const char *path,
                              const xta_dataset_import_options *options, xta_error *err)
{
    (void)path;
    (void)options;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: whole files are read by NetCDF, which this build lacks", source);
}

xta_status xta_dataset_import_files(const char *const sources[], size_t n, const char *path,
                                    const xta_dataset_files_options *options, xta_error *err)
{
    (void)options;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: whole files are read by NetCDF, which this build lacks",
                         n > 0 ? sources[0] : path);
}

xta_status xta_dataset_export(xta_dataset *set, const char *destination,
                              const xta_dataset_export_options *options, xta_error *err)
{
    (void)set;
    (void)options;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: whole files are written by NetCDF, which this build lacks",
                         destination);
}
