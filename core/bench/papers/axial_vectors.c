/* The extendible array of [CXA] 3.3; see axial_vectors.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "axial_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"

static void add_record(axial_axis *axis, const axial_record *record)
{
    if (axis->n == axis->capacity) {
        axis->capacity = axis->capacity * 2 + 16;
        axis->records = realloc(axis->records, axis->capacity * sizeof axis->records[0]);
        if (axis->records == NULL) {
            bench_die("no memory for %u records", (unsigned)axis->capacity);
        }
    }
    if (axis->tree != NULL && xta__o2tree_insert(axis->tree, record->first, axis->n) != XTA_OK) {
        bench_die("the O2-tree takes no record %u", (unsigned)axis->n);
    }
    axis->records[axis->n++] = *record;
}

/* A record whose cells are row-major with `axis` slowest. */
static axial_record make_record(const axial_vectors *vectors, int axis)
{
    axial_record record = {vectors->bounds[axis], vectors->n_cells, {0}};
    uint64_t product = 1;

    for (int j = vectors->k - 1; j >= 0; j--) {
        if (j != axis) {
            record.coefficient[j] = product;
            product *= (uint64_t)vectors->bounds[j];
        }
    }
    record.coefficient[axis] = product;
    return record;
}

void axial_init(axial_vectors *vectors, int k, const int64_t bounds[], bool trees)
{
    *vectors = (axial_vectors){.k = k, .last_grown = -1};
    memcpy(vectors->bounds, bounds, (size_t)k * sizeof bounds[0]);
    // The first block is a record of every axis, so that each search finds one.
    axial_record first = make_record(vectors, 0);
    first.first = 0;
    uint64_t n = 1;
    for (int j = 0; j < k; j++) {
        axial_axis *axis = &vectors->axes[j];
        axis->tree = trees ? xta__o2tree_new() : NULL;
        if (trees && axis->tree == NULL) {
            bench_die("no memory for a tree");
        }
        add_record(axis, &first);
        n *= (uint64_t)bounds[j];
    }
    vectors->n_cells = n;
}

void axial_clear(axial_vectors *vectors)
{
    for (int j = 0; j < vectors->k; j++) {
        xta__o2tree_free(vectors->axes[j].tree);
        free(vectors->axes[j].records);
    }
    *vectors = (axial_vectors){0};
}

uint64_t axial_grow(axial_vectors *vectors, int axis, int64_t by)
{
    axial_record record = make_record(vectors, axis);

    if (axis != vectors->last_grown) {
        add_record(&vectors->axes[axis], &record);
    }
    vectors->last_grown = axis;
    vectors->bounds[axis] += by;
    vectors->n_cells += (uint64_t)by * record.coefficient[axis];
    return record.base;
}

uint64_t axial_n_records(const axial_vectors *vectors)
{
    uint64_t n = 0;

    for (int j = 0; j < vectors->k; j++) {
        n += vectors->axes[j].n;
    }
    return n;
}
