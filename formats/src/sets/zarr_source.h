/* Zarr stores as whole files. The table of functions is in sets/readers.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_ZARR_SOURCE_H
#define XTA_FORMATS_SETS_ZARR_SOURCE_H

#define ZARR_CHUNKS "zarr/chunks" /* int64, one for each dimension */

#endif
