/* Whether all that an HDF5 file names lies in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_HDF5_SELF_CONTAINED_H
#define XTA_FORMATS_HDF5_SELF_CONTAINED_H

#include <xta/status.h>

/* Refuse an HDF5 file anything of which lies in another one, for libraries that go there by
 * themselves. Files of other formats pass. */
xta_status xta__hdf5_check_self_contained(const char *path, xta_error *err);

#endif
