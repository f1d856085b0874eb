/* Files whose cells lie densely in row or column order, with or without a header: raw files, .npy
 * files, and dense cells in files of other formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DENSE_DENSE_FILE_H
#define XTA_FORMATS_DENSE_DENSE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/box.h>

typedef struct bridge_dense {
    int fd;
    char *path;
    uint64_t offset; /* offset of the first cell */
    size_t cell_bytes;
    size_t swap_bytes; /* bytes of a number, if they are to be swapped; 0 or 1: they are not */
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    xta_order order;
    /* Where bytes come from if not from `fd`, such as a compressed file. NULL: from `fd`. */
    xta_status (*get)(const struct bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                      xta_error *err);
    void *stream; /* of `get` */
    /* counts system calls that moved cells: reads, then writes; NULL: not counted */
    uint64_t *n_calls;
} bridge_dense;

xta_status xta__dense_open(bridge_dense *file, const char *path, uint64_t *file_bytes,
                           xta_error *err);
xta_status xta__dense_create(bridge_dense *file, const char *path, xta_error *err);
/* Read plain bytes at an offset; a file that ends early is an error. */
xta_status xta__dense_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                            xta_error *err);
xta_status xta__dense_put_bytes(const bridge_dense *file, uint64_t offset, const void *bytes,
                                size_t n, xta_error *err);
xta_status xta__dense_read(const bridge_dense *file, const xta_box *box, void *cells,
                           xta_error *err);
xta_status xta__dense_write(const bridge_dense *file, const xta_box *box, const void *cells,
                            xta_error *err);
xta_status xta__dense_finish(bridge_dense *file, xta_error *err);
void xta__dense_close(bridge_dense *file);
/* Bytes of all cells; false if the number does not fit in 63 bits. */
bool xta__dense_total(const bridge_dense *file, uint64_t *bytes);
/* Bytes of each number in a cell of this type, which a byte swap reverses. */
size_t xta__dense_unit(xta_type type);

#endif
