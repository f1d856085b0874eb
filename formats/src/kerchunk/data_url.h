/* Where the data file of an array is, as references name it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_KERCHUNK_DATA_URL_H
#define XTA_FORMATS_KERCHUNK_DATA_URL_H

#include "hierarchy/node.h"

/* `prefix` and the path of the file below the folder of the hierarchy, encoded if the prefix is
 * that of a URL; without a prefix the absolute path of the file. The caller frees it. */
xta_status xta__data_url(const xta_zarr *zarr, const hierarchy_node *node, const char *prefix,
                         char **url, xta_error *err);

/* Text as a part of the path of a URL (RFC 3986); slashes stay. The caller frees it; NULL: out of
 * memory. */
char *xta__url_encode(const char *text);

#endif
