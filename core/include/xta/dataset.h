/** @file
 * Data sets: folders of arrays that share dimensions and grow together.
 *
 * The arrays of a folder are the *members* of the data set, its folders are *groups*, which are
 * data sets themselves. Axes of the same name are one *dimension*. Attributes, the order of the
 * members, and the coordinates of dimensions are in the file `dataset.xmd` of the folder; a folder
 * without one is a data set without these, and gets the file by its first change.
 *
 * Functions are thread-safe unless they say otherwise; none is collective. Texts and structs that
 * they return are borrowed: valid until the next call that changes, refreshes or closes the data
 * set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_DATASET_H
#define XTA_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/attribute.h>
#include <xta/coordinates.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open data set. Opaque. */
typedef struct xta_dataset xta_dataset;

/** How to open a data set and its members. Start from XTA_DATASET_OPTIONS_INIT. */
typedef struct xta_dataset_options {
    size_t struct_size; /**< sizeof(xta_dataset_options) */
    bool writable;      /**< false: no call through this handle changes a file */
    xta_access access;  /**< of members, as in xta_open_options */
    uint64_t cache_bytes;
    xta_locking lock; /**< as in xta_open_options */
} xta_dataset_options;
#define XTA_DATASET_OPTIONS_INIT                                                 \
    {                                                                            \
        sizeof(xta_dataset_options), false, XTA_ACCESS_AUTO, 0, XTA_LOCK_DEFAULT \
    }

/** Create a data set: the folder, if it does not exist, and its `dataset.xmd`. Arrays that are in
 * the folder become members.
 *
 * @param[in]  path     of the folder; the folder above it exists
 * @param[in]  options  NULL for the defaults; `writable` is implied
 * @param[out] out      the data set, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EEXIST   there is a `dataset.xmd`
 * @retval XTA_ENOENT   there is no folder above it
 * @retval XTA_EACCESS  the folder cannot be written
 * @par Cost
 * One file of some hundred bytes; two fsync. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_create(const char *path,
                                                     const xta_dataset_options *options,
                                                     xta_dataset **out, xta_error *err);

/** Open a folder as a data set.
 *
 * @param[in]  path     of the folder; symbolic links are resolved once, here
 * @param[in]  options  NULL: read-only
 * @param[out] out      the data set, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_ENOENT   no such folder
 * @retval XTA_EFORMAT  `dataset.xmd` is of another format or of a later version
 * @retval XTA_ECORRUPT `dataset.xmd` contradicts itself; the text names the offset
 * @par Cost
 * Reads `dataset.xmd` and the names in the folder. Members are opened when they are first needed,
 * and stay open: two descriptors each. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_open(const char *path,
                                                   const xta_dataset_options *options,
                                                   xta_dataset **out, xta_error *err);

/** Apply what other processes have changed: members, dimensions, attributes, and the bounds of the
 * members that are open.
 * @param[in]  set      any data set
 * @param[out] changed  whether there was anything; NULL if not wanted
 * @param[out] err      why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_refresh(xta_dataset *set, bool *changed,
                                                      xta_error *err);

/** Make everything durable: `dataset.xmd`, and the cells and journals of the members that are
 * open. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_sync(xta_dataset *set, xta_error *err);

/** Sync and close the data set and its members. The handle is freed whatever the status; NULL is
 * allowed. No other call on it may be in progress. */
XTA_API xta_status xta_dataset_close(xta_dataset *set, xta_error *err);

/** The path it was opened with. Valid until close. */
XTA_API const char *xta_dataset_path(const xta_dataset *set);

/** Whether a folder has a `dataset.xmd`. */
XTA_API bool xta_dataset_exists(const char *path);

/** Copy what a data set says about its arrays into another one: attributes, dimensions with their
 * coordinates, and the order of members and groups. No array and no folder is copied; those that
 * are missing in `to` are not listed until they are there.
 * @param[in]  from  any data set
 * @param[in]  to    writable, another one
 * @param[out] err   why it failed; then nothing has changed */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_copy_entries(xta_dataset *from, xta_dataset *to,
                                                           xta_error *err);

/* ---- attributes ---- */

/** Set an attribute of the data set or of a dimension, replacing one of the same name.
 *
 * @param[in]  set        writable
 * @param[in]  dimension  NULL: of the data set
 * @param[in]  attribute  as for xta_attribute_set
 * @param[out] err        why it failed
 * @retval XTA_ENOENT     no such dimension
 * @retval XTA_EARG       as for xta_attribute_set, or the dimension has listed coordinates: its
 *                        attributes are those of the member of its name */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_set_attribute(xta_dataset *set, const char *dimension,
                                                            const xta_attribute *attribute,
                                                            xta_error *err);

/** Set a text attribute from a zero-terminated string. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_set_text(xta_dataset *set, const char *dimension,
                                                       const char *name, const char *text,
                                                       xta_error *err);

/** Find an attribute.
 * @retval XTA_ENOENT  no such attribute */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_attribute(xta_dataset *set, const char *dimension,
                                                        const char *name, xta_attribute *attribute,
                                                        xta_error *err);

/** How many attributes the data set (NULL) or a dimension has. */
XTA_API size_t xta_dataset_attribute_count(xta_dataset *set, const char *dimension);

/** Attribute number `k`, in the order in which they were first set.
 * @retval XTA_ENOENT  no such number */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_attribute_at(xta_dataset *set, const char *dimension,
                                                           size_t k, xta_attribute *attribute,
                                                           xta_error *err);

/** Remove an attribute.
 * @retval XTA_ENOENT  no such attribute */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_remove_attribute(xta_dataset *set,
                                                               const char *dimension,
                                                               const char *name, xta_error *err);

/* ---- dimensions ---- */

/** A dimension. */
typedef struct xta_dimension {
    const char *name;
    int64_t lo, hi;   /**< bounds in cells, of its members; as set, if it has none */
    bool unlimited;   /**< exports make it an unlimited dimension where the format has them */
    size_t n_members; /**< how many members have it */
    xta_coordinates_kind coordinates; /**< 0: none */
    xta_regular regular;              /**< if they are regular */
} xta_dimension;

/** How many dimensions there are: those that were set, in that order, then those that only members
 * have.
 * @param[in]  set    any data set
 * @param[out] count  untouched on failure
 * @param[out] err    why it failed
 * @retval XTA_EBOX   two members disagree about the bounds of a dimension; the text names both
 * @par Cost
 * Opens the members that are not open yet. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_dimension_count(xta_dataset *set, size_t *count,
                                                              xta_error *err);

/** Dimension number `k`.
 * @retval XTA_ENOENT  no such number */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_dimension_at(xta_dataset *set, size_t k,
                                                           xta_dimension *dimension,
                                                           xta_error *err);

/** Find a dimension by name.
 * @retval XTA_ENOENT  no such dimension; the text lists those that there are */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_dimension(xta_dataset *set, const char *name,
                                                        xta_dimension *dimension, xta_error *err);

/** Add a dimension, or change its coordinates and its flag.
 *
 * @param[in]  set        writable
 * @param[in]  dimension  name, bounds, `unlimited`, `coordinates` (0 or XTA_COORDINATES_REGULAR)
 *                        and `regular`; bounds are only taken if no member has the dimension,
 *                        `n_members` never
 * @param[out] err        why it failed
 * @retval XTA_EARG       name or bounds are invalid, or as for xta_regular_check
 * @retval XTA_EEXIST     there is a member of this name: its coordinates are listed */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_set_dimension(xta_dataset *set,
                                                            const xta_dimension *dimension,
                                                            xta_error *err);

/** Remove what was set about a dimension, with its attributes.
 * @retval XTA_ENOENT  nothing was set
 * @retval XTA_ESTATE  members have it: they would lose their coordinates */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_remove_dimension(xta_dataset *set, const char *name,
                                                               xta_error *err);

/** Move coordinates that axes of members hold, as those of an array alone do, to the data set.
 *
 * Values that are exactly regular become regular coordinates of the dimension, others a member of
 * its name. Unit and calendar move with them; the other attributes of the axis are copied. Labels
 * stay as they are, also after a kill, and the next change does the rest. Every change of
 * dimensions, and every growth, does this first.
 *
 * Coordinates stay where they are if the data set has others for the dimension, if a list does not
 * cover its cells, or if the name of the dimension is not free for a member.
 *
 * @param[in]  set     writable
 * @param[out] n_axes  of how many axes; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_ESTATE  members disagree about values, unit or calendar of a dimension: the text
 *                     names both and the first cell; nothing has changed
 * @retval XTA_EBOX    members disagree about the bounds of a dimension
 * @par Cost
 * Opens all members. */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_upgrade(xta_dataset *set, size_t *n_axes,
                                                      xta_error *err);

/* ---- members and groups ---- */

/** Number of members. */
XTA_API size_t xta_dataset_member_count(xta_dataset *set);

/** Name of member number `k`, in the order in which they were added; NULL if there is none. */
XTA_API const char *xta_dataset_member_name(xta_dataset *set, size_t k);

/** A member or group that `dataset.xmd` names and the folder lacks: number `k` of them, in the
 * order of the file. NULL if there are no more. */
XTA_API const char *xta_dataset_missing_name(xta_dataset *set, size_t k);

/** The array of a member, opened as the data set is.
 *
 * @param[in]  set    any data set
 * @param[in]  name   of the member
 * @param[out] array  borrowed: closed with the data set; NULL on failure
 * @param[out] err    why it failed
 * @retval XTA_ENOENT no such member; the text lists those that there are */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_member(xta_dataset *set, const char *name,
                                                     xta_array **array, xta_error *err);

/** Add a member: a new array whose axes are dimensions.
 *
 * @param[in]  set         writable
 * @param[in]  name        of the array, not "dataset"
 * @param[in]  type        of the cells
 * @param[in]  ndim        1 to XTA_MAX_NDIM
 * @param[in]  dimensions  the name of each axis. Its bounds are those of the dimension, which
 *                         exists. NULL: an axis of length 1 that is no dimension (of a scalar)
 * @param[in]  options     as for xta_array_create; `names` is not used. NULL for the defaults
 * @param[out] out         the array, borrowed; NULL if not wanted
 * @param[out] err         why it failed; then there is no such member. So it is after a kill
 * @retval XTA_EEXIST      there is an array or a dimension's regular coordinates of this name
 * @retval XTA_ENOENT      no such dimension
 * @retval XTA_EARG        as for xta_array_create, or a dimension is given twice */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_add_member(xta_dataset *set, const char *name,
                                                         xta_type type, int ndim,
                                                         const char *const dimensions[],
                                                         const xta_create_options *options,
                                                         xta_array **out, xta_error *err);

/** Delete a member with its cells. A dimension that only it had keeps its bounds.
 * @retval XTA_ENOENT  no such member */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_remove_member(xta_dataset *set, const char *name,
                                                            xta_error *err);

/** Give a member another name: its files, its place in `dataset.xmd`, and where attributes of the
 * set, its dimensions and members name it as the CF conventions do (`coordinates`, `bounds`,
 * `ancillary_variables`, `grid_mapping`, `cell_measures` and so on). After a kill it is there under
 * exactly one of the names, in its place, and the same call completes the rest. Attributes in
 * groups, and those that would name a name with blanks, colons or parentheses, are left alone.
 * @retval XTA_ENOENT  no such member
 * @retval XTA_EEXIST  there is something of the new name
 * @retval XTA_ESTATE  it lists the coordinates of a dimension, which is to be renamed instead
 * @return otherwise as xta_array_rename */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_rename_member(xta_dataset *set, const char *name,
                                                            const char *new_name, xta_error *err);

/** The same for a group: its folder.
 * @retval XTA_ENOENT  no such group
 * @retval XTA_EEXIST  there is something of the new name */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_rename_group(xta_dataset *set, const char *name,
                                                           const char *new_name, xta_error *err);

/** The same for a dimension: the axis of each member that has it, the member that lists its
 * coordinates, what `dataset.xmd` says about it, and attributes that name it (`cell_methods`,
 * `compress`). Groups are left alone. After a kill some
 * members have the old name and others the new one, with the same coordinates; the same call
 * completes the rest.
 * @retval XTA_ENOENT  no such dimension
 * @retval XTA_EEXIST  there is a dimension of the new name */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_rename_dimension(xta_dataset *set, const char *name,
                                                               const char *new_name,
                                                               xta_error *err);

/** Number of groups. */
XTA_API size_t xta_dataset_group_count(xta_dataset *set);

/** Name of group number `k`; NULL if there is none. */
XTA_API const char *xta_dataset_group_name(xta_dataset *set, size_t k);

/** Open a group, or create and open it.
 * @param[in]  set     any data set; writable to create
 * @param[in]  name    of the group
 * @param[in]  create  whether it is created if it does not exist
 * @param[out] out     to be closed by the caller, before or after `set`; NULL on failure
 * @param[out] err     why it failed
 * @retval XTA_ENOENT  no such group */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_group(xta_dataset *set, const char *name, bool create,
                                                    xta_dataset **out, xta_error *err);

/* ---- growth ---- */

/** How much a dimension grows, or shrinks, on one side. */
typedef struct xta_dimension_growth {
    const char *dimension;
    xta_side side;
    int64_t by; /**< cells, >= 0 */
} xta_dimension_growth;

/** Grow all members that have a dimension, for each of several dimensions: one step, as by
 * xta_arrays_extend. New cells have the fill values of their arrays.
 *
 * @param[in]  set        writable
 * @param[in]  growths    no dimension twice on the same side
 * @param[in]  n_growths  1 to 2 * XTA_MAX_NDIM
 * @param[out] err        why it failed; then no member has grown
 * @retval XTA_ENOENT     no such dimension
 * @retval XTA_ESTATE     the dimension has listed coordinates: new cells need theirs, which
 *                        xta_dataset_append takes
 * @retval XTA_EBOX       members disagree about the bounds of the dimension
 * @retval XTA_ERANGE     regular coordinates of the new cells would be out of range */
XTA_API XTA_MUST_CHECK xta_status xta_dataset_extend(xta_dataset *set,
                                                     const xta_dimension_growth *growths,
                                                     int n_growths, xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
