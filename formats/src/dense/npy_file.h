/* An .npy file: parsing its header, and making a header for a new file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DENSE_NPY_FILE_H
#define XTA_FORMATS_DENSE_NPY_FILE_H

#include "dense/dense_file.h"
#include "description/description.h"
#include "util/npy_header.h"

/* Whether the first bytes of a file are those of an .npy file. */
bool xta__npy_has_magic(const unsigned char *head, size_t n_bytes);
xta_status xta__npy_open(bridge_dense *file, const char *path, xta__npy_header *header,
                         xta_error *err);
xta_status xta__npy_describe(const xta__npy_header *header, const bridge_dense *file,
                             bridge_description *what, xta_error *err);
/* Make the header of a file for these cells. `like` may be NULL; it may hold NumPy's name of the
 * type. Returns the number of bytes in the header. */
size_t xta__npy_header_for(const bridge_description *like, xta_type type, size_t cell_bytes,
                           int ndim, const int64_t bounds[], xta_order order,
                           xta__npy_header *header, unsigned char *bytes, size_t capacity);

#endif
