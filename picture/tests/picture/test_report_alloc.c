/* Every n-th allocation fails while a report is assembled and written, and while series and small
 * multiples are drawn: the call answers XTA_ENOMEM with a text, the report stays as it was, and
 * nothing stays allocated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/report.h>
#include <xta/xta.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

static test_story story;
static test_folder folder;

static xta_status add_table(xta_report *report, xta_error *err)
{
    static const char *const heads[] = {"class", "pixels"};
    static const char *const cells[] = {"soil", "12", NULL, "7"};
    static const unsigned char numbers[] = {0, 1}, colours[] = {255, 0, 16, 0, 160, 2};
    const xta_report_table table = {sizeof table, 2, 2, heads, cells, numbers, colours, "c", true};

    return xta_report_add_table(report, &table, err);
}

static xta_status add_spectra(xta_report *report, xta_error *err)
{
    static const double values[] = {1, 2, 3, 4}, wavelength[] = {400, 500};
    static const int64_t band[] = {0, 1};
    static const char *const names[] = {"a", "b"};
    const xta_report_figure figure = {"spectra", "caption", false};
    xta_spectra_chart chart = XTA_SPECTRA_CHART_INIT;

    chart.n_spectra = chart.n_bands = 2;
    chart.values = values;
    chart.wavelength = wavelength;
    chart.band = band;
    chart.names = names;
    chart.unit = "nm";
    chart.title = chart.label = "text";
    return xta_report_add_spectra(report, &chart, &figure, err);
}

static xta_status add_confusion(xta_report *report, xta_error *err)
{
    static const uint64_t counts[] = {1, 2, 3, 4};
    static const double shares[] = {0.5, 0.5, 0.5};
    const xta_report_figure figure = {"matrix", NULL, true};
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;

    chart.n_rows = chart.n_columns = 2;
    chart.counts = counts;
    chart.producer = chart.user = chart.scores = shares;
    chart.note = "note";
    return xta_report_add_confusion(report, &chart, &figure, err);
}

static xta_status add_all(xta_report *report, xta_error *err)
{
    xta_status status = xta_report_section(report, "One", err);

    status = status == XTA_OK ? xta_report_text(report, "text", err) : status;
    status = status == XTA_OK ? add_table(report, err) : status;
    status = status == XTA_OK ? add_spectra(report, err) : status;
    return status == XTA_OK ? add_confusion(report, err) : status;
}

static xta_status write_both(const xta_report *report, xta_error *err)
{
    char page[TEST_PATH_BYTES], data[TEST_PATH_BYTES];

    test_folder_join(&folder, "page.html", page);
    test_folder_join(&folder, "data.json", data);
    xta_status status = xta_report_write(report, page, err);
    return status == XTA_OK ? xta_report_write_json(report, data, err) : status;
}

static xta_status make_report(xta_error *err)
{
    xta_report *report = NULL;
    xta_status status = xta_report_new("title", "lead", &report, err);

    status = status == XTA_OK ? add_all(report, err) : status;
    status = status == XTA_OK ? write_both(report, err) : status;
    xta_report_free(report);
    return status;
}

static xta_array *cube; // time, y, x

static void make_cube(void)
{
    const char *const names[] = {"time", "y", "x"};
    const double times[] = {0, 1, 2};
    const xta_attribute values = {"values", XTA_F64, sizeof times[0], 3, times};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {XTA_OK, 0, ""};

    options.names = names;
    STORY_OK(&story, xta_array_new(XTA_F32, 3, (int64_t[]){3, 4, 5}, &options, &cube, &err), err);
    STORY_OK(&story, xta_attribute_set(cube, 0, &values, &err), err);
}

static xta_status draw_views(xta_error *err)
{
    static const int64_t points[] = {0, 1, 1, 0, 2, 2};
    char path[TEST_PATH_BYTES];
    xta_series_options series = XTA_SERIES_OPTIONS_INIT;
    xta_panels_options panels = XTA_PANELS_OPTIONS_INIT;

    test_folder_join(&folder, "view.svg", path);
    series.points = points;
    series.n_points = 2;
    panels.axis = "time";
    xta_status status = xta_picture_series(cube, &series, path, err);
    return status == XTA_OK ? xta_picture_panels(cube, &panels, path, err) : status;
}

static uint64_t fail_each(xta_status (*make)(xta_error *err), bool for_good)
{
    for (uint64_t n = 1;; n++) {
        xta_error err = {XTA_OK, 0, ""};
        int64_t live = failing_alloc_live();

        test_story_begin(&story, "test_report_alloc", 0, n);
        failing_alloc_at(n, for_good);
        failing_alloc_arm(true);
        xta_status status = make(&err);
        failing_alloc_arm(false);
        bool refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, failing_alloc_live() == live, "%ld blocks are left",
                    (long)(failing_alloc_live() - live));
        if (!refused) {
            STORY_OK(&story, status, err);
            return n - 1;
        }
        if (status != XTA_OK) {
            STORY_FAILS(&story, status, XTA_ENOMEM, err);
        }
    }
}

/* After an addition that failed, the pages are those of a report without it. */
static void check_unchanged(void)
{
    char path[TEST_PATH_BYTES];
    size_t n[2] = {0, 0};
    uint8_t *bytes[2];
    xta_report *report = NULL;
    xta_error err = {XTA_OK, 0, ""};

    test_folder_join(&folder, "data.json", path);
    STORY_OK(&story, xta_report_new("title", NULL, &report, &err), err);
    STORY_OK(&story, xta_report_text(report, "text", &err), err);
    for (int k = 0; k < 2; k++) {
        STORY_OK(&story, xta_report_write_json(report, path, &err), err);
        bytes[k] = test_file_read(path, &n[k]);
        failing_alloc_at(3, true);
        failing_alloc_arm(true);
        xta_status status = add_table(report, &err);
        failing_alloc_arm(false);
        failing_alloc_at(0, false);
        STORY_FAILS(&story, status, XTA_ENOMEM, err);
    }
    STORY_CHECK(&story, n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0, "a change");
    for (int k = 0; k < 2; k++) {
        free(bytes[k]);
    }
    xta_report_free(report);
}

int main(void)
{
    test_folder_make_fast(&folder);
    // The first time Cairo and fontconfig keep what they have loaded.
    test_story_begin(&story, "test_report_alloc", 0, 0);
    xta_error err = {XTA_OK, 0, ""};
    STORY_OK(&story, make_report(&err), err);
    uint64_t once = fail_each(make_report, false), after = fail_each(make_report, true);
    STORY_CHECK(&story, once > 40 && after == once, "only %lu allocations", (unsigned long)once);
    check_unchanged();
    make_cube();
    STORY_OK(&story, draw_views(&err), err);
    uint64_t views = fail_each(draw_views, false);
    STORY_CHECK(&story, views > 20, "only %lu allocations", (unsigned long)views);
    STORY_OK(&story, xta_array_close(cube, &err), err);
    test_folder_remove(&folder);
    printf("report: each of %lu allocations failed, views: %lu\n", (unsigned long)once,
           (unsigned long)views);
    return 0;
}
