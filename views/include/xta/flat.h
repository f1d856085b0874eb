/** @file
 * An array, or a data set, as the bytes of a file that no one has written: `.npy`, raw cells, or
 * NetCDF (CDF-5). Headers are made when it is opened, cells are read when their bytes are.
 *
 * A flat file is a snapshot: bounds, coordinates and attributes are those of the moment at which it
 * was opened, and growth changes nothing in it. Values of cells that are written again show, as
 * they do through a handle of the library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_FLAT_H
#define XTA_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the bytes are. Cells are in row-major order, the last axis fastest. */
typedef enum xta_flat_kind {
    XTA_FLAT_NPY = 1,    /**< NumPy's format: type and shape in a header, then little-endian
                              cells */
    XTA_FLAT_RAW = 2,    /**< little-endian cells and nothing else */
    XTA_FLAT_JSON = 3,   /**< a text that says what XTA_FLAT_RAW leaves out: type, shape, first
                              cell, names of axes */
    XTA_FLAT_NETCDF = 4, /**< NetCDF in the format CDF-5 ("64-bit data"), big-endian: the array with
                              its attributes, and the coordinates of its axes */
} xta_flat_kind;

/** An open flat file. Opaque. Its functions are safe from several threads; close is the last. */
typedef struct xta_flat xta_flat;

/** Open an array as a flat file.
 *
 * All dimensions of a NetCDF file are of fixed length, so the cells of a variable lie together, and
 * any range of them is few boxes. (A record dimension would interleave the variables.) A half float
 * is presented as `float`, cells of N bytes as `char` with one more dimension.
 *
 * @param[in]  path   of the array, as for xta_array_open
 * @param[in]  kind   what its bytes are
 * @param[in]  access how cells are reached, as in xta_open_options. Through a mapping, cells that
 *                    another process writes again show at once; a chunk cache keeps what it has
 * @param[out] out    to be closed by the caller; NULL on failure
 * @param[out] err    why it failed; NULL if not wanted
 * @retval XTA_EARG         no such kind
 * @retval XTA_EUNSUPPORTED the kind cannot express the array: complex cells in NetCDF; there, too,
 *                          axes without cells, except the first
 * @retval XTA_EOVERFLOW    more than 2^62 bytes
 * @return otherwise as xta_array_open
 * @par Cost
 * The journal is read once, and coordinates that are listed; no cells are. */
XTA_API XTA_MUST_CHECK xta_status xta_flat_open(const char *path, xta_flat_kind kind,
                                                xta_access access, xta_flat **out, xta_error *err);

/** Open a data set as one NetCDF file: its dimensions, their coordinates, all members, and the
 * attributes of each. Groups are left out. Bounds of a dimension are those that all members had at
 * one moment; if other processes change the set meanwhile, it is read again, at most 100 times.
 *
 * @param[in]  folder  of the data set
 * @param[in]  access  as for xta_flat_open
 * @param[out] out     to be closed by the caller; NULL on failure
 * @param[out] err     why it failed; NULL if not wanted
 * @retval XTA_EUNSUPPORTED a member cannot be expressed, as for xta_flat_open
 * @retval XTA_EBUSY        others changed it each time
 * @return otherwise as xta_dataset_open and xta_dataset_dimension_count
 * @par Cost
 * Opens all members. */
XTA_API XTA_MUST_CHECK xta_status xta_flat_open_set(const char *folder, xta_access access,
                                                    xta_flat **out, xta_error *err);

/** Close it; NULL is allowed. No other call on it may be in progress. */
XTA_API void xta_flat_close(xta_flat *flat);

/** How many bytes the file has. Never fails. */
XTA_API uint64_t xta_flat_bytes(const xta_flat *flat);

/** A number that is the same for two snapshots of one array or set only if none of their bytes but
 * cells differs, and no structural step lies between them. Never fails. */
XTA_API uint64_t xta_flat_version(const xta_flat *flat);

/** Read bytes of the file.
 *
 * @param[in]  flat    an open flat file
 * @param[in]  offset  of the first byte
 * @param[in]  n       how many bytes
 * @param[out] buffer  n bytes; unspecified after a failure
 * @param[out] n_read  fewer than `n` at the end of the file; 0 beyond it
 * @param[out] err     why it failed; NULL if not wanted
 * @return as xta_array_read
 * @par Cost
 * One xta_array_read for each box of cells: of an array with d axes, at most 2 d - 1 for any range
 * (for each 256 KiB of it where numbers are swapped), and one for each cell that the range cuts. */
XTA_API XTA_MUST_CHECK xta_status xta_flat_read(xta_flat *flat, uint64_t offset, size_t n,
                                                void *buffer, size_t *n_read, xta_error *err);

#ifdef __cplusplus
}
#endif

#endif
