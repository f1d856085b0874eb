/* What an array of a store is: its metadata, and the length of its texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_ZARR_READ_ARRAY_H
#define XTA_FORMATS_ZARR_READ_ARRAY_H

#include "zarr/metadata.h"
#include "zarr/store.h"

/* Read the array at `path`, whose metadata is `json`; all chunks of texts are decoded once. *wrong
 * is NULL, or why it cannot be read: text in `text`. */
xta_status xta__zarr_read_array(const zarr_store *store, const char *path, const json_t *json,
                                zarr_array *array, const char **wrong, char text[160],
                                xta_error *err);

#endif
