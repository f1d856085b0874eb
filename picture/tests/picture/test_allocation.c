/* Allocation maps: every square has its chunk's address in the array, the colour of its segment,
 * and legible letters.
 *
 * An SVG shows what is where: it has a hint for each square, with its position, and the text drawn
 * in it. The PNG has the same geometry at twice the size.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "images.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"

#define PNG_SCALE 2

static test_folder folder;

typedef struct square {
    double x, y, w, h;
    int64_t row, column;
    uint64_t address;
} square;

/* The squares of a map, in the order they were drawn. */
static square *read_squares(const char *svg, size_t *n)
{
    size_t capacity = 16;
    square *squares = malloc(capacity * sizeof *squares);
    *n = 0;
    for (const char *at = strstr(svg, "<rect x="); at != NULL; at = strstr(at + 1, "<rect x=")) {
        square s;
        if (sscanf(at,
                   "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"><title>chunk %" SCNd64
                   ", %" SCNd64 ": address %" SCNu64,
                   &s.x, &s.y, &s.w, &s.h, &s.row, &s.column, &s.address) != 7) {
            continue; // a rectangle drawn by Cairo
        }
        if (*n == capacity) {
            capacity *= 2;
            squares = realloc(squares, capacity * sizeof *squares);
        }
        assert_non_null(squares);
        squares[(*n)++] = s;
    }
    return squares;
}

/* Each square has the address of its chunk and shows it in letters that fit and can be read. */
static size_t check_addresses(xta_array *a, const char *svg, int rows, int columns,
                              const int64_t at[])
{
    size_t n = 0;
    square *squares = read_squares(svg, &n);
    const char *label = strstr(svg, "<text x=");
    for (size_t k = 0; k < n; k++, label = strstr(label + 1, "<text x=")) {
        int64_t chunk[XTA_MAX_NDIM] = {0};
        uint64_t address = 0;
        double x, y, size, length;
        uint64_t shown = 0;
        memcpy(chunk, at, sizeof chunk[0] * (size_t)xta_array_ndim(a));
        if (rows >= 0) {
            chunk[rows] = squares[k].row;
        }
        chunk[columns] = squares[k].column;
        assert_int_equal(xta_array_chunk_address(a, chunk, &address, NULL), XTA_OK);
        assert_int_equal(squares[k].address, address);
        assert_non_null(label);
        assert_int_equal(sscanf(label,
                                "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" textLength=\"%lf\">"
                                "%" SCNu64,
                                &x, &y, &size, &length, &shown),
                         5);
        assert_int_equal(shown, address);
        assert_true(size >= 8);
        assert_true(x > squares[k].x && x + length < squares[k].x + squares[k].w);
        assert_true(y < squares[k].y + squares[k].h && y - 0.75 * size > squares[k].y);
    }
    free(squares);
    return n;
}

static const int64_t nowhere[XTA_MAX_NDIM] = {0};

static xta_array *first_figure(void)
{
    const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    xta_array *a = test_array_of(XTA_F64, 2, (int64_t[]){1, 1}, (int64_t[]){1, 1}, NULL, NULL);
    for (int k = 0; k < 7; k++) {
        test_array_grow(a, axes[k], XTA_BACK, 1);
    }
    return a;
}

static void the_first_figure_of_the_paper(void **state)
{
    (void)state;
    xta_array *a = first_figure();
    char *svg = test_map_svg(a, NULL, &folder);
    size_t n = 0;
    assert_int_equal(check_addresses(a, svg, 0, 1, nowhere), 20);
    square *squares = read_squares(svg, &n);
    for (size_t k = 0; k < n; k++) {
        if (squares[k].row == 4 && squares[k].column == 2) {
            assert_int_equal(squares[k].address, 18); // [DRX] Fig. 1
        }
    }
    assert_non_null(strstr(svg, ">first allocation</text>"));
    assert_non_null(strstr(svg, ">axis 0, back</text>"));
    free(squares);
    free(svg);
    test_array_close(a);
}

/* Which segment an address belongs to. */
static uint64_t segment_of(xta_array *a, uint64_t address)
{
    xta_array_info info;
    uint64_t found = 0;
    assert_int_equal(xta_array_inquire(a, &info, NULL), XTA_OK);
    for (uint64_t k = 0; k < info.n_segments; k++) {
        xta_segment segment;
        assert_int_equal(xta_array_segment(a, k, &segment, NULL), XTA_OK);
        found = segment.base <= address ? k : found;
    }
    return found;
}

static uint32_t corner_colour(const test_image *image, const square *s)
{
    return test_image_pixel(image, (int)(PNG_SCALE * (s->x + 5)), (int)(PNG_SCALE * (s->y + 5)));
}

static void a_segment_has_one_colour_of_its_own(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    uint32_t colour[64] = {0};
    xta_array *a = first_figure();
    test_array_grow(a, 0, XTA_FRONT, 2);
    test_array_grow(a, 1, XTA_FRONT, 1);
    char *svg = test_map_svg(a, NULL, &folder);
    square *squares = read_squares(svg, &n);
    assert_int_equal(
        xta_picture_allocation(a, NULL, test_folder_join(&folder, "map.png", path), NULL), XTA_OK);
    test_image image = test_image_decode(path);
    assert_int_equal(n, 35);
    for (size_t k = 0; k < n; k++) {
        uint64_t segment = segment_of(a, squares[k].address);
        uint32_t here = corner_colour(&image, &squares[k]);
        assert_true(colour[segment] == 0 || colour[segment] == here);
        colour[segment] = here;
    }
    xta_array_info info;
    assert_int_equal(xta_array_inquire(a, &info, NULL), XTA_OK);
    assert_int_equal(info.n_segments, 9); // two growths, one continuing the other, form one segment
    for (int k = 0; k < 9; k++) {
        assert_int_not_equal(colour[k], 0);
        for (int other = 0; other < k; other++) {
            int apart = 0;
            for (int shift = 0; shift < 24; shift += 8) {
                apart +=
                    abs((int)(colour[k] >> shift & 0xff) - (int)(colour[other] >> shift & 0xff));
            }
            assert_true(apart > 12);
        }
    }
    assert_non_null(strstr(svg, ">\u22122</text>")); // negative coordinates at the front
    assert_non_null(strstr(svg, ">axis 0, front</text>"));
    test_image_free(&image);
    free(squares);
    free(svg);
    test_array_close(a);
}

static void what_is_allocated_ahead_is_paler(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){4, 4}, (int64_t[]){2, 2}, NULL, NULL);
    xta_growth less = {1, XTA_BACK, 2};
    assert_int_equal(xta_array_shrink(a, &less, 1, NULL, NULL), XTA_OK);
    char *svg = test_map_svg(a, NULL, &folder);
    square *squares = read_squares(svg, &n);
    assert_int_equal(
        xta_picture_allocation(a, NULL, test_folder_join(&folder, "map.png", path), NULL), XTA_OK);
    test_image image = test_image_decode(path);
    assert_int_equal(n, 4);
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t inside = corner_colour(&image, &squares[0]) >> shift & 0xff;
        uint32_t outside = corner_colour(&image, &squares[1]) >> shift & 0xff;
        assert_true(outside > inside || inside == 255);
    }
    test_image_free(&image);
    free(squares);
    free(svg);
    test_array_close(a);
}

static void any_history_can_be_read(void **state)
{
    (void)state;
    uint64_t seed = test_seed("test_allocation", 20);
    for (uint64_t history = 0; history < test_scale(25); history++) {
        test_random random = test_random_make(seed, history);
        int64_t chunk[] = {test_random_in(&random, 1, 4), test_random_in(&random, 1, 4)};
        xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){3, 3}, chunk, NULL, NULL);
        int64_t n_steps = test_random_in(&random, 1, 30);
        for (int64_t k = 0; k < n_steps; k++) {
            test_array_grow(a, (int)test_random_in(&random, 0, 1),
                            test_random_chance(&random, 40) ? XTA_FRONT : XTA_BACK,
                            test_random_in(&random, 1, 7));
        }
        char *svg = test_map_svg(a, NULL, &folder);
        size_t n = check_addresses(a, svg, 0, 1, nowhere);
        xta_array_info info;
        assert_int_equal(xta_array_inquire(a, &info, NULL), XTA_OK);
        assert_true(n == info.n_chunks || (n == 0 && info.n_chunks > 1000));
        free(svg);
        test_array_close(a);
    }
}

static void slices_of_more_axes(void **state)
{
    (void)state;
    const char *const names[] = {"time", "y", "x", "band"};
    xta_array *a =
        test_array_of(XTA_U8, 4, (int64_t[]){2, 3, 4, 1}, (int64_t[]){1, 1, 1, 1}, names, NULL);
    xta_map_options o = XTA_MAP_OPTIONS_INIT;
    test_array_grow(a, 0, XTA_FRONT, 2);
    test_array_grow(a, 2, XTA_BACK, 1);
    const int64_t at[] = {-2, 99, 99, 0}; // the values for the axes shown do not matter
    o.rows = "y";
    o.columns = "x";
    o.at = at;
    char *svg = test_map_svg(a, &o, &folder);
    assert_int_equal(check_addresses(a, svg, 1, 2, at), 15);
    assert_non_null(strstr(svg, "time \u22122, band 0"));
    free(svg);
    svg = test_map_svg(a, NULL, &folder); // the first two axes of more than one chunk
    assert_int_equal(check_addresses(a, svg, 0, 1, nowhere), 12);
    free(svg);
    test_array_close(a);
}

static void one_axis_is_one_row(void **state)
{
    (void)state;
    xta_array *a = test_array_of(XTA_U8, 1, (int64_t[]){5}, (int64_t[]){2}, NULL, NULL);
    test_array_grow(a, 0, XTA_FRONT, 3);
    char *svg = test_map_svg(a, NULL, &folder);
    assert_int_equal(check_addresses(a, svg, -1, 0, nowhere), 5);
    free(svg);
    test_array_close(a);
}

static void a_million_chunks_have_no_letters(void **state)
{
    (void)state;
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){1000, 900}, (int64_t[]){1, 1}, NULL, NULL);
    size_t n = 0;
    test_array_grow(a, 1, XTA_FRONT, 100);
    char *svg = test_map_svg(a, NULL, &folder);
    square *squares = read_squares(svg, &n);
    assert_int_equal(n, 0);
    assert_true(strlen(svg) < 200000);
    assert_non_null(strstr(svg, "1 000 000 chunks"));
    free(squares);
    free(svg);
    test_array_close(a);
}

static void the_same_map_is_the_same_file(void **state)
{
    (void)state;
    xta_array *a = first_figure();
    char *first = test_map_svg(a, NULL, &folder);
    char *second = test_map_svg(a, NULL, &folder);
    assert_string_equal(first, second);
    free(first);
    free(second);
    test_array_close(a);
}

static void refuses(xta_array *a, const xta_map_options *o, const char *name, xta_status expected,
                    const char *word)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    int before = test_count_files(&folder);
    xta_status status = xta_picture_allocation(a, o, test_folder_join(&folder, name, path), &err);
    assert_int_equal(status, expected);
    assert_non_null(strstr(err.text, word));
    assert_int_equal(test_count_files(&folder), before);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const char *const names[] = {"t", "y", "x"};
    const int64_t outside[] = {2, 0, 0};
    xta_array *a =
        test_array_of(XTA_C64, 3, (int64_t[]){2, 3, 4}, (int64_t[]){1, 1, 1}, names, NULL);
    xta_map_options o = XTA_MAP_OPTIONS_INIT;
    refuses(a, &o, "map.pdf", XTA_EARG, ".png or .svg");
    refuses(a, &o, "nowhere/map.png", XTA_ENOENT, "nowhere");
    o.rows = "z";
    refuses(a, &o, "bad.png", XTA_ENOENT, "z");
    o.rows = o.columns = "x";
    refuses(a, &o, "bad.png", XTA_EARG, "x");
    o.rows = "y";
    o.at = outside;
    refuses(a, &o, "bad.png", XTA_EBOX, "t");
    test_array_close(a);
    a = test_array_of(XTA_U8, 2, (int64_t[]){0, 4}, (int64_t[]){1, 1}, NULL, NULL);
    refuses(a, NULL, "bad.png", XTA_EBOX, "extend");
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_figure_of_the_paper),
        cmocka_unit_test(a_segment_has_one_colour_of_its_own),
        cmocka_unit_test(what_is_allocated_ahead_is_paler),
        cmocka_unit_test(any_history_can_be_read),
        cmocka_unit_test(slices_of_more_axes),
        cmocka_unit_test(one_axis_is_one_row),
        cmocka_unit_test(a_million_chunks_have_no_letters),
        cmocka_unit_test(the_same_map_is_the_same_file),
        cmocka_unit_test(bad_input_is_refused),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("allocation map", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
