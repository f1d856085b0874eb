/* Cells of an array in memory of GDAL's: one call of the library, then GDAL converts if it must.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_ARRAY_CELL_ACCESS_H
#define XTA_GDAL_ARRAY_CELL_ACCESS_H

#include <gdal.h>

#include "array/array.h"
#include "base/types.h"

namespace xta_gdal
{

/* Which cells, and where they are in memory. */
struct CellAccess {
    xta_box box;
    int64_t step[XTA_MAX_NDIM];    /* of cells, from box.lo on; at least 1 */
    int64_t strides[XTA_MAX_NDIM]; /* bytes from cell to cell; maybe negative */
    GDALDataType type;             /* of the cells in memory */
};

/* Read into `out`, or write from it, the cells of a box. GDAL rounds and clips numbers that the
 * type of the target cannot hold; the library would refuse them. False: failed; GDAL is told. */
bool read_cells(const Array &array, const CellAccess &access, const SeenAs &seen, void *out);
bool write_cells(const Array &array, const CellAccess &access, const SeenAs &seen, const void *in);

} // namespace xta_gdal

#endif
