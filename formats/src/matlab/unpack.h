/* Compressed elements of MATLAB files of version 7, read as if they were not compressed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_MATLAB_UNPACK_H
#define XTA_FORMATS_MATLAB_UNPACK_H

#include "dense/dense_file.h"

/* Make the file return the decompressed bytes of one of its elements, from offset 0 on. To be ended
 * by xta__matlab_unpack_end. */
xta_status xta__matlab_unpack(bridge_dense *file, uint64_t at, uint64_t n_packed, xta_error *err);
void xta__matlab_unpack_end(bridge_dense *file);
/* Decompress a whole element, but not much beyond `limit` bytes, and discard the bytes: checks that
 * it is complete, and returns how many bytes it has. */
xta_status xta__matlab_unpack_all(bridge_dense *file, const char *name, uint64_t limit,
                                  uint64_t *n_bytes, xta_error *err);

#endif
