/** @file
 * Copying arrays or boxes of them, and renaming arrays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_COPY_H
#define XTA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/status.h>
#include <xta/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to copy, and how. Start from XTA_COPY_OPTIONS_INIT. */
typedef struct xta_copy_options {
    size_t struct_size; /**< sizeof(xta_copy_options) */
    /** Bounds of the copy; NULL: those of the source. Cells keep their coordinates. Lists of an
     * axis with an item for each of its cells (the attributes `values`, `wavelength` and so on) are
     * cut to it; regular coordinates stay. */
    const xta_box *box;
    xta_type type;                     /**< of the copy; XTA_TYPE_SAME: that of the source */
    const xta_create_options *changes; /**< as for xta_array_create_like */
    /** xta_array_copy: replace an array of this name, if there is one, in one step at the end:
     * after a kill either the old one or the copy is there. */
    bool overwrite;
    /** xta_array_copy_cells: nobody has written cells of the target yet, so those that hold its
     * fill value need not be written. */
    bool fresh;
    uint64_t buffer_bytes; /**< the most cells in memory, in bytes; 0: 4 MiB */
    /** Called before each piece, with the number of cells that were copied and that of all; a
     * result other than 0 stops. NULL: not called. */
    int (*progress)(void *user, uint64_t done, uint64_t total);
    void *user; /**< passed to `progress` */
} xta_copy_options;
#define XTA_COPY_OPTIONS_INIT                                                            \
    {                                                                                    \
        sizeof(xta_copy_options), NULL, XTA_TYPE_SAME, NULL, false, false, 0, NULL, NULL \
    }

/** Copy an array, or a box of it, to a new array: cells, bounds, names and units of axes and
 * attributes; not its history.
 *
 * Until it is complete the copy has a mark of unfinished work: after a kill xta_work_undo removes
 * it.
 *
 * Not collective. Thread-safe.
 *
 * @param[in]  source   an open array
 * @param[in]  path     as for xta_array_create
 * @param[in]  options  NULL: all of it, as it is
 * @param[out] err      why it failed; then no file is left behind
 * @retval XTA_EBOX     the box leaves the bounds of the source
 * @retval XTA_EEXIST   an array (or a data file that holds bytes) of this name exists, and
 *                      `overwrite` is not set
 * @retval XTA_EARG     `overwrite`, and the source is the array at `path`
 * @retval XTA_ESTATE   `overwrite`, and the old array cannot be replaced (xta_replacement_commit)
 * @retval XTA_ETYPE    no conversion between the types
 * @retval XTA_ERANGE   a cell, or the fill value, does not fit the type; the text names it
 * @retval XTA_ECANCELLED  `progress` stopped it
 * @par Cost
 * Each chunk of the source is read once, in the order of its file, at most `buffer_bytes` at a
 * time; what holds only the fill value is not written. */
XTA_API XTA_MUST_CHECK xta_status xta_array_copy(xta_array *source, const char *path,
                                                 const xta_copy_options *options, xta_error *err);

/** Create an array like another one with other bounds, without its cells, together with a mark for
 * the work that fills all of it.
 *
 * @param[in]  source   as for xta_array_create_like
 * @param[in]  path     as for xta_array_create
 * @param[in]  options  `box`, which need not lie within the bounds of the source, `type` and
 *                      `changes`
 * @param[in]  verb     what kind of work it is
 * @param[out] out      the new array, writable
 * @param[out] work     the work; the caller ends it before it closes the array
 * @param[out] err      why it failed; then no file is left behind
 * @retval XTA_ERANGE   the fill value does not fit the type */
XTA_API XTA_MUST_CHECK xta_status xta_work_create_copy(xta_array *source, const char *path,
                                                       const xta_copy_options *options,
                                                       xta_work_verb verb, xta_array **out,
                                                       xta_work **work, xta_error *err);

/** Copy the cells of a box to another array.
 *
 * @param[in]  from     an open array
 * @param[in]  box      of it, within its bounds
 * @param[in]  to       writable, another array
 * @param[in]  lo       the coordinates in `to` of the cell at box->lo; NULL: the same
 * @param[in]  options  `fresh`, `buffer_bytes`, `progress`; NULL: the defaults
 * @param[out] err      why it failed; some cells may have been copied
 * @retval XTA_EBOX     the box leaves the bounds of either array
 * @retval XTA_ETYPE, XTA_ERANGE, XTA_ECANCELLED  as for xta_array_copy
 * @par Cost
 * As for xta_array_copy. */
XTA_API XTA_MUST_CHECK xta_status xta_array_copy_cells(xta_array *from, const xta_box *box,
                                                       xta_array *to, const int64_t lo[],
                                                       const xta_copy_options *options,
                                                       xta_error *err);

/** Give an array another name in its folder.
 *
 * At every instant, also after a kill or a power loss, it is there under exactly one of the names;
 * after a kill the same call completes what was begun. Handles that others have open go on reading
 * and writing cells; their next change of structure fails.
 *
 * @param[in]  path  as for xta_array_open
 * @param[in]  name  the new name, without folder and suffix; the suffixes of the files stay
 * @param[out] err   why it failed; the array has its old name, unless the last sync or the removal
 *                   failed: then it has the new one
 * @retval XTA_EARG    `name` is empty, contains a slash, or ends in a suffix of arrays
 * @retval XTA_ENOENT  no such array
 * @retval XTA_EEXIST  there is an array, or a file of one, with the new name
 * @retval XTA_ESTATE  unfinished work fills the array, a repartition of it was interrupted, or
 *                     other arrays may have to ask it whether a common growth has happened
 * @retval XTA_EACCESS links lead to its files
 * @retval XTA_EUNSUPPORTED  the file system has no hard links
 * @par Cost
 * Two renames or links, one removal, two syncs of the folder. */
XTA_API XTA_MUST_CHECK xta_status xta_array_rename(const char *path, const char *name,
                                                   xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
