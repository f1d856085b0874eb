/* [CXA] Algorithms 3 to 6 as printed, against the oracle and the library; docs/ERRATA.md 9.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/tree/o2tree.h"
#include "papers/pair.h"
#include "papers/printed.h"

/* ---- Algorithms 3, 4 and 6: a tree whose leaves hold up to two keys ---- */

#define BUCKET 2

typedef struct node {
    bool leaf;
    int64_t key[BUCKET]; // an inner node has one
    int n;
    struct node *left, *right, *parent;
} node;

/* "newLeaf.parent <- newNode; leaf.parent <- newNode": nothing makes them newNode's children, and
 * nothing puts newNode where the leaf was. */
static void split_as_printed(node *leaf, int64_t key, node *new_leaf, node *new_node)
{
    new_leaf->leaf = true;
    for (int i = BUCKET / 2; i < BUCKET; i++) {
        new_leaf->key[new_leaf->n++] = leaf->key[i];
    }
    leaf->n = BUCKET / 2;
    node *to = key < new_leaf->key[0] ? leaf : new_leaf;
    to->key[to->n++] = key;
    new_node->key[0] = new_leaf->key[0];
    new_leaf->parent = new_node;
    leaf->parent = new_node;
}

/* Algorithm 6 down to the leaf. */
static const node *leaf_for(const node *at, int64_t key)
{
    while (!at->leaf) {
        at = key < at->key[0] ? at->left : at->right;
    }
    return at;
}

static bool holds(const node *leaf, int64_t key)
{
    for (int i = 0; i < leaf->n; i++) {
        if (leaf->key[i] == key) {
            return true;
        }
    }
    return false;
}

static void a_split_leaf_is_lost(void **state)
{
    node root = {.leaf = true, .key = {0, 3}, .n = 2}, new_leaf = {0}, new_node = {0};
    int64_t found = 0;

    (void)state;
    split_as_printed(&root, 7, &new_leaf, &new_node);
    assert_true(holds(&new_leaf, 7));
    // The root is still the old leaf: keys 3 and 7 cannot be reached.
    assert_true(holds(leaf_for(&root, 0), 0));
    assert_false(holds(leaf_for(&root, 3), 3));
    assert_false(holds(leaf_for(&root, 7), 7));
    new_node.left = &root;
    new_node.right = &new_leaf;
    for (int64_t key = 0; key <= 7; key += key == 0 ? 3 : 4) {
        assert_true(holds(leaf_for(&new_node, key), key));
    }
    xta__o2tree *tree = xta__o2tree_new();
    assert_non_null(tree);
    for (int64_t key = 0; key < 1000; key++) {
        assert_int_equal(xta__o2tree_insert(tree, key, (uint32_t)key), XTA_OK);
    }
    for (int64_t key = 0; key < 1000; key++) {
        assert_true(xta__o2tree_floor(tree, key, NULL, &found));
        assert_int_equal(found, key);
    }
    xta__o2tree_free(tree);
}

/* Algorithm 3 looks at "node.left.color" and "node.right.color" after each step, also where the
 * step has led to a leaf. Returns how many steps there are until it looks at what is not there. */
static int steps_until_nothing(const node *at, int64_t key)
{
    int steps = 0;

    while (!at->leaf) {
        at = key < at->key[0] ? at->left : at->right;
        steps++;
        if (at->left == NULL || at->right == NULL) {
            return steps;
        }
    }
    return -1;
}

static void a_leaf_has_no_children(void **state)
{
    node a = {.leaf = true, .key = {0}, .n = 1}, b = {.leaf = true, .key = {3}, .n = 1};
    node root = {.key = {3}, .n = 1, .left = &a, .right = &b};

    (void)state;
    assert_int_equal(steps_until_nothing(&root, 4), 1);
    assert_int_equal(steps_until_nothing(&root, 1), 1);
    assert_true(leaf_for(&root, 4) == &b);
}

/* Algorithm 6 returns "node.axialVector" of a leaf; with more than one record in a leaf, as 4.2
 * allows, the search in the leaf that the text speaks of is missing. */
static void a_leaf_has_more_than_one_record(void **state)
{
    const node leaf = {.leaf = true, .key = {0, 3}, .n = 2};
    xta__o2tree *tree = xta__o2tree_new();
    uint32_t value = 0;

    (void)state;
    assert_non_null(tree);
    assert_int_equal(xta__o2tree_insert(tree, 0, 10), XTA_OK);
    assert_int_equal(xta__o2tree_insert(tree, 3, 13), XTA_OK);
    assert_int_equal(leaf_for(&leaf, 4)->key[0], 0); // for 3
    assert_true(xta__o2tree_floor(tree, 4, &value, NULL));
    assert_int_equal(value, 13);
    xta__o2tree_free(tree);
}

/* ---- Algorithm 5 ---- */

/* "if S_i < V.startIndex". */
static int64_t by_start_index(const int64_t index[3])
{
    int l = 0, z = printed_floor(&printed_cxa, 0, index[0]);
    int64_t s = printed_cxa.at[0][z].index;

    for (int i = 1; i < 3; i++) {
        int v = printed_floor(&printed_cxa, i, index[i]);
        if (s < printed_cxa.at[i][v].index) {
            l = i;
            z = v;
            s = printed_cxa.at[i][v].index;
        }
    }
    return printed_apply(&printed_cxa, l, z, index);
}

static void start_index_is_not_start_address(void **state)
{
    pair both;
    int wrong = 0;

    (void)state;
    pair_begin_cxa(&both);
    // D_2's hyperslab begins at 50 and index 2, D_1's at 18 and index 3.
    assert_int_equal(by_start_index((int64_t[]){0, 4, 2}), 26);
    assert_int_equal(pair_address(&both, (int64_t[]){1, 4, 0}), 26);
    assert_int_equal(pair_address(&both, (int64_t[]){0, 4, 2}), 54);
    for (uint64_t q = 0; q < 75; q++) {
        int64_t element[3];
        pair_chunk(&both, q, element);
        wrong += by_start_index(element) != (int64_t)q;
        assert_int_equal(printed_address(&printed_cxa, element), q);
    }
    assert_int_equal(wrong, 16);
    pair_end(&both);
}

/* "for i <- 0 to k - 1 do if i <- I then": an assignment sets the loop back. The iterations until
 * the loop ends, or `limit`. */
static int iterations(int k, int owner, bool assign, int limit)
{
    int count = 0;

    for (int i = 0; i < k && count < limit; i++) {
        count++;
        i = assign ? owner : i;
    }
    return count;
}

static void the_condition_is_no_assignment(void **state)
{
    (void)state;
    assert_int_equal(iterations(3, 0, true, 1000), 1000);
    assert_int_equal(iterations(3, 1, true, 1000), 1000);
    assert_int_equal(iterations(3, 1, false, 1000), 3);
}

/* "j_i <- i_i" and "i_ci <- i_i": Eq. 4.1.4 divides by the chunk's length, and 4.1 takes the
 * remainder. Chunks of 3 x 3 cells, A[4][5]. */
static void indexes_are_translated(void **state)
{
    static const int64_t cell[] = {3, 4};
    uint64_t address = 0;
    xta_location location;
    pair both;

    (void)state;
    pair_begin(&both, 2, (int64_t[]){4, 5}, (int64_t[]){3, 3}, XTA_EXACT);
    // <0; 0; 2, 1>: chunk (3,4) would be number 10, of 4.
    assert_int_equal(2 * cell[0] + cell[1], 10);
    assert_int_not_equal(xta_array_chunk_address(both.array, cell, &address, NULL), XTA_OK);
    // The displacement of (3,4) in a chunk of 9 would be 13.
    assert_int_equal(3 * cell[0] + cell[1], 13);
    assert_int_equal(xta_array_locate(both.array, cell, &location, NULL), XTA_OK);
    assert_int_equal(location.address, 2 * (cell[0] / 3) + cell[1] / 3);
    assert_int_equal(location.position, 3 * (cell[0] % 3) + cell[1] % 3);
    pair_end(&both);
}

/* "base <- A.startLoc + prod * chunked_size": the start is counted in chunks like prod (Fig. 4.1.1:
 * 4 in <2; 4; 1, 2; S_1>) and is to be multiplied too. */
static void the_start_is_in_chunks(void **state)
{
    static const int64_t cell[] = {3, 6};
    xta_location location;
    pair both;

    (void)state;
    pair_begin(&both, 2, (int64_t[]){4, 5}, (int64_t[]){3, 3}, XTA_EXACT);
    pair_grow(&both, 1, 3);
    assert_int_equal(xta_array_locate(both.array, cell, &location, NULL), XTA_OK);
    assert_int_equal(4 + 1 * 9, 13); // inside chunk 1
    assert_int_equal(location.address * 9 + location.position, (4 + 1) * 9);
    assert_int_equal(pair_address(&both, (int64_t[]){1, 2}), 5);
    pair_end(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_leaf_is_lost),
        cmocka_unit_test(a_leaf_has_no_children),
        cmocka_unit_test(a_leaf_has_more_than_one_record),
        cmocka_unit_test(start_index_is_not_start_address),
        cmocka_unit_test(the_condition_is_no_assignment),
        cmocka_unit_test(indexes_are_translated),
        cmocka_unit_test(the_start_is_in_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
