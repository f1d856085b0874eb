/* What the files of xta extract share: reading regions, and writing statistics and cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_REGIONS_H
#define XTA_CLI_REGIONS_H

#include "kit/cli.h"

#include <xta/extract.h>

/* The array and its regions. */
typedef struct cli_extraction {
    const char *path; // path of the array
    xta_array *array;
    bool has_axes;
    int axes[XTA_MAX_NDIM]; // axes of the regions
    int n_axes;
    bool has_spacing;
    double spacing[XTA_MAX_NDIM];
    bool clip;
    xta_array *mask;
    xta_regions *regions;
    const char *regions_path; // the file or the mask
} cli_extraction;

/* ---- regions_file.c ---- */

/* Read boxes and spheres from a file, one region on each line. */
xta_status cli_regions_read(cli_extraction *job, const char *path, cli_error *err);

/* Open a mask: an array, or a .npy file, which is read into memory. */
xta_status cli_regions_mask(cli_extraction *job, const char *path, int64_t background,
                            cli_error *err);

/* ---- regions_table.c ---- */

/* The name of a region in output: its own, that of its label, or its number. */
const char *cli_region_name(const xta_regions *regions, size_t k, char text[64]);

/* Print all statistics, one line for each region and position. */
xta_status cli_regions_csv(FILE *out, const cli_extraction *job, const xta_extraction *extraction,
                           cli_error *err);
xta_status cli_regions_json(FILE *out, const cli_extraction *job, const xta_extraction *extraction,
                            cli_error *err);

/* ---- regions_cells.c ---- */

/* Cells being written into a folder. */
typedef struct cli_region_cells cli_region_cells;

/* Create a folder that appears only when it is complete. `as_arrays`: write arrays instead of .npy
 * files. */
xta_status cli_cells_begin(cli_extraction *job, const char *folder, bool as_arrays,
                           cli_region_cells **cells, cli_error *err);

/* Callbacks for xta_extract; `user` is a cli_region_cells. */
int cli_cells_region(void *user, size_t region, uint64_t n_cells, const xta_box *box);
int cli_cells_piece(void *user, const xta_region_piece *piece);

/* Why one of these callbacks stopped the extraction; XTA_OK if none did. */
xta_status cli_cells_status(const cli_region_cells *cells);

/* Finish a folder: it gets its name if `status` is XTA_OK and is removed otherwise. */
xta_status cli_cells_end(cli_region_cells *cells, xta_status status, cli_error *err);

#endif
