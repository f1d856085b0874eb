/** @file
 * An array or a data set described as a Zarr hierarchy: groups, arrays with a regular grid of
 * chunks, and their metadata in versions 2 and 3. A part of libxta_formats.
 *
 * Nothing is copied and no cell is read: the metadata follow from structure and attributes.
 * Coordinates that are computed, and those that axes of a single array list, are in memory. The
 * description is a snapshot: growth of the arrays changes nothing in it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ZARR_H
#define XTA_ZARR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/bridge.h>
#include <xta/coordinates.h>
#include <xta/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A hierarchy. Opaque. */
typedef struct xta_zarr xta_zarr;

/** The bounds of a dimension of a snapshot. Dimensions of a group are named GROUP~DIMENSION, and an
 * axis without a name is the dimension ARRAY_dimK of its own. */
typedef struct xta_zarr_bounds {
    const char *dimension;
    int64_t lo, hi;
} xta_zarr_bounds;

/** How to describe. Start from XTA_ZARR_OPTIONS_INIT. */
typedef struct xta_zarr_options {
    size_t struct_size; /**< sizeof(xta_zarr_options) */
    /** Describe the chunks as they lie in the data files; else as an `xta_zarr_node` says: cells
     * of the box, row-major, whose first chunk begins with the first cell. */
    bool stored;
    /** The snapshot: bounds of every dimension, as xta_zarr_bounds_at gives them. NULL: those that
     * the arrays have now. */
    const xta_zarr_bounds *bounds;
    size_t n_bounds;
} xta_zarr_options;
#define XTA_ZARR_OPTIONS_INIT                    \
    {                                            \
        sizeof(xta_zarr_options), false, NULL, 0 \
    }

/** One node. Borrowed from its hierarchy. */
typedef struct xta_zarr_node {
    const char *path; /**< "" is the root; else "sst" or "group/sst" */
    bool group;       /**< then the rest is zero */
    xta_array *array; /**< borrowed; NULL: the cells are `values`, or `regular`, on one axis */
    const void *values;
    size_t values_bytes; /**< of all cells, also of computed ones */
    xta_type type;
    size_t cell_bytes;
    const char *const *dimensions; /**< names, one for each axis, without that of the group */
    xta_box box;                   /**< the cells, in coordinates of the array */
    int64_t chunk[XTA_MAX_NDIM];   /**< cells of a chunk of the grid, which begins at box.lo */
    const xta_regular *regular; /**< computes the cells; NULL: they are an array's, or `values` */
} xta_zarr_node;

/** Describe one array: a group that holds it under its name, and the coordinates of its axes.
 *
 * @param[in]  array    any array in files; used by the hierarchy as long as that exists
 * @param[in]  options  NULL for the defaults
 * @param[out] out      for xta_zarr_free; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EUNSUPPORTED  `stored`: the grid of the array is none of Zarr's, since a front does
 *                           not lie between two chunks, or the order of cells in a chunk is none;
 *                           the text names axis, value and remedy
 * @retval XTA_ENOENT        `bounds` lacks a dimension */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_of_array(xta_array *array,
                                                    const xta_zarr_options *options, xta_zarr **out,
                                                    xta_error *err);

/** Describe a data set with its groups: each member, and the regular coordinates of dimensions.
 *
 * All members are described as of one moment: if they disagree about a dimension, because it grows
 * meanwhile, they are read again, up to 100 times.
 *
 * @param[in]  set      used by the hierarchy as long as that exists
 * @param[in]  options  NULL for the defaults
 * @param[out] out      for xta_zarr_free; NULL on failure
 * @param[out] err      why it failed: as xta_zarr_of_array
 * @retval XTA_EBOX     members disagree about the bounds of a dimension
 * @retval XTA_ENOENT   `bounds` lacks a dimension */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_of_dataset(xta_dataset *set,
                                                      const xta_zarr_options *options,
                                                      xta_zarr **out, xta_error *err);

/** Free a hierarchy; NULL is allowed. */
XTA_API void xta_zarr_free(xta_zarr *zarr);

/** Node number `k`, groups before what is in them; NULL if there is none. Thread-safe. */
XTA_API const xta_zarr_node *xta_zarr_node_at(const xta_zarr *zarr, size_t k);

/** Dimension number `k` of the snapshot; false if there is none. Borrowed. Thread-safe. */
XTA_API bool xta_zarr_bounds_at(const xta_zarr *zarr, size_t k, xta_zarr_bounds *bounds);

/** A document of metadata: `.zgroup`, `.zarray`, `.zattrs` of a node and `.zmetadata` in version 2,
 * `zarr.json` of a node in version 3, where that of the root has all others in it. Thread-safe.
 *
 * @param[in]  zarr     a hierarchy
 * @param[in]  version  2 or 3
 * @param[in]  key      such as "sst/.zarray"
 * @param[out] text     zero-terminated, to be freed by the caller; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_ENOENT   no such document */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_document(const xta_zarr *zarr, int version,
                                                    const char *key, char **text, xta_error *err);

/** How to write references. Start from XTA_REFERENCES_OPTIONS_INIT. */
typedef struct xta_references_options {
    size_t struct_size; /**< sizeof(xta_references_options) */
    int version;        /**< of Zarr: 2 or 3; 0: 2 */
    /** What is written before the name of a data file, such as "https://host/data/"; of a
     * hierarchy that is not `stored`, before each chunk, whose URL is then this, the path of the
     * array, a slash, `n` and the number of the chunk, row by row of the grid, in twelve digits.
     * NULL: the absolute path of the folder. */
    const char *url;
    xta_overwrite overwrite; /**< of a file: what may be replaced */
    bool allow_unfinished;   /**< of a file: export even if work on an array was interrupted */
    /** Called with one line of text for each array whose references some programs misread; NULL:
     * not wanted */
    void (*note)(void *user, const char *text);
    void *note_user;
} xta_references_options;
#define XTA_REFERENCES_OPTIONS_INIT                                                     \
    {                                                                                   \
        sizeof(xta_references_options), 0, NULL, XTA_OVERWRITE_NEVER, false, NULL, NULL \
    }

/** Takes the next bytes of a text; a result other than XTA_OK stops. */
typedef xta_status xta_text_sink(void *user, const char *bytes, size_t n, xta_error *err);

/** Write references of kerchunk, version 1: JSON that has all metadata and coordinates in it, and
 * for each chunk the file, the offset and the bytes.
 *
 * @param[in]  zarr     a hierarchy
 * @param[in]  options  NULL for the defaults
 * @param[in]  sink     receives the text
 * @param[in]  user     passed to `sink`
 * @param[out] err      why it failed
 * @retval XTA_EUNSUPPORTED  version 3, `stored`, and a fill value other than zero: cells are stored
 *                           exclusive-or it, which no codec of version 3 undoes
 * @par Cost
 * The URL and some 40 bytes of text, and one address for each chunk; no cell is read. */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_references(const xta_zarr *zarr,
                                                      const xta_references_options *options,
                                                      xta_text_sink *sink, void *user,
                                                      xta_error *err);

/** Write the references to a file.
 *
 * @param[in]  zarr         a hierarchy, usually `stored`
 * @param[in]  destination  the file, which appears when it is complete
 * @param[in]  options      NULL for the defaults
 * @param[out] err          why it failed; the destination is as it was
 * @retval XTA_EEXIST       a file exists that may not be replaced
 * @retval XTA_EUNFINISHED  work on an array was interrupted, and `allow_unfinished` is not set
 * @return otherwise as xta_zarr_references */
XTA_API XTA_MUST_CHECK xta_status xta_references_export(const xta_zarr *zarr,
                                                        const char *destination,
                                                        const xta_references_options *options,
                                                        xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
