/* Axes in coordinate values, and meridians and parallels: read from the SVG, which has each text.
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

/* An array of two axes whose cells are 1, 2, ... */
static xta_array *plane_of(const char *rows, const char *columns, int64_t n_rows, int64_t n_columns)
{
    const char *const names[] = {rows, columns};
    xta_array *a =
        test_array_of(XTA_F64, 2, (int64_t[]){n_rows, n_columns}, (int64_t[]){8, 8}, names, NULL);
    double *cells = malloc((size_t)(n_rows * n_columns) * sizeof *cells);
    assert_non_null(cells);
    for (int64_t k = 0; k < n_rows * n_columns; k++) {
        cells[k] = (double)(k + 1);
    }
    test_array_write(a, cells);
    free(cells);
    return a;
}

static char *figure(xta_array *array, bool cell_axes, bool no_graticule)
{
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.legend = true;
    o.cell_axes = cell_axes;
    o.no_graticule = no_graticule;
    return test_draw_svg(array, &o, &folder);
}

static void listed_coordinates_are_on_the_axes(void **state)
{
    (void)state;
    const double days[] = {100, 110, 120, 130}, depth[] = {5, 15, 40, 100, 300};
    xta_array *a = plane_of("time", "depth", 4, 5);
    test_array_numbers(a, 0, "values", days, 4);
    set_text(a, 0, "units", "days since 2000-01-01");
    test_array_numbers(a, 1, "values", depth, 5);
    assert_int_equal(xta_axis_set_unit(a, 1, "m", NULL), XTA_OK);
    char *svg = figure(a, false, false);
    assert_shows(svg, "time"); // 10 April to 10 May: at the days 1, 11 and 21 of months
    assert_shows(svg, "2000-04-11");
    assert_shows(svg, "2000-05-01");
    assert_false(shows(svg, "time [days since 2000-01-01]"));
    assert_shows(svg, "depth [m]");
    assert_shows(svg, "200");
    free(svg);
    svg = figure(a, true, false);
    assert_shows(svg, "time");
    assert_shows(svg, "depth");
    assert_false(shows(svg, "110"));
    assert_shows(svg, "4"); // the last column
    free(svg);
    // Values that are not in order are no coordinates.
    test_array_numbers(a, 1, "values", (const double[]){5, 15, 15, 100, 300}, 5);
    svg = figure(a, false, false);
    assert_false(shows(svg, "200"));
    assert_shows(svg, "depth");
    free(svg);
    test_array_close(a);
}

/* The ticks of times from `first` on, 40 of them. */
static void show_dates(const char *unit, const char *calendar, double first, double step,
                       const char *wanted, const char *absent)
{
    double values[40];
    for (int k = 0; k < 40; k++) {
        values[k] = first + k * step;
    }
    xta_array *a = plane_of("time", "x", 40, 5);
    test_array_numbers(a, 0, "values", values, 40);
    set_text(a, 0, "units", unit);
    set_text(a, 0, "calendar", calendar);
    char *svg = figure(a, false, false);
    assert_shows(svg, wanted);
    assert_false(shows(svg, absent));
    free(svg);
    test_array_close(a);
}
static void dates_are_dates(void **state)
{
    (void)state;
    show_dates("days since 1990-01-01", "standard", 0, 365.25, "2000", "2000-01");
    show_dates("days since 2015-01-01", "noleap", 0, 30.4, "2016-01", "2016");
    show_dates("days since 2015-02-01", "360_day", 0, 1, "2015-02-21", "2015-03-02");
    show_dates("days since 2015-01-01", "noleap", 0, -30.4, "2014-01", "2015-07"); // falls
    show_dates("seconds since 2015-01-01 06:00", "standard", 0, 600, "2015-01-01 12:00", "12:00");
    show_dates("hours since 2015-01-01", "standard", 0, 6, "2015-01-06", "2015-01-06 00:00");
    show_dates("seconds since 2015-01-01", "standard", 0, 1, "2015-01-01 00:00:15", "00:15");
    show_dates("years since 2015-01-01", "standard", 0, 1, "10", "2025"); // no such unit
    show_dates("days since 2015-02-30", "standard", 0, 1, "10", "2015-03-11");
}
static void regular_coordinates_follow_growth(void **state)
{
    (void)state;
    xta_array *a = plane_of("level", "x", 20, 20);
    test_array_numbers(a, 0, "values//regular", (const double[]){1000, -25}, 2);
    assert_int_equal(xta_axis_set_unit(a, 0, "hPa", NULL), XTA_OK);
    char *svg = figure(a, false, false);
    assert_shows(svg, "level [hPa]"); // 1000 to 525
    assert_shows(svg, "550");
    assert_false(shows(svg, "1100"));
    free(svg);
    test_array_grow(a, 0, XTA_FRONT, 8); // up to 1200
    svg = figure(a, false, false);
    assert_shows(svg, "1100");
    free(svg);
    test_array_numbers(a, 0, "values//regular", (const double[]){1000, 0}, 2);
    svg = figure(a, false, false); // a step of 0 is none
    assert_false(shows(svg, "1100"));
    assert_shows(svg, "level");
    free(svg);
    test_array_close(a);
}

static void rasters_have_their_georeference(void **state)
{
    (void)state;
    const double place[] = {363135, 30, 0, 5809005, 0, -30};
    const double turned[] = {363135, 30, 1, 5809005, 0, -30};
    xta_array *a = plane_of("y", "x", 64, 96);
    test_array_numbers(a, XTA_ON_ARRAY, "geotransform", place, 6);
    set_text(a, XTA_ON_ARRAY, "projection",
             "PROJCS[\"UTM\",GEOGCS[\"WGS\",UNIT[\"degree\",0.0174]],UNIT[\"metre\",1]]");
    char *svg = figure(a, false, false);
    assert_shows(svg, "x [m]");
    assert_shows(svg, "364000");
    assert_shows(svg, "y [m]");
    assert_shows(svg, "5808000");
    assert_null(strstr(svg, "\u00b0N"));
    free(svg);
    test_array_numbers(a, XTA_ON_ARRAY, "geotransform", turned, 6);
    svg = figure(a, false, false);
    assert_false(shows(svg, "364000"));
    assert_shows(svg, "x");
    free(svg);
    test_array_close(a);
}

/* How often the SVG strokes a path: each line of a graticule family is one path. */
static int strokes(const char *svg)
{
    int n = 0;
    for (const char *at = svg; (at = strstr(at, "stroke-opacity:0.45")) != NULL; at++) {
        n++;
    }
    return n;
}

static void degrees_make_a_graticule(void **state)
{
    (void)state;
    const double world[] = {-180, 10, 0, 90, 0, -10};
    xta_array *a = plane_of("y", "x", 18, 36);
    test_array_numbers(a, XTA_ON_ARRAY, "geotransform", world, 6);
    set_text(a, XTA_ON_ARRAY, "projection", "GEOGCS[\"WGS 84\",UNIT[\"degree\",0.0174]]");
    char *svg = figure(a, false, false);
    assert_shows(svg, "30\u00b0N");
    assert_shows(svg, "60\u00b0S");
    assert_shows(svg, "90\u00b0W");
    assert_shows(svg, "0\u00b0");
    assert_shows(svg, "90\u00b0E");
    assert_int_equal(strokes(svg), 1);
    free(svg);
    svg = figure(a, false, true);
    assert_shows(svg, "30\u00b0N"); // still on the axis
    assert_int_equal(strokes(svg), 0);
    free(svg);
    svg = figure(a, true, false);
    assert_false(shows(svg, "30\u00b0N"));
    assert_int_equal(strokes(svg), 0);
    free(svg);
    test_array_close(a);
}

/* A field over rows and columns, as an import of NetCDF leaves it. */
static void add_field(xta_array *a, const char *name, const char *standard, const double values[],
                      int64_t rows, int64_t columns)
{
    const int64_t box[] = {0, rows, 0, columns};
    char key[64];
    snprintf(key, sizeof key, "variable/%s", name);
    test_array_numbers(a, XTA_ON_ARRAY, key, values, (size_t)(rows * columns));
    snprintf(key, sizeof key, "variable/%s//dimensions", name);
    set_text(a, XTA_ON_ARRAY, key, "y\nx\n");
    snprintf(key, sizeof key, "variable/%s//box", name);
    const xta_attribute place = {key, XTA_I64, 8, 4, box};
    assert_int_equal(xta_attribute_set(a, XTA_ON_ARRAY, &place, NULL), XTA_OK);
    snprintf(key, sizeof key, "variable/%s/standard_name", name);
    set_text(a, XTA_ON_ARRAY, key, standard);
}

enum { ROWS = 20, COLUMNS = 30 };

/* A curved grid across the date line: 30 to 49 north, 165 east to 166 west, sheared. */
static xta_array *curved(bool longitudes)
{
    static double latitude[ROWS * COLUMNS], longitude[ROWS * COLUMNS];
    xta_array *a = plane_of("y", "x", ROWS, COLUMNS);
    for (int y = 0; y < ROWS; y++) {
        for (int x = 0; x < COLUMNS; x++) {
            double east = 165 + x + 0.2 * y;
            latitude[y * COLUMNS + x] = 30 + y + 0.1 * x;
            longitude[y * COLUMNS + x] = east > 180 ? east - 360 : east;
        }
    }
    add_field(a, "nav_lat", "latitude", latitude, ROWS, COLUMNS);
    if (longitudes) {
        add_field(a, "nav_lon", "longitude", longitude, ROWS, COLUMNS);
    }
    set_text(a, XTA_ON_ARRAY, "coordinates", "time nav_lat nav_lon");
    return a;
}

static void curved_grids_have_curved_lines(void **state)
{
    (void)state;
    xta_array *a = curved(true);
    char *svg = figure(a, false, false);
    assert_shows(svg, "35\u00b0N");
    assert_shows(svg, "45\u00b0N");
    assert_shows(svg, "170\u00b0E");
    assert_shows(svg, "180\u00b0");
    assert_shows(svg, "170\u00b0W");
    assert_false(shows(svg, "0\u00b0")); // longitudes jump there from one side to the other
    assert_false(shows(svg, "90\u00b0E"));
    assert_shows(svg, "x"); // the axes count cells
    assert_int_equal(strokes(svg), 2);
    free(svg);
    svg = figure(a, false, true);
    assert_false(shows(svg, "35\u00b0N"));
    assert_int_equal(strokes(svg), 0);
    free(svg);
    test_array_close(a);
    a = curved(false); // latitudes alone are no graticule
    svg = figure(a, false, false);
    assert_int_equal(strokes(svg), 0);
    free(svg);
    test_array_close(a);
}

static void lines_lie_where_their_degrees_are(void **state)
{
    (void)state;
    // Latitude grows by 1 down the rows, so 40 north runs through the middle of row 10.
    static double latitude[ROWS * COLUMNS], longitude[ROWS * COLUMNS];
    xta_array *a = plane_of("y", "x", ROWS, COLUMNS);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        int row = k / COLUMNS;
        latitude[k] = 49 - row;
        longitude[k] = k % COLUMNS;
    }
    add_field(a, "lat", "latitude", latitude, ROWS, COLUMNS);
    add_field(a, "lon", "longitude", longitude, ROWS, COLUMNS);
    set_text(a, XTA_ON_ARRAY, "coordinates", "lat lon");
    o.legend = true;
    o.low = 1e6; // all cells have the lowest colour
    o.high = 2e6;
    test_image with = test_draw(a, &o, &folder);
    o.no_graticule = true;
    test_image without = test_draw(a, &o, &folder);
    assert_int_equal(with.width, without.width);
    int rows = 0, first = -1, second = -1; // those that differ over most of their length
    for (int y = 0; y < with.height; y++) {
        int n = 0;
        for (int x = 0; x < with.width; x++) {
            n += test_image_pixel(&with, x, y) != test_image_pixel(&without, x, y);
        }
        if (n > with.width / 2) {
            rows++;
            second = first >= 0 && second < 0 && y > first + 20 ? y : second;
            first = first < 0 ? y : first;
        }
    }
    // 45, 40, 35 and 30 north: 5 cells apart.
    assert_in_range(rows, 4, 4 * 12);
    int cell = 960 / COLUMNS;
    assert_in_range(second - first, 5 * cell - 2, 5 * cell + 2);
    test_image_free(&with);
    test_image_free(&without);
    test_array_close(a);
}

static void the_slice_is_named_by_its_coordinate(void **state)
{
    (void)state;
    const char *const names[] = {"depth", "y", "x"};
    const double depth[] = {5, 15, 1250.5};
    xta_array *a =
        test_array_of(XTA_U8, 3, (int64_t[]){3, 4, 4}, (int64_t[]){1, 4, 4}, names, NULL);
    xta_box box = {.ndim = 3, .lo = {2, 0, 0}, .hi = {3, 4, 4}};
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.legend = true;
    o.box = &box;
    char *svg = test_draw_svg(a, &o, &folder);
    assert_non_null(strstr(svg, "depth 2 \u00b7 "));
    free(svg);
    test_array_numbers(a, 0, "values", depth, 3);
    assert_int_equal(xta_axis_set_unit(a, 0, "m", NULL), XTA_OK);
    svg = test_draw_svg(a, &o, &folder);
    assert_non_null(strstr(svg, "depth 1250.5 m \u00b7 "));
    free(svg);
    // Coordinates that are not in order do not say which cell it is.
    test_array_numbers(a, 0, "values", (const double[]){0, 0, 0}, 3);
    svg = test_draw_svg(a, &o, &folder);
    assert_non_null(strstr(svg, "depth 2 \u00b7 "));
    free(svg);
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_coordinates_are_on_the_axes),
        cmocka_unit_test(dates_are_dates),
        cmocka_unit_test(regular_coordinates_follow_growth),
        cmocka_unit_test(rasters_have_their_georeference),
        cmocka_unit_test(degrees_make_a_graticule),
        cmocka_unit_test(curved_grids_have_curved_lines),
        cmocka_unit_test(lines_lie_where_their_degrees_are),
        cmocka_unit_test(the_slice_is_named_by_its_coordinate),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("coordinates", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
