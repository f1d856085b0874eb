/* What an open dataset of HDF5 is, as a description.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/describe.h"

#include <hdf5.h>

#include "description/description.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "hdf5/dataset.h"
#include "hdf5/read_attributes.h"

xta_status xta__hdf5_describe(const hdf5_file *f, bridge_description *what, xta_error *err)
{
    hid_t type = H5Dget_type(f->dataset);
    what->type = xta__hdf5_to_xta(type, &what->cell_bytes);
    H5Tclose(type);
    what->ndim = f->ndim > 0 ? f->ndim : 1;
    what->bounds[0] = 1;
    for (int d = 0; d < f->ndim; d++) {
        what->bounds[d] = (int64_t)f->bounds[d];
        what->chunk[d] = (int64_t)f->chunk[d];
    }
    bool good =
        f->ndim > 0 || xta__description_add_text(what, XTA_ON_ARRAY, BRIDGE_SCALAR, "yes") != NULL;
    if (!good || !xta__hdf5_read_attributes(f, what)) {
        return xta__hdf5_failed(f->path, "cannot read what belongs to the dataset", err);
    }
    return XTA_OK;
}
