/* A report is assembled as a list of elements that own what they show, and then written: as a page
 * that needs nothing else (html.h), or as data (json.h). Pictures are drawn to memory when they are
 * added, maps as PNG, charts as SVG, which print sharp.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/report.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "charts/confusion.h"
#include "charts/spectra.h"
#include "drawing/output.h"
#include "quicklook/classes.h"
#include "quicklook/quicklook.h"
#include "report/elements.h"
#include "report/html.h"
#include "report/json.h"
#include "util/checked.h"
#include "util/text.h"

/* ---- elements ---- */

xta_status xta_report_new(const char *title, const char *lead, xta_report **report, xta_error *err)
{
    *report = calloc(1, sizeof **report);
    if (*report != NULL) {
        (*report)->title = xta__strdup(title);
        (*report)->lead = xta__strdup(lead != NULL ? lead : "");
    }
    if (*report == NULL || (*report)->title == NULL || (*report)->lead == NULL) {
        xta_report_free(*report);
        *report = NULL;
        return xta_error_set(err, XTA_ENOMEM, 0, "report: out of memory");
    }
    return XTA_OK;
}

void xta_report_free(xta_report *report)
{
    if (report == NULL) {
        return;
    }
    for (size_t k = 0; k < report->n_elements; k++) {
        xta__element_clear(&report->elements[k]);
    }
    free(report->elements);
    free(report->title);
    free(report->lead);
    free(report);
}

/* Append an element that was copied; `copied` is false if there was no memory. */
static xta_status append(xta_report *report, bool copied, report_element *element, xta_error *err)
{
    if (!copied) {
        xta__element_clear(element);
        return xta_error_set(err, XTA_ENOMEM, 0, "report: out of memory");
    }
    return xta__report_append(report, element, err);
}

static xta_status append_words(xta_report *report, element_kind kind, const char *text,
                               xta_error *err)
{
    report_element element = {.kind = kind, .text = xta__strdup(text)};

    return append(report, element.text != NULL, &element, err);
}

xta_status xta_report_section(xta_report *report, const char *heading, xta_error *err)
{
    return append_words(report, ELEMENT_SECTION, heading, err);
}

xta_status xta_report_text(xta_report *report, const char *text, xta_error *err)
{
    return append_words(report, ELEMENT_TEXT, text, err);
}

xta_status xta_report_add_table(xta_report *report, const xta_report_table *table, xta_error *err)
{
    report_element element = {.kind = ELEMENT_TABLE};
    xta_report_table t;
    memset(&t, 0, sizeof t);
    xta_status status = xta_options_read(&t, sizeof t, table, "xta_report_table", err);
    if (status != XTA_OK) {
        return status;
    }
    if (t.n_columns < 1 || (t.n_rows > 0 && t.cells == NULL)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "report: a table of %zu rows has no cells; give "
                             "at least one column",
                             t.n_rows);
    }
    return append(report, xta__element_copy_table(&t, &element), &element, err);
}

/* ---- pictures ---- */

/* A number behind `name="` in the head of an SVG. */
static int svg_number(const xta__text *file, const char *name)
{
    char head[512] = "";
    size_t n = file->n < sizeof head - 1 ? file->n : sizeof head - 1;
    memcpy(head, file->bytes, n);
    const char *at = strstr(head, name);
    return at != NULL ? (int)strtod(at + strlen(name), NULL) : 0;
}

/* A page reserves space for a picture before it is decoded, so its size must be written. */
static void find_size(const xta__text *file, bool svg, int *width, int *height)
{
    const unsigned char *b = (const unsigned char *)file->bytes + 16; // of a PNG: IHDR comes first
    if (svg) {
        *width = svg_number(file, " width=\"");
        *height = svg_number(file, " height=\"");
    } else {
        *width = b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
        *height = b[4] << 24 | b[5] << 16 | b[6] << 8 | b[7];
    }
}

/* Append a picture that was drawn; `element` has the numbers of its chart, and `copied` is false if
 * there was no memory for them. Takes over the bytes. */
static xta_status append_picture(xta_report *report, xta__text *file, bool svg,
                                 const xta_report_figure *figure, bool copied,
                                 report_element *element, xta_error *err)
{
    element_figure *to = &element->figure;

    to->file = *file;
    to->svg = svg;
    find_size(file, svg, &to->width, &to->height);
    return append(report, copied && xta__element_copy_figure(figure, element), element, err);
}

xta_status xta_report_add_quicklook(xta_report *report, xta_array *array,
                                    const xta_quicklook_options *options,
                                    const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    report_element element = {0};
    xta_status status = xta__picture_quicklook_to(array, options, "report.png", &file, err);
    return status == XTA_OK ? append_picture(report, &file, false, figure, true, &element, err)
                            : status;
}

xta_status xta_report_add_classes(xta_report *report, xta_array *array,
                                  const xta_classes_options *options,
                                  const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    report_element element = {0};
    xta_status status = xta__picture_classes_to(array, options, "report.png", &file, err);
    return status == XTA_OK ? append_picture(report, &file, false, figure, true, &element, err)
                            : status;
}

xta_status xta_report_add_spectra(xta_report *report, const xta_spectra_chart *chart,
                                  const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    report_element element = {0};
    xta_status status = xta__chart_spectra_to(chart, "report.svg", &file, err);
    if (status != XTA_OK) {
        return status;
    }
    bool copied = xta__chart_copy_spectra(chart, &element.figure.chart);
    return append_picture(report, &file, true, figure, copied, &element, err);
}

xta_status xta_report_add_confusion(xta_report *report, const xta_confusion_chart *chart,
                                    const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    report_element element = {0};
    xta_status status = xta__chart_confusion_to(chart, "report.svg", &file, err);
    if (status != XTA_OK) {
        return status;
    }
    bool copied = xta__chart_copy_confusion(chart, &element.figure.chart);
    return append_picture(report, &file, true, figure, copied, &element, err);
}

/* ---- files ---- */

static bool has_suffix(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    size_t n = strlen(suffix);

    for (size_t k = 0; dot != NULL && k <= n; k++) {
        if (tolower((unsigned char)dot[k]) != suffix[k]) {
            return false;
        }
    }
    return dot != NULL;
}

/* Write the bytes to the file and clear them. */
static xta_status write_file(const char *path, xta__text *bytes, xta_error *err)
{
    xta_status status = bytes->failed ? xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", path)
                                      : xta__picture_replace_file(path, bytes, err);
    xta__text_clear(bytes);
    return status;
}

xta_status xta_report_write(const xta_report *report, const char *path, xta_error *err)
{
    xta__text page = {NULL, 0, 0, false};
    if (!has_suffix(path, ".html") && !has_suffix(path, ".htm")) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the name of a report must end in .html or .htm",
                             path);
    }
    xta__report_html(report, &page);
    return write_file(path, &page, err);
}

xta_status xta_report_write_json(const xta_report *report, const char *path, xta_error *err)
{
    xta__text data = {NULL, 0, 0, false};
    if (!has_suffix(path, ".json")) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the name of a report's data must end in .json",
                             path);
    }
    xta__report_json(report, &data);
    return write_file(path, &data, err);
}
