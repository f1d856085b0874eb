/* Series and small multiples: lines at their values, panels that share one colour scale, and what
 * is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static test_folder folder;

static bool shows(const char *svg, const char *text)
{
    char element[256];
    snprintf(element, sizeof element, ">%s</text>", text);
    return strstr(svg, element) != NULL;
}

static void assert_shows(const char *svg, const char *text)
{
    if (!shows(svg, text)) {
        fail_msg("the picture does not show \"%s\"", text);
    }
}

static void set_text(xta_array *array, int axis, const char *name, const char *text)
{
    assert_int_equal(xta_attribute_set_text(array, axis, name, text, NULL), XTA_OK);
}

static char *read_text(const char *path)
{
    size_t n = 0;
    char *text = (char *)test_file_read(path, &n);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

static char *series_svg(xta_array *array, const xta_series_options *options)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    test_folder_join(&folder, "series.svg", path);
    if (xta_picture_series(array, options, path, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return read_text(path);
}

static char *panels_svg(xta_array *array, const xta_panels_options *options)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    test_folder_join(&folder, "panels.svg", path);
    if (xta_picture_panels(array, options, path, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return read_text(path);
}

/* time, y, x: cell t, y, x has the value 100 t + 10 y + x. */
static xta_array *cube_of(int64_t n)
{
    const char *const names[] = {"time", "y", "x"};
    double *cells = malloc((size_t)n * 12 * sizeof *cells);
    xta_array *a = test_array_of(XTA_I32, 3, (int64_t[]){n, 3, 4}, (int64_t[]){4, 3, 4}, names,
                                 &(int32_t){-1});
    assert_non_null(cells);
    for (int64_t k = 0; k < 12 * n; k++) {
        int64_t time = k / 12, y = k / 4 % 3, x = k % 4;
        cells[k] = (double)(100 * time + 10 * y + x);
    }
    test_array_write(a, cells);
    free(cells);
    return a;
}

static void a_series_has_coordinates_and_physical_values(void **state)
{
    (void)state;
    const double days[] = {730, 731, 732, 733, 734};
    const int64_t points[] = {9, 2, 3, 9, 0, 1}; // what is said of the axis does not matter
    xta_series_options o = XTA_SERIES_OPTIONS_INIT;
    xta_array *a = cube_of(5);
    test_array_numbers(a, 0, "values", days, 5);
    set_text(a, 0, "units", "days since 2000-01-01");
    test_array_numbers(a, XTA_ON_ARRAY, "scale_factor", (const double[]){0.5}, 1);
    set_text(a, XTA_ON_ARRAY, "long_name", "speed");
    set_text(a, XTA_ON_ARRAY, "units", "m s-1");
    o.points = points;
    o.n_points = 2;
    o.title = "Two points";
    char *svg = series_svg(a, &o);
    assert_shows(svg, "Two points");
    assert_shows(svg, "2002-01-02"); // the days are dates
    assert_false(shows(svg, "time [days since 2000-01-01]"));
    assert_shows(svg, "speed [m/s]");
    assert_shows(svg, "200"); // of 0 to 211.5
    assert_false(shows(svg, "400"));
    assert_shows(svg, "y 2, x 3");
    assert_shows(svg, "y 0, x 1");
    free(svg);
    // Without any option, along time at the first point.
    svg = series_svg(a, NULL);
    assert_shows(svg, "y 0, x 0");
    assert_shows(svg, "2002-01-02");
    free(svg);
    xta_box box = {.ndim = 3, .lo = {0, 1, 0}, .hi = {5, 3, 4}};
    const xta_series_options along = {sizeof along, "x", &box, NULL, 0, NULL, 0, 0, false};
    svg = series_svg(a, &along);
    assert_non_null(strstr(svg, ">time 2001-12-31"));
    assert_shows(svg, "x");
    free(svg);
    test_array_close(a);
}

/* The columns of the image that have a pixel of the line's colour. */
static int columns_of(const test_image *image, uint32_t colour, int *gaps)
{
    int n = 0, before = -1;
    *gaps = 0;
    for (int x = 0; x < image->width * 3 / 4; x++) { // the legend is right of it
        bool found = false;
        for (int y = 0; y < image->height && !found; y++) {
            found = test_image_pixel(image, x, y) == colour;
        }
        *gaps += found && before >= 0 && x - before > 8;
        before = found ? x : before;
        n += found;
    }
    return n;
}

static void a_series_breaks_where_there_is_no_data(void **state)
{
    (void)state;
    const double cells[] = {5, 6, 7, -99, 6, 5, -1, 4, 4, 4, 5, 6};
    const char *const names[] = {"time"};
    char path[TEST_PATH_BYTES];
    int gaps = 0;
    xta_array *a =
        test_array_of(XTA_I16, 1, (int64_t[]){12}, (int64_t[]){12}, names, &(int16_t){-1});
    test_array_write(a, cells);
    test_array_numbers(a, XTA_ON_ARRAY, "_FillValue", (const double[]){-99}, 1);
    test_folder_join(&folder, "gaps.png", path);
    assert_int_equal(xta_picture_series(a, NULL, path, NULL), XTA_OK);
    test_image image = test_image_decode(path);
    unsigned char rgb[3];
    xta_class_colour(1, rgb);
    uint32_t colour = 0xff000000U | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    assert_true(columns_of(&image, colour, &gaps) > 300);
    assert_int_equal(gaps, 2); // the missing value, and the cell that was never written
    test_image_free(&image);
    test_array_close(a);
}

static void a_spectrum_leaves_bad_bands_out(void **state)
{
    (void)state;
    const char *const names[] = {"band", "y", "x"};
    const double nm[] = {500, 510, 520, 530, 540, 550}, good[] = {1, 1, 0, 1, 1, 1};
    double cells[6 * 4];
    xta_array *a = test_array_of(XTA_I16, 3, (int64_t[]){6, 2, 2}, (int64_t[]){1, 2, 2}, names,
                                 &(int16_t){-1});
    for (int k = 0; k < 24; k++) {
        cells[k] = k / 4 == 2 ? 32000 : 1000 + 100 * (k / 4);
    }
    test_array_write(a, cells);
    test_array_numbers(a, 0, "wavelength", nm, 6);
    set_text(a, 0, "gdal/scale", "0.001\n0.001\n0.001\n0.001\n0.001\n0.001\n");
    set_text(a, 0, "wavelength_units", "nm\nnm\nnm\nnm\nnm\nnm\n");
    xta_series_options o = XTA_SERIES_OPTIONS_INIT;
    o.axis = "band";
    char *svg = series_svg(a, &o);
    assert_shows(svg, "wavelength [nm]");
    assert_shows(svg, "cell value \u00d7 0.001");
    assert_shows(svg, "30"); // the spike of band 2
    free(svg);
    test_array_numbers(a, 0, "bbl", good, 6);
    svg = series_svg(a, &o);
    assert_false(shows(svg, "30"));
    assert_shows(svg, "1.50");
    free(svg);
    test_array_close(a);
}

static void water_vapour_is_not_drawn(void **state)
{
    (void)state;
    const char *const names[] = {"band", "y", "x"};
    const double um[] = {1.74, 1.75, 1.76, 1.939, 1.949, 1.97, 1.98, 1.99};
    double cells[8 * 4];
    xta_series_options o = XTA_SERIES_OPTIONS_INIT;
    xta_array *a = test_array_of(XTA_I16, 3, (int64_t[]){8, 2, 2}, (int64_t[]){1, 2, 2}, names,
                                 &(int16_t){-1});
    for (int k = 0; k < 32; k++) {
        int band = k / 4;
        cells[k] = band == 3 || band == 4 ? 9000 : 100 + band;
    }
    test_array_write(a, cells);
    test_array_numbers(a, 0, "wavelength", um, 8);
    o.axis = "band";
    char *svg = series_svg(a, &o);
    assert_false(shows(svg, "8000"));
    free(svg);
    o.bad_bands_too = true;
    svg = series_svg(a, &o);
    assert_shows(svg, "8000");
    free(svg);
    test_array_close(a);
}

static void long_series_are_sampled(void **state)
{
    (void)state;
    xta_array *a = cube_of(40000);
    char *svg = series_svg(a, NULL);
    assert_shows(svg, "time, one cell in 3");
    assert_shows(svg, "20000");
    free(svg);
    test_array_close(a);
}

static void bad_series_are_refused(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const int64_t outside[] = {0, 3, 0};
    xta_error err = {XTA_OK, 0, ""};
    xta_series_options o = XTA_SERIES_OPTIONS_INIT;
    xta_array *a = cube_of(5);
    test_folder_join(&folder, "refused.svg", path);
    o.points = outside;
    o.n_points = 1;
    assert_int_equal(xta_picture_series(a, &o, path, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "point 1 has y 3, which the array has from 0 to 2"));
    o.n_points = 5000;
    assert_int_equal(xta_picture_series(a, &o, path, &err), XTA_EARG);
    o.n_points = 0;
    o.axis = "depth";
    assert_int_equal(xta_picture_series(a, &o, path, &err), XTA_ENOENT);
    o.axis = NULL;
    assert_int_equal(xta_picture_series(a, &o, "series.jpeg", &err), XTA_EARG);
    test_array_close(a);
    a = test_array_of(XTA_C64, 1, (int64_t[]){3}, (int64_t[]){3}, NULL, NULL);
    assert_int_equal(xta_picture_series(a, NULL, path, &err), XTA_ETYPE);
    test_array_close(a);
    assert_null(test_file_read(path, &(size_t){0}));
}

/* ---- small multiples ---- */

static void panels_share_their_colours(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_panels_options o = XTA_PANELS_OPTIONS_INIT;
    const char *const names[] = {"time", "y", "x"};
    xta_array *a =
        test_array_of(XTA_F64, 3, (int64_t[]){3, 2, 2}, (int64_t[]){1, 2, 2}, names, NULL);
    test_array_write(a, (const double[]){1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
    style.colormap = "gray";
    style.percent = 0.001;
    o.axis = "time";
    o.quicklook = &style;
    test_folder_join(&folder, "panels.png", path);
    assert_int_equal(xta_picture_panels(a, &o, path, NULL), XTA_OK);
    test_image image = test_image_decode(path);
    int n[3] = {0, 0, 0};
    const uint32_t grey[] = {0xff000000U, 0xff808080U, 0xffffffffU}; // lowest, middle, highest
    for (int k = 0; k < image.width * image.height; k++) {
        for (int j = 0; j < 3; j++) {
            n[j] += image.pixel[k] == grey[j];
        }
    }
    assert_true(n[0] > 10000); // each is a panel of one value
    assert_true(abs(n[0] - n[1]) < n[0] / 10);
    assert_true(n[2] > n[0]); // with the paper
    test_image_free(&image);
    test_array_close(a);
}

static void panels_are_named_by_their_coordinates(void **state)
{
    (void)state;
    const double days[] = {730, 731, 732, 733, 734};
    xta_panels_options o = XTA_PANELS_OPTIONS_INIT;
    xta_quicklook_options style = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_array *a = cube_of(5);
    test_array_numbers(a, 0, "values", days, 5);
    assert_int_equal(xta_axis_set_unit(a, 0, "d", NULL), XTA_OK);
    set_text(a, XTA_ON_ARRAY, "long_name", "height");
    o.axis = "time";
    o.quicklook = &style;
    style.title = "Five days";
    char *svg = panels_svg(a, &o);
    assert_shows(svg, "Five days");
    assert_shows(svg, "time 730 d");
    assert_shows(svg, "time 734 d");
    assert_shows(svg, "height");
    assert_shows(svg, "400"); // the scale is that of all, 0 to 423
    assert_shows(svg, "x");
    assert_shows(svg, "y");
    free(svg);
    xta_box box = {.ndim = 3, .lo = {1, 0, 0}, .hi = {3, 3, 4}};
    style.box = &box;
    svg = panels_svg(a, &o);
    assert_shows(svg, "time 731 d");
    assert_shows(svg, "time 732 d");
    assert_false(shows(svg, "time 733 d"));
    assert_false(shows(svg, "400"));
    free(svg);
    test_array_close(a);
}

static void bad_panels_are_refused(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    xta_panels_options o = XTA_PANELS_OPTIONS_INIT;
    xta_array *a = cube_of(65);
    test_folder_join(&folder, "refused.png", path);
    assert_int_equal(xta_picture_panels(a, &o, path, &err), XTA_EARG);
    o.axis = "time";
    assert_int_equal(xta_picture_panels(a, &o, path, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "axis 'time' has 65 cells"));
    o.axis = "x";
    assert_int_equal(xta_picture_panels(a, &o, path, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "x runs along a side"));
    o.axis = "depth";
    assert_int_equal(xta_picture_panels(a, &o, path, &err), XTA_ENOENT);
    test_array_close(a);
    assert_null(test_file_read(path, &(size_t){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_has_coordinates_and_physical_values),
        cmocka_unit_test(a_series_breaks_where_there_is_no_data),
        cmocka_unit_test(a_spectrum_leaves_bad_bands_out),
        cmocka_unit_test(water_vapour_is_not_drawn),
        cmocka_unit_test(long_series_are_sampled),
        cmocka_unit_test(bad_series_are_refused),
        cmocka_unit_test(panels_share_their_colours),
        cmocka_unit_test(panels_are_named_by_their_coordinates),
        cmocka_unit_test(bad_panels_are_refused),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("views", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
