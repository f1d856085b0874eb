/* Slabs: random boxes are cut so that every cell lies in exactly one slab, no slab exceeds the
 * limit if a chunk fits in it, and cuts lie on the chunk grid wherever chunks fit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "transfer/slabs.h"

static uint64_t seed = 20240607;

static int64_t pick(int64_t lo, int64_t hi)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return lo + (int64_t)((seed >> 33) % (uint64_t)(hi - lo + 1));
}

static uint64_t cells(const xta_box *box)
{
    uint64_t n = 0;
    assert_int_equal(xta_box_cells(box, &n), XTA_OK);
    return n;
}

/* Count how often each cell of the box is covered. */
static void mark(unsigned char *seen, const xta_box *whole, const xta_box *slab)
{
    int64_t coord[XTA_MAX_NDIM];
    memcpy(coord, slab->lo, sizeof coord);
    for (uint64_t n = cells(slab); n > 0; n--) {
        size_t at = 0;
        for (int axis = 0; axis < whole->ndim; axis++) {
            at = at * (size_t)(whole->hi[axis] - whole->lo[axis]) +
                 (size_t)(coord[axis] - whole->lo[axis]);
        }
        assert_int_equal(seen[at], 0);
        seen[at] = 1;
        for (int axis = whole->ndim - 1; axis >= 0; axis--) {
            if (++coord[axis] < slab->hi[axis]) {
                break;
            }
            coord[axis] = slab->lo[axis];
        }
    }
}

static void check_cuts(const bridge_slabs *slabs, const xta_box *slab, const int64_t chunk[],
                       uint64_t limit)
{
    uint64_t chunk_cells = 1;
    for (int axis = 0; axis < slab->ndim; axis++) {
        chunk_cells *= (uint64_t)chunk[axis];
    }
    assert_true(cells(slab) <= slabs->cells);
    if (limit > 0) {
        assert_true(cells(slab) <= limit);
    }
    for (int axis = 0; axis < slab->ndim && chunk_cells <= limit; axis++) {
        bool on_grid = slab->hi[axis] % chunk[axis] == 0;
        assert_true(on_grid || slab->hi[axis] == slabs->box.hi[axis]);
    }
}

static void test_random_boxes(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        xta_box box = {.ndim = (int)pick(1, 4)};
        int64_t chunk[4];
        int slow[4];
        for (int axis = 0; axis < box.ndim; axis++) {
            box.lo[axis] = pick(-20, 20);
            box.hi[axis] = box.lo[axis] + pick(1, 12);
            chunk[axis] = pick(1, 6);
            slow[axis] = axis;
        }
        for (int axis = box.ndim - 1; axis > 0; axis--) {
            int other = (int)pick(0, axis);
            int kept = slow[axis];
            slow[axis] = slow[other];
            slow[other] = kept;
        }
        uint64_t limit = (uint64_t)pick(1, 3000);
        unsigned char *seen = calloc(cells(&box), 1);
        assert_non_null(seen);
        bridge_slabs slabs;
        xta_box slab;
        uint64_t total = 0;
        xta__slabs_init(&slabs, &box, chunk, slow, 8, limit * 8);
        while (xta__slabs_next(&slabs, &slab)) {
            check_cuts(&slabs, &slab, chunk, limit);
            mark(seen, &box, &slab);
            total += cells(&slab);
        }
        assert_int_equal(total, cells(&box));
        free(seen);
    }
}

static void test_empty(void **state)
{
    int64_t lo[2] = {0, 3};
    int64_t hi[2] = {5, 3};
    int64_t chunk[2] = {2, 2};
    int slow[2] = {0, 1};
    bridge_slabs slabs;
    xta_box slab;
    xta_box box = xta_box_make(2, lo, hi);
    (void)state;
    xta__slabs_init(&slabs, &box, chunk, slow, 8, 64);
    assert_false(xta__slabs_next(&slabs, &slab));
}

/* A box is one slab if everything fits, else it is cut across the slow axis. */
static void test_slowest_first(void **state)
{
    int64_t lo[2] = {0, 0};
    int64_t hi[2] = {8, 100};
    int64_t chunk[2] = {2, 10};
    int slow[2] = {1, 0};
    bridge_slabs slabs;
    xta_box slab;
    xta_box box = xta_box_make(2, lo, hi);
    (void)state;
    xta__slabs_init(&slabs, &box, chunk, slow, 1, 800);
    assert_true(xta__slabs_next(&slabs, &slab));
    assert_true(xta_box_equal(&slab, &box));
    assert_false(xta__slabs_next(&slabs, &slab));
    xta__slabs_init(&slabs, &box, chunk, slow, 1, 799);
    assert_true(xta__slabs_next(&slabs, &slab));
    assert_int_equal(slab.hi[0], 8);
    assert_int_equal(slab.hi[1], 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_slowest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
