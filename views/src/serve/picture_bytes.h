/* A quicklook in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_PICTURE_BYTES_H
#define XTA_VIEWS_SERVE_PICTURE_BYTES_H

#include <xta/array.h>

/* Draw an array as a small PNG. One is drawn at a time. `*bytes` is freed by the caller. Errors are
 * those of xta_picture_quicklook; XTA_EIO: no temporary file can be written. */
xta_status xta__picture_bytes(xta_array *array, unsigned char **bytes, size_t *n, xta_error *err);

#endif
