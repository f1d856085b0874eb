/** @file
 * A dataset of an open HDF5 file as an array that grows, and back ([CXA] 7.3).
 *
 * A `hid_t` belongs to one libhdf5. So this header gives the functions names by the <hdf5.h> that
 * the program is compiled with, and a program that is linked with the mapping of another HDF5 has
 * undefined references: libxta_map-serial, libxta_map-openmpi, libxta_map-mpich.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_MAP_HDF5_H
#define XTA_MAP_HDF5_H

#include <hdf5.h>

#include <xta/mapping.h>

#if !defined(H5_HAVE_PARALLEL)
#define xtaHDFmap   xtaHDFmap_serial
#define xtaHDFwrite xtaHDFwrite_serial
#elif defined(OPEN_MPI)
#define xtaHDFmap   xtaHDFmap_openmpi
#define xtaHDFwrite xtaHDFwrite_openmpi
#elif defined(MPICH_VERSION)
#define xtaHDFmap   xtaHDFmap_mpich
#define xtaHDFwrite xtaHDFwrite_mpich
#else
#error "this HDF5 is built on an MPI that is neither Open MPI nor MPICH: XTA has no mapping for it"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Map a dataset: cells, fill value, attributes, scales of axes (attribute `values` of the axis),
 * and the objects around it.
 *
 * Not collective; see <xta/mapping.h> for threads. Chunked, contiguous and compact datasets are
 * taken. An attribute `xta_origin` (a former growth at the front) says which coordinate the first
 * cell has; else it is 0.
 *
 * @param[in]  dathdl   an open dataset, which stays the caller's
 * @param[in]  options  NULL for the defaults
 * @param[out] err      why it failed; NULL if not wanted
 * @return the handle, to be closed by xta_mapping_close; NULL on failure, and then `err` has one
 *             of:
 *         XTA_EARG (no handle of an open dataset, a closed one, a wrong option),
 *         XTA_EUNSUPPORTED (cells of no fixed length, compounds other than complex numbers, a
 *         scalar, a filter that this HDF5 lacks, a file open through MPI-IO on several ranks),
 *         XTA_EEXIST (`options->path`), XTA_ENOMEM, XTA_EFOREIGN
 * @par Cost
 * Reads the dataset once, slab by slab.
 * @par Source
 * [CXA] 7.3, where only chunked datasets are accepted. */
XTA_API XTA_MUST_CHECK xta_mapping *xtaHDFmap(hid_t dathdl, const xta_mapping_options *options,
                                              xta_error *err);

/** Write the array back into a dataset: resize it to the array's bounds, then write all cells, and
 * those attributes of the dataset that differ.
 *
 * Not collective; see <xta/mapping.h> for threads. The dataset is usually the one that was mapped;
 * any other one of the same type and number of axes will do. Chunks, filters and type stay as they
 * are. If the first cell moved, by growth at the front, all cells are at new places, and
 * `xta_origin` says so. Scales that are attached to a resized axis are resized along.
 *
 * @param[in,out] xta_hdf  from xtaHDFmap; xta_mapping_error gives the text of a failure
 * @param[in]     dathdl   an open dataset of a file that can be written
 *
 * @retval XTA_EARG          no handle of an open dataset, a handle of another mapping, or another
 *                           number of axes
 * @retval XTA_ETYPE         cells of another type
 * @retval XTA_EACCESS       the file was opened read-only
 * @retval XTA_EUNSUPPORTED  an axis differs and cannot be resized: the dataset is contiguous, its
 *                           maximum is less, a scale of that axis has a fixed length or, for growth
 *                           at the front or shrinks, belongs to other datasets or axes, too
 * @retval XTA_ENOMEM        out of memory
 * @retval XTA_EFOREIGN      HDF5 failed
 * @retval XTA_ENOSPC        the disk is full
 *
 * After the last three the dataset may be partly new, and the handle has all cells still; after all
 * others nothing was written.
 * @par Cost
 * Writes the dataset once, slab by slab.
 * @par Source
 * [CXA] 7.3. */
XTA_API XTA_MUST_CHECK xta_status xtaHDFwrite(xta_mapping *xta_hdf, hid_t dathdl);

#ifdef __cplusplus
}
#endif
#endif
