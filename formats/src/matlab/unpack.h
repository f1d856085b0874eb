/* Compressed elements of MATLAB files of version 7, read as if they were not.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_UNPACK_H
#define XTA_FORMATS_MATLAB_UNPACK_H

#include "dense/dense_file.h"

/* Let the file give the bytes that a compressed element of it unpacks to; offset 0 is their
 * first. To be ended by xta__matlab_unpack_end. */
xta_status xta__matlab_unpack(bridge_dense *file, uint64_t at, uint64_t n_packed, xta_error *err);
void xta__matlab_unpack_end(bridge_dense *file);
/* Unpack all of it, but not much beyond `limit` bytes, and keep nothing: whether it is whole, and
 * how many bytes it unpacks to. */
xta_status xta__matlab_unpack_all(bridge_dense *file, const char *name, uint64_t limit,
                                  uint64_t *n_bytes, xta_error *err);

#endif
