/* Disk Resident Arrays: the text of F.info, and the file and offset of each tile of cells. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DRA_INFO_FILE_H
#define XTA_FORMATS_DRA_INFO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#define DRA_NAME_BYTES 80 /* capacity for the array's name; the toolkit itself stores 72 */
#define DRA_MOST_FILES 8192

/* The contents of F.info, with axes as C programs see them: the file lists them in reverse. */
typedef struct dra_info {
    xta_type type;
    size_t cell_bytes;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    int n_files;
    char name[DRA_NAME_BYTES];
} dra_info;

/* Parse the text of F.info. On failure `why` says which line, field and value is wrong, and how to
 * fix it. */
bool xta__dra_parse(const char *text, size_t n_bytes, dra_info *info, char *why, size_t capacity);

/* The layout of the cells: in tiles, each dense and row-major as C sees it, distributed round-robin
 * to the files. */
typedef struct dra_layout {
    int ndim;
    int n_files;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t tile[XTA_MAX_NDIM];    /* cells of a whole tile */
    int64_t n_tiles[XTA_MAX_NDIM]; /* along each axis */
    /* Only for several files. before[k * n_files + r]: cells of those tiles of a full grid over the
     * last k axes whose numbers are r modulo n_files; see info_file.c. */
    uint64_t *before;
    int64_t step[XTA_MAX_NDIM + 1]; /* number of tiles in such a grid, modulo n_files */
} dra_layout;

/* The position of a tile: the number of cells before it in its file. */
typedef struct dra_location {
    int file;
    uint64_t cells;
} dra_location;

/* XTA_EOVERFLOW: all bytes together exceed 2^62. XTA_ENOMEM. */
xta_status xta__dra_layout_init(dra_layout *layout, const dra_info *info);
void xta__dra_layout_clear(dra_layout *layout);
dra_location xta__dra_locate(const dra_layout *layout, const int64_t tile[]);
/* Number of cells in a whole file. */
uint64_t xta__dra_file_cells(const dra_layout *layout, int file);

#endif
