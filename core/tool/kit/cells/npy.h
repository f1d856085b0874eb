/* The header of NumPy's .npy files, for read and write, which stream boxes, steps and types that
 * the bridge, which takes whole arrays, does not. Version 1.0 is written, 1.0 to 3.0 are read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_NPY_H
#define XTA_CLI_NPY_H

#include "kit/cli.h"

typedef struct cli_npy {
    xta_type type;
    size_t cell_bytes;
    bool swapped; // cells have the other byte order than this machine
    xta_order order;
    int ndim;
    int64_t shape[XTA_MAX_NDIM];
} cli_npy;

#define CLI_NPY_HEADER_BYTES 1024

/* Write a header; gives its length, a multiple of 64. */
size_t cli_npy_header(const cli_npy *npy, char header[CLI_NPY_HEADER_BYTES]);

/* Read a header from where `file` stands; it then stands at the first cell. `path` is for errors.
 * */
xta_status cli_npy_read(FILE *file, const char *path, cli_npy *npy, cli_error *err);

/* Turn around the bytes of each number of `n` cells. */
void cli_npy_swap(const cli_npy *npy, void *cells, uint64_t n);

#endif
