/* The header of NumPy's .npy files, for read and write. They stream boxes, steps and types that the
 * bridge, which copies whole arrays, does not support. Version 1.0 is written, 1.0 to 3.0 are read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_NPY_H
#define XTA_CLI_NPY_H

#include "kit/cli.h"

typedef struct cli_npy {
    xta_type type;
    size_t cell_bytes;
    bool swapped; // cells have the opposite byte order of this machine
    xta_order order;
    int ndim;
    int64_t shape[XTA_MAX_NDIM];
} cli_npy;

#define CLI_NPY_HEADER_BYTES 1024

/* Write a header; returns its length, a multiple of 64. */
size_t cli_npy_header(const cli_npy *npy, char header[CLI_NPY_HEADER_BYTES]);

/* Read a header at the position of `file`, and move to the first cell. `path` is for errors.
 * */
xta_status cli_npy_read(FILE *file, const char *path, cli_npy *npy, cli_error *err);

/* Swap the bytes of each number in `n` cells. */
void cli_npy_swap(const cli_npy *npy, void *cells, uint64_t n);

#endif
