/** @file
 * One interface to block grids of foreign formats, as sources and targets of repartitioning.
 * Library libxta_formats.
 *
 * What a path means if `format` is not given:
 *
 * | path | format | grid |
 * |---|---|---|
 * | has a placeholder like `{0}` | npy-blocks, raw-blocks | a folder, one file for each block |
 * | .npy | npy | one dense file, row- or column-major |
 * | .raw .bin | raw | one dense file |
 * | .h5 .hdf5 .he5 .hdf | hdf5 | a dataset, chunked or contiguous |
 * | .nc .nc4 .cdf .netcdf | netcdf | a variable |
 * | .nii | nifti | one dense column-major file behind a header |
 * | .nii.gz | nifti | the same, compressed: whole volumes, one after the other |
 * | anything else | xta | an array |
 *
 * @par Names of block files
 * In the last component of the path `{d}` stands for the number of the block on axis d, from 0, and
 * `{cd}` for the coordinate of its first cell; `{d:W}` and `{cd:W}` pad with spaces to W
 * characters, `{d:0W}` with zeros. Each axis appears once: `blocks/{0}_{1}_{2}.npy`,
 * `b/x{c0:05}y{c1:05}.raw`.
 *
 * @par Dense files
 * A dense file has no blocks; it is presented as contiguous runs: one cell on the slower axes,
 * several on one axis, all on the faster axes. The best length of a run depends on the other side,
 * so call xta_blocks_match when both are open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_BLOCKS_H
#define XTA_BLOCKS_H

#include <stdbool.h>

#include <xta/array.h>
#include <xta/block_grid.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options that the path alone does not determine. Start from XTA_BLOCKS_OPTIONS_INIT. */
typedef struct xta_blocks_options {
    size_t struct_size;    /**< sizeof(xta_blocks_options) */
    const char *format;    /**< a format of the table above; NULL: chosen by path, then by
                                content */
    const char *variable;  /**< variable of a file that holds several; NULL: the only or the largest
                                one; for a target, the source's name */
    xta_type type;         /**< raw sources: type of the cells */
    uint32_t cell_bytes;   /**< raw sources of XTA_BYTES: bytes of a cell */
    int ndim;              /**< raw sources: number of axes */
    const int64_t *bounds; /**< raw sources: cells on each axis */
    /** Shape of the blocks, for raw-blocks sources and for all targets except dense ones. NULL for
     * a target: the source's blocks. */
    const int64_t *block;
    /** The blocks if they are irregular (folders only), in coordinates of the array; overrides
     * `block`. */
    const xta_partition *partition;
    xta_order order;       /**< raw sources, raw and npy targets: XTA_ROW or XTA_COLUMN */
    const int64_t *suit;   /**< dense files: block shape of the other side, as far as it is known
                                before xta_blocks_match; NULL: unknown */
    uint64_t memory_bytes; /**< dense files: memory budget of the run; 0: 1 GiB */
    bool resumable;        /**< targets: keep what an incomplete run has written */
    bool resume;           /**< targets: continue with what was kept */
    const xta_create_options *create; /**< arrays as targets; NULL: order, policy and layout by
                                           default. Its `chunk` is set from `block` */
    bool trust; /**< sources: cells may come from other files that the source names */
    /** An array as a target to resume: another process of the same run owns the mark of unfinished
     * work and ends it. */
    bool join;
    bool allow_unfinished; /**< arrays as sources: open one even if work on it was interrupted */
    bool no_coordinates;   /**< targets: copy no coordinates */
} xta_blocks_options;
#define XTA_BLOCKS_OPTIONS_INIT                                                               \
    {                                                                                         \
        sizeof(xta_blocks_options), 0, 0, XTA_TYPE_SAME, 0, 0, 0, 0, 0, XTA_ROW, 0, 0, false, \
            false, 0, false, false, false, false                                              \
    }

/** Open the file, folder or array at `path` as a source. It is never written to.
 *
 * For a folder, finds all block files and checks their lengths.
 *
 * @param[in]  path     see the table above
 * @param[in]  options  NULL for the defaults
 * @param[out] blocks   to be closed by xta_blocks_close, even if nothing is read
 * @param[out] err      why it failed
 * @retval XTA_ENOENT       no such file, variable or block file; the text says what was expected
 * @retval XTA_EFORMAT      damaged, too short, or not what its name says
 * @retval XTA_EBOX         block files do not form a grid
 * @retval XTA_EARG         a raw source without type, bounds or block shape
 * @retval XTA_EUNSUPPORTED this build lacks the format, or cells are not of one fixed length
 * @retval XTA_EACCESS      the cells lie in another file, which the text names, and `trust` is not
 *                          set
 * @retval XTA_EUNFINISHED  work on the array was interrupted, and `allow_unfinished` is not set
 * @par Cost
 * Reads headers and, for a folder, the length of each block file. At most 4 MiB of memory while it
 * is open.
 */
XTA_API XTA_MUST_CHECK xta_status xta_blocks_open(const char *path,
                                                  const xta_blocks_options *options,
                                                  xta_blocks *blocks, xta_error *err);

/** Create a target at `path` with the bounds and the type of `like`.
 *
 * A file gets its final name when it is finished: block files one by one, single files at
 * xta_blocks_close. Until then its name ends in `.part`. If `like` was made by xta_blocks_open,
 * attributes, names and, for the same format, storage (deflate, kind of file, header of a NIfTI
 * image) are copied. Compressed targets can only be written in whole blocks.
 *
 * @param[in]  path     see the table above
 * @param[in]  like     the source; must be open until this call returns
 * @param[in]  options  NULL for the defaults
 * @param[out] blocks   to be closed by xta_blocks_close. If it is closed as incomplete and is not
 *                      `resumable`, everything that was written is deleted
 * @param[out] err      why it failed; then nothing was created
 * @retval XTA_EEXIST       something exists there already, or an unfinished target exists and
 *                          `resume` is not set
 * @retval XTA_EBOX         coordinates of the source do not cover its cells, and `no_coordinates`
 *                          is not set (NetCDF, HDF5)
 * @retval XTA_ENOENT       there is nothing to resume (a folder without blocks is started afresh)
 * @retval XTA_EUNSUPPORTED the format cannot hold the type or this many axes, cannot be resumed
 *                          (compressed HDF5, NetCDF), or this build lacks it
 */
XTA_API XTA_MUST_CHECK xta_status xta_blocks_create(const char *path, const xta_blocks *like,
                                                    const xta_blocks_options *options,
                                                    xta_blocks *blocks, xta_error *err);

/** Cut dense files so that a plan between the two grids needs few operations; grids with blocks of
 * their own are not changed. Call it before anything is read, written or planned; a resumed run
 * must pass the same `memory_bytes` as the first one.
 *
 * If one side is dense, its runs divide the other's blocks, and are cut on the slowest axis for
 * which the common multiples of both fit in half of the memory. If both are dense and their orders
 * differ (row-major into column-major), both are cut so that their runs have about the same length.
 *
 * @param[in,out] from          the source; its partition may change
 * @param[in,out] to            the target; its partition may change
 * @param[in]     memory_bytes  memory budget of the run; 0: 1 GiB
 * @par Cost
 * Pure, except that it changes the two structs. */
XTA_API void xta_blocks_match(xta_blocks *from, xta_blocks *to, uint64_t memory_bytes);

#ifdef __cplusplus
}
#endif
#endif
