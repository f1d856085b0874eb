/** @file
 * Whole files: every variable, group, dimension, coordinate and attribute of a NetCDF file into a
 * data set, and back. A part of libxta_formats.
 *
 * HDF5 files that are no NetCDF files are read, too: datasets become variables, members of
 * compounds `name.member`, scales of axes dimensions. So are the folders of Zarr stores, version 2
 * or 3 (docs/decisions/0040-zarr.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DATASET_TRANSFER_H
#define XTA_DATASET_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/bridge.h>
#include <xta/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to import a whole file. Start from XTA_DATASET_IMPORT_OPTIONS_INIT. */
typedef struct xta_dataset_import_options {
    size_t struct_size; /**< sizeof(xta_dataset_import_options) */
    /** Called for each thing that the data set cannot hold, one line of text, before anything is
     * written; NULL: not wanted */
    void (*lost)(void *user, const char *text);
    void *lost_user;
    bool strict;     /**< refuse the file if there is any such thing */
    bool all_listed; /**< list the coordinates of all dimensions, also those that are regular */
    bool trust;      /**< as in xta_import_options */
    uint64_t memory_bytes; /**< limit on the buffers; 0: 64 MiB */
    xta_progress progress;
    /** import these cells alone, as xta_box_select takes them, by names of dimensions and by the
     * coordinates of the file; variables without such a dimension come whole. NULL: everything */
    const char *select;
} xta_dataset_import_options;
#define XTA_DATASET_IMPORT_OPTIONS_INIT                                             \
    {                                                                               \
        sizeof(xta_dataset_import_options), 0, 0, false, false, false, 0, {0, 0}, 0 \
    }

/** Import a whole file into a new data set.
 *
 * Groups become groups, variables members, dimensions dimensions. A coordinate variable whose
 * values are exactly regular becomes the coordinates of its dimension and no member. Attributes
 * keep their names, types and order; what describes the file (its kind, chunks, filters, order of
 * variables) is kept in attributes `netcdf/...`, and xta_dataset_export uses it.
 *
 * The data set is filled in a folder of another name beside `path`, which is renamed at the end: it
 * exists whole or not at all.
 *
 * @param[in]  source   path of the file, or of the folder of a Zarr store
 * @param[in]  path     of the folder, which does not exist or is empty
 * @param[in]  options  NULL for the defaults
 * @param[out] err      why it failed; then there is no data set
 * @retval XTA_EEXIST       there is something at `path`
 * @retval XTA_ENOENT       no such file; or `select` names no dimension, or a label no cell has
 * @retval XTA_EARG, XTA_EBOX  `select`, as for xta_box_select
 * @retval XTA_EFORMAT      it is no NetCDF file nor Zarr store, or damaged
 * @retval XTA_EUNSUPPORTED `strict`, and something cannot come; or this build has no NetCDF
 * @retval XTA_EACCESS      cells lie in another file or behind a link, and `trust` is not set
 * @par Cost
 * Each cell is read once and written once. Of a selection nothing is read but the coordinates of
 * the dimensions that it names, and what shares its chunk, or its page of 4 KiB, with selected
 * cells. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_import(const char *source, const char *path,
                                                     const xta_dataset_import_options *options,
                                                     xta_error *err);

/** What happens to cells that are there already and differ from those that come. Cells with the
 * fill value of their member are filled in whatever it says, if the variable has a fill value. */
typedef enum xta_overlap {
    XTA_OVERLAP_REFUSE = 0,  /**< the file is refused, and nothing is changed */
    XTA_OVERLAP_REPLACE = 1, /**< they are replaced */
    XTA_OVERLAP_SKIP = 2     /**< they are kept */
} xta_overlap;

/** How to import several files into one data set. Start from XTA_DATASET_FILES_OPTIONS_INIT. */
typedef struct xta_dataset_files_options {
    size_t struct_size;    /**< sizeof(xta_dataset_files_options) */
    const char *dimension; /**< along which files are appended; NULL: every dimension is placed by
                                its coordinates */
    bool front;            /**< append before the first cell */
    xta_overlap overlap;
    /** As in xta_dataset_import_options; the text begins with the file's name */
    void (*lost)(void *user, const char *text);
    void *lost_user;
    bool strict;           /**< refuse files of which anything cannot come */
    bool all_listed;       /**< of a new data set, as in xta_dataset_import_options */
    bool trust;            /**< as in xta_import_options */
    uint64_t memory_bytes; /**< limit on the buffers; 0: 64 MiB */
    xta_progress progress; /**< of all files together */
    /** As in xta_dataset_import_options, for each file by its own coordinates. Files of which no
     * cell is selected are left out, unless all are. Lists ascend or descend; a dimension with a
     * list, a step or `~` has the same coordinates in all files */
    const char *select;
} xta_dataset_files_options;
#define XTA_DATASET_FILES_OPTIONS_INIT                                                       \
    {                                                                                        \
        sizeof(xta_dataset_files_options), 0, false, XTA_OVERLAP_REFUSE, 0, 0, false, false, \
            false, 0, {0, 0}, 0                                                              \
    }

/** Import several files into one data set, each where its coordinates say.
 *
 * The files may be given in any order: they are sorted by their coordinates. If there is no data
 * set at `path`, the first of them becomes one (xta_dataset_import).
 *
 * With `dimension` each file is appended along it, in one step for all members: the file's other
 * dimensions are those of the data set, and no gap is left. Coordinates that are there already are
 * compared cell by cell, so that a run that was interrupted can be repeated.
 *
 * Without it every dimension with coordinates is placed, and grows as needed: one that lacks
 * coordinates has the same cells in all files, or an attribute `xta_origin`. Gaps between regular
 * coordinates get fill values. If several dimensions grow at once, or there is a gap, bounds and
 * coordinates grow first and cells are written then: after a kill some have fill values, until the
 * import is repeated.
 *
 * Type, `units`, `scale_factor`, `add_offset`, `_FillValue` and `calendar` of a variable must be
 * those of the member. Variables without a growing dimension are not written: if their cells differ
 * from the member's they are reported to `lost`.
 *
 * @param[in]  sources  paths of the files
 * @param[in]  n        how many, at least 1
 * @param[in]  path     of the folder
 * @param[in]  options  NULL for the defaults
 * @param[out] err      why it failed; the files before are in the data set
 * @retval XTA_EBOX     coordinates lie between others, or on the other side; cells differ and
 *                      `overlap` is XTA_OVERLAP_REFUSE
 * @retval XTA_EARG     a variable, its type or one of these attributes does not agree, or as for
 *                      xta_dataset_place; or `select` cannot be used with several files
 * @return otherwise as xta_dataset_import and xta_dataset_append
 * @par Cost
 * Each file is opened twice, once for its coordinates alone. Each cell is read once and written
 * once; those that are there already are read from both. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_import_files(const char *const sources[], size_t n,
                                                           const char *path,
                                                           const xta_dataset_files_options *options,
                                                           xta_error *err);

/** How to export a data set. Start from XTA_DATASET_EXPORT_OPTIONS_INIT. */
typedef struct xta_dataset_export_options {
    size_t struct_size; /**< sizeof(xta_dataset_export_options) */
    const char *format; /**< "netcdf-4", "netcdf-4-classic", "netcdf-classic", "netcdf-64bit" or
                             "netcdf-cdf5"; NULL: that of the imported file, else netcdf-4 */
    xta_overwrite overwrite; /**< what may be replaced */
    bool allow_unfinished;   /**< export even if work on a member was interrupted */
    uint64_t memory_bytes;   /**< limit on the buffers; 0: 64 MiB */
    xta_progress progress;
    /** export these cells alone, as xta_box_select takes them, by names of dimensions; members
     * without such a dimension are exported whole. NULL: everything. Only ranges and single
     * labels: no steps and no lists */
    const char *select;
    const char
        *history; /**< a command: becomes the first line of the file's attribute `history`, as
                              by xta_history_prepend. NULL: none */
} xta_dataset_export_options;
#define XTA_DATASET_EXPORT_OPTIONS_INIT                                                    \
    {                                                                                      \
        sizeof(xta_dataset_export_options), 0, XTA_OVERWRITE_NEVER, false, 0, {0, 0}, 0, 0 \
    }

/** Export a data set with its groups to a new file.
 *
 * Dimensions that begin elsewhere than at cell 0 begin at 0 in the file. Their coordinates are the
 * true ones; variables along a dimension without coordinates get an attribute `xta_origin`, which
 * an import reads.
 *
 * @param[in]  set          any data set
 * @param[in]  destination  path of the file, which appears when it is complete
 * @param[in]  options      NULL for the defaults
 * @param[out] err          why it failed; the destination is as it was
 * @retval XTA_ENOENT, XTA_EARG  as xta_box_select, or no member has an axis of `select`
 * @retval XTA_EEXIST       a file exists that may not be replaced
 * @retval XTA_EBOX         members disagree about a dimension
 * @retval XTA_EUNSUPPORTED the kind of file cannot hold a member, or this build has no NetCDF
 * @retval XTA_EUNFINISHED  work on a member was interrupted, and `allow_unfinished` is not set */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_export(xta_dataset *set, const char *destination,
                                                     const xta_dataset_export_options *options,
                                                     xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
