/** @file
 * A snapshot of an array or a data set as the keys of a Zarr store, each computed when it is asked
 * for. A part of libxta_views.
 *
 * Cells come through the library, so every type, fill value and order of cells is exact, and fronts
 * may lie anywhere: the grid begins with the first cell of the snapshot. Growth changes nothing in
 * a snapshot, which is named by its *pin*: of an array the structural step, of a data set the
 * bounds of its dimensions, as in `time=-3:120,lat=0:180`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ZARR_VIEW_H
#define XTA_ZARR_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/zarr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An open snapshot. Opaque. */
typedef struct xta_zarr_view xta_zarr_view;

/** Open a snapshot.
 *
 * @param[in]  path  of an array, or of the folder of a data set
 * @param[in]  pin   which snapshot; NULL: the newest
 * @param[out] out   to be closed by the caller; NULL on failure
 * @param[out] err   why it failed
 * @retval XTA_EARG    `pin` is none
 * @retval XTA_ENOENT  no such array or folder; no such step; or the data set never had all
 *                     cells of the pin
 * @retval XTA_EUNSUPPORTED  the name of a dimension has one of the characters `,` `=` `@` `/` `\`,
 *                     so that no pin can name it
 * @return otherwise as xta_array_open, xta_dataset_open, xta_zarr_of_dataset
 * @par Cost
 * Opens the array, or all members; no cell is read. */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_view_open(const char *path, const char *pin,
                                                     xta_zarr_view **out, xta_error *err);

/** Open the newest snapshot, cut to the cells from given ones on: each dimension of `like` begins
 * where it does there. So a chunk that both have has the same key, whatever grew at the front.
 * @param[in]  path  as for xta_zarr_view_open
 * @param[in]  like  of the same path
 * @param[out] out   to be closed by the caller; NULL on failure
 * @param[out] err   why it failed
 * @retval XTA_ESTATE  other dimensions or arrays are there than those of `like`
 * @return otherwise as xta_zarr_view_open */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_view_open_from(const char *path,
                                                          const xta_zarr_view *like,
                                                          xta_zarr_view **out, xta_error *err);

/** Close a snapshot; NULL is allowed. No other call on it may be in progress. */
XTA_API void xta_zarr_view_close(xta_zarr_view *view);

/** The pin of a snapshot: opened again by it, it has the same cells under the same keys. Borrowed.
 * Thread-safe. */
XTA_API const char *xta_zarr_view_pin(const xta_zarr_view *view);

/** Its hierarchy. Borrowed. Thread-safe. */
XTA_API const xta_zarr *xta_zarr_view_hierarchy(const xta_zarr_view *view);

/** Compute what a key of the store holds: a document of metadata, or a chunk.
 *
 * Thread-safe.
 *
 * @param[in]  view     an open snapshot
 * @param[in]  version  of Zarr: 2 or 3
 * @param[in]  key      such as ".zmetadata", "sst/0.4.0" or, in version 3, "sst/c/0/4/0"
 * @param[out] bytes    to be freed by the caller; NULL on failure. Chunks are complete: cells
 *                      beyond the snapshot, and those that were removed from the array, have
 *                      the fill value
 * @param[out] n_bytes  how many
 * @param[out] err      why it failed
 * @retval XTA_ENOENT   no such key
 * @retval XTA_EIO      as xta_array_read */
XTA_API XTA_MUST_CHECK xta_status xta_zarr_view_get(xta_zarr_view *view, int version,
                                                    const char *key, unsigned char **bytes,
                                                    size_t *n_bytes, xta_error *err);

/** How many bytes a key has, without computing them: 0 if it is no key of a chunk. Thread-safe. */
XTA_API size_t xta_zarr_view_chunk_bytes(const xta_zarr_view *view, int version, const char *key);

#ifdef __cplusplus
}
#endif
#endif
