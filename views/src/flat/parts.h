/* The parts of a flat file: which of its bytes are in memory, which are cells of an array, which
 * are computed. Between parts the file has zeros.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_PARTS_H
#define XTA_VIEWS_FLAT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/coordinates.h>
#include <xta/dataset.h>
#include <xta/flat.h>

#include "flat/layout/cdf.h"

/* One part. Exactly one of `bytes`, `array` and `regular.type` says where its bytes come from. */
typedef struct flat_part {
    uint64_t offset, n_bytes;
    const uint8_t *bytes; /* of the flat file */
    xta_array *array;     /* borrowed */
    xta_box box;          /* its cells */
    xta_regular regular;
    int64_t lo;        /* the first cell of `regular` */
    xta_type type;     /* of the cells in the file */
    size_t cell_bytes; /* in the file */
    size_t swap_bytes; /* bytes of each number that are swapped; 1: none are */
} flat_part;

struct xta_flat {
    char *path;
    xta_array *array; /* of a file made from one array */
    xta_dataset *set; /* of a file made from a data set */
    flat_part *parts; /* ascending */
    size_t n_parts, parts_capacity;
    uint8_t **blocks; /* memory that parts refer to */
    size_t n_blocks, blocks_capacity;
    uint64_t n_bytes;
    uint64_t version;
};

/* Give memory from malloc to the flat file, which frees it. False: out of memory; it is freed. */
bool xta__flat_own(xta_flat *flat, void *block);
/* Add a part; parts without bytes are left out. False: out of memory. */
bool xta__flat_add(xta_flat *flat, const flat_part *part);
/* A part that is all cells of an array, in its own type and little-endian or big-endian numbers. */
flat_part xta__flat_cells(xta_array *array, bool big_endian);
/* Put the parts into the order of their offsets. */
void xta__flat_sort(xta_flat *flat);
/* The number of the first part that ends behind `offset`. */
size_t xta__flat_find(const xta_flat *flat, uint64_t offset);
/* Make the version depend on an array: on which it is, its step and its bounds. */
xta_status xta__flat_add_version(xta_flat *flat, xta_array *array, xta_error *err);

xta_status xta__flat_no_memory(const char *path, xta_error *err);

#endif
