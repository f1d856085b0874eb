/** @file
 * Reading and writing cells of an array: boxes and single cells. Included by <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_CELLS_H
#define XTA_ARRAY_CELLS_H

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

/** Read the cells of `box` into `out`.
 *
 * Not collective. Safe from several threads on one array.
 *
 * @param[in]  array    an open array
 * @param[in]  box      [lo, hi) on each axis, in cells, within the bounds; may be empty
 * @param[in]  options  NULL: the array's type, row-major, every cell
 * @param[out] out      caller's memory; prod(ceil((hi - lo) / step)) cells
 * @param[out] err      why it failed; NULL if not wanted
 *
 * @retval XTA_EBOX     `box` leaves the bounds; `out` is untouched
 * @retval XTA_EARG     an option out of range; `out` is untouched
 * @retval XTA_ETYPE    no conversion between the types; `out` is untouched
 * @retval XTA_ERANGE   a value does not fit the requested type (the text names the cell); `out` is
 *                      unspecified
 * @retval XTA_EIO      reading failed; `out` is unspecified
 *
 * @par Cost
 * One copy from the page cache, row by row of each chunk; at most one chunk of scratch memory for
 * each thread (only if types are converted). Nothing depends on the number of expansions except one
 * table look-up for each chunk.
 * @par Source
 * F* is [DRX] III; placement by computed position is [DRX] II.A.
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_read(xta_array *array, const xta_box *box,
                                                 const xta_io_options *options, void *out,
                                                 xta_error *err);

/** Write the cells of `box` from `in`. Only these cells are changed, so several threads and
 * processes may write disjoint boxes of one chunk. Parameters as for xta_array_read.
 *
 * @retval XTA_EBOX     `box` leaves the bounds; nothing is written
 * @retval XTA_ERANGE   a value does not fit the array's type (the text names the cell); nothing is
 *                      written
 * @retval XTA_EACCESS  opened read-only
 * @retval XTA_ENOSPC   the disk is full; each cell of the box is old or new
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_write(xta_array *array, const xta_box *box,
                                                  const xta_io_options *options, const void *in,
                                                  xta_error *err);

/** Set every cell of `box` to `value` (one cell of the array's type). Errors as for write. Chunks
 * that are set entirely to the fill value free their disk space. */
XTA_API XTA_MUST_CHECK xta_status xta_array_fill(xta_array *array, const xta_box *box,
                                                 const void *value, xta_error *err);

/** Read one cell: the same as a box of one cell, intended for loops.
 * @param[in]  array  an open array
 * @param[in]  coord  ndim coordinates
 * @param[out] cell   cell_bytes; untouched on failure
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EBOX   outside the bounds
 * @par Cost
 * Some twenty nanoseconds when the page is in memory; takes no lock. */
XTA_API XTA_MUST_CHECK xta_status xta_array_get(xta_array *array, const int64_t coord[], void *cell,
                                                xta_error *err);

/** Write one cell. As xta_array_get; the first write to a chunk reserves its disk space. */
XTA_API XTA_MUST_CHECK xta_status xta_array_put(xta_array *array, const int64_t coord[],
                                                const void *cell, xta_error *err);

/** Where the cells of a box lie in the mapped data file, to be read without a copy.
 *
 * Possible if they lie at equal distances on each axis: in one chunk, in chunks of length 1 on an
 * axis that lie at equal distances, or in chunks that continue each other. The memory shows the
 * cells as they change; it is read-only, and valid until close. As with every mapped file, reading
 * it raises SIGBUS if somebody truncates the data file.
 *
 * Not collective. Safe from several threads on one array.
 *
 * @param[in]  array    an array in files
 * @param[in]  box      within the bounds, not empty
 * @param[out] cells    the cell of box.lo
 * @param[out] strides  bytes from one cell to the next on each axis (ndim of them), not negative
 * @param[out] err      why it failed; NULL if not wanted
 * @retval XTA_EBOX     `box` leaves the bounds, or is empty
 * @retval XTA_EUNSUPPORTED  the cells do not lie so, the file is not mapped, the cells of a chunk
 *                      are along a curve, or they are stored otherwise than as they are: with a
 *                      fill value other than 0, or on a big-endian machine
 * @par Cost
 * One look-up for each chunk of the box. No cell is read. */
XTA_API XTA_MUST_CHECK xta_status xta_array_in_place(xta_array *array, const xta_box *box,
                                                     const void **cells, int64_t strides[],
                                                     xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
