/** @file
 * Where the cells of an array lie in its file. Included by <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ARRAY_ADDRESSES_H
#define XTA_ARRAY_ADDRESSES_H

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

/** F*: the address of a chunk of the allocated box.
 * @param[in]  array    any array
 * @param[in]  chunk    ndim chunk coordinates
 * @param[out] address  linear chunk number
 * @param[out] err      why it failed
 * @retval XTA_EBOX     outside the allocated box */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_address(xta_array *array, const int64_t chunk[],
                                                          uint64_t *address, xta_error *err);

/** F* of many chunks, at a fraction of the cost of single calls.
 * @param[in]  array      any array
 * @param[in]  n          how many chunks
 * @param[in]  chunks     n times ndim chunk coordinates, one chunk after the other. No other thread
 *                        may add an axis meanwhile
 * @param[out] addresses  n linear chunk numbers; after a failure, only those before the chunk that
 *                        `err` names
 * @param[out] err        why it failed; NULL if not wanted
 * @retval XTA_EBOX       one of them is outside the allocated box
 * @par Cost
 * One lock for each thousand chunks; for each chunk the cost of an address in a conventional array
 * and a table look-up for each axis. */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_addresses(xta_array *array, size_t n,
                                                            const int64_t chunks[],
                                                            uint64_t addresses[], xta_error *err);

/** F*^-1: the chunk at an address, its coordinate and its cells.
 * @retval XTA_EBOX  no chunk has this address */
XTA_API XTA_MUST_CHECK xta_status xta_array_chunk_at(xta_array *array, uint64_t address,
                                                     xta_chunk *chunk, xta_error *err);

/** Where a cell within the bounds lies.
 * @retval XTA_EBOX  outside the bounds */
XTA_API XTA_MUST_CHECK xta_status xta_array_locate(xta_array *array, const int64_t coord[],
                                                   xta_location *location, xta_error *err);

/** Which cell covers byte `offset` of the data file.
 * @param[in]  array   any array
 * @param[in]  offset  a byte of the data file
 * @param[out] coord   ndim coordinates, possibly of a ghost cell
 * @param[out] ghost   whether the cell lies outside the bounds; NULL if not wanted
 * @param[out] err     why it failed
 * @retval XTA_EBOX    the byte is padding, or beyond the last chunk */
XTA_API XTA_MUST_CHECK xta_status xta_array_cell_at(xta_array *array, uint64_t offset,
                                                    int64_t coord[], bool *ghost, xta_error *err);

/** Visit every chunk that intersects `box` (NULL: every chunk of the allocated box), in file order.
 * @param[in]  array  any array
 * @param[in]  box    in cells, within the bounds; NULL for all
 * @param[in]  each   called for each chunk; a result other than 0 stops with XTA_ECANCELLED
 * @param[in]  user   passed to `each`
 * @param[out] err    why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_array_each_chunk(xta_array *array, const xta_box *box,
                                                       int (*each)(void *user,
                                                                   const xta_chunk *chunk),
                                                       void *user, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
