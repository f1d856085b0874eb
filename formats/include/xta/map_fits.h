/** @file
 * An image of an open FITS file as an array that grows, and back ([CXA] 10.1.4). Library
 * libxta_map-serial.
 *
 * Axes are those of the image in reverse: NAXIS1, the fastest, is the last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_MAP_FITS_H
#define XTA_MAP_FITS_H

#include <fitsio.h>

#include <xta/mapping.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Map the image of the current HDU: cells as they are stored, blank as fill value, keywords as
 * attributes, and the other HDUs of the file. Not collective; see <xta/mapping.h> for threads.
 *
 * @param[in]  image    an open file, at an image; it stays the caller's, at that HDU
 * @param[in]  options  NULL for the defaults
 * @param[out] err      why it failed; NULL if not wanted
 * @return the handle, to be closed by xta_mapping_close; NULL on failure, and then `err` has one
 *             of:
 *         XTA_EARG (NULL, a table, a wrong option), XTA_EUNSUPPORTED (no axes),
 *         XTA_EEXIST (`options->path`), XTA_ENOMEM, XTA_EFOREIGN
 * @par Source
 * Proposed in [CXA] 10.1.4. */
XTA_API XTA_MUST_CHECK xta_mapping *xtaFITSmap(fitsfile *image, const xta_mapping_options *options,
                                               xta_error *err);

/** Write the array back into the image of the current HDU: NAXISn become its bounds, CFITSIO moves
 * what lies behind it in the file, and all cells are written.
 *
 * Not collective; see <xta/mapping.h> for threads. All cards stay. After growth at the front,
 * reference pixels (CRPIXn, LTVn) are moved along and XTAORGn keeps the coordinate of the first
 * cell.
 *
 * @param[in,out] xta_fits  from xtaFITSmap; xta_mapping_error gives the text of a failure
 * @param[in]     image     an open file, at an image
 *
 * @retval XTA_EARG          no file, no image, a handle of another mapping, or another number of
 *                           axes
 * @retval XTA_ETYPE         cells of another type
 * @retval XTA_EACCESS       the file was opened read-only
 * @retval XTA_EUNSUPPORTED  the image is compressed in tiles
 * @retval XTA_ENOMEM        out of memory
 * @retval XTA_EFOREIGN      CFITSIO failed
 * @retval XTA_ENOSPC        the disk is full
 *
 * After the last three the image may be partly new, and the handle has all cells still; after all
 * others nothing was written.
 * @par Source
 * Proposed in [CXA] 10.1.4. */
XTA_API XTA_MUST_CHECK xta_status xtaFITSwrite(xta_mapping *xta_fits, fitsfile *image);

#ifdef __cplusplus
}
#endif
#endif
