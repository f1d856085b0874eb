/* F.info and the layouts of Disk Resident Arrays: the computed position of every tile must match
 * counting one tile after the other; an invalid F.info is refused with a message.
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

#include "dra/info_file.h"
#include "support/random.h"

static dra_info taken(const char *text)
{
    dra_info info;
    char why[256] = "";
    if (!xta__dra_parse(text, strlen(text), &info, why, sizeof why)) {
        fail_msg("%s", why);
    }
    return info;
}

static void test_fields(void **state)
{
    (void)state;
    dra_info info = taken("3 6 7 5 1001 1 3 4 2 4 4 \nthe name\n");
    int64_t bounds[3] = {5, 7, 6};
    int64_t chunk[3] = {2, 4, 3};
    assert_int_equal(info.ndim, 3);
    assert_memory_equal(info.bounds, bounds, sizeof bounds);
    assert_memory_equal(info.chunk, chunk, sizeof chunk);
    assert_int_equal(info.type, XTA_I32);
    assert_int_equal(info.cell_bytes, 4);
    assert_int_equal(info.n_files, 4);
    assert_string_equal(info.name, "the name");
    assert_string_equal(taken("1 9 1007 1 9 1 5\n\n").name, "");
    assert_int_equal(taken("1 9 1007 1 9 1 5\nlast line\n\n\n").n_files, 1);
}

static void test_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "x",
                                        "1",
                                        "1 9 1003 1 9 1 1",
                                        "1 9 1003 1 9 1 1 1\nx",
                                        "1 9 1003 1 9 1 1\nx\ny",
                                        "1\t9 1003 1 9 1 1\nx",
                                        "1 9 1003 1 9 1 1\r\nx"};
    dra_info info;
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char why[256] = "";
        assert_false(xta__dra_parse(texts[k], strlen(texts[k]), &info, why, sizeof why));
        assert_non_null(strstr(why, "line "));
    }
}

/* Place all tiles in file order, each after the last one of its file. */
static void count_tiles(const dra_layout *layout)
{
    uint64_t *filled = calloc((size_t)layout->n_files, sizeof *filled);
    int64_t tile[XTA_MAX_NDIM] = {0};
    uint64_t number = 0;
    int k = 0;
    assert_non_null(filled);
    do {
        int file = (int)(number++ % (uint64_t)layout->n_files);
        uint64_t cells = 1;
        dra_location place = xta__dra_locate(layout, tile);
        assert_int_equal(place.file, file);
        assert_int_equal(place.cells, filled[file]);
        for (int axis = 0; axis < layout->ndim; axis++) {
            int64_t left = layout->bounds[axis] - tile[axis] * layout->tile[axis];
            cells *= (uint64_t)(left < layout->tile[axis] ? left : layout->tile[axis]);
        }
        filled[file] += cells;
        for (k = layout->ndim - 1; k >= 0; k--) {
            int axis = layout->n_files == 1 ? layout->ndim - 1 - k : k;
            if (++tile[axis] < layout->n_tiles[axis]) {
                break;
            }
            tile[axis] = 0;
        }
    } while (k >= 0);
    for (int file = 0; file < layout->n_files; file++) {
        assert_int_equal(xta__dra_file_cells(layout, file), filled[file]);
    }
    free(filled);
}

static void test_places(void **state)
{
    uint64_t seed = test_seed("bridge_dra_info", 5);
    (void)state;
    for (uint64_t round = 0; round < test_scale(400); round++) {
        dra_info info = {.type = XTA_F64, .cell_bytes = 8};
        dra_layout layout;
        test_random random = test_random_make(seed, round);
        info.ndim = (int)test_random_in(&random, 1, 4);
        info.n_files = round % 4 == 0 ? 1 : (int)test_random_in(&random, 1, 24);
        for (int axis = 0; axis < info.ndim; axis++) {
            info.bounds[axis] = test_random_in(&random, 1, 17);
            info.chunk[axis] = test_random_in(&random, 1, 20);
        }
        assert_int_equal(xta__dra_layout_init(&layout, &info), XTA_OK);
        count_tiles(&layout);
        xta__dra_layout_clear(&layout);
    }
}

/* A position deep in an array that is too large to count through. */
static void test_huge(void **state)
{
    dra_info info = {.type = XTA_F64, .cell_bytes = 8, .ndim = 2, .n_files = 3};
    dra_layout layout;
    (void)state;
    for (int axis = 0; axis < 2; axis++) {
        info.bounds[axis] = (int64_t)1 << 29;
        info.chunk[axis] = 1;
    }
    assert_int_equal(xta__dra_layout_init(&layout, &info), XTA_OK);
    int64_t last[2] = {((int64_t)1 << 29) - 1, ((int64_t)1 << 29) - 1};
    uint64_t number = ((uint64_t)1 << 58) - 1; // every tile is one cell
    dra_location place = xta__dra_locate(&layout, last);
    assert_int_equal(place.file, number % 3);
    assert_int_equal(place.cells, number / 3);
    xta__dra_layout_clear(&layout);
    info.bounds[0] *= 4;
    assert_int_equal(xta__dra_layout_init(&layout, &info), XTA_EOVERFLOW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
