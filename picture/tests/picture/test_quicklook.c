/* Quicklooks of small arrays whose every pixel is known.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static test_folder folder;

static uint32_t gray(unsigned level)
{
    return 0xff000000U | level << 16 | level << 8 | level;
}

static xta_quicklook_options plain(void)
{
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.colormap = "gray";
    o.low = 0;
    o.high = 255;
    o.zoom = 1;
    return o;
}

static void each_cell_is_its_pixel(void **state)
{
    (void)state;
    const double cells[] = {1, 2, 50, 128, 254, 255};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 3}, (int64_t[]){2, 2}, NULL, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(test_image_pixel(&image, k % 3, k / 3), gray((unsigned)cells[k]));
    }
    test_image_free(&image);
    test_array_close(a);
}

static void every_type_gives_the_same_picture(void **state)
{
    (void)state;
    const xta_type types[] = {XTA_BOOL, XTA_I8,  XTA_U8,  XTA_I16, XTA_U16, XTA_I32,
                              XTA_U32,  XTA_I64, XTA_U64, XTA_F16, XTA_F32, XTA_F64};
    const double cells[] = {1, 1, 0, 1};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        xta_array *a = test_array_of(types[k], 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
        xta_quicklook_options o = plain();
        o.high = 2;
        test_array_write(a, cells);
        test_image image = test_draw(a, &o, &folder);
        assert_int_equal(test_image_pixel(&image, 0, 0), gray(128));
        assert_int_equal(test_image_pixel(&image, 1, 1), gray(128));
        assert_int_equal(test_image_pixel(&image, 0, 1), 0); // the fill value
        test_image_free(&image);
        test_array_close(a);
    }
}

static void what_is_no_data_is_transparent(void **state)
{
    (void)state;
    const float fill = -1;
    const double cells[] = {-1, 10, (double)1e20F, -999, NAN, 20, INFINITY, -INFINITY};
    xta_array *a = test_array_of(XTA_F32, 2, (int64_t[]){2, 4}, (int64_t[]){2, 2}, NULL, &fill);
    xta_quicklook_options o = plain();
    test_array_write(a, cells);
    // A double that no float equals must still match the floats that were rounded from it.
    assert_int_equal(xta_attribute_set_f64(a, XTA_ON_ARRAY, "_FillValue", 1e20, NULL), XTA_OK);
    assert_int_equal(xta_attribute_set_f64(a, XTA_ON_ARRAY, "missing_value", -999, NULL), XTA_OK);
    test_image image = test_draw(a, &o, &folder);
    const uint32_t expected[] = {0, gray(10), 0, 0, 0, gray(20), gray(255), gray(0)};
    for (int k = 0; k < 8; k++) {
        assert_int_equal(test_image_pixel(&image, k % 4, k / 4), expected[k]);
    }
    test_image_free(&image);
    test_array_close(a);
}

static void pure_colours_are_no_gaps(void **state)
{
    (void)state;
    // Red, black (never written), white, blue: a photograph with fill 0.
    const double cells[] = {255, 0, 0, 0, 0, 0, 255, 255, 255, 0, 0, 255};
    xta_array *a = test_array_of(XTA_U8, 3, (int64_t[]){2, 2, 3}, (int64_t[]){2, 2, 3}, NULL, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 2);
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xffff0000U);
    assert_int_equal(test_image_pixel(&image, 1, 0), 0);
    assert_int_equal(test_image_pixel(&image, 0, 1), 0xffffffffU);
    assert_int_equal(test_image_pixel(&image, 1, 1), 0xff0000ffU);
    test_image_free(&image);
    test_array_close(a);
}

static void zoom_keeps_cells_crisp(void **state)
{
    (void)state;
    const double cells[] = {10, 20, 30, 40};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, cells);
    for (o.zoom = 0; o.zoom <= 7; o.zoom += 7) { // 0: chosen, and then larger than one pixel
        test_image image = test_draw(a, &o, &folder);
        int side = image.width / 2;
        assert_int_equal(image.width, image.height);
        assert_true(o.zoom == 0 ? side > 8 : side == 7);
        for (int y = 0; y < image.height; y++) {
            for (int x = 0; x < image.width; x++) {
                unsigned cell = (unsigned)cells[y / side * 2 + x / side];
                assert_int_equal(test_image_pixel(&image, x, y), gray(cell));
            }
        }
        test_image_free(&image);
    }
    test_array_close(a);
}

static void a_box_of_a_grown_array(void **state)
{
    (void)state;
    xta_array *a = test_array_of(XTA_I16, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    xta_quicklook_options o = plain();
    test_array_grow(a, 1, XTA_FRONT, 3);
    test_array_grow(a, 0, XTA_FRONT, 1);
    double cells[15];
    for (int k = 0; k < 15; k++) {
        cells[k] = 10 * (k + 1);
    }
    test_array_write(a, cells); // rows -1 to 1, columns -3 to 1
    xta_box box = {2, {-1, -2}, {1, 1}};
    o.box = &box;
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 3; x++) {
            unsigned expected = (unsigned)cells[y * 5 + x + 1];
            assert_int_equal(test_image_pixel(&image, x, y), gray(expected));
        }
    }
    test_image_free(&image);
    test_array_close(a);
}

static void rows_can_be_flipped(void **state)
{
    (void)state;
    const double cells[] = {1, 2, 3, 4, 5, 6};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){3, 2}, (int64_t[]){2, 2}, NULL, NULL);
    xta_quicklook_options o = plain();
    o.flip_rows = true;
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(test_image_pixel(&image, k % 2, 2 - k / 2), gray((unsigned)cells[k]));
    }
    test_image_free(&image);
    test_array_close(a);
}

static void large_boxes_are_sampled(void **state)
{
    (void)state;
    enum { ROWS = 700, COLUMNS = 1000 };
    double *cells = malloc(sizeof *cells * ROWS * COLUMNS);
    assert_non_null(cells);
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = 1 + (k / COLUMNS * 7 + k % COLUMNS * 3) % 255;
    }
    xta_array *a =
        test_array_of(XTA_U8, 2, (int64_t[]){ROWS, COLUMNS}, (int64_t[]){64, 64}, NULL, NULL);
    xta_quicklook_options o = plain();
    o.zoom = 0;
    o.max_pixels = 300; // a step of 4: 250 by 175 pixels
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 250);
    assert_int_equal(image.height, 175);
    for (int y = 0; y < image.height; y++) {
        for (int x = 0; x < image.width; x++) {
            unsigned cell = (unsigned)cells[4 * y * COLUMNS + 4 * x];
            assert_int_equal(test_image_pixel(&image, x, y), gray(cell));
        }
    }
    test_image_free(&image);
    test_array_close(a);
    free(cells);
}

static void the_stretch_cuts_outliers(void **state)
{
    (void)state;
    double cells[1000];
    for (int k = 0; k < 1000; k++) {
        cells[k] = k * 617 % 1000; // every number from 0 to 999 once
    }
    cells[123] = 1e9; // an outlier in place of the original number
    const double fill = -1;
    xta_array *a = test_array_of(XTA_F64, 2, (int64_t[]){20, 50}, (int64_t[]){8, 8}, NULL, &fill);
    xta_quicklook_options o = plain();
    o.low = o.high = 0;
    o.percent = 10;
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    for (int k = 0; k < 1000; k++) {
        unsigned level = test_image_pixel(&image, k % 50, k / 50) & 0xff;
        double t = (cells[k] - 100) / 800;
        double expected = 255 * fmin(fmax(t, 0), 1);
        assert_true(fabs(level - expected) < 2);
    }
    test_image_free(&image);
    test_array_close(a);
}

static void a_constant_has_a_colour(void **state)
{
    (void)state;
    const double cells[] = {7, 7, 7, 7};
    xta_array *a = test_array_of(XTA_F32, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    xta_quicklook_options o = plain();
    o.low = o.high = 0;
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(test_image_pixel(&image, 0, 0), gray(128));
    test_image_free(&image);
    test_array_close(a);
}

/* Lightness of CIELAB from a pixel. */
static double lightness(uint32_t pixel)
{
    double linear[3];
    for (int k = 0; k < 3; k++) {
        double code = ((pixel >> (16 - 8 * k)) & 0xff) / 255.0;
        linear[k] = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
    }
    double y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389.0 / 27;
}

static void colour_maps_are_even(void **state)
{
    (void)state;
    const char *const names[] = {"viridis", "gray", "magma", "thermal", "turbo", "coolwarm"};
    double cells[256];
    for (int k = 0; k < 256; k++) {
        cells[k] = k;
    }
    const double fill = -1;
    xta_array *a = test_array_of(XTA_F64, 2, (int64_t[]){1, 256}, (int64_t[]){1, 64}, NULL, &fill);
    test_array_write(a, cells);
    for (int m = 0; m < 6; m++) {
        xta_quicklook_options o = plain();
        o.colormap = names[m];
        test_image image = test_draw(a, &o, &folder);
        bool evenly = m == 0 || m == 2 || m == 3;
        double first = lightness(test_image_pixel(&image, 0, 0));
        double last = lightness(test_image_pixel(&image, 255, 0));
        assert_true(m > 3 || last - first > 70);
        for (int k = 1; k < 256; k++) {
            uint32_t before = test_image_pixel(&image, k - 1, 0),
                     here = test_image_pixel(&image, k, 0);
            double straight = first + (last - first) * k / 255;
            assert_true(!evenly || fabs(lightness(here) - straight) < 1.5);
            for (int shift = 0; shift < 24; shift += 8) { // no jump that would look like an edge
                assert_true(abs((int)(before >> shift & 0xff) - (int)(here >> shift & 0xff)) < 9);
            }
            assert_true(here >> 24 == 0xff && (m == 5 || here != before));
        }
        test_image_free(&image);
    }
    test_array_close(a);
}

static void the_same_picture_is_the_same_file(void **state)
{
    (void)state;
    const char *const suffixes[] = {"png", "svg"};
    const double cells[] = {1, 2, 3, 4, 5, 6};
    xta_array *a = test_array_of(XTA_F32, 2, (int64_t[]){2, 3}, (int64_t[]){2, 2}, NULL, NULL);
    test_array_write(a, cells);
    for (int k = 0; k < 4; k++) {
        xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
        char name[32], path[TEST_PATH_BYTES];
        uint8_t *bytes[3];
        size_t n[3];
        o.legend = k / 2 == 1;
        for (int run = 0; run < 3; run++) {
            snprintf(name, sizeof name, "same%d.%s", run, suffixes[k % 2]);
            test_folder_join(&folder, name, path);
            assert_int_equal(xta_picture_quicklook(a, &o, path, NULL), XTA_OK);
            bytes[run] = test_file_read(path, &n[run]);
            assert_int_equal(n[run], n[0]);
            assert_memory_equal(bytes[run], bytes[0], n[0]);
        }
        for (int run = 0; run < 3; run++) {
            free(bytes[run]);
        }
    }
    test_array_close(a);
}

static void one_axis_is_a_strip(void **state)
{
    (void)state;
    const double cells[] = {1, 100, 200};
    xta_array *a = test_array_of(XTA_U8, 1, (int64_t[]){3}, (int64_t[]){2}, NULL, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, cells);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 1);
    assert_int_equal(test_image_pixel(&image, 1, 0), gray(100));
    test_image_free(&image);
    o.zoom = 0;
    o.legend = true; // must work without an axis for the rows
    test_image figure = test_draw(a, &o, &folder);
    assert_true(figure.width > 3);
    test_image_free(&figure);
    test_array_close(a);
}

/* Cells of a diagram are oblong: three rows and 300 columns make a picture of 960 by 600. */
static void a_diagram_has_oblong_cells(void **state)
{
    (void)state;
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){3, 300}, (int64_t[]){3, 100}, NULL, NULL);
    test_image image = test_draw(a, &o, &folder);
    assert_in_range(image.height, 1, 100);
    test_image_free(&image);
    o.free_aspect = true;
    image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 900);
    assert_int_equal(image.height, 600);
    test_image_free(&image);
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagram_has_oblong_cells),
        cmocka_unit_test(each_cell_is_its_pixel),
        cmocka_unit_test(every_type_gives_the_same_picture),
        cmocka_unit_test(what_is_no_data_is_transparent),
        cmocka_unit_test(pure_colours_are_no_gaps),
        cmocka_unit_test(zoom_keeps_cells_crisp),
        cmocka_unit_test(a_box_of_a_grown_array),
        cmocka_unit_test(rows_can_be_flipped),
        cmocka_unit_test(large_boxes_are_sampled),
        cmocka_unit_test(the_stretch_cuts_outliers),
        cmocka_unit_test(a_constant_has_a_colour),
        cmocka_unit_test(colour_maps_are_even),
        cmocka_unit_test(the_same_picture_is_the_same_file),
        cmocka_unit_test(one_axis_is_a_strip),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("quicklook", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
