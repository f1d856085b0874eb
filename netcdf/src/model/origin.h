/* Where arrays begin: the attribute xta_origin of their variables, as `xta export` writes it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_NETCDF_MODEL_ORIGIN_H
#define XTA_NETCDF_MODEL_ORIGIN_H

#include "model/file.h"

/* Say in the shadow at which cells the positions of all variables begin: of a member of a data set
 * on its bare axes; of a single array, if a bare axis does not begin at 0, on all axes, and of its
 * coordinates too. To be called again when positions have changed. */
int xta__nc_put_origins(const netcdf_file *file);

#endif
