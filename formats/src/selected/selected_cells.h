/* Selected cells of the axes of a foreign dataset, numbered from 0 in the order in which they come,
 * and how they are read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SELECTED_SELECTED_CELLS_H
#define XTA_FORMATS_SELECTED_SELECTED_CELLS_H

#include <xta/select.h>

/* Of one axis: every step-th cell from `lo` on, or a list. Cells of the dataset, from 0. */
typedef struct selected_cells {
    int64_t lo, step;
    int64_t n;     /* how many are selected */
    int64_t *list; /* NULL: none. Owned */
    int64_t of;    /* how many the axis has */
} selected_cells;

/* Become the cells of one axis of a selection, which gives its list away; its numbers begin at
 * `begin`. */
void xta__selected_init(xta_selection *selection, int axis, int64_t begin, int64_t of,
                        selected_cells *cells);
void xta__selected_clear(selected_cells *cells);

/* The k-th selected cell; `cells` NULL: all are. */
int64_t xta__selected_at(const selected_cells *cells, int64_t k);

/* Whether the cells follow each other in the dataset. */
bool xta__selected_is_range(const selected_cells *cells);

/* 1: they ascend, -1: they descend, 0: neither. One cell: 1. */
int xta__selected_direction(const selected_cells *cells);

/* A dataset whose cells are read. */
typedef struct selected_source {
    /* Read a box that is not empty, in cells of the dataset. */
    xta_status (*read)(void *user, const xta_box *box, void *cells, xta_error *err);
    void *user;
    const char *path; /* for errors */
    size_t cell_bytes;
    xta_order order; /* of cells in memory: XTA_ROW or XTA_COLUMN */
    /* On each axis, NULL: all cells are selected. */
    const selected_cells *cells[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM]; /* cells of the whole dataset */
    const int64_t *chunk;         /* in which it is stored; NULL: contiguous */
} selected_source;

/* Read a box in numbers of selected cells, in slabs of 16 MiB where cells between selected ones are
 * read with them. XTA_ENOMEM, or as `read`. */
xta_status xta__selected_read(const selected_source *source, const xta_box *box, void *cells,
                              xta_error *err);

#endif
