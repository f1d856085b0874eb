/* Names of attributes made from Zarr arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_NAMES_H
#define XTA_FORMATS_ZARR_NAMES_H

#define ZARR_JSON   "zarr/json"   /* names of attributes that are JSON, one on each line */
#define ZARR_CHUNKS "zarr/chunks" /* int64, one for each axis */

#endif
