/* Trees with one thing wrong: the check of O2-trees names the invariant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/tree/check.h"
#include "geometry/tree/node.h"
#include "geometry/tree/o2tree.h"

enum { N_KEYS = 1000, NOWHERE = -1 };

static xta__o2tree *tree;
static inner_node *root;
static leaf_node *first;

static int make_tree(void **state)
{
    (void)state;
    tree = xta__o2tree_new();
    assert_non_null(tree);
    for (int64_t i = 0; i < N_KEYS; i++) {
        assert_int_equal(xta__o2tree_insert(tree, i * 769 % 1009, 0), XTA_OK);
    }
    root = (inner_node *)tree->root;
    first = tree->first;
    return 0;
}

static int free_tree(void **state)
{
    (void)state;
    xta__o2tree_free(tree);
    return 0;
}

/* The tree breaks invariant `number`; so does the path to `key`, unless that is NOWHERE. */
static void assert_breaks(char number, int64_t key)
{
    const char *flaw = xta__check_tree(tree);

    assert_non_null(flaw);
    assert_int_equal(flaw[0], number);
    if (key != NOWHERE) {
        flaw = xta__check_tree_at(tree, key);
        assert_non_null(flaw);
        assert_int_equal(flaw[0], number);
    }
}

static void a_sound_tree(void **state)
{
    (void)state;
    assert_null(xta__check_tree(tree));
    for (int64_t key = -1; key < 1010; key++) {
        assert_null(xta__check_tree_at(tree, key));
    }
}

static void colours(void **state)
{
    (void)state;
    root->head.is_red = true;
    assert_breaks('1', 0);
    root->head.is_red = false;

    first->head.is_red = true;
    assert_breaks('1', 0);
    first->head.is_red = false;
}

static void black_heights(void **state)
{
    inner_node *parent = first->head.parent;

    (void)state;
    // One black node more, or one less without a red neighbour, on the paths through it.
    assert_false(((inner_node *)parent->head.parent)->head.is_red && parent->head.is_red);
    if (parent->head.is_red) {
        parent->head.is_red = false;
        assert_breaks('2', NOWHERE);
        parent->head.is_red = true;
        return;
    }
    parent->head.is_red = true;
    bool pair =
        parent->head.parent->head.is_red || parent->child[0]->is_red || parent->child[1]->is_red;
    assert_breaks(pair ? '1' : '2', NOWHERE);
    parent->head.is_red = false;
}

static void parents(void **state)
{
    inner_node *parent = first->head.parent;

    (void)state;
    first->head.parent = root->head.parent;
    assert_breaks('3', 0);
    first->head.parent = parent;
}

static void separators(void **state)
{
    (void)state;
    root->key++;
    assert_breaks('4', NOWHERE);
    assert_non_null(xta__check_tree_at(tree, root->key));
    root->key--;
}

static void keys_of_a_leaf(void **state)
{
    int64_t second = first->keys[1];

    (void)state;
    first->keys[1] = first->keys[0];
    assert_breaks('5', 0);
    first->keys[1] = second;

    int64_t key = first->keys[0];
    first->keys[0] = second + 1;
    assert_breaks('5', 0);
    first->keys[0] = key;

    tree->n_records++;
    assert_breaks('5', NOWHERE);
    tree->n_records--;
    assert_null(xta__check_tree(tree));
}

static void links(void **state)
{
    leaf_node *second = first->next;

    (void)state;
    first->next = second->next;
    assert_breaks('6', 0);
    first->next = second;

    second->previous = NULL;
    assert_breaks('6', 0);
    second->previous = first;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sound_tree, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(colours, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(black_heights, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(parents, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(separators, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(keys_of_a_leaf, make_tree, free_tree),
        cmocka_unit_test_setup_teardown(links, make_tree, free_tree),
    };

    return cmocka_run_group_tests_name("tree_check", tests, NULL, NULL);
}
