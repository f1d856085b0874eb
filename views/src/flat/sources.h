/* Where the bytes of a flat file come from. A source gives some that follow each other: it is in
 * memory, is cells of an array, or is computed. Between sources the file has zeros.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_SOURCES_H
#define XTA_VIEWS_FLAT_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/coordinates.h>
#include <xta/dataset.h>
#include <xta/flat.h>

#include "flat/layout/cdf.h"

/* One source. Exactly one of `bytes`, `array` and `regular.type` says where its bytes come from. */
typedef struct flat_source {
    uint64_t offset, n_bytes;
    const uint8_t *bytes; /* of the flat file */
    xta_array *array;     /* borrowed */
    xta_box box;          /* its cells */
    xta_regular regular;
    int64_t lo;        /* the first cell of `regular` */
    xta_type type;     /* of the cells in the file */
    size_t cell_bytes; /* in the file */
    size_t swap_bytes; /* bytes of each number that are swapped; 1: none are */
} flat_source;

struct xta_flat {
    char *path;
    xta_array *array;     /* of a file made from one array */
    xta_dataset *set;     /* of a file made from a data set */
    flat_source *sources; /* ascending */
    size_t n_sources, sources_capacity;
    uint8_t **blocks; /* memory that sources refer to */
    size_t n_blocks, blocks_capacity;
    uint64_t n_bytes;
    uint64_t version;
};

/* Give memory from malloc to the flat file, which frees it. False: out of memory; it is freed. */
bool xta__flat_own(xta_flat *flat, void *block);
/* Add a source; sources without bytes are left out. False: out of memory. */
bool xta__flat_add(xta_flat *flat, const flat_source *source);
/* A source that is all cells of an array, in its own type and little-endian or big-endian
 * numbers. */
flat_source xta__flat_cells(xta_array *array, bool big_endian);
/* Put the sources into the order of their offsets. */
void xta__flat_sort(xta_flat *flat);
/* The number of the first source that ends behind `offset`. */
size_t xta__flat_find(const xta_flat *flat, uint64_t offset);
/* Make the version depend on an array: on which it is, its step and its bounds. */
xta_status xta__flat_add_version(xta_flat *flat, xta_array *array, xta_error *err);

xta_status xta__flat_no_memory(const char *path, xta_error *err);

#endif
