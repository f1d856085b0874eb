/* The figures of the papers, through the public API: [DRX] Fig. 1, [DRX] Fig. 3, [CXA] Fig. 3.3.1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <xta/array.h>

static const int64_t ones[] = {1, 1, 1};

static xta_array *make(int ndim, const int64_t bounds[])
{
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    options.chunk = ones;
    assert_int_equal(xta_array_new(XTA_U8, ndim, bounds, &options, &array, NULL), XTA_OK);
    return array;
}

static void grow(xta_array *array, int axis, int64_t by)
{
    xta_growth growth = {axis, XTA_BACK, by};
    assert_int_equal(xta_array_extend(array, &growth, 1, NULL, NULL), XTA_OK);
}

static void assert_address(xta_array *array, const int64_t chunk[], uint64_t expected)
{
    uint64_t address = UINT64_MAX;
    xta_chunk back;
    assert_int_equal(xta_array_chunk_address(array, chunk, &address, NULL), XTA_OK);
    assert_int_equal(address, expected);
    assert_int_equal(xta_array_chunk_at(array, expected, &back, NULL), XTA_OK);
    assert_memory_equal(back.chunk.lo, chunk, (size_t)back.chunk.ndim * sizeof(int64_t));
}

static void assert_n_chunks(xta_array *array, uint64_t expected)
{
    xta_array_info info;
    assert_int_equal(xta_array_inquire(array, &info, NULL), XTA_OK);
    assert_int_equal(info.n_chunks, expected);
}

static int note_zone(void *user, const xta_chunk *chunk)
{
    uint64_t *seen = user;
    seen[0]++;
    seen[seen[0]] = chunk->address;
    return 0;
}

/* A zone of [DRX] Fig. 1 is a box of chunks, read in the order of the file. */
static void assert_zone(xta_array *array, const int64_t lo[], const int64_t hi[],
                        const uint64_t addresses[], uint64_t n)
{
    uint64_t seen[32] = {0};
    xta_box box = xta_box_make(2, lo, hi);
    assert_int_equal(xta_array_each_chunk(array, &box, note_zone, seen, NULL), XTA_OK);
    assert_int_equal(seen[0], n);
    assert_memory_equal(seen + 1, addresses, (size_t)n * sizeof(uint64_t));
}

static void drx_figure_1(void **state)
{
    (void)state;
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    static const int64_t corner[3][2] = {{0, 0}, {3, 2}, {5, 4}};
    static const uint64_t zone[4][6] = {
        {0, 1, 2, 3, 4, 5}, {6, 7, 8, 12, 13, 14}, {9, 10, 16, 17}, {11, 15, 18, 19}};
    xta_array *array = make(2, ones);

    for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
        grow(array, axes[i], 1);
    }
    assert_n_chunks(array, 20);
    assert_address(array, (int64_t[]){4, 2}, 18);
    // The cuts lie after row 2 and after column 1.
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 2; column++) {
            int64_t lo[2] = {corner[row][0], corner[column][1]};
            int64_t hi[2] = {corner[row + 1][0], corner[column + 1][1]};
            assert_zone(array, lo, hi, zone[2 * row + column],
                        (uint64_t)((hi[0] - lo[0]) * (hi[1] - lo[1])));
        }
    }
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

static void drx_figure_3(void **state)
{
    (void)state;
    xta_array *array = make(3, (int64_t[]){4, 3, 1});

    grow(array, 2, 1);
    grow(array, 2, 1);
    grow(array, 1, 1);
    grow(array, 0, 2);
    grow(array, 2, 1);
    assert_n_chunks(array, 96);
    assert_address(array, (int64_t[]){2, 1, 0}, 7);
    assert_address(array, (int64_t[]){3, 1, 2}, 34);
    assert_address(array, (int64_t[]){4, 2, 2}, 56);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

static void cxa_figure_3_3_1(void **state)
{
    (void)state;
    xta_array *array = make(3, (int64_t[]){3, 3, 2});

    grow(array, 1, 2);
    grow(array, 0, 2);
    grow(array, 2, 1);
    assert_n_chunks(array, 75);
    assert_address(array, (int64_t[]){1, 4, 0}, 26);
    assert_address(array, (int64_t[]){2, 4, 1}, 29);
    assert_address(array, (int64_t[]){3, 3, 1}, 37);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drx_figure_1),
        cmocka_unit_test(drx_figure_3),
        cmocka_unit_test(cxa_figure_3_3_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
