/* Selected cells: random boxes of random selections have the cells of a naive loop, whatever the
 * order in memory and the chunks; nothing is read but what shares a chunk or a page with them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "selected/selected_cells.h"
#include "support/random.h"

enum { MOST_CELLS = 40 * 40 * 40 };

/* A dataset in memory: a cell has its place in row order. */
typedef struct dataset {
    int ndim;
    int64_t bounds[3];
    xta_order order;
    bool touched[MOST_CELLS]; /* read */
    int n_reads;
    int fail_at; /* this read fails; 0: none */
} dataset;

static int64_t place(int ndim, const int64_t bounds[], xta_order order, const int64_t at[])
{
    int64_t n = 0;

    for (int k = 0; k < ndim; k++) {
        int axis = order == XTA_COLUMN ? ndim - 1 - k : k;
        n = n * bounds[axis] + at[axis];
    }
    return n;
}

/* The coordinates of number k in a box of these lengths, in row order. */
static void coordinates(int ndim, const int64_t length[], int64_t k, int64_t at[])
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        at[axis] = k % length[axis];
        k /= length[axis];
    }
}

static xta_status read_box(void *user, const xta_box *box, void *cells, xta_error *err)
{
    dataset *d = user;
    int64_t length[3], at[3], from[3], n = 1;
    int32_t *to = cells;

    if (++d->n_reads == d->fail_at) {
        return xta_error_set(err, XTA_EIO, 0, "read %d", d->n_reads);
    }
    for (int axis = 0; axis < d->ndim; axis++) {
        assert_true(box->lo[axis] >= 0 && box->hi[axis] <= d->bounds[axis]);
        length[axis] = box->hi[axis] - box->lo[axis];
        n *= length[axis];
    }
    assert_true(n > 0);
    for (int64_t k = 0; k < n; k++) {
        coordinates(d->ndim, length, k, at);
        for (int axis = 0; axis < d->ndim; axis++) {
            from[axis] = box->lo[axis] + at[axis];
        }
        int64_t cell = place(d->ndim, d->bounds, XTA_ROW, from);
        to[place(d->ndim, length, d->order, at)] = (int32_t)cell;
        d->touched[cell] = true;
    }
    return XTA_OK;
}

static void choose(test_random *dice, int64_t of, selected_cells *cells)
{
    *cells = (selected_cells){.step = 1, .of = of};
    if (test_random_chance(dice, 40)) {
        cells->n = test_random_in(dice, 1, 6);
        cells->list = malloc((size_t)cells->n * sizeof *cells->list);
        for (int64_t k = 0; k < cells->n; k++) {
            cells->list[k] = test_random_in(dice, 0, of - 1);
        }
        return;
    }
    int64_t lo = test_random_in(dice, 0, of - 1), hi = test_random_in(dice, lo + 1, of);
    cells->lo = lo;
    cells->step = test_random_chance(dice, 50) ? test_random_in(dice, 1, 9) : 1;
    cells->n = (hi - lo - 1) / cells->step + 1;
}

/* How far a cell may be from a selected one on an axis: in the same chunk, or, between two, in
 * neighbouring ones or on a page. */
static bool may_read(const selected_source *s, int axis, int64_t cell, double row_bytes)
{
    const selected_cells *cells = s->cells[axis];
    int64_t chunk = s->chunk != NULL ? s->chunk[axis] : 1;
    bool may = cells == NULL;

    for (int64_t k = 0; !may && k < cells->n; k++) {
        int64_t other = xta__selected_at(cells, k);
        may = other / chunk == cell / chunk ||
              (s->chunk == NULL && (double)llabs(other - cell) * row_bytes < 4096);
    }
    return may;
}

static void check_reads(const dataset *d, const selected_source *s)
{
    int64_t n = 1, at[3];

    for (int axis = 0; axis < d->ndim; axis++) {
        n *= d->bounds[axis];
    }
    for (int64_t k = 0; k < n; k++) {
        coordinates(d->ndim, d->bounds, k, at);
        for (int axis = 0; d->touched[k] && axis < d->ndim; axis++) {
            double row = sizeof(int32_t);
            for (int other = 0; other < d->ndim; other++) {
                bool faster = s->order == XTA_COLUMN ? other < axis : other > axis;
                row *= faster ? (double)d->bounds[other] : 1;
            }
            assert_true(may_read(s, axis, at[axis], row));
        }
    }
}

/* A part of the selection against the loop over its cells. */
static void check_part(test_random *dice, dataset *d, const selected_source *s,
                       const int64_t count[], int32_t *got)
{
    xta_box box = {.ndim = d->ndim};
    int64_t length[3], at[3], from[3], n = 1;
    xta_error err = {0};

    for (int axis = 0; axis < d->ndim; axis++) {
        box.lo[axis] = test_random_in(dice, 0, count[axis] - 1);
        box.hi[axis] = test_random_in(dice, box.lo[axis] + 1, count[axis]);
        length[axis] = box.hi[axis] - box.lo[axis];
        n *= length[axis];
    }
    d->n_reads = 0;
    d->fail_at = 0;
    assert_int_equal(xta__selected_read(s, &box, got, &err), XTA_OK);
    for (int64_t k = 0; k < n; k++) {
        coordinates(d->ndim, length, k, at);
        for (int axis = 0; axis < d->ndim; axis++) {
            from[axis] = xta__selected_at(s->cells[axis], box.lo[axis] + at[axis]);
        }
        assert_int_equal(got[place(d->ndim, length, d->order, at)],
                         place(d->ndim, d->bounds, XTA_ROW, from));
    }
    d->fail_at = (int)test_random_in(dice, 1, d->n_reads);
    d->n_reads = 0;
    assert_int_equal(xta__selected_read(s, &box, got, &err), XTA_EIO);
}

static void test_random_selections(void **state)
{
    static dataset d;
    static int32_t got[MOST_CELLS];
    uint64_t seed = test_seed("bridge_selected_cells", 20240612);
    (void)state;

    for (uint64_t round = 0; round < test_scale(400); round++) {
        test_random dice = test_random_make(seed, round);
        selected_cells cells[3] = {{0}};
        int64_t chunk[3], count[3];
        d = (dataset){.ndim = (int)test_random_in(&dice, 1, 3),
                      .order = test_random_chance(&dice, 30) ? XTA_COLUMN : XTA_ROW};
        selected_source s = {.read = read_box,
                             .user = &d,
                             .path = "d",
                             .cell_bytes = sizeof(int32_t),
                             .order = d.order,
                             .chunk = test_random_chance(&dice, 50) ? chunk : NULL};
        for (int axis = 0; axis < d.ndim; axis++) {
            d.bounds[axis] = test_random_in(&dice, 1, 40);
            chunk[axis] = test_random_in(&dice, 1, 12);
            choose(&dice, d.bounds[axis], &cells[axis]);
            s.bounds[axis] = d.bounds[axis];
            s.cells[axis] = test_random_chance(&dice, 30) ? NULL : &cells[axis];
            count[axis] = s.cells[axis] != NULL ? cells[axis].n : d.bounds[axis];
        }
        for (int part = 0; part < 3; part++) {
            check_part(&dice, &d, &s, count, got);
        }
        check_reads(&d, &s);
        for (int axis = 0; axis < 3; axis++) {
            xta__selected_clear(&cells[axis]);
        }
    }
}

static void test_facts(void **state)
{
    int64_t up[] = {2, 3, 4}, down[] = {4, 2, 1}, mixed[] = {1, 3, 2};
    const selected_cells range = {.lo = 5, .step = 1, .n = 3, .of = 9};
    const selected_cells steps = {.lo = 0, .step = 4, .n = 3, .of = 9};
    const selected_cells ascending = {.n = 3, .list = up, .of = 9};
    const selected_cells descending = {.n = 3, .list = down, .of = 9};
    const selected_cells neither = {.n = 3, .list = mixed, .of = 9};
    (void)state;

    assert_true(xta__selected_is_range(&range) && xta__selected_is_range(&ascending));
    assert_false(xta__selected_is_range(&steps) || xta__selected_is_range(&descending));
    assert_int_equal(xta__selected_direction(&range), 1);
    assert_int_equal(xta__selected_direction(&steps), 1);
    assert_int_equal(xta__selected_direction(&descending), -1);
    assert_int_equal(xta__selected_direction(&neither), 0);
    assert_int_equal(xta__selected_at(&steps, 2), 8);
    assert_int_equal(xta__selected_at(NULL, 7), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_selections),
        cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
