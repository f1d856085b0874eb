/* libxta_formats, loaded when it is first needed.
 *
 * It loads GDAL and its hundred libraries; help, a repartition from array to array, or an analysis
 * of an array must not wait for them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_FORMATS_LOADER_H
#define XTA_TOOL_FORMATS_LOADER_H

#include <xta/blocks.h>
#include <xta/bridge.h>
#include <xta/dataset_transfer.h>
#include <xta/spectra.h>
#include <xta/zarr.h>

typedef struct cli_formats {
    xta_status (*import)(const char *source, const char *path, const xta_import_options *options,
                         xta_box *written, xta_error *err);
    xta_status (*import_describe)(const char *source, const xta_import_options *options,
                                  xta_source_info *out, xta_error *err);
    xta_status (*export)(xta_array *array, const char *destination,
                         const xta_export_options *options, xta_error *err);
    const char *(*bridge_name)(int k);
    const char *(*bridge_summary)(int k);
    xta_status (*blocks_open)(const char *path, const xta_blocks_options *options,
                              xta_blocks *blocks, xta_error *err);
    xta_status (*blocks_create)(const char *path, const xta_blocks *like,
                                const xta_blocks_options *options, xta_blocks *blocks,
                                xta_error *err);
    void (*blocks_match)(xta_blocks *from, xta_blocks *to, uint64_t memory_bytes);
    xta_status (*spectra_read)(const char *path, const xta_spectra_options *options,
                               xta_spectra *out, xta_error *err);
    xta_status (*spectra_write)(const char *path, const xta_spectra_options *options,
                                const xta_spectra *spectra, xta_error *err);
    xta_status (*spectra_resample)(const xta_spectra *from, const double *wavelength,
                                   size_t n_bands, const char *unit, xta_spectra *out,
                                   xta_error *err);
    double (*spectra_unit_factor)(const double *from, size_t n_from, const char *unit,
                                  const double *to, size_t n_to, const char *to_unit);
    void (*spectra_free)(xta_spectra *spectra);
    xta_status (*dataset_import)(const char *source, const char *path,
                                 const xta_dataset_import_options *options, xta_error *err);
    xta_status (*dataset_import_files)(const char *const sources[], size_t n, const char *path,
                                       const xta_dataset_files_options *options, xta_error *err);
    xta_status (*dataset_export)(xta_dataset *set, const char *destination,
                                 const xta_dataset_export_options *options, xta_error *err);
    xta_status (*zarr_of_array)(xta_array *array, const xta_zarr_options *options, xta_zarr **out,
                                xta_error *err);
    xta_status (*zarr_of_dataset)(xta_dataset *set, const xta_zarr_options *options, xta_zarr **out,
                                  xta_error *err);
    void (*zarr_free)(xta_zarr *zarr);
    xta_status (*references_export)(const xta_zarr *zarr, const char *destination,
                                    const xta_references_options *options, xta_error *err);
} cli_formats;

/* XTA_EUNSUPPORTED, if the library is not installed; the text names it. */
xta_status cli_formats_load(cli_formats *formats, xta_error *err);

#endif
