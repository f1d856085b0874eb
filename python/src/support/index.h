/* Basic indices of NumPy: integers, slices, an ellipsis, new axes. They become one box of the
 * library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_INDEX_H
#define XTA_PYTHON_INDEX_H

#include "support/common.h"

/* NumPy has arrays of up to 32 axes. */
#define INDEX_MAX_NDIM 32

typedef struct basic_index {
    xta_box box;                   /* the cells: every step-th from lo on */
    int64_t step[XTA_MAX_NDIM];    /* >= 1 */
    bool reversed[XTA_MAX_NDIM];   /* the result has this axis backwards */
    int64_t n[XTA_MAX_NDIM];       /* cells of each axis of the array */
    bool stepped, turned;          /* whether any step is not 1, any axis reversed */
    bool cell;                     /* integers for all axes: a scalar */
    int result_ndim;               /* of the result, without integers, with new axes */
    int64_t shape[INDEX_MAX_NDIM]; /* of the result */
    uint64_t n_cells;
} basic_index;

typedef enum index_kind {
    INDEX_BASIC,   /* parsed */
    INDEX_GENERAL, /* lists, masks, and whatever NumPy makes of the rest */
    INDEX_FAILED   /* with an exception */
} index_kind;

/* Parse the index of an array with these bounds. `path`: for messages. */
index_kind index_parse(PyObject *key, const xta_box *bounds, const char *path, basic_index *out);

/* The coordinates of one cell, if the key is a tuple of as many integers as there are axes. */
index_kind index_parse_cell(PyObject *key, const xta_box *bounds, const char *path,
                            int64_t coord[]);

/* Bytes from one cell of the box to the next in dense row-major memory of the result, and where the
 * cell of box.lo lies. */
ptrdiff_t index_strides(const basic_index *index, size_t cell_bytes, int64_t strides[]);

#endif
