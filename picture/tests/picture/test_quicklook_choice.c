/* What a quicklook chooses by itself: axes, bands, orientation, and the text of the legend.
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

static xta_quicklook_options plain(void)
{
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.colormap = "gray";
    o.low = 0;
    o.high = 255;
    o.zoom = 1;
    return o;
}

/* Level of a gray pixel, or -1 if it has a colour. */
static int gray_level(uint32_t pixel)
{
    unsigned r = pixel >> 16 & 0xff, g = pixel >> 8 & 0xff, b = pixel & 0xff;
    return r == g && g == b ? (int)r : -1;
}

static void names_decide_over_positions(void **state)
{
    (void)state;
    // 3 columns, 2 rows, stored with the columns first.
    const char *const names[][2] = {
        {"x", "y"},        {"lon", "lat"},    {"Longitude", "Latitude"}, {"sample", "line"},
        {"column", "row"}, {"x", "anything"}, {"anything", "y"}};
    const double cells[] = {10, 40, 20, 50, 30, 60};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        xta_array *a =
            test_array_of(XTA_U8, 2, (int64_t[]){3, 2}, (int64_t[]){2, 2}, names[k], NULL);
        xta_quicklook_options o = plain();
        test_array_write(a, cells);
        test_image image = test_draw(a, &o, &folder);
        assert_int_equal(image.width, 3);
        assert_int_equal(image.height, 2);
        for (int at = 0; at < 6; at++) {
            assert_int_equal(gray_level(test_image_pixel(&image, at % 3, at / 3)), 10 * (at + 1));
        }
        test_image_free(&image);
        o.rows = "0"; // explicit requests are honoured
        o.columns = "1";
        test_image turned = test_draw(a, &o, &folder);
        assert_int_equal(turned.width, 2);
        assert_int_equal(gray_level(test_image_pixel(&turned, 1, 0)), 40);
        test_image_free(&turned);
        test_array_close(a);
    }
}

static void wavelengths_give_red_green_blue(void **state)
{
    (void)state;
    // Six bands out of order; the fifth would be best for red but is marked as bad.
    const double nm[] = {860, 468, 555, 640, 651, 1600};
    const double good[] = {1, 1, 1, 1, 0, 1};
    const char *const names[] = {"band", "y", "x"};
    const double cells[] = {10, 20, 30, 40, 50, 60};
    for (int micrometres = 0; micrometres < 2; micrometres++) {
        double wavelength[6];
        for (int k = 0; k < 6; k++) {
            wavelength[k] = micrometres ? nm[k] / 1000 : nm[k];
        }
        xta_array *a =
            test_array_of(XTA_F32, 3, (int64_t[]){6, 1, 1}, (int64_t[]){2, 1, 1}, names, NULL);
        xta_quicklook_options o = plain();
        test_array_write(a, cells);
        test_array_numbers(a, 0, micrometres ? "wavelengths" : "wavelength", wavelength, 6);
        test_image image = test_draw(a, &o, &folder);
        assert_int_equal(test_image_pixel(&image, 0, 0), 0xff000000U | 50 << 16 | 30 << 8 | 20);
        test_image_free(&image);
        test_array_numbers(a, 0, "bbl", good, 6);
        image = test_draw(a, &o, &folder);
        assert_int_equal(test_image_pixel(&image, 0, 0), 0xff000000U | 40 << 16 | 30 << 8 | 20);
        test_image_free(&image);
        test_array_close(a);
    }
}

static void wavelengths_of_a_grown_axis_keep_their_bands(void **state)
{
    (void)state;
    // Bands that came from a file begin at -2, and their box says so.
    const double nm[] = {650, 550, 470, 900};
    const int64_t boxes[] = {0, 2, -2, 2};
    const char *const names[] = {"band", "y", "x"};
    xta_array *a =
        test_array_of(XTA_F32, 3, (int64_t[]){3, 1, 1}, (int64_t[]){1, 1, 1}, names, NULL);
    xta_attribute box = {"wavelength//box", XTA_I64, sizeof boxes[0], 4, boxes};
    xta_quicklook_options o = plain();
    test_array_grow(a, 0, XTA_FRONT, 2);
    test_array_write(a, (const double[]){10, 20, 30, 40, 50});
    test_array_numbers(a, 0, "wavelength", nm, 4);
    assert_int_equal(xta_attribute_set(a, 0, &box, NULL), XTA_OK);
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xff000000U | 10 << 16 | 20 << 8 | 30);
    test_image_free(&image);
    test_array_close(a);
}

static void bands_can_be_given(void **state)
{
    (void)state;
    const char *const names[] = {"y", "x", "wavelength"};
    xta_array *a =
        test_array_of(XTA_U8, 3, (int64_t[]){1, 1, 5}, (int64_t[]){1, 1, 2}, names, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, (const double[]){10, 20, 30, 40, 50});
    o.n_rgb = 3;
    o.rgb[0] = 4;
    o.rgb[2] = 2;
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xff000000U | 50 << 16 | 10 << 8 | 30);
    test_image_free(&image);
    o.n_rgb = 1;
    image = test_draw(a, &o, &folder);
    assert_int_equal(gray_level(test_image_pixel(&image, 0, 0)), 50);
    test_image_free(&image);
    test_array_close(a);
}

static void time_is_no_colour(void **state)
{
    (void)state;
    // The first step is shown, not three steps as colours; the box selects another one.
    const char *const names[] = {"time", "lat", "lon"};
    xta_array *a =
        test_array_of(XTA_U8, 3, (int64_t[]){3, 1, 2}, (int64_t[]){1, 1, 2}, names, NULL);
    xta_quicklook_options o = plain();
    test_array_write(a, (const double[]){10, 20, 30, 40, 50, 60});
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(gray_level(test_image_pixel(&image, 0, 0)), 10);
    test_image_free(&image);
    xta_box box = {3, {2, 0, 0}, {3, 1, 2}};
    o.box = &box;
    image = test_draw(a, &o, &folder);
    assert_int_equal(gray_level(test_image_pixel(&image, 1, 0)), 60);
    test_image_free(&image);
    test_array_close(a);
}

static void latitudes_that_increase_are_flipped(void **state)
{
    (void)state;
    const char *const names[] = {"lat", "lon"};
    const double up[] = {-10, 0, 10}, down[] = {10, 0, -10};
    for (int k = 0; k < 2; k++) {
        xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){3, 1}, (int64_t[]){2, 1}, names, NULL);
        xta_quicklook_options o = plain();
        test_array_write(a, (const double[]){10, 20, 30});
        test_array_numbers(a, 0, "values", k == 0 ? up : down, 3);
        test_image image = test_draw(a, &o, &folder);
        assert_int_equal(gray_level(test_image_pixel(&image, 0, 0)), k == 0 ? 30 : 10);
        test_image_free(&image);
        test_array_close(a);
    }
}

static void set_text(xta_array *a, int axis, const char *name, const char *text)
{
    assert_int_equal(xta_attribute_set_text(a, axis, name, text, NULL), XTA_OK);
}

static void a_field_of_latitudes_flips_too(void **state)
{
    (void)state;
    const char *const names[] = {"y", "x"};
    const int64_t corners[] = {0, 2, 0, 2};
    for (int k = 0; k < 2; k++) {
        double latitudes[] = {50, 51, 60, 61};
        latitudes[2] = k == 0 ? 60 : 40;
        latitudes[3] = k == 0 ? 61 : 41;
        xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, names, NULL);
        xta_attribute box = {"variable/nav_lat//box", XTA_I64, sizeof corners[0], 4, corners};
        xta_quicklook_options o = plain();
        test_array_write(a, (const double[]){10, 20, 30, 40});
        set_text(a, XTA_ON_ARRAY, "coordinates", "time_centered nav_lon nav_lat");
        test_array_numbers(a, XTA_ON_ARRAY, "variable/nav_lat", latitudes, 4);
        set_text(a, XTA_ON_ARRAY, "variable/nav_lat/standard_name", "latitude");
        set_text(a, XTA_ON_ARRAY, "variable/nav_lat//dimensions", "y\nx\n");
        assert_int_equal(xta_attribute_set(a, XTA_ON_ARRAY, &box, NULL), XTA_OK);
        test_image image = test_draw(a, &o, &folder);
        assert_int_equal(gray_level(test_image_pixel(&image, 0, 0)), k == 0 ? 30 : 10);
        test_image_free(&image);
        test_array_close(a);
    }
}

static void assert_shows(const char *svg, const char *text)
{
    char element[128];
    snprintf(element, sizeof element, ">%s</text>", text);
    if (strstr(svg, element) == NULL) {
        fail_msg("the picture does not show \"%s\"", text);
    }
}

static void the_legend_speaks_in_physical_values(void **state)
{
    (void)state;
    const int16_t fill = -32768;
    const char *const names[] = {"lat", "lon"};
    const double latitudes[] = {40, 30, 20};
    xta_array *a = test_array_of(XTA_I16, 2, (int64_t[]){3, 2}, (int64_t[]){2, 2}, names, &fill);
    test_array_write(a, (const double[]){0, 100, 200, 300, 400, -32768});
    test_array_numbers(a, 0, "values", latitudes, 3);
    test_array_numbers(a, XTA_ON_ARRAY, "scale_factor", (const double[]){0.05}, 1);
    test_array_numbers(a, XTA_ON_ARRAY, "add_offset", (const double[]){10}, 1);
    set_text(a, XTA_ON_ARRAY, "long_name", "Temperature <of> the sea & \"air\"");
    set_text(a, XTA_ON_ARRAY, "units", "degree_C");
    assert_int_equal(xta_axis_set_unit(a, 0, "degrees_north", NULL), XTA_OK);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.legend = true;
    o.title = "A title";
    char *svg = test_draw_svg(a, &o, &folder);
    assert_shows(svg, "A title");
    assert_shows(svg, "Temperature &lt;of&gt; the sea &amp; &quot;air&quot; [\u00b0C]");
    assert_shows(svg, "10"); // 0 * 0.05 + 10, the lower end of the bar
    assert_shows(svg, "20");
    assert_shows(svg, "30"); // 400 * 0.05 + 10
    assert_shows(svg, "40\u00b0N");
    assert_shows(svg, "lat");
    assert_shows(svg, "lon");
    assert_shows(svg, "no data");
    free(svg);
    test_array_close(a);
}

/* A raster states a scale, but no unit: the legend says what was done to the cells. */
static void the_legend_says_the_scale(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *line, *label;
    } cases[] = {
        {"scale_factor", 0.001, "red: band 0, 0.1 to 0.4", "values: cell value \u00d7 0.001"},
        {"reflectance_scale_factor", 1000, "red: band 0, 0.1 to 0.4", "values: reflectance"},
        {"add_offset", -100, "red: band 0, 0 to 300", "values: cell value \u00d7 1 \u2212 100"},
        {"other", 5, "red: band 0, 100 to 400", NULL},
    };
    const char *const names[] = {"band", "y", "x"};
    double cells[12];
    for (int k = 0; k < 12; k++) {
        cells[k] = 100 * (k + 1);
    }
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        xta_array *a =
            test_array_of(XTA_F32, 3, (int64_t[]){3, 2, 2}, (int64_t[]){1, 2, 2}, names, NULL);
        xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
        o.legend = true;
        test_array_write(a, cells);
        test_array_numbers(a, XTA_ON_ARRAY, cases[k].name, &cases[k].value, 1);
        char *svg = test_draw_svg(a, &o, &folder);
        assert_non_null(strstr(svg, cases[k].line));
        if (cases[k].label != NULL) {
            assert_shows(svg, cases[k].label);
        } else {
            assert_null(strstr(svg, "values:"));
        }
        free(svg);
        test_array_close(a);
    }
}

static void the_legend_names_bands(void **state)
{
    (void)state;
    const char *const names[] = {"band", "y", "x"};
    const double nm[] = {470, 550, 650};
    double cells[12];
    for (int k = 0; k < 12; k++) {
        cells[k] = 100 * (k + 1);
    }
    xta_array *a =
        test_array_of(XTA_F32, 3, (int64_t[]){3, 2, 2}, (int64_t[]){1, 2, 2}, names, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.legend = true;
    test_array_write(a, cells);
    test_array_numbers(a, 0, "wavelength", nm, 3);
    char *svg = test_draw_svg(a, &o, &folder);
    assert_non_null(strstr(svg, "red: 650 nm, band 2, 900 to 1200"));
    assert_non_null(strstr(svg, "green: 550 nm, band 1, 500 to 800"));
    assert_non_null(strstr(svg, "blue: 470 nm, band 0, 100 to 400"));
    assert_null(strstr(svg, "no data"));
    free(svg);
    test_array_close(a);
}

static void negative_coordinates_have_a_minus_sign(void **state)
{
    (void)state;
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){4, 4}, (int64_t[]){4, 4}, NULL, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.legend = true;
    test_array_grow(a, 0, XTA_FRONT, 4);
    char *svg = test_draw_svg(a, &o, &folder); // nothing was written, so no cell has data
    assert_shows(svg, "\u22124");
    assert_shows(svg, "3");
    free(svg);
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_decide_over_positions),
        cmocka_unit_test(wavelengths_give_red_green_blue),
        cmocka_unit_test(wavelengths_of_a_grown_axis_keep_their_bands),
        cmocka_unit_test(bands_can_be_given),
        cmocka_unit_test(time_is_no_colour),
        cmocka_unit_test(latitudes_that_increase_are_flipped),
        cmocka_unit_test(a_field_of_latitudes_flips_too),
        cmocka_unit_test(the_legend_speaks_in_physical_values),
        cmocka_unit_test(the_legend_says_the_scale),
        cmocka_unit_test(the_legend_names_bands),
        cmocka_unit_test(negative_coordinates_have_a_minus_sign),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("quicklook choice", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
