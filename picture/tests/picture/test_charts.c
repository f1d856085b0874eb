/* Charts of spectra and confusion matrices: lines at their values, gaps where bands are left out,
 * cells in the colours of their shares, and legible numbers.
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

#include <xta/chart.h>

static test_folder folder;

static char *read_text(const char *name)
{
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    char *text = (char *)test_file_read(test_folder_join(&folder, name, path), &n);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

static test_image spectra(const xta_spectra_chart *chart)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    if (xta_chart_spectra(chart, test_folder_join(&folder, "spectra.png", path), &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return test_image_decode(path);
}

static bool shows(const char *svg, const char *text)
{
    char element[256];
    snprintf(element, sizeof element, ">%s</text>", text);
    return strstr(svg, element) != NULL;
}

static int count(const test_image *image, uint32_t colour)
{
    int n = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        n += image->pixel[k] == colour;
    }
    return n;
}

/* The row with the most pixels of a colour: the position of a horizontal line. */
static int row_of(const test_image *image, uint32_t colour)
{
    int best = 0, most = 0;
    for (int y = 0; y < image->height; y++) {
        int n = 0;
        for (int x = 0; x < image->width; x++) {
            n += test_image_pixel(image, x, y) == colour;
        }
        if (n > most) {
            most = n;
            best = y;
        }
    }
    assert_true(most > 100);
    return best;
}

/* Where a row changes from or to a colour: the ends of its stretches of that colour. */
static int changes(const test_image *image, int y, uint32_t colour, int place[], int most)
{
    int n = 0;
    bool before = false;
    for (int x = 0; x < image->width && n < most; x++) {
        bool now = test_image_pixel(image, x, y) == colour;
        if (now != before) {
            place[n++] = x;
        }
        before = now;
    }
    return n;
}

static const unsigned char red_green_blue[] = {255, 0, 0, 0, 160, 0, 0, 0, 255};

static void lines_lie_where_their_values_are(void **state)
{
    (void)state;
    double values[3 * 5];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    for (int k = 0; k < 15; k++) {
        values[k] = k < 5 ? 1 : k < 10 ? 2 : 3;
    }
    chart.n_spectra = 3;
    chart.n_bands = 5;
    chart.values = values;
    chart.colours = red_green_blue;
    chart.width = 500;
    chart.height = 300;
    test_image image = spectra(&chart);
    assert_int_equal(image.width, 1000);
    assert_int_equal(image.height, 600);
    int low = row_of(&image, 0xffff0000U), middle = row_of(&image, 0xff00a000U);
    int high = row_of(&image, 0xff0000ffU);
    assert_true(low > middle && middle > high);
    assert_true(abs((low - middle) - (middle - high)) <= 2);
    test_image_free(&image);
}

static void left_out_bands_break_lines(void **state)
{
    (void)state;
    // Bands 0 to 4 and 7 to 11: a gap from 4/11 to 7/11 of the axis, by number or by wavelength.
    const int64_t band[] = {0, 1, 2, 3, 4, 7, 8, 9, 10, 11};
    double values[10], wavelength[10];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 1;
    chart.n_bands = 10;
    chart.values = values;
    chart.colours = red_green_blue;
    for (int how = 0; how < 3; how++) {
        for (int k = 0; k < 10; k++) {
            values[k] = 2;
            // The third time only the wavelengths show the gap, by a step far above the others.
            wavelength[k] = how == 2 && band[k] > 4 ? 400 + 20 * (double)band[k] + 140
                                                    : 400 + 20 * (double)band[k];
        }
        chart.band = how == 2 ? NULL : band;
        chart.wavelength = how == 0 ? NULL : wavelength;
        test_image image = spectra(&chart);
        int place[8] = {0};
        int y = row_of(&image, 0xffff0000U);
        assert_int_equal(changes(&image, y, 0xffff0000U, place, 8), 4);
        double from = how == 2 ? 4 / 18.0 : 4 / 11.0, to = how == 2 ? 14 / 18.0 : 7 / 11.0;
        double span = place[3] - place[0];
        assert_true(fabs((place[1] - place[0]) / span - from) < 0.01);
        assert_true(fabs((place[2] - place[0]) / span - to) < 0.01);
        test_image_free(&image);
    }
    values[2] = NAN; // a missing value breaks it, too
    chart.band = band;
    test_image image = spectra(&chart);
    int place[8] = {0};
    int y = row_of(&image, 0xffff0000U);
    assert_int_equal(changes(&image, y, 0xffff0000U, place, 8), 6);
    test_image_free(&image);
}

static void bands_are_drawn_in_order_of_wavelength(void **state)
{
    (void)state;
    // Shuffled; sorted, the values rise evenly.
    const double wavelength[] = {400, 850, 550, 700, 500, 750, 600, 650};
    double values[8];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    for (int k = 0; k < 8; k++) {
        values[k] = wavelength[k];
    }
    chart.n_spectra = 1;
    chart.n_bands = 8;
    chart.values = values;
    chart.wavelength = wavelength;
    chart.colours = red_green_blue;
    test_image image = spectra(&chart);
    int before = image.height;
    // inside the plot, each column has one stretch, and it rises
    for (int x = 200; x < 1400; x += 50) {
        int y = 0, n = 0;
        for (int k = 0; k < image.height; k++) {
            if (test_image_pixel(&image, x, k) == 0xffff0000U) {
                y += k;
                n++;
            }
        }
        assert_in_range(n, 1, 12);
        assert_true(y / n < before);
        before = y / n;
    }
    test_image_free(&image);
}

static void detectors_that_overlap_are_lines_of_their_own(void **state)
{
    (void)state;
    // 400 to 700 nm with the value 1, then 550 to 850 nm with the value 2: two horizontal lines.
    const double wavelength[] = {400, 450, 500, 550, 600, 650, 700,
                                 550, 600, 650, 700, 750, 800, 850};
    double values[14];
    int place[8] = {0};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    for (int k = 0; k < 14; k++) {
        values[k] = k < 7 ? 1 : 2;
    }
    chart.n_spectra = 1;
    chart.n_bands = 14;
    chart.values = values;
    chart.wavelength = wavelength;
    chart.colours = red_green_blue;
    test_image image = spectra(&chart);
    int low = row_of(&image, 0xffff0000U);
    assert_int_equal(changes(&image, low, 0xffff0000U, place, 8), 2);
    int first = place[0], last = place[1];
    int high = low; // the other line: two thirds of the way up, and also horizontal
    for (int y = 0; y < image.height; y++) {
        if (abs(y - low) > 50 && changes(&image, y, 0xffff0000U, place, 8) == 2 &&
            place[1] - place[0] > (last - first) / 2) {
            high = y;
            break;
        }
    }
    assert_int_not_equal(high, low);
    assert_int_equal(changes(&image, high, 0xffff0000U, place, 8), 2);
    assert_true(abs((place[1] - place[0]) - (last - first)) <= 4);     // 300 nm each
    assert_true(abs(abs(place[0] - first) - (last - first) / 2) <= 4); // 150 nm apart
    for (int x = first + 20; x < last - 20; x++) {                     // nothing in between
        assert_int_not_equal(test_image_pixel(&image, x, (low + high) / 2), 0xffff0000U);
    }
    test_image_free(&image);
}

static void bad_bands_do_not_stretch_the_axes(void **state)
{
    (void)state;
    // A spike in a bad band, which is the last: neither its value nor its wavelength is shown.
    const double values[] = {0.1, 0.2, 0.3, 0.2, 9000}, wavelength[] = {500, 510, 520, 530, 540};
    const unsigned char bad[] = {0, 0, 0, 0, 1};
    char path[TEST_PATH_BYTES];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 1;
    chart.n_bands = 5;
    chart.values = values;
    chart.wavelength = wavelength;
    for (int cut = 0; cut < 2; cut++) {
        chart.bad = cut == 1 ? bad : NULL;
        assert_int_equal(
            xta_chart_spectra(&chart, test_folder_join(&folder, "cut.svg", path), NULL), XTA_OK);
        char *svg = read_text("cut.svg");
        assert_int_equal(shows(svg, "8000"), cut == 0);
        assert_int_equal(shows(svg, "540"), cut == 0);
        assert_int_equal(shows(svg, "0.20"), cut == 1);
        assert_true(shows(svg, "530"));
        free(svg);
    }
}

static void another_axis_has_its_name(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3}, time[] = {3.57e9, 3.58e9, 3.59e9};
    char path[TEST_PATH_BYTES];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 1;
    chart.n_bands = 3;
    chart.values = values;
    chart.wavelength = time;
    chart.unit = "seconds since 1900-01-01";
    chart.axis = "time";
    assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, "time.svg", path), NULL),
                     XTA_OK);
    char *svg = read_text("time.svg");
    assert_true(shows(svg, "time [10^9 seconds since 1900-01-01]"));
    assert_true(shows(svg, "3.580"));
    assert_false(shows(svg, "wavelength"));
    free(svg);
}

static void axes_have_names_and_units(void **state)
{
    (void)state;
    const double values[] = {0.1, 0.2, 0.3, 0.2, 0.1, 0.4};
    const double wavelength[] = {0.4, 0.5, 0.6};
    const char *const names[] = {"soil <dry>", "tree"};
    char path[TEST_PATH_BYTES];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 2;
    chart.n_bands = 3;
    chart.values = values;
    chart.wavelength = wavelength;
    chart.unit = "Micrometers";
    chart.names = names;
    chart.label = "reflectance";
    chart.title = "Two & more";
    assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, "named.svg", path), NULL),
                     XTA_OK);
    char *svg = read_text("named.svg");
    assert_true(shows(svg, "wavelength [\u00b5m]"));
    assert_true(shows(svg, "reflectance"));
    assert_true(shows(svg, "soil &lt;dry&gt;"));
    assert_true(shows(svg, "tree"));
    assert_true(shows(svg, "Two &amp; more"));
    assert_true(shows(svg, "0.50")); // a tick
    assert_true(shows(svg, "0.30"));
    free(svg);
    chart.wavelength = NULL;
    chart.names = NULL;
    assert_int_equal(xta_chart_spectra(&chart, path, NULL), XTA_OK);
    svg = read_text("named.svg");
    assert_true(shows(svg, "band"));
    assert_true(shows(svg, "1"));
    free(svg);
}

static void many_spectra_have_a_legend_below(void **state)
{
    (void)state;
    enum { N = 64 };
    double values[N * 2];
    char path[TEST_PATH_BYTES], text[16];
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    for (int k = 0; k < 2 * N; k++) {
        values[k] = k;
    }
    chart.n_spectra = N;
    chart.n_bands = 2;
    chart.values = values;
    test_image image = spectra(&chart);
    assert_int_equal(image.width, 1920);
    assert_true(image.height > 960);
    test_image_free(&image);
    assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, "many.svg", path), NULL),
                     XTA_OK);
    char *svg = read_text("many.svg");
    for (int k = 1; k <= N; k++) {
        snprintf(text, sizeof text, "%d", k);
        assert_true(shows(svg, text));
    }
    free(svg);
}

static void poor_spectra_are_drawn_all_the_same(void **state)
{
    (void)state;
    // One band, constants, nothing but NaN, huge and tiny numbers: a picture each.
    const double cells[][4] = {
        {1, 1, 1, 1}, {0, 0, 0, 0}, {NAN, NAN, NAN, NAN}, {1e300, -1e300, 1e-300, INFINITY}};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 1;
    for (int k = 0; k < 4; k++) {
        chart.values = cells[k];
        for (chart.n_bands = 1; chart.n_bands <= 4; chart.n_bands++) {
            test_image image = spectra(&chart);
            assert_int_equal(image.width, 1920);
            test_image_free(&image);
        }
    }
}

static void bad_spectra_are_refused(void **state)
{
    (void)state;
    const double values[] = {1, 2}, wavelength[] = {400, NAN};
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    test_folder_join(&folder, "refused.png", path);
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    assert_int_equal(xta_chart_spectra(&chart, path, &err), XTA_EARG);
    chart.n_spectra = 1;
    chart.n_bands = 2;
    chart.values = values;
    chart.wavelength = wavelength;
    assert_int_equal(xta_chart_spectra(&chart, path, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "band 1"));
    chart.wavelength = NULL;
    chart.width = 10;
    assert_int_equal(xta_chart_spectra(&chart, path, &err), XTA_EARG);
    chart.width = 0;
    assert_int_equal(xta_chart_spectra(&chart, "chart.jpeg", &err), XTA_EARG);
    assert_int_equal(xta_chart_spectra(&chart, "/nowhere/at/all.png", &err), XTA_ENOENT);
    assert_null(test_file_read(path, &(size_t){0}));
}

/* ---- confusion matrices ---- */

static test_image confusion(const xta_confusion_chart *chart)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    if (xta_chart_confusion(chart, test_folder_join(&folder, "matrix.png", path), &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return test_image_decode(path);
}

/* From white towards blue or orange by the share of the row, as the chart's header says. */
static uint32_t cell_colour(bool right, double share)
{
    const double full[2][3] = {{0.76, 0.30, 0.02}, {0.05, 0.27, 0.52}};
    double t = share == 0 ? 0 : 0.06 + 0.94 * sqrt(share);
    uint32_t pixel = 0xff;
    for (int k = 0; k < 3; k++) {
        pixel = pixel << 8 | (uint32_t)lround(255 * (1 + t * (full[right][k] - 1)));
    }
    return pixel;
}

static int near_count(const test_image *image, uint32_t colour)
{
    int n = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        int off = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int a = (int)(image->pixel[k] >> shift & 0xff), b = (int)(colour >> shift & 0xff);
            off = abs(a - b) > off ? abs(a - b) : off;
        }
        n += off <= 1;
    }
    return n;
}

static void cells_have_the_colour_of_their_share(void **state)
{
    (void)state;
    const uint64_t counts[] = {10, 0, 0, 5, 5, 0, 0, 3, 1};
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;
    chart.n_rows = 3;
    chart.n_columns = 3;
    chart.counts = counts;
    test_image image = confusion(&chart);
    int cell = near_count(&image, cell_colour(true, 1));
    assert_true(cell > 800);
    // All cells have one size; letters cover part of it.
    assert_true(abs(near_count(&image, cell_colour(true, 0.5)) - cell) < cell / 4);
    assert_true(abs(near_count(&image, cell_colour(false, 0.5)) - cell) < cell / 4);
    assert_true(abs(near_count(&image, cell_colour(false, 0.75)) - cell) < cell / 4);
    assert_true(abs(near_count(&image, cell_colour(true, 0.25)) - cell) < cell / 4);
    test_image_free(&image);
}

static void numbers_and_scores_are_written(void **state)
{
    (void)state;
    const uint64_t counts[] = {1234, 5, 0, 7, 4321, 1};
    const double scores[] = {0.98765, NAN, 0.5}, producer[] = {0.991, 0.25};
    const double user[] = {0.333, 0.444, NAN};
    const char *const rows[] = {"lettuce <4 weeks>", "soil"};
    char path[TEST_PATH_BYTES];
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;
    chart.n_rows = 2;
    chart.n_columns = 3;
    chart.counts = counts;
    chart.row_names = rows;
    chart.scores = scores;
    chart.producer = producer;
    chart.user = user;
    chart.title = "Labels by angle";
    assert_int_equal(
        xta_chart_confusion(&chart, test_folder_join(&folder, "matrix.svg", path), NULL), XTA_OK);
    char *svg = read_text("matrix.svg");
    static const char *const expected[] = {"1234",
                                           "5",
                                           "7",
                                           "4321",
                                           "1",
                                           "0",
                                           "lettuce &lt;4 weeks&gt;",
                                           "soil",
                                           "none",
                                           "99.1 %",
                                           "25.0 %",
                                           "33.3 %",
                                           "44.4 %",
                                           "OA 98.8 %     kappa 0.5000",
                                           "label",
                                           "truth",
                                           "Labels by angle"};
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        if (!shows(svg, expected[k])) {
            fail_msg("the matrix does not show \"%s\"", expected[k]);
        }
    }
    free(svg);
}

static void sixteen_classes_fit_a_page(void **state)
{
    (void)state;
    uint64_t counts[16 * 17];
    const char *names[16];
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;
    for (int k = 0; k < 16 * 17; k++) {
        counts[k] = (uint64_t)k * 37;
    }
    for (int k = 0; k < 16; k++) {
        names[k] = "a class with a name that is far too long for any column of a table";
    }
    chart.n_rows = 16;
    chart.n_columns = 17;
    chart.counts = counts;
    chart.row_names = names;
    test_image image = confusion(&chart);
    assert_in_range(image.width, 1000, 3000);
    assert_in_range(image.height, 1000, 2400);
    assert_true(count(&image, 0xffffffffU) > image.width * image.height / 4);
    test_image_free(&image);
    chart.n_rows = 0;
    char path[TEST_PATH_BYTES];
    assert_int_equal(xta_chart_confusion(&chart, test_folder_join(&folder, "none.png", path), NULL),
                     XTA_EARG);
}

static void names_in_other_encodings_are_drawn(void **state)
{
    (void)state;
    // Latin-1, half a character at the end, an overlong encoding of a slash, half of a surrogate
    // pair.
    static const char *const names[] = {"Stra\xdf\x65", "tr\xc3\xa9\xc3", "\xc0\xaf",
                                        "\xed\xa0\x80"};
    const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    char path[TEST_PATH_BYTES];
    chart.n_spectra = 4;
    chart.n_bands = 2;
    chart.values = values;
    chart.names = names;
    chart.title = names[0];
    test_image image = spectra(&chart);
    assert_int_equal(image.width, 1920);
    test_image_free(&image);
    assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, "names.svg", path), NULL),
                     XTA_OK);
    char *svg = read_text("names.svg");
    assert_true(shows(svg, "Stra\xef\xbf\xbd\x65"));
    assert_true(shows(svg, "tr\xc3\xa9\xef\xbf\xbd"));
    assert_true(shows(svg, "\xef\xbf\xbd\xef\xbf\xbd"));
    free(svg);
}

static void the_same_chart_is_the_same_file(void **state)
{
    (void)state;
    const double values[] = {1, 3, 2};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    char path[TEST_PATH_BYTES];
    chart.n_spectra = 1;
    chart.n_bands = 3;
    chart.values = values;
    static const char *const files[] = {"one.svg", "two.svg", "one.png", "two.png"};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, files[k], path), NULL),
                         XTA_OK);
    }
    for (int k = 0; k < 4; k += 2) {
        size_t n = 0, m = 0;
        uint8_t *a = test_file_read(test_folder_join(&folder, files[k], path), &n);
        uint8_t *b = test_file_read(test_folder_join(&folder, files[k + 1], path), &m);
        assert_int_equal(n, m);
        assert_memory_equal(a, b, n);
        free(a);
        free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_lie_where_their_values_are),
        cmocka_unit_test(left_out_bands_break_lines),
        cmocka_unit_test(bands_are_drawn_in_order_of_wavelength),
        cmocka_unit_test(detectors_that_overlap_are_lines_of_their_own),
        cmocka_unit_test(bad_bands_do_not_stretch_the_axes),
        cmocka_unit_test(another_axis_has_its_name),
        cmocka_unit_test(axes_have_names_and_units),
        cmocka_unit_test(many_spectra_have_a_legend_below),
        cmocka_unit_test(poor_spectra_are_drawn_all_the_same),
        cmocka_unit_test(bad_spectra_are_refused),
        cmocka_unit_test(cells_have_the_colour_of_their_share),
        cmocka_unit_test(numbers_and_scores_are_written),
        cmocka_unit_test(sixteen_classes_fit_a_page),
        cmocka_unit_test(names_in_other_encodings_are_drawn),
        cmocka_unit_test(the_same_chart_is_the_same_file),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("charts", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
