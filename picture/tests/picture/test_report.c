/* Reports: everything added appears, escaped and in order, with pictures as the same bytes that the
 * file functions write; and nothing in the page refers to the outside.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/report.h>

static test_folder folder;

static xta_report *begin(const char *title)
{
    xta_report *report = NULL;
    assert_int_equal(xta_report_new(title, "What it is.", &report, NULL), XTA_OK);
    return report;
}

/* Write the page, return its text and free the report. */
static char *finish(xta_report *report)
{
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    xta_error err = {XTA_OK, 0, ""};
    if (xta_report_write(report, test_folder_join(&folder, "page.html", path), &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    xta_report_free(report);
    char *text = (char *)test_file_read(path, &n);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

static void assert_has(const char *page, const char *text)
{
    if (strstr(page, text) == NULL) {
        fail_msg("the page has no \"%s\"", text);
    }
}

/* How often a text occurs. */
static int count(const char *page, const char *text)
{
    int n = 0;
    for (const char *at = strstr(page, text); at != NULL; at = strstr(at + 1, text)) {
        n++;
    }
    return n;
}

static void texts_are_escaped_and_sections_listed(void **state)
{
    (void)state;
    xta_report *report = begin("A <b>title</b> & \"more\"");
    assert_int_equal(xta_report_section(report, "One & two", NULL), XTA_OK);
    assert_int_equal(xta_report_text(report, "x < y\001", NULL), XTA_OK);
    assert_int_equal(xta_report_section(report, "S\u00f6hne", NULL), XTA_OK);
    assert_int_equal(xta_report_text(report, "Stra\xdf\x65 \xc3\xa4 \xf0\x9f", NULL), XTA_OK);
    char *page = finish(report);
    assert_has(page,
               // not all of it is UTF-8
               "<p>Stra\xef\xbf\xbd\x65 \xc3\xa4 \xef\xbf\xbd\xef\xbf\xbd</p>");
    assert_memory_equal(page, "<!DOCTYPE html>\n<html lang=\"en\">", 31);
    assert_has(page, "<title>A &lt;b&gt;title&lt;/b&gt; &amp; &quot;more&quot;</title>");
    assert_has(page, "<p class=\"lead\">What it is.</p>");
    assert_has(page, "<a href=\"#s1\">One &amp; two</a>");
    assert_has(page, "<h2 id=\"s2\">S\u00f6hne</h2>");
    assert_has(page, "<p>x &lt; y </p>");
    assert_int_equal(count(page, "<section "), 2);
    assert_int_equal(count(page, "</section>"), 2);
    assert_has(page, "default-src 'none'");
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "http://"));
    assert_null(strstr(page, "https://"));
    free(page);
}

static void tables_have_heads_and_numbers(void **state)
{
    (void)state;
    static const char *const heads[] = {"class", "pixels"};
    static const char *const cells[] = {"soil & sand", "12", NULL, "7"};
    const unsigned char numbers[] = {0, 1}, colours[] = {255, 0, 16, 0, 160, 2};
    xta_report_table table = {sizeof table, 2, 2, heads, cells, numbers, colours, "Sizes", false};
    xta_report *report = begin("Tables");
    assert_int_equal(xta_report_add_table(report, &table, NULL), XTA_OK);
    table.heads = NULL;
    table.colours = NULL;
    table.folded = true;
    assert_int_equal(xta_report_add_table(report, &table, NULL), XTA_OK);
    table.n_columns = 0;
    assert_int_equal(xta_report_add_table(report, &table, NULL), XTA_EARG);
    char *page = finish(report);
    assert_has(page, "<caption>Sizes</caption>");
    assert_has(page, "<th scope=\"col\" class=\"n\">pixels</th>");
    assert_has(page, "style=\"background:#ff0010\"></span>soil &amp; sand</th>");
    assert_has(page, "<td class=\"n\">12</td></tr>");
    assert_has(page, "<th scope=\"row\"></th><td class=\"n\">7</td>");
    assert_has(page, "<details>\n<summary>Sizes</summary>");
    assert_int_equal(count(page, "<table>"), 2);
    assert_int_equal(count(page, "</table>"), 2);
    assert_int_equal(count(page, "</details>"), 1);
    free(page);
}

static int digit(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, c);
    return c == '=' ? 0 : (int)(at - letters);
}

/* The decoded bytes of the k-th data: URI of a kind. */
static unsigned char *decode(const char *page, const char *kind, size_t *n)
{
    char opening[64];
    snprintf(opening, sizeof opening, "src=\"data:image/%s;base64,", kind);
    const char *at = strstr(page, opening);
    assert_non_null(at);
    at += strlen(opening);
    size_t length = strcspn(at, "\"");
    assert_int_equal(length % 4, 0);
    unsigned char *bytes = malloc(length);
    *n = 0;
    for (size_t k = 0; k < length; k += 4) {
        int all =
            digit(at[k]) << 18 | digit(at[k + 1]) << 12 | digit(at[k + 2]) << 6 | digit(at[k + 3]);
        bytes[(*n)++] = (unsigned char)(all >> 16);
        bytes[(*n)++] = (unsigned char)(all >> 8);
        bytes[(*n)++] = (unsigned char)all;
    }
    *n -= (size_t)(at[length - 1] == '=') + (size_t)(at[length - 2] == '=');
    return bytes;
}

static void assert_same_as_file(const char *page, const char *kind, const char *path)
{
    size_t n = 0, m = 0;
    unsigned char *inside = decode(page, kind, &n);
    uint8_t *outside = test_file_read(path, &m);
    assert_int_equal(n, m);
    assert_memory_equal(inside, outside, n);
    free(inside);
    free(outside);
}

static void pictures_are_those_of_files(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const xta_report_figure figure = {"a map of \"two\" <classes>", "Caption & more", false};
    xta_classes_options inspect = XTA_CLASSES_OPTIONS_INIT;
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){3, 4}, (int64_t[]){2, 2}, NULL, NULL);
    test_array_write(a, (const double[]){1, 2, 0, 1, 1, 1, 2, 2, 2, 0, 0, 1});
    inspect.legend = true;
    xta_report *report = begin("Pictures");
    assert_int_equal(xta_report_add_classes(report, a, &inspect, &figure, NULL), XTA_OK);
    char *page = finish(report);
    test_folder_join(&folder, "classes.png", path);
    assert_int_equal(xta_picture_classes(a, &inspect, path, NULL), XTA_OK);
    assert_same_as_file(page, "png", path);
    test_image image = test_image_decode(path);
    char size[64];
    snprintf(size, sizeof size, "width=\"%d\" height=\"%d\"", image.width, image.height);
    assert_has(page, size);
    assert_has(page, "alt=\"a map of &quot;two&quot; &lt;classes&gt;\"");
    assert_has(page, "<figcaption>Caption &amp; more</figcaption>");
    test_image_free(&image);
    free(page);
    test_array_close(a);
}

static void charts_are_drawings(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const double values[] = {1, 2, 3};
    const uint64_t counts[] = {1, 2, 3, 4};
    const xta_report_figure figure = {"chart", NULL, false};
    xta_spectra_chart spectra = XTA_SPECTRA_CHART_INIT;
    xta_confusion_chart confusion = XTA_CONFUSION_CHART_INIT;
    spectra.n_spectra = 1;
    spectra.n_bands = 3;
    spectra.values = values;
    confusion.n_rows = confusion.n_columns = 2;
    confusion.counts = counts;
    xta_report *report = begin("Charts");
    assert_int_equal(xta_report_add_spectra(report, &spectra, &figure, NULL), XTA_OK);
    assert_int_equal(xta_report_add_confusion(report, &confusion, &figure, NULL), XTA_OK);
    char *page = finish(report);
    test_folder_join(&folder, "spectra.svg", path);
    assert_int_equal(xta_chart_spectra(&spectra, path, NULL), XTA_OK);
    assert_same_as_file(page, "svg+xml", path);
    assert_has(page, "width=\"960\" height=\"480\"");
    assert_int_equal(count(page, "data:image/svg+xml"), 2);
    free(page);
}

static void small_pictures_stand_in_rows(void **state)
{
    (void)state;
    const xta_report_figure small = {"small", NULL, true}, large = {"large", NULL, false};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    test_array_write(a, (const double[]){1, 2, 3, 4});
    xta_report *report = begin("Rows");
    for (int k = 0; k < 3; k++) {
        assert_int_equal(xta_report_add_quicklook(report, a, NULL, &small, NULL), XTA_OK);
    }
    assert_int_equal(xta_report_add_quicklook(report, a, NULL, &large, NULL), XTA_OK);
    assert_int_equal(xta_report_add_quicklook(report, a, NULL, &small, NULL), XTA_OK);
    char *page = finish(report);
    assert_int_equal(count(page, "<div class=\"row\">"), 2);
    assert_int_equal(count(page, "<div"), count(page, "</div>"));
    assert_int_equal(count(page, "<figure>"), 5);
    free(page);
    test_array_close(a);
}

static void failures_leave_the_report_as_it_was(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    const xta_report_figure figure = {"none", NULL, true};
    xta_error err = {XTA_OK, 0, ""};
    xta_spectra_chart spectra = XTA_SPECTRA_CHART_INIT;
    xta_array *a = test_array_of(XTA_C64, 2, (int64_t[]){2, 2}, (int64_t[]){2, 2}, NULL, NULL);
    xta_report *report = begin("Failures");
    assert_int_equal(xta_report_add_quicklook(report, a, NULL, &figure, &err), XTA_ETYPE);
    assert_int_equal(xta_report_add_classes(report, a, NULL, &figure, &err), XTA_ETYPE);
    assert_int_equal(xta_report_add_spectra(report, &spectra, &figure, &err), XTA_EARG);
    assert_int_equal(xta_report_write(report, test_folder_join(&folder, "page.txt", path), &err),
                     XTA_EARG);
    assert_non_null(strstr(err.text, ".html"));
    assert_int_equal(xta_report_write(report, "/nowhere/at/all.html", &err), XTA_ENOENT);
    char *page = finish(report);
    assert_null(strstr(page, "<figure"));
    assert_null(strstr(page, "<div"));
    free(page);
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped_and_sections_listed),
        cmocka_unit_test(tables_have_heads_and_numbers),
        cmocka_unit_test(pictures_are_those_of_files),
        cmocka_unit_test(charts_are_drawings),
        cmocka_unit_test(small_pictures_stand_in_rows),
        cmocka_unit_test(failures_leave_the_report_as_it_was),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("report", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
