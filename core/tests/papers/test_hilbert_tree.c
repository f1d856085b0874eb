/* The Hilbert curve three ways: by the tree of [CXA] Algorithm 7, by Butz's algorithm and by the
 * compact form of the library. They are one curve, for 2 to 4 axes and orders up to 6.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/order/order.h"
#include "oracle/hilbert_tree.h"
#include "papers/butz.h"

#define MOST_AXES 4

/* Above so many cells only every 61st is looked up, and the tree shares its nodes. */
#define WHOLE_CURVES ((uint64_t)1 << 18)

static void compare_curve(int n, int order, bool shared)
{
    hilbert_tree *tree = hilbert_tree_new(n, order, shared);
    int64_t lengths[MOST_AXES];
    xta__grid grid;

    for (int axis = 0; axis < n; axis++) {
        lengths[axis] = (int64_t)1 << order;
    }
    assert_int_equal(xta__grid_init(&grid, XTA_HILBERT, n, lengths), XTA_OK);
    uint64_t step = grid.n_cells <= WHOLE_CURVES ? 1 : 61;
    for (uint64_t place = 0; place < grid.n_cells; place += step) {
        int64_t coord[MOST_AXES];
        xta__grid_coord(&grid, place, coord);
        if (hilbert_tree_position(tree, coord) != place) {
            fail_msg("%d axes, order %d, cell %ld: the tree says %ld", n, order, (long)place,
                     (long)hilbert_tree_position(tree, coord));
        }
        if (butz_position(n, order, coord, BUTZ_CORRECTED) != place) {
            fail_msg("%d axes, order %d, cell %ld: Butz says %ld", n, order, (long)place,
                     (long)butz_position(n, order, coord, BUTZ_CORRECTED));
        }
    }
    hilbert_tree_free(tree);
}

static void one_curve(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST_AXES; n++) {
        for (int order = 1; order <= 6; order++) {
            compare_curve(n, order, true);
            if (n * order <= 18) {
                compare_curve(n, order, false);
            }
        }
    }
}

/* 5.4.2: "the storage requirement for tree representation [...] increases exponentially with the
 * number of dimensions". Not if equal subtrees are kept once, as 5.4.1 proposes for chunks. */
static void shared_nodes_are_few(void **state)
{
    (void)state;
    for (int n = 2; n <= 3; n++) {
        hilbert_tree *whole = hilbert_tree_new(n, 6, false), *shared = hilbert_tree_new(n, 6, true);
        size_t nodes = (((size_t)1 << (6 * n)) - 1) / (((size_t)1 << n) - 1);
        assert_int_equal(hilbert_tree_bytes(whole), (nodes << n) * 8);
        assert_true(hilbert_tree_bytes(shared) <= ((size_t)n << n << n) * 8);
        hilbert_tree_free(whole);
        hilbert_tree_free(shared);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_curve),
        cmocka_unit_test(shared_nodes_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
