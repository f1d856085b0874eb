/* The interface of a kind of block grid. array_grid.c, folder_grid.c, npy_raw_grid.c, hdf5_grid.c,
 * netcdf_grid.c and nifti_grid.c each implement one or two kinds; blocks.c selects one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_GRIDS_COMMON_GRID_KIND_H
#define XTA_FORMATS_GRIDS_COMMON_GRID_KIND_H

#include "grids/common/target_spec.h"

/* One kind of grid. */
typedef struct blocks_kind {
    const char *name;
    xta_status (*open)(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                       xta_error *err);
    xta_status (*create)(const target_spec *spec, xta_blocks *blocks, xta_error *err);
} blocks_kind;

extern const blocks_kind xta__blocks_array;
extern const blocks_kind xta__blocks_npy_folder;
extern const blocks_kind xta__blocks_raw_folder;
extern const blocks_kind xta__blocks_npy;
extern const blocks_kind xta__blocks_raw;
extern const blocks_kind xta__blocks_hdf5;
extern const blocks_kind xta__blocks_netcdf;
extern const blocks_kind xta__blocks_nifti;

#endif
