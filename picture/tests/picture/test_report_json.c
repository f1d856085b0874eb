/* Reports as data: jansson reads the file again, and it has what was put in, numbers to the last
 * bit; pictures are those of the page.
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
#include <jansson.h>

#include <xta/report.h>

static test_folder folder;

static xta_report *begin(const char *title, const char *lead)
{
    xta_report *report = NULL;
    assert_int_equal(xta_report_new(title, lead, &report, NULL), XTA_OK);
    return report;
}

static char *read_text(const char *path)
{
    size_t n = 0;
    char *text = (char *)test_file_read(path, &n);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

/* Write the data and read it again. */
static json_t *data_of(const xta_report *report)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    json_error_t error;
    test_folder_join(&folder, "data.json", path);
    if (xta_report_write_json(report, path, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    json_t *data = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (data == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return data;
}

static json_t *element_at(const json_t *data, size_t section, size_t k)
{
    json_t *sections = json_object_get(data, "sections");
    json_t *element =
        json_array_get(json_object_get(json_array_get(sections, section), "elements"), k);
    assert_non_null(element);
    return element;
}

static void assert_text(const json_t *object, const char *name, const char *text)
{
    const json_t *value = json_object_get(object, name);
    assert_non_null(value);
    if (text == NULL) {
        assert_true(json_is_null(value));
    } else {
        assert_string_equal(json_string_value(value), text);
    }
}

static void assert_texts(const json_t *list, size_t n, const char *const texts[])
{
    assert_int_equal(json_array_size(list), n);
    for (size_t k = 0; k < n; k++) {
        const json_t *value = json_array_get(list, k);
        assert_true(texts[k] == NULL ? json_is_null(value)
                                     : strcmp(json_string_value(value), texts[k]) == 0);
    }
}

/* The same doubles, with null for those that are not finite. */
static void assert_reals(const json_t *list, size_t n, const double *values)
{
    assert_int_equal(json_array_size(list), n);
    for (size_t k = 0; k < n; k++) {
        const json_t *value = json_array_get(list, k);
        if (!isfinite(values[k])) {
            assert_true(json_is_null(value));
            continue;
        }
        double number = json_number_value(value);
        assert_memory_equal(&number, &values[k], sizeof number);
    }
}

static void texts_and_sections(void **state)
{
    (void)state;
    xta_report *report = begin("A <b> & \"quote\" \\ \n", NULL);
    json_t *data = data_of(report);
    assert_text(data, "title", "A <b> & \"quote\" \\ \n");
    assert_text(data, "lead", NULL);
    assert_int_equal(json_array_size(json_object_get(data, "sections")), 0);
    json_decref(data);

    assert_int_equal(xta_report_text(report, "before \001", NULL), XTA_OK);
    assert_int_equal(xta_report_section(report, "One", NULL), XTA_OK);
    assert_int_equal(xta_report_section(report, "Two", NULL), XTA_OK);
    assert_int_equal(xta_report_text(report, "Stra\xdf\x65 \xc3\xa4", NULL), XTA_OK);
    assert_int_equal(xta_report_text(report, "", NULL), XTA_OK);
    data = data_of(report);
    json_t *sections = json_object_get(data, "sections");
    assert_int_equal(json_array_size(sections), 3);
    assert_text(json_array_get(sections, 0), "heading", NULL);
    assert_text(json_array_get(sections, 1), "heading", "One");
    assert_text(json_array_get(sections, 2), "heading", "Two");
    assert_int_equal(json_array_size(json_object_get(json_array_get(sections, 1), "elements")), 0);
    assert_text(element_at(data, 0, 0), "kind", "text");
    assert_text(element_at(data, 0, 0), "text", "before \001");
    assert_text(element_at(data, 2, 0), "text", "Stra\xef\xbf\xbd\x65 \xc3\xa4");
    assert_text(element_at(data, 2, 1), "text", "");
    json_decref(data);
    xta_report_free(report);
}

static void tables_are_copied(void **state)
{
    (void)state;
    const char *heads[] = {"class", "pixels"};
    const char *cells[] = {"soil & sand", "12", NULL, "7"};
    unsigned char numbers[] = {0, 1}, colours[] = {255, 0, 16, 0, 160, 2};
    xta_report_table table = {sizeof table, 2, 2, heads, cells, numbers, colours, "Sizes", true};
    xta_report_table plain = {.struct_size = sizeof plain, .n_columns = 3};
    xta_report *report = begin("Tables", "");
    assert_int_equal(xta_report_add_table(report, &table, NULL), XTA_OK);
    assert_int_equal(xta_report_add_table(report, &plain, NULL), XTA_OK);
    // What was added is the report's own.
    heads[0] = cells[0] = "changed";
    numbers[0] = colours[0] = 9;
    json_t *data = data_of(report);
    json_t *t = element_at(data, 0, 0);
    assert_text(t, "kind", "table");
    assert_text(t, "caption", "Sizes");
    assert_true(json_is_true(json_object_get(t, "folded")));
    assert_texts(json_object_get(t, "heads"), 2, (const char *[]){"class", "pixels"});
    assert_texts(json_object_get(t, "colours"), 2, (const char *[]){"#ff0010", "#00a002"});
    json_t *rows = json_object_get(t, "rows");
    assert_int_equal(json_array_size(rows), 2);
    assert_texts(json_array_get(rows, 0), 2, (const char *[]){"soil & sand", "12"});
    assert_texts(json_array_get(rows, 1), 2, (const char *[]){NULL, "7"});
    json_t *flags = json_object_get(t, "numbers");
    assert_int_equal(json_array_size(flags), 2);
    assert_true(json_is_false(json_array_get(flags, 0)));
    assert_true(json_is_true(json_array_get(flags, 1)));
    t = element_at(data, 0, 1);
    static const char *const empty[] = {"caption", "heads", "numbers", "colours"};
    for (size_t k = 0; k < 4; k++) {
        assert_text(t, empty[k], NULL);
    }
    assert_int_equal(json_array_size(json_object_get(t, "rows")), 0);
    json_decref(data);
    xta_report_free(report);
}

static void maps_have_their_picture(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const xta_report_figure figure = {"a \"map\"", "Caption", true};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    test_array_write(a, (const double[]){1, 2, 3, 4});
    xta_report *report = begin("Maps", "Lead.");
    assert_int_equal(xta_report_add_quicklook(report, a, NULL, &figure, NULL), XTA_OK);
    json_t *data = data_of(report);
    json_t *f = element_at(data, 0, 0);
    assert_text(data, "lead", "Lead.");
    assert_text(f, "kind", "figure");
    assert_text(f, "alt", "a \"map\"");
    assert_text(f, "caption", "Caption");
    assert_text(f, "media_type", "image/png");
    assert_text(f, "chart", NULL);
    assert_true(json_is_true(json_object_get(f, "small")));
    test_folder_join(&folder, "page.html", path);
    assert_int_equal(xta_report_write(report, path, NULL), XTA_OK);
    char *page = read_text(path);
    assert_non_null(strstr(page, json_string_value(json_object_get(f, "data"))));
    char size[64];
    snprintf(size, sizeof size, " width=\"%d\" height=\"%d\" ",
             (int)json_integer_value(json_object_get(f, "width")),
             (int)json_integer_value(json_object_get(f, "height")));
    assert_non_null(strstr(page, size));
    free(page);
    json_decref(data);
    xta_report_free(report);
    test_array_close(a);
}

static void spectra_have_their_numbers(void **state)
{
    (void)state;
    const xta_report_figure figure = {"chart", NULL, false};
    double values[] = {0.1, NAN, 1.0 / 3, 5e-324, -1e300, 2};
    const double wavelength[] = {400.5, 500, 1e15};
    const int64_t band[] = {-9007199254740993, 0, 9007199254740993};
    const unsigned char dashed[] = {0, 1}, colours[] = {1, 2, 3, 250, 251, 252};
    const char *const names[] = {"tree", NULL};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_spectra = 2;
    chart.n_bands = 3;
    chart.values = values;
    xta_report *report = begin("Spectra", NULL);
    assert_int_equal(xta_report_add_spectra(report, &chart, &figure, NULL), XTA_OK);
    chart.wavelength = wavelength;
    chart.band = band;
    chart.unit = "nm";
    chart.names = names;
    chart.dashed = dashed;
    chart.colours = colours;
    chart.label = "reflectance";
    assert_int_equal(xta_report_add_spectra(report, &chart, &figure, NULL), XTA_OK);
    const double kept = values[0];
    values[0] = 7;
    json_t *data = data_of(report);
    values[0] = kept;
    for (size_t k = 0; k < 2; k++) {
        json_t *c = json_object_get(element_at(data, 0, k), "chart");
        json_t *spectra = json_object_get(c, "spectra");
        assert_text(element_at(data, 0, k), "media_type", "image/svg+xml");
        assert_text(c, "kind", "spectra");
        assert_text(c, "unit", k == 0 ? NULL : "nm");
        assert_text(c, "label", k == 0 ? NULL : "reflectance");
        assert_int_equal(json_array_size(spectra), 2);
        assert_text(json_array_get(spectra, 0), "name", k == 0 ? "1" : "tree");
        assert_text(json_array_get(spectra, 1), "name", "2");
        assert_text(json_array_get(spectra, 1), "colour", k == 0 ? "#dc6414" : "#fafbfc");
        assert_int_equal(json_is_true(json_object_get(json_array_get(spectra, 1), "dashed")), k);
        assert_reals(json_object_get(json_array_get(spectra, 0), "values"), 3, values);
        assert_reals(json_object_get(json_array_get(spectra, 1), "values"), 3, values + 3);
    }
    assert_text(json_object_get(element_at(data, 0, 0), "chart"), "wavelength", NULL);
    json_t *c = json_object_get(element_at(data, 0, 1), "chart");
    assert_reals(json_object_get(c, "wavelength"), 3, wavelength);
    for (size_t k = 0; k < 3; k++) {
        json_t *coord = json_array_get(json_object_get(c, "band"), k);
        assert_int_equal(json_integer_value(coord), band[k]);
    }
    json_decref(data);
    xta_report_free(report);
}

/* The chart of one spectrum whose values are the numbers of its bands, as data. */
static json_t *chart_of(xta_spectra_chart *chart, json_t **data)
{
    const xta_report_figure figure = {"chart", NULL, false};
    double values[64];
    for (size_t k = 0; k < chart->n_bands; k++) {
        values[k] = (double)k;
    }
    chart->n_spectra = 1;
    chart->values = values;
    xta_report *report = begin("Lines", NULL);
    xta_error err = {XTA_OK, 0, ""};
    if (xta_report_add_spectra(report, chart, &figure, &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    *data = data_of(report);
    xta_report_free(report);
    return json_object_get(element_at(*data, 0, 0), "chart");
}

/* The lines of a chart as text: "0 1 2|3 4". */
static void assert_lines(xta_spectra_chart *chart, const char *expected)
{
    json_t *data = NULL;
    json_t *lines = json_object_get(chart_of(chart, &data), "lines");
    char found[512] = "";
    size_t n = 0;
    for (size_t j = 0; j < json_array_size(lines); j++) {
        json_t *line = json_array_get(lines, j);
        for (size_t k = 0; k < json_array_size(line); k++) {
            n += (size_t)snprintf(found + n, sizeof found - n, "%s%d",
                                  k > 0   ? " "
                                  : j > 0 ? "|"
                                          : "",
                                  (int)json_integer_value(json_array_get(line, k)));
        }
    }
    json_decref(data);
    assert_string_equal(found, expected);
}

static void lines_say_which_bands_are_joined(void **state)
{
    (void)state;
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_bands = 5;
    assert_lines(&chart, "0 1 2 3 4");
    const int64_t band[] = {10, 11, 13, 14, 15}; // 12 is left out
    chart.band = band;
    assert_lines(&chart, "0 1|2 3 4");
    const double gap[] = {400, 410, 420, 1900, 1910};
    chart.band = NULL;
    chart.wavelength = gap;
    assert_lines(&chart, "0 1 2|3 4");
    const double down[] = {1910, 1900, 420, 410, 400};
    chart.wavelength = down;
    assert_lines(&chart, "0 1|2 3 4");
    const double mixed[] = {500, 400, 700, 600, 800}; // in no order
    chart.wavelength = mixed;
    assert_lines(&chart, "1 0 3 2 4");
}

static void bad_bands_are_in_no_line(void **state)
{
    (void)state;
    const unsigned char bad[] = {1, 0, 0, 1, 1, 0, 1, 0, 0, 1};
    const double wavelength[] = {400, 410, 420, 430, 440, 450, 460, 470, 480, 490};
    json_t *data = NULL;
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_bands = 10;
    chart.bad = bad;
    assert_lines(&chart, "1 2|5|7 8");
    chart.wavelength = wavelength;
    assert_lines(&chart, "1 2|5|7 8");
    const json_t *flags = json_object_get(chart_of(&chart, &data), "bad");
    assert_int_equal(json_array_size(flags), 10);
    for (size_t k = 0; k < 10; k++) {
        assert_int_equal(json_is_true(json_array_get(flags, k)), bad[k]);
    }
    json_decref(data);
    // In no order, a line breaks at the bad wavelength.
    const double shuffled[] = {410, 440, 400, 430, 420, 450, 470, 460};
    const unsigned char middle[] = {0, 0, 0, 1, 0, 0, 0, 0}; // 430
    chart.n_bands = 8;
    chart.wavelength = shuffled;
    chart.bad = middle;
    assert_lines(&chart, "2 0 4|1 5 7 6");
    // None at all is no chart.
    const unsigned char all[] = {1, 1, 1, 1, 1, 1, 1, 1};
    xta_error err = {XTA_OK, 0, ""};
    char path[TEST_PATH_BYTES];
    chart.bad = all;
    assert_int_equal(xta_chart_spectra(&chart, test_folder_join(&folder, "bad.svg", path), &err),
                     XTA_EARG);
    assert_non_null(strstr(err.text, "all 8 bands are bad"));
}

static void detectors_are_lines_of_their_own(void **state)
{
    (void)state;
    // EnMAP: two detectors, the second begins below the end of the first.
    const double up[] = {960, 968, 977, 985, 993, 902, 912, 922, 932, 942, 952, 962};
    const double down[] = {993, 985, 977, 968, 960, 962, 952, 942, 932, 922, 912, 902};
    const double both[] = {960, 968, 977, 985, 993, 962, 952, 942, 932, 922, 912, 902};
    const double away[] = {400, 410, 420, 430, 440, 2490, 2480, 2470, 2460, 2450, 2440, 2430};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;
    chart.n_bands = 12;
    const double *const cases[] = {up, down, both, away};
    for (size_t k = 0; k < 4; k++) {
        chart.wavelength = cases[k];
        assert_lines(&chart, "0 1 2 3 4|5 6 7 8 9 10 11");
    }
    // A bad band, and a jump of coordinates, within a detector.
    const unsigned char bad[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    const int64_t band[] = {0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    chart.wavelength = up;
    chart.bad = bad;
    chart.band = band;
    assert_lines(&chart, "0 1|2 3 4|5 6|8 9 10 11");
}

static void confusion_has_its_matrix(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const xta_report_figure figure = {"matrix", NULL, false};
    const uint64_t counts[] = {UINT64_MAX, 2, 3, 4, 0, 9007199254740993};
    const double producer[] = {0.7, NAN}, user[] = {0.1, 0.2, NAN}, scores[] = {0.73, 1, NAN};
    const char *const rows[] = {"soil", "tree"};
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;
    chart.n_rows = 2;
    chart.n_columns = 3;
    chart.counts = counts;
    chart.row_names = rows;
    chart.producer = producer;
    chart.user = user;
    chart.scores = scores;
    chart.note = "Note.";
    xta_report *report = begin("Confusion", NULL);
    assert_int_equal(xta_report_add_confusion(report, &chart, &figure, NULL), XTA_OK);
    json_t *data;
    // jansson has no integers above 2^63: the text is looked at.
    test_folder_join(&folder, "data.json", path);
    assert_int_equal(xta_report_write_json(report, path, NULL), XTA_OK);
    char *text = read_text(path);
    assert_non_null(
        strstr(text, "\"counts\": [[18446744073709551615, 2, 3], [4, 0, 9007199254740993]]"));
    free(text);
    data = json_load_file(path, JSON_DECODE_INT_AS_REAL, NULL);
    assert_non_null(data);
    json_t *c = json_object_get(element_at(data, 0, 0), "chart");
    assert_text(c, "kind", "confusion");
    assert_text(c, "note", "Note.");
    assert_texts(json_object_get(c, "rows"), 2, rows);
    assert_texts(json_object_get(c, "columns"), 3, (const char *[]){"soil", "tree", "none"});
    assert_reals(json_object_get(c, "producer_accuracy"), 2, producer);
    assert_reals(json_object_get(c, "user_accuracy"), 3, user);
    assert_float_equal(json_real_value(json_object_get(c, "overall_accuracy")), 0.73, 0);
    assert_float_equal(json_real_value(json_object_get(c, "average_accuracy")), 1, 0);
    assert_text(c, "kappa", NULL);
    json_decref(data);
    xta_report_free(report);
}

/* What the template has is all filled, and its remarks are left out. */
static void no_mark_of_the_template_is_left(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    static const char *const cells[] = {"{{title}} {{#lead}}", "{{/row}}"};
    xta_report_table table = {.struct_size = sizeof table,
                              .n_rows = 1,
                              .n_columns = 2,
                              .cells = cells,
                              .caption = "c",
                              .folded = true};
    xta_report *report = begin("Marks", "Lead.");
    assert_int_equal(xta_report_section(report, "One", NULL), XTA_OK);
    assert_int_equal(xta_report_section(report, "Two", NULL), XTA_OK);
    test_folder_join(&folder, "page.html", path);
    assert_int_equal(xta_report_write(report, path, NULL), XTA_OK);
    char *page = read_text(path);
    assert_null(strstr(page, "{{"));
    assert_memory_equal(page, "<!DOCTYPE", 9);
    static const char end[] =
        "</nav>\n<main>\n"
        "<section aria-labelledby=\"s1\">\n<h2 id=\"s1\">One</h2>\n</section>\n"
        "<section aria-labelledby=\"s2\">\n<h2 id=\"s2\">Two</h2>\n</section>\n"
        "</main>\n</body>\n</html>\n";
    assert_string_equal(page + strlen(page) - strlen(end), end);
    free(page);
    // Texts of the report are no template.
    assert_int_equal(xta_report_add_table(report, &table, NULL), XTA_OK);
    assert_int_equal(xta_report_write(report, path, NULL), XTA_OK);
    page = read_text(path);
    assert_non_null(strstr(page, "<details>\n<summary>c</summary>\n"
                                 "<div class=\"table\" tabindex=\"0\">\n<table>\n<tbody>\n"
                                 "<tr><th scope=\"row\">{{title}} {{#lead}}</th>"
                                 "<td>{{/row}}</td></tr>\n</tbody>\n</table>\n</div>\n"
                                 "</details>\n</section>\n</main>"));
    free(page);
    xta_report_free(report);
}

static void names_of_files(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    xta_report *report = begin("Names", NULL);
    static const char *const refused[] = {"data.html", "json", "data.json5", "data.jso"};
    for (size_t k = 0; k < 4; k++) {
        test_folder_join(&folder, refused[k], path);
        assert_int_equal(xta_report_write_json(report, path, &err), XTA_EARG);
        assert_non_null(strstr(err.text, ".json"));
        assert_null(fopen(path, "rb"));
    }
    assert_int_equal(xta_report_write_json(report, "/nowhere/at/all.json", &err), XTA_ENOENT);
    test_folder_join(&folder, "data.JSON", path);
    assert_int_equal(xta_report_write_json(report, path, &err), XTA_OK);
    xta_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_sections),
        cmocka_unit_test(tables_are_copied),
        cmocka_unit_test(maps_have_their_picture),
        cmocka_unit_test(spectra_have_their_numbers),
        cmocka_unit_test(lines_say_which_bands_are_joined),
        cmocka_unit_test(bad_bands_are_in_no_line),
        cmocka_unit_test(detectors_are_lines_of_their_own),
        cmocka_unit_test(confusion_has_its_matrix),
        cmocka_unit_test(no_mark_of_the_template_is_left),
        cmocka_unit_test(names_of_files),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("report_json", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
