/* Growth in memory: a memory array, which allocates a new segment and moves nothing, against the
 * conventional way, which allocates memory for the new shape and copies every row into it ([CXA]
 * Fig. 3.5.2, 6.4.2). Growth of the slowest axis keeps the conventional layout, so that side uses
 * realloc there.
 *
 * The cells of the new slab are written on both sides inside the timed part of "growth with its
 * cells".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAX_AXES    4
#define REPETITIONS 5

typedef struct growth_test {
    int ndim;
    int64_t chunk; // a side; each growth is one chunk
    int64_t start; // cells per side
    int n;         // growths, on the axes in turn
    bool with_cells;
    double *slab;
    double *all;
} growth_test;

typedef struct conventional {
    int ndim;
    int64_t length[MAX_AXES];
    double *cells;
} conventional;

static size_t cells_of(int ndim, const int64_t length[])
{
    size_t n = 1;
    for (int axis = 0; axis < ndim; axis++) {
        n *= (size_t)length[axis];
    }
    return n;
}

/* A row-major array and the corner in it that cells are copied from or to. */
typedef struct place {
    double *cells;
    const int64_t *length;
    const int64_t *corner;
} place;

static double *cell_at(int ndim, const place *at, const int64_t coord[])
{
    size_t offset = 0;
    for (int axis = 0; axis < ndim; axis++) {
        offset = offset * (size_t)at->length[axis] + (size_t)(coord[axis] + at->corner[axis]);
    }
    return at->cells + offset;
}

/* Copy a box of `size` cells row by row, or in larger pieces where these are contiguous in both
 * arrays. */
static void copy_cells(int ndim, const int64_t size[], const place *from, const place *to)
{
    int64_t coord[MAX_AXES] = {0};
    int last = ndim - 1;
    int axis = last;
    size_t piece = (size_t)size[last];

    while (last > 0 && size[last] == from->length[last] && size[last] == to->length[last]) {
        piece *= (size_t)size[--last];
    }
    while (axis >= 0) {
        memcpy(cell_at(ndim, to, coord), cell_at(ndim, from, coord), piece * sizeof(double));
        for (axis = last - 1; axis >= 0 && ++coord[axis] == size[axis]; axis--) {
            coord[axis] = 0;
        }
    }
}

static const int64_t ORIGIN[MAX_AXES] = {0};

static void grow_conventional(conventional *array, int axis, int64_t by)
{
    int64_t length[MAX_AXES];
    double *cells;

    memcpy(length, array->length, sizeof length);
    length[axis] += by;
    size_t n = cells_of(array->ndim, length);
    if (axis == 0) {
        size_t old = cells_of(array->ndim, array->length);
        cells = realloc(array->cells, n * sizeof(double));
        if (cells != NULL && n > old) {
            memset(cells + old, 0, (n - old) * sizeof(double));
        }
    } else {
        cells = calloc(n, sizeof(double));
        if (cells != NULL) {
            place old = {array->cells, array->length, ORIGIN};
            place new = {cells, length, ORIGIN};
            copy_cells(array->ndim, array->length, &old, &new);
            free(array->cells);
        }
    }
    if (cells == NULL) {
        bench_die("no memory for %zu cells", n);
    }
    array->cells = cells;
    memcpy(array->length, length, sizeof length);
}

/* The slab that growing `axis` by one chunk adds to an array of `length`, with its cells. */
static xta_box make_slab(const growth_test *test, const int64_t length[], int axis)
{
    int64_t lo[MAX_AXES] = {0};
    int64_t size[MAX_AXES];

    memcpy(size, length, sizeof size);
    lo[axis] = length[axis];
    size[axis] = test->chunk;
    xta_box slab = bench_box(test->ndim, lo, size);
    bench_fill(&slab, test->slab);
    return slab;
}

/* The cells of the first box, and those of the slabs if they were written. */
static xta_box checked_box(const growth_test *test, const int64_t length[])
{
    int64_t first[MAX_AXES];

    for (int axis = 0; axis < test->ndim; axis++) {
        first[axis] = test->start;
    }
    return bench_box(test->ndim, ORIGIN, test->with_cells ? length : first);
}

static double run_conventional(void *state, int repetition)
{
    growth_test *test = state;
    conventional array = {.ndim = test->ndim};
    double taken = 0;
    (void)repetition;

    for (int axis = 0; axis < test->ndim; axis++) {
        array.length[axis] = test->start;
    }
    xta_box first = bench_box(test->ndim, ORIGIN, array.length);
    array.cells = bench_memory(cells_of(test->ndim, array.length) * sizeof(double));
    bench_fill(&first, array.cells);
    for (int i = 0; i < test->n; i++) {
        int axis = i % test->ndim;
        int64_t size[MAX_AXES];
        xta_box slab = make_slab(test, array.length, axis);
        for (int k = 0; k < test->ndim; k++) {
            size[k] = slab.hi[k] - slab.lo[k];
        }
        double start = bench_now();
        grow_conventional(&array, axis, test->chunk);
        if (test->with_cells) {
            place from = {test->slab, size, ORIGIN};
            place to = {array.cells, array.length, slab.lo};
            copy_cells(test->ndim, size, &from, &to);
        }
        taken += bench_now() - start;
    }
    xta_box box = checked_box(test, array.length);
    place from = {array.cells, array.length, ORIGIN};
    place to = {test->all, box.hi, ORIGIN};
    copy_cells(test->ndim, box.hi, &from, &to);
    bench_verify(&box, test->all, "the conventional array");
    free(array.cells);
    return taken;
}

static double run_ours(void *state, int repetition)
{
    growth_test *test = state;
    int64_t chunk[MAX_AXES];
    int64_t length[MAX_AXES] = {0};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    double taken = 0;
    (void)repetition;

    for (int axis = 0; axis < test->ndim; axis++) {
        chunk[axis] = test->chunk;
        length[axis] = test->start;
    }
    options.chunk = chunk;
    BENCH_XTA(xta_array_new(XTA_F64, test->ndim, length, &options, &array, &bench_error));
    xta_box first = xta_array_bounds(array);
    bench_fill(&first, test->all);
    BENCH_XTA(xta_array_write(array, &first, NULL, test->all, &bench_error));
    for (int i = 0; i < test->n; i++) {
        int axis = i % test->ndim;
        xta_growth growth = {axis, XTA_BACK, test->chunk};
        xta_box slab = make_slab(test, length, axis);
        length[axis] += test->chunk;
        double start = bench_now();
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        if (test->with_cells) {
            BENCH_XTA(xta_array_write(array, &slab, NULL, test->slab, &bench_error));
        }
        taken += bench_now() - start;
    }
    xta_box box = checked_box(test, length);
    BENCH_XTA(xta_array_read(array, &box, NULL, test->all, &bench_error));
    bench_verify(&box, test->all, "xta");
    BENCH_XTA(xta_array_close(array, &bench_error));
    return taken;
}

static void compare(int ndim, int64_t chunk, int64_t start, int n)
{
    growth_test test = {.ndim = ndim, .chunk = chunk, .start = start, .n = n};
    bench_side sides[] = {{run_ours, &test}, {run_conventional, &test}};
    int64_t most[MAX_AXES];
    double seconds[2];
    char name[80];

    for (int axis = 0; axis < ndim; axis++) {
        most[axis] = start + chunk * (n / ndim + 1);
    }
    test.all = bench_memory(cells_of(ndim, most) * sizeof(double));
    most[0] = chunk;
    test.slab = bench_memory(cells_of(ndim, most) * sizeof(double));
    snprintf(name, sizeof name, "%d axes; from %lld a side; %d growths by %lld", ndim,
             (long long)start, n, (long long)chunk);
    for (int with_cells = 0; with_cells < 2; with_cells++) {
        test.with_cells = with_cells == 1;
        bench_alternate(sides, 2, REPETITIONS, seconds);
        bench_print(&(bench_row){name, with_cells == 1 ? "growth with its cells" : "growth",
                                 seconds[0] / n * 1e6, "reallocation and copy",
                                 seconds[1] / n * 1e6, "us", BENCH_TIME, 0});
    }
    free(test.slab);
    free(test.all);
}

int main(void)
{
    bool small = bench_small();

    bench_begin("growth");
    compare(2, 32, small ? 256 : 512, small ? 16 : 48);
    compare(3, 32, small ? 64 : 96, small ? 6 : 12);
    compare(4, 16, small ? 16 : 32, 8);
    return 0;
}
