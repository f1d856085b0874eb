/** @file
 * Bridges to other formats: import into, and export from, arrays. Library libxta_formats.
 *
 * Each format is one struct of functions; a build without a format's library lacks that format and
 * says so. Both directions stream with bounded memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_BRIDGE_H
#define XTA_BRIDGE_H

#include <stdbool.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Receives the progress of a long call; a result other than 0 stops it with XTA_ECANCELLED. */
typedef struct xta_progress {
    int (*report)(void *user, uint64_t done_bytes, uint64_t total_bytes);
    void *user;
} xta_progress;

/** Where imported cells go. */
typedef enum xta_placement {
    XTA_PLACE_CREATE = 0, /**< create a new array */
    XTA_PLACE_APPEND = 1, /**< extend the array along one axis to hold the cells */
    XTA_PLACE_AT = 2      /**< put the first cell at given coordinates; the array grows as needed */
} xta_placement;

/** What an export may replace. A NetCDF or HDF5 file gets one more variable in any case. An empty
 * file counts as no file. */
typedef enum xta_overwrite {
    XTA_OVERWRITE_NEVER = 0, /**< nothing: neither a file nor a variable */
    XTA_OVERWRITE_SAME = 1,  /**< a variable of that name, or a file that the format itself can
                                  read */
    XTA_OVERWRITE_ANY = 2    /**< any regular file, with everything in it */
} xta_overwrite;

/** How to import. Start from XTA_IMPORT_OPTIONS_INIT. */
typedef struct xta_import_options {
    size_t struct_size; /**< sizeof(xta_import_options) */
    /** "raw", "npy", "dra", "netcdf", "matlab", "hdf5", "nifti", "fits", "labels", "gdal"; NULL: by
     * suffix, then by content. */
    const char *format;
    /** Variable of a source that holds several: its name, after those of its groups ("group/name");
     * NULL: the only one */
    const char *variable;
    xta_placement placement;
    const char *axis;      /**< XTA_PLACE_APPEND: name or number; a leading '-' means at the
                                front */
    const int64_t *at;     /**< XTA_PLACE_AT: one coordinate for each axis of the array; NULL:
                                computed from the georeferences of both */
    const int64_t *chunk;  /**< XTA_PLACE_CREATE: chunk shape; NULL: the source's own, else
                                chosen */
    xta_order order;       /**< XTA_PLACE_CREATE: order of the array */
    xta_type type;         /**< raw: type of the cells. Otherwise XTA_TYPE_SAME */
    int ndim;              /**< raw: number of axes */
    const int64_t *bounds; /**< raw: cells on each axis */
    uint64_t memory_bytes; /**< limit on the buffers; 0: 64 MiB */
    xta_progress progress;
    /** Names of the source's axes (after folding), separated by commas; NULL: its own. A new array
     * gets these names; in an existing array, axes are matched by them. */
    const char *axes;
    /** Fold one axis of the source into several axes of the array: the number of the axis, how many
     * axes it becomes, and their lengths. Cell p of the source's axis goes to the p-th coordinates
     * in the order `fold_order`. Values along this axis (coordinates) are not copied. n_fold 0: no
     * folding. */
    int fold_axis;
    int n_fold;
    const int64_t *fold;
    xta_order fold_order; /**< XTA_ROW: the last of the new axes is the fastest; XTA_COLUMN: the
                               first */
    /** For "labels": colours of the classes from 1 on, each "#rrggbb", separated by commas; or the
     * path of a file with one class on each line, its colour and then its name. Black is class 0,
     * and may be listed first. NULL: black is 0, other colours are numbered in order of first
     * appearance */
    const char *colours;
    /** Whether other files that the source names may be opened (external storage and links, virtual
     * datasets), and whether GDAL may open every kind of source it knows, including those on
     * servers. If false, only the source and files beside it whose names are derived from its name
     * are opened. */
    bool trust;
    /** Do not compare coordinates and georeferences with those of an existing array, and copy none
     * from the source: `placement` alone decides where cells go. */
    bool no_coordinates;
    /** 16 bytes, the id of an interrupted import (xta_array_unfinished): its cells are written
     * again to the same place, and its mark is removed. `placement` is ignored; all other options
     * must be the same as in the interrupted import. NULL: a new import */
    const uint8_t *resume;
    /** Import these cells alone, as xta_box_select takes them, by the names or numbers that the
     * source's axes have before folding, and by the source's own coordinates: of NetCDF and HDF5.
     * They are counted from 0 then. NULL: all */
    const char *select;
    /** Import these cells alone: a box of the source's cells, counted from 0, before folding;
     * INT64_MIN and INT64_MAX are the limits of an axis. Cells of a new array keep these numbers.
     * Axes that `select` names are whole. NULL: all */
    const xta_box *box;
} xta_import_options;
#define XTA_IMPORT_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(xta_import_options), 0, 0, XTA_PLACE_CREATE, 0, 0, 0, XTA_ROW, XTA_TYPE_SAME, 0, 0, \
            0, {0, 0}, 0, 0, 0, 0, XTA_ROW, 0, false, false, 0, 0, 0                               \
    }

/** How to export. Start from XTA_EXPORT_OPTIONS_INIT. */
typedef struct xta_export_options {
    size_t struct_size;   /**< sizeof(xta_export_options) */
    const char *format;   /**< as for import, or the short name of a GDAL driver; NULL: by suffix */
    const char *variable; /**< name in the target; NULL: the source's, else the array's */
    const xta_box *box;   /**< box to export, in cells; NULL: the bounds */
    xta_order order;      /**< raw and npy: XTA_ROW or XTA_COLUMN */
    /** ENVI and GeoTIFF: "bsq", "bil" or "bip"; NULL: the source's, else bsq */
    const char *interleave;
    uint64_t memory_bytes; /**< limit on the buffers; 0: 64 MiB */
    xta_progress progress;
    xta_overwrite overwrite; /**< what may be replaced */
    /** Write no coordinates. An existing file may have coordinates for the dimensions; they are
     * then accepted. */
    bool no_coordinates;
    bool allow_unfinished; /**< export even if work on the array was interrupted, so that cells are
                                missing */
    /** a command: NetCDF and HDF5 files that are new get it as the first line of their attribute
     * `history`, as by xta_history_prepend; other formats have no place for it. NULL: none */
    const char *history;
} xta_export_options;
#define XTA_EXPORT_OPTIONS_INIT                                                                 \
    {                                                                                           \
        sizeof(xta_export_options), 0, 0, 0, XTA_ROW, 0, 0, {0, 0}, XTA_OVERWRITE_NEVER, false, \
            false, 0                                                                            \
    }

/** Import a file into an array.
 *
 * Attributes, axis names and units, fill value and georeference are copied as attributes.
 *
 * An append that fits in `memory_bytes` is written by one xta_array_append; an append whose rows
 * along the growing axis are larger than `memory_bytes` is written by one xta_array_append_from
 * (xta/append.h). Meanwhile other processes that grow the array wait. Every other import is marked
 * as unfinished work (xta/work.h) when the array grows, before the first cell is written; a process
 * that is killed leaves that mark. Several such imports may run at once, even along one axis.
 *
 * @param[in]  source   path of the foreign file
 * @param[in]  path     of the array: created, or opened and grown (see placement)
 * @param[in]  options  NULL for the defaults
 * @param[out] written  the box of cells that were written; NULL if not wanted
 * @param[out] err      why it failed. A new array is deleted again; an existing one shrinks back.
 *                      If cells that it had before were overwritten, they stay overwritten, marked
 *                      as unfinished work
 * @retval XTA_ENOENT       no such source, variable or axis; or no cell has a label of `select`
 * @retval XTA_EARG         options that do not fit the source: names of axes, lengths of a fold, no
 *                          variable given although there are several
 * @retval XTA_EFORMAT      no bridge recognises the source, or it is damaged
 * @retval XTA_ETYPE        the array's type cannot hold the source's values
 * @retval XTA_EBOX         shapes do not fit, or `box` leaves the source
 * @retval XTA_EUNSUPPORTED this build has no bridge for the format, or `select` and it has no
 *                          coordinates of axes
 * @retval XTA_EACCESS      the cells lie in another file, which the text names, or GDAL's driver
 *                          may open others, and `trust` is not set; nothing but the source was
 *                          opened
 * @par Cost
 * Every byte is read once and written once, in slabs of at most `memory_bytes`.
 */
XTA_API XTA_MUST_CHECK xta_status xta_import(const char *source, const char *path,
                                             const xta_import_options *options, xta_box *written,
                                             xta_error *err);

/** Export a box of an array to a new file, or as one more variable of an existing file.
 *
 * `overwrite` says which existing files are replaced, and only after the export has succeeded. To
 * add a variable (NetCDF, HDF5), the file is copied, and the copy replaces it at the end.
 * Dimensions that agree in name and length are shared.
 *
 * @param[in]  array        any array
 * @param[in]  destination  path; symbolic links are followed
 * @param[in]  options      NULL for the defaults
 * @param[out] err          why it failed; the destination is as it was
 * @retval XTA_EEXIST       a file or a variable exists that may not be replaced
 * @retval XTA_EBOX         a dimension of the file disagrees with the array, or coordinates of the
 *                          array do not cover the box
 * @retval XTA_ESTATE       another process changed the destination meanwhile
 * @retval XTA_EUNFINISHED  work on the array was interrupted, and `allow_unfinished` is not set
 * @retval XTA_EUNSUPPORTED the format cannot hold this type or this number of axes */
XTA_API XTA_MUST_CHECK xta_status xta_export(xta_array *array, const char *destination,
                                             const xta_export_options *options, xta_error *err);

/** What a foreign source is. Start from XTA_SOURCE_INFO_INIT. */
typedef struct xta_source_info {
    size_t struct_size; /**< sizeof(xta_source_info) */
    char format[16];    /**< name of the bridge */
    char variable[240]; /**< name of the dataset or variable; "": it has none, or a longer one */
    xta_type type;      /**< that its cells get in an array */
    size_t cell_bytes;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM]; /**< cells on each axis */
    bool chunked;                 /**< whether it is stored in chunks, tiles or strips */
    int64_t chunk[XTA_MAX_NDIM];  /**< cells of one on each axis; 0 if it is not */
} xta_source_info;
#define XTA_SOURCE_INFO_INIT                                                \
    {                                                                       \
        sizeof(xta_source_info), {0}, {0}, XTA_TYPE_SAME, 0, 0, {0}, false, \
        {                                                                   \
            0                                                               \
        }                                                                   \
    }

/** Say what xta_import would read: shape, type and chunks of a file, without its cells. Nothing is
 * written.
 *
 * @param[in]  source   path of the foreign file
 * @param[in]  options  NULL for the defaults; `placement`, `chunk` and `order` are not used
 * @param[out] out      untouched on failure
 * @param[out] err      why it failed
 * @retval XTA_ENOENT, XTA_EARG, XTA_EFORMAT, XTA_EUNSUPPORTED, XTA_EACCESS  as for xta_import */
XTA_API XTA_MUST_CHECK xta_status xta_import_describe(const char *source,
                                                      const xta_import_options *options,
                                                      xta_source_info *out, xta_error *err);

/** Name of bridge number `k` of this build ("raw", "npy", ...); NULL when there are no more. */
XTA_API const char *xta_bridge_name(int k);

/** One line about bridge number `k`: formats, suffixes, directions; NULL when there are no more. */
XTA_API const char *xta_bridge_summary(int k);

#ifdef __cplusplus
}
#endif
#endif
