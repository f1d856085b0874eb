/** @file
 * The structure of an array: bounds, growth, axes, history. Included by <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_STRUCTURE_H
#define XTA_ARRAY_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array_types.h>
#include <xta/box.h>
#include <xta/status.h>
#include <xta/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Extend an array. All of `growths` become visible, and durable, together: one step, one record.
 *
 * New cells have the fill value. No cell moves and no existing byte is changed. Changes by other
 * processes are applied first; the growths then apply to the resulting bounds, in the order given.
 *
 * @param[in]  array      writable
 * @param[in]  growths    axis, side and number of cells of each
 * @param[in]  n_growths  1 to 2 * XTA_MAX_NDIM
 * @param[out] after      the bounds right after this step, so the new slab of a single growth at
 *                        the back is [hi - by, hi) on its axis; NULL if not wanted
 * @param[out] err        why it failed; NULL if not wanted
 *
 * @retval XTA_EARG       no such axis, or `by` is negative
 * @retval XTA_EOVERFLOW  coordinates or addresses would exceed 2^62
 * @retval XTA_EACCESS    opened read-only
 * @retval XTA_ENOSPC     the record could not be written; nothing has changed
 * @retval XTA_EBUSY      another handle is the exclusive writer; nothing has changed. Every call
 *                        that changes structure, attributes or names fails in this way
 * @par Cost
 * One lock, held briefly, and one appended record (less than 256 bytes for up to 4 growths);
 * O(ndim) plus the new entries of one axis' table. An exclusive writer needs no lock, and only
 * stores the record (once in a thousand times it reserves another 64 KiB to 1 MiB). Not durable
 * before xta_array_sync.
 * @par Source
 * [DRX] III; [CXA] 3.3, 4.1, 8.3.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_extend(xta_array *array, const xta_growth *growths,
                                                   int n_growths, xta_box *after, xta_error *err);

/** The growths of one array in a step that extends several arrays. */
typedef struct xta_array_growth {
    xta_array *array;
    const xta_growth *growths;
    int n_growths;
} xta_array_growth;

/** Extend several arrays that share an axis in one step: either all of them have grown, for all
 * processes and also after a kill or a power loss, or none has. xta_arrays_append (<xta/append.h>)
 * does the same with the cells.
 *
 * One of the arrays is the leader: its journal records whether the growth has happened. A process
 * that is killed midway leaves in the other arrays a record that names the leader's journal by its
 * path relative to their folder, so arrays that grow together must be moved together. Whoever opens
 * or changes such an array next reads the leader's journal. If the leader has been removed
 * meanwhile, the growth counts as not done.
 *
 * @param[in]  growths   as for xta_array_extend, for each array; no array twice. Memory arrays are
 *                       allowed
 * @param[in]  n_arrays  1 to 8192; each array in files has two files open (ulimit -n)
 * @param[out] after     n_arrays bounds, in the order given; NULL if not wanted
 * @param[out] err       why it failed; NULL if not wanted
 * @retval XTA_EARG       an array is given twice, or as for xta_array_extend
 * @return the other errors of xta_array_extend; then no array has changed
 * @par Cost
 * The locks of all arrays are acquired, in the order of their UUIDs, and held. Two or three short
 * records and two fdatasync of each journal.
 */
XTA_API XTA_MUST_CHECK xta_status xta_arrays_extend(const xta_array_growth growths[], int n_arrays,
                                                    xta_box after[], xta_error *err);

/** Append one slab with its cells: the bounds are published only after the cells are written, so a
 * reader that refreshes never sees the slab empty.
 *
 * @param[in]  array   writable
 * @param[in]  growth  axis, side and cells
 * @param[in]  options memory type, order, strides (no step); NULL: array's type, row-major
 * @param[in]  cells   the slab: `by` cells on the grown axis, the bounds on the others. The lengths
 *                     of the other axes are those of this handle; if another process has changed
 *                     them meanwhile the call fails with XTA_EBOX and changes nothing: refresh and
 *                     try again
 * @param[out] after   the bounds after this step; NULL if not wanted
 * @param[out] err     why it failed; NULL if not wanted
 * @retval XTA_ERANGE  a value does not fit the array's type; nothing has changed
 * @par Cost
 * The structural lock is held while the cells are written.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_append(xta_array *array, const xta_growth *growth,
                                                   const xta_io_options *options, const void *cells,
                                                   xta_box *after, xta_error *err);

/** Remove cells at either side. The allocated box stays the same; chunks entirely outside the
 * bounds free their disk space, and if the array grows over the cells again they have the fill
 * value. Parameters as for xta_array_extend.
 * @retval XTA_EBOX  an axis has fewer cells than are to be removed; nothing has changed */
XTA_API XTA_MUST_CHECK xta_status xta_array_shrink(xta_array *array, const xta_growth *shrinks,
                                                   int n_shrinks, xta_box *after, xta_error *err);

/** Insert a new axis of length 1 and chunk length 1 before axis `position` (ndim: after the last).
 * Every cell gets coordinate 0 on it; no address changes; the axis can grow like any other.
 *
 * @param[in]  array     writable; no other call may be in progress
 * @param[in]  position  0 to ndim
 * @param[in]  name      of the new axis; NULL for none
 * @param[out] err       why it failed
 * @retval XTA_EARG      no such position, or there are XTA_MAX_NDIM axes already
 * @retval XTA_EEXIST    another axis has this name
 * @par Source
 * "Strongly extendible", [DRX] I. */
XTA_API XTA_MUST_CHECK xta_status xta_array_add_axis(xta_array *array, int position,
                                                     const char *name, xta_error *err);

/** Apply the changes that other processes have made. Reads only the new records; blocks nobody.
 * @param[in]  array    any array
 * @param[out] changed  whether there were any; NULL if not wanted
 * @param[out] err      why it failed
 * @retval XTA_ECORRUPT the new records contradict themselves; the handle refuses further calls */
XTA_API XTA_MUST_CHECK xta_status xta_array_refresh(xta_array *array, bool *changed,
                                                    xta_error *err);

/** Number of axes. Never fails. */
XTA_API int xta_array_ndim(const xta_array *array);

/** Type of the cells. Never fails. */
XTA_API xta_type xta_array_type(const xta_array *array);

/** Bytes of one cell. Never fails. */
XTA_API size_t xta_array_cell_bytes(const xta_array *array);

/** The bounds this handle sees, consistent across axes. Never fails. */
XTA_API xta_box xta_array_bounds(const xta_array *array);

/** One cell holding the fill value; cell_bytes long, valid until close. Never fails. */
XTA_API const void *xta_array_fill_value(const xta_array *array);

/** The path it was opened with, without suffix; "" for a memory array. Valid until close. */
XTA_API const char *xta_array_path(const xta_array *array);

/** All other properties. @param[out] info filled in completely. Queries the file system for
 * sizes. */
XTA_API XTA_MUST_CHECK xta_status xta_array_inquire(xta_array *array, xta_array_info *info,
                                                    xta_error *err);

/** Segment number `k` (0 .. n_segments - 1), in address order.
 * @retval XTA_EARG  no such segment */
XTA_API XTA_MUST_CHECK xta_status xta_array_segment(xta_array *array, uint64_t k,
                                                    xta_segment *segment, xta_error *err);

/** Every structural step from the journal, oldest first. A memory array has only its creation.
 * @param[in]  array  any array
 * @param[in]  each   called for each step; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user   passed to `each`
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_history(xta_array *array,
                                                    int (*each)(void *user, const xta_step *step),
                                                    void *user, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
