/* Disk Resident Arrays: the text of F.info, and where in which file a tile of cells lies. Both are
 * pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DRA_INFO_FILE_H
#define XTA_FORMATS_DRA_INFO_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#define DRA_NAME_BYTES 80 /* of the array's name; the toolkit itself keeps 72 */
#define DRA_MOST_FILES 8192

/* What F.info says, with axes as C programs see them: the file lists them in reverse. */
typedef struct dra_info {
    xta_type type;
    size_t cell_bytes;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM];
    int n_files;
    char name[DRA_NAME_BYTES];
} dra_info;

/* Read the text of F.info. On failure `why` says line, field, value and remedy. */
bool xta__dra_parse(const char *text, size_t n_bytes, dra_info *info, char *why, size_t capacity);

/* How cells lie: in tiles, each dense and row-major as C sees it, distributed to the files in
 * turn. */
typedef struct dra_layout {
    int ndim;
    int n_files;
    int64_t bounds[XTA_MAX_NDIM];
    int64_t tile[XTA_MAX_NDIM];    /* cells of a whole tile */
    int64_t n_tiles[XTA_MAX_NDIM]; /* along each axis */
    /* Only for several files. before[k * n_files + r]: cells of those tiles of a full grid over the
     * last k axes whose numbers leave the remainder r; see info_file.c. */
    uint64_t *before;
    int64_t step[XTA_MAX_NDIM + 1]; /* tiles in such a grid, modulo n_files */
} dra_layout;

/* Where a tile lies: cells before it in its file. */
typedef struct dra_location {
    int file;
    uint64_t cells;
} dra_location;

/* XTA_EOVERFLOW: all bytes together pass 2^62. XTA_ENOMEM. */
xta_status xta__dra_layout_init(dra_layout *layout, const dra_info *info);
void xta__dra_layout_clear(dra_layout *layout);
dra_location xta__dra_locate(const dra_layout *layout, const int64_t tile[]);
/* Cells of a whole file. */
uint64_t xta__dra_file_cells(const dra_layout *layout, int file);

#endif
