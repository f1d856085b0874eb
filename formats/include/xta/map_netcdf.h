/** @file
 * A variable of an open NetCDF file as an array that grows, and back ([CXA] 7.3). Library
 * libxta_map-serial.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_MAP_NETCDF_H
#define XTA_MAP_NETCDF_H

#include <netcdf.h>
#include <netcdf_meta.h>

#include <xta/mapping.h>

/* A NetCDF that is built on a parallel HDF5 has other ids than the serial one: with it, a program
 * does not link. */
#if defined(NC_HAS_PARALLEL) && NC_HAS_PARALLEL
#define xtaNetCDFmap   xtaNetCDFmap_parallel
#define xtaNetCDFwrite xtaNetCDFwrite_parallel
#else
#define xtaNetCDFmap   xtaNetCDFmap_serial
#define xtaNetCDFwrite xtaNetCDFwrite_serial
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Map a variable: cells, fill value, attributes, coordinate variables (attribute `values` of the
 * axis), and the objects around it. Not collective; see <xta/mapping.h> for threads.
 *
 * @param[in]  datap    all cells of the variable as nc_get_var gives them: row-major, of its own
 *                      type; NULL: they are read here, slab by slab
 * @param[in]  ncid     of the group of the variable, which stays the caller's
 * @param[in]  varid    of the variable
 * @param[in]  options  NULL for the defaults
 * @param[out] err      why it failed; NULL if not wanted
 * @return the handle, to be closed by xta_mapping_close; NULL on failure, and then `err` has one
 *             of:
 *         XTA_EARG (no open file, no such variable, a wrong option), XTA_EUNSUPPORTED (cells of no
 *         fixed length, a scalar), XTA_EEXIST (`options->path`), XTA_ENOMEM, XTA_EFOREIGN
 * @par Source
 * [CXA] 7.3. */
XTA_API XTA_MUST_CHECK xta_mapping *xtaNetCDFmap(const void *datap, int ncid, int varid,
                                                 const xta_mapping_options *options,
                                                 xta_error *err);

/** Write the array back into a variable of the same group: all cells, and those attributes of the
 * variable that differ.
 *
 * Not collective; see <xta/mapping.h> for threads. NetCDF shares dimensions between variables:
 * growing an unlimited dimension at the back lengthens every other variable that has it, by fill
 * values. Growing it at the front moves the cells of all of them, so that they stay beside their
 * coordinates; each gets an attribute `xta_origin`. Coordinate variables get values of new cells
 * from the attribute `values` of the array's axis, where it has them.
 *
 * @param[in,out] xta_ndcf  from xtaNetCDFmap; xta_mapping_error gives the text of a failure
 * @param[in]     varid     of a variable in the group that was mapped from
 *
 * @retval XTA_EARG          the file was closed, there is no such variable, the handle is of
 *                           another mapping, or another number of axes
 * @retval XTA_ETYPE         cells of another type
 * @retval XTA_EACCESS       the file was opened read-only
 * @retval XTA_EUNSUPPORTED  a fixed dimension differs, a dimension would become shorter, or another
 *                           variable along a dimension that grows at the front cannot be moved
 * @retval XTA_ENOMEM        out of memory
 * @retval XTA_EFOREIGN      NetCDF failed
 * @retval XTA_ENOSPC        the disk is full
 *
 * After the last three the file may be partly new, and the handle has all cells still; after all
 * others nothing was written.
 * @par Source
 * [CXA] 7.3. */
XTA_API XTA_MUST_CHECK xta_status xtaNetCDFwrite(xta_mapping *xta_ndcf, int varid);

#ifdef __cplusplus
}
#endif
#endif
