/* The oracle of mappings: a dense array over a box, all of which is copied whenever it grows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/dense_box.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t dense_box_count(const dense_box *dense)
{
    size_t n = 1;
    for (int d = 0; d < dense->box.ndim; d++) {
        n *= (size_t)(dense->box.hi[d] - dense->box.lo[d]);
    }
    return n;
}

void dense_box_init(dense_box *dense, const xta_box *box, size_t cell_bytes, const void *fill)
{
    dense->box = *box;
    dense->cell_bytes = cell_bytes;
    memset(dense->fill, 0, sizeof dense->fill);
    memcpy(dense->fill, fill, cell_bytes);
    size_t n = dense_box_count(dense);
    dense->cells = malloc(n * cell_bytes + 1);
    assert(dense->cells != NULL);
    for (size_t k = 0; k < n; k++) {
        memcpy(dense->cells + k * cell_bytes, fill, cell_bytes);
    }
}

void dense_box_clear(dense_box *dense)
{
    free(dense->cells);
    dense->cells = NULL;
}

unsigned char *dense_box_at(const dense_box *dense, const int64_t coord[])
{
    size_t at = 0;
    for (int d = 0; d < dense->box.ndim; d++) {
        at = at * (size_t)(dense->box.hi[d] - dense->box.lo[d]) +
             (size_t)(coord[d] - dense->box.lo[d]);
    }
    return dense->cells + at * dense->cell_bytes;
}

void dense_box_grow(dense_box *dense, const xta_growth *growth)
{
    dense_box old = *dense;
    xta_box box = old.box;
    int64_t coord[XTA_MAX_NDIM];
    if (growth->side == XTA_FRONT) {
        box.lo[growth->axis] -= growth->by;
    } else {
        box.hi[growth->axis] += growth->by;
    }
    dense_box_init(dense, &box, old.cell_bytes, old.fill);
    memcpy(coord, old.box.lo, sizeof coord);
    for (size_t n = dense_box_count(&old); n > 0; n--) {
        memcpy(dense_box_at(dense, coord), dense_box_at(&old, coord), old.cell_bytes);
        for (int d = old.box.ndim - 1; d >= 0; d--) {
            if (++coord[d] < old.box.hi[d]) {
                break;
            }
            coord[d] = old.box.lo[d];
        }
    }
    dense_box_clear(&old);
}
