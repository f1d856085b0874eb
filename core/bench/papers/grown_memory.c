/* Arrays that grow in memory; see grown_array.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "axial_vectors.h"
#include "bench.h"
#include "grown_array.h"

double *grown_fill(const xta_box *box, uint64_t *n)
{
    uint64_t count = 0;

    if (xta_box_cells(box, &count) != XTA_OK) {
        bench_die("too many cells");
    }
    double *cells = bench_memory((size_t)count * sizeof cells[0]);
    bench_fill(box, cells);
    if (n != NULL) {
        *n = count;
    }
    return cells;
}

void grown_spread(double *to, const double *from, int64_t runs, int64_t old, int64_t new)
{
    for (int64_t i = 0; i < runs; i++) {
        memcpy(to + i * new, from + i * old, (size_t)old * sizeof to[0]);
    }
}

void grown_segment_order(int k, int axis, const xta_box *slab, const double *cells, double *out)
{
    int64_t before = 1, after = 1, grown = slab->hi[axis] - slab->lo[axis];

    for (int j = 0; j < k; j++) {
        int64_t length = slab->hi[j] - slab->lo[j];
        before *= j < axis ? length : 1;
        after *= j > axis ? length : 1;
    }
    for (int64_t b = 0; b < before; b++) {
        for (int64_t g = 0; g < grown; g++) {
            memcpy(out + (g * before + b) * after, cells + (b * grown + g) * after,
                   (size_t)after * sizeof out[0]);
        }
    }
}

/* Conventional. */

typedef struct conventional {
    int64_t length[GROWN_MAX_AXES];
    double *cells;
} conventional;

static void conventional_create(grown_array *array, const xta_box *box)
{
    conventional *c = bench_memory(sizeof *c);

    memcpy(c->length, box->hi, sizeof c->length);
    c->cells = grown_fill(box, NULL);
    array->state = c;
}

/* Runs of cells that stay together: the product of the lengths up to `axis`, and from it on. */
static void runs_of(const conventional *c, int k, int axis, int64_t *runs, int64_t *cells)
{
    *runs = *cells = 1;
    for (int j = 0; j < k; j++) {
        *(j < axis ? runs : cells) *= c->length[j];
    }
}

static void conventional_extend(grown_array *array, int axis, const xta_box *slab,
                                const double *unused)
{
    conventional *c = array->state;
    int64_t by = slab->hi[axis] - slab->lo[axis], runs, old;
    double *longer;

    (void)unused;
    runs_of(c, array->k, axis, &runs, &old);
    int64_t new = old / c->length[axis] * (c->length[axis] + by);
    if (axis == 0) {
        longer = realloc(c->cells, (size_t) new * sizeof longer[0]);
    } else {
        longer = malloc((size_t)(runs * new) * sizeof longer[0]);
        if (longer != NULL) {
            grown_spread(longer, c->cells, runs, old, new);
            free(c->cells);
        }
    }
    if (longer == NULL) {
        int64_t n = runs * new;
        bench_die("no memory for %lld cells", (long long)n);
    }
    c->cells = longer;
    c->length[axis] += by;
}

static void conventional_write(grown_array *array, int axis, const xta_box *slab,
                               const double *cells)
{
    conventional *c = array->state;
    int64_t runs, all;

    runs_of(c, array->k, axis, &runs, &all);
    int64_t inner = all / c->length[axis], by = slab->hi[axis] - slab->lo[axis];
    grown_spread(c->cells + slab->lo[axis] * inner, cells, runs, by * inner, all);
}

static double conventional_get(grown_array *array, const int64_t coord[])
{
    const conventional *c = array->state;
    int64_t address = 0;

    for (int j = 0; j < array->k; j++) {
        address = address * c->length[j] + coord[j];
    }
    return c->cells[address];
}

static void conventional_destroy(grown_array *array)
{
    conventional *c = array->state;

    free(c->cells);
    free(c);
}

/* Axial vectors, without chunks: each segment is memory of its own ([CXA] 3.3, the pointers s_j).
 * The segments are listed by their bases, since a record may cover several uninterrupted
 * growths. */

typedef struct axial_memory {
    axial_vectors vectors;
    int n, capacity;
    uint64_t *bases;
    double **cells;
} axial_memory;

static void add_segment(axial_memory *a, uint64_t base, uint64_t n_cells)
{
    if (a->n == a->capacity) {
        a->capacity = a->capacity * 2 + 16;
        a->bases = realloc(a->bases, (size_t)a->capacity * sizeof a->bases[0]);
        a->cells = realloc(a->cells, (size_t)a->capacity * sizeof a->cells[0]);
    }
    if (a->bases == NULL || a->cells == NULL ||
        (a->cells[a->n] = malloc((size_t)n_cells * sizeof(double))) == NULL) {
        bench_die("no memory for %llu cells", (unsigned long long)n_cells);
    }
    a->bases[a->n++] = base;
}

static void axial_create(grown_array *array, const xta_box *box)
{
    axial_memory *a = bench_memory(sizeof *a);
    uint64_t n = 0;
    double *cells = grown_fill(box, &n);

    *a = (axial_memory){0};
    axial_init(&a->vectors, array->k, box->hi, false);
    add_segment(a, 0, n);
    memcpy(a->cells[0], cells, (size_t)n * sizeof cells[0]);
    free(cells);
    array->state = a;
}

static void axial_extend(grown_array *array, int axis, const xta_box *slab, const double *unused)
{
    axial_memory *a = array->state;

    (void)unused;
    axial_grow(&a->vectors, axis, slab->hi[axis] - slab->lo[axis]);
    uint64_t n = 0;
    if (xta_box_cells(slab, &n) != XTA_OK) {
        bench_die("too many cells");
    }
    add_segment(a, a->vectors.n_cells - n, n);
}

static void axial_write(grown_array *array, int axis, const xta_box *slab, const double *cells)
{
    axial_memory *a = array->state;

    grown_segment_order(array->k, axis, slab, cells, a->cells[a->n - 1]);
}

static double axial_get(grown_array *array, const int64_t coord[])
{
    const axial_memory *a = array->state;
    uint64_t address = axial_address(&a->vectors, coord);
    int from = 0;

    for (int n = a->n; n > 1;) {
        int half = n / 2;
        from = a->bases[from + half] <= address ? from + half : from;
        n -= half;
    }
    return a->cells[from][address - a->bases[from]];
}

static void axial_destroy(grown_array *array)
{
    axial_memory *a = array->state;

    for (int i = 0; i < a->n; i++) {
        free(a->cells[i]);
    }
    free(a->bases);
    free(a->cells);
    axial_clear(&a->vectors);
    free(a);
}

/* XTA in memory. */

static void xta_memory_create(grown_array *array, const xta_box *box)
{
    static const int64_t chunk[3][GROWN_MAX_AXES] = {{32, 32}, {32, 32, 32}, {16, 16, 16, 16}};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    double *cells = grown_fill(box, NULL);
    xta_array *handle = NULL;

    options.chunk = chunk[array->k - 2];
    BENCH_XTA(xta_array_new(XTA_F64, array->k, box->hi, &options, &handle, &bench_error));
    BENCH_XTA(xta_array_write(handle, box, NULL, cells, &bench_error));
    free(cells);
    array->state = handle;
}

static void xta_extend(grown_array *array, int axis, const xta_box *slab, const double *unused)
{
    xta_growth growth = {axis, XTA_BACK, slab->hi[axis] - slab->lo[axis]};

    (void)unused;
    BENCH_XTA(xta_array_extend(array->state, &growth, 1, NULL, &bench_error));
}

static void xta_write(grown_array *array, int axis, const xta_box *slab, const double *cells)
{
    (void)axis;
    BENCH_XTA(xta_array_write(array->state, slab, NULL, cells, &bench_error));
}

static double xta_get(grown_array *array, const int64_t coord[])
{
    double cell = 0;

    BENCH_XTA(xta_array_get(array->state, coord, &cell, &bench_error));
    return cell;
}

static void xta_destroy(grown_array *array)
{
    BENCH_XTA(xta_array_close(array->state, &bench_error));
}

static const grown_form conventional_form = {"conventional",      conventional_create,
                                             conventional_extend, conventional_write,
                                             conventional_get,    conventional_destroy};
static const grown_form axial_form = {"axial vectors", axial_create, axial_extend,
                                      axial_write,     axial_get,    axial_destroy};
static const grown_form xta_form = {"XTA",     xta_memory_create, xta_extend,
                                    xta_write, xta_get,           xta_destroy};

const grown_form *const grown_in_memory[] = {&conventional_form, &axial_form, &xta_form, NULL};
