/* A report: one HTML file that needs nothing else.
 *
 * The body grows as text; pictures are drawn to memory and stand in it as data: URIs (maps as PNG,
 * charts as SVG, which print sharp). The page forbids itself everything else by a content security
 * policy, so that it cannot ask the network for anything even if somebody puts an address into a
 * title. Pictures have a white ground; on dark screens they keep it, as a card.
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
#include "util/checked.h"
#include "util/text.h"

struct xta_report {
    xta__text body;
    xta__text contents; /* a list entry for each section */
    char *title;
    char *lead;
    int n_sections;
    bool in_section;
    bool in_row; /* of small figures */
};

/* Light and dark are two sets of a few colours; everything is set in shares of the letter size. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--ink:#1d2125;--soft:#5b636b;--line:#d5d9de;"
    "--card:#f5f6f8;--link:#0b57a4}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#14171a;--ink:#e6e8ea;--soft:#a2abb4;"
    "--line:#3a4149;--card:#1e2328;--link:#8fc1ff}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:66rem;background:var(--ground);"
    "color:var(--ink);font:1rem/1.55 system-ui,sans-serif}\n"
    "h1{font-size:1.8rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.3rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:.75rem;"
    "border-top:1px solid var(--line)}\n"
    "a{color:var(--link)}\n"
    "p{max-width:44rem;margin:.6rem 0}\n"
    ".lead{color:var(--soft)}\n"
    "nav ul{list-style:none;padding:0;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}\n"
    "figure{margin:1.2rem 0}\n"
    "figure img{display:block;max-width:100%;height:auto;background:#fff;border-radius:.4rem;"
    "border:1px solid var(--line)}\n"
    "figcaption{color:var(--soft);font-size:.9rem;margin-top:.4rem;max-width:44rem}\n"
    ".wide{overflow-x:auto}\n"
    ".row{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));"
    "gap:1rem;margin:1.2rem 0;align-items:start}\n"
    ".row figure{margin:0}\n"
    ".table{overflow-x:auto;margin:1rem 0}\n"
    "table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}\n"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}\n"
    "th,td{padding:.3rem .7rem;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n"
    "thead th{background:var(--card);border-bottom:2px solid var(--line);white-space:nowrap}\n"
    "tbody th{font-weight:600;white-space:nowrap}\n"
    "th.n,td.n{text-align:right;white-space:nowrap}\n"
    "td{overflow-wrap:anywhere}\n"
    ".patch{display:inline-block;width:.8em;height:.8em;margin-right:.5em;border-radius:.15em;"
    "border:1px solid var(--soft);vertical-align:-.05em;print-color-adjust:exact}\n"
    "summary{cursor:pointer;font-weight:600;margin:1rem 0 0}\n"
    "@media print{:root{color-scheme:light;--ground:#fff;--ink:#000;--soft:#444;--line:#bbb;"
    "--card:#eee;--link:#000}body{max-width:none;padding:0;font-size:10pt}nav{display:none}"
    "figure,tr{break-inside:avoid}h2{break-after:avoid}.table,.wide{overflow:visible}.wide "
    "img{min-width:0!important}}\n";

/* ---- text ---- */

/* Text, or an attribute in double quotes. */
static void add_plain(xta__text *out, const char *text)
{
    xta__picture_add_escaped(out, text);
}

static void add_element(xta__text *out, const char *before, const char *text, const char *after)
{
    xta__text_add_string(out, before);
    add_plain(out, text);
    xta__text_add_string(out, after);
}

static void add_base64(xta__text *out, const xta__text *file)
{
    const unsigned char *bytes = (const unsigned char *)file->bytes;
    size_t n = file->n;
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < n; k += 3) {
        unsigned long three = (unsigned long)bytes[k] << 16;
        three |= k + 1 < n ? (unsigned long)bytes[k + 1] << 8 : 0;
        three |= k + 2 < n ? bytes[k + 2] : 0;
        char four[4];
        for (int j = 0; j < 4; j++) {
            four[j] = letters[three >> (18 - 6 * j) & 63];
        }
        four[3] = k + 2 < n ? four[3] : '=';
        four[2] = k + 1 < n ? four[2] : '=';
        xta__text_add(out, four, 4);
    }
}

static xta_status outcome(const xta_report *report, xta_error *err)
{
    if (report->body.failed || report->contents.failed) {
        return xta_error_set(err, XTA_ENOMEM, 0, "report: out of memory");
    }
    return XTA_OK;
}

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
    xta__text_clear(&report->body);
    xta__text_clear(&report->contents);
    free(report->title);
    free(report->lead);
    free(report);
}

/* End a row of small figures, if there is one: what comes next stands below it. */
static void end_row(xta_report *report)
{
    if (report->in_row) {
        xta__text_add_string(&report->body, "</div>\n");
        report->in_row = false;
    }
}

xta_status xta_report_section(xta_report *report, const char *heading, xta_error *err)
{
    xta__text *body = &report->body;
    end_row(report);
    if (report->in_section) {
        xta__text_add_string(body, "</section>\n");
    }
    report->in_section = true;
    report->n_sections++;
    xta__text_printf(body, "<section aria-labelledby=\"s%d\">\n<h2 id=\"s%d\">", report->n_sections,
                     report->n_sections);
    add_element(body, "", heading, "</h2>\n");
    xta__text_printf(&report->contents, "<li><a href=\"#s%d\">", report->n_sections);
    add_element(&report->contents, "", heading, "</a></li>\n");
    return outcome(report, err);
}

xta_status xta_report_text(xta_report *report, const char *text, xta_error *err)
{
    end_row(report);
    add_element(&report->body, "<p>", text, "</p>\n");
    return outcome(report, err);
}

static const char *class_of(const xta_report_table *table, size_t column)
{
    return table->numbers != NULL && table->numbers[column] != 0 ? " class=\"n\"" : "";
}

static void add_row(xta__text *body, const xta_report_table *table, size_t row)
{
    xta__text_add_string(body, "<tr>");
    for (size_t column = 0; column < table->n_columns; column++) {
        const char *cell = table->cells[row * table->n_columns + column];
        bool head = column == 0;
        xta__text_printf(body, "<%s%s%s>", head ? "th" : "td", head ? " scope=\"row\"" : "",
                         class_of(table, column));
        if (head && table->colours != NULL) {
            const unsigned char *rgb = table->colours + 3 * row;
            xta__text_printf(body,
                             "<span class=\"patch\" style=\"background:#%02x%02x%02x\">"
                             "</span>",
                             rgb[0], rgb[1], rgb[2]);
        }
        add_element(body, "", cell != NULL ? cell : "", head ? "</th>" : "</td>");
    }
    xta__text_add_string(body, "</tr>\n");
}

static void add_heads(xta__text *body, const xta_report_table *table)
{
    if (table->heads == NULL) {
        return;
    }
    xta__text_add_string(body, "<thead><tr>");
    for (size_t column = 0; column < table->n_columns; column++) {
        xta__text_printf(body, "<th scope=\"col\"%s>", class_of(table, column));
        add_element(body, "", table->heads[column], "</th>");
    }
    xta__text_add_string(body, "</tr></thead>\n");
}

xta_status xta_report_add_table(xta_report *report, const xta_report_table *table, xta_error *err)
{
    xta__text *body = &report->body;
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
    end_row(report);
    bool folded = t.folded && t.caption != NULL;
    if (folded) {
        add_element(body, "<details>\n<summary>", t.caption, "</summary>\n");
    }
    // A wide table scrolls within its frame, also by keyboard.
    xta__text_add_string(body, "<div class=\"table\" tabindex=\"0\">\n<table>\n");
    if (!folded && t.caption != NULL) {
        add_element(body, "<caption>", t.caption, "</caption>\n");
    }
    add_heads(body, &t);
    xta__text_add_string(body, "<tbody>\n");
    for (size_t row = 0; row < t.n_rows; row++) {
        add_row(body, &t, row);
    }
    xta__text_add_string(body, "</tbody>\n</table>\n</div>\n");
    xta__text_add_string(body, folded ? "</details>\n" : "");
    return outcome(report, err);
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

static xta_status add_picture(xta_report *report, xta__text *file, bool svg,
                              const xta_report_figure *figure, xta_error *err)
{
    xta__text *body = &report->body;
    int width = 0, height = 0;
    if (!figure->small) {
        end_row(report);
    } else if (!report->in_row) {
        xta__text_add_string(body, "<div class=\"row\">\n");
        report->in_row = true;
    }
    find_size(file, svg, &width, &height);
    // On a phone a chart is scrolled rather than made so small that its letters cannot be read.
    xta__text_add_string(body,
                         svg ? "<figure>\n<div class=\"wide\" tabindex=\"0\">" : "<figure>\n");
    add_element(body, "<img alt=\"", figure->alt, "\"");
    xta__text_printf(body, " width=\"%d\" height=\"%d\"", width, height);
    if (svg) {
        xta__text_printf(body, " style=\"min-width:min(38rem,%dpx)\"", width);
    }
    xta__text_printf(body, " src=\"data:image/%s;base64,", svg ? "svg+xml" : "png");
    add_base64(body, file);
    xta__text_add_string(body, svg ? "\"></div>\n" : "\">\n");
    if (figure->caption != NULL) {
        add_element(body, "<figcaption>", figure->caption, "</figcaption>\n");
    }
    xta__text_add_string(body, "</figure>\n");
    xta__text_clear(file);
    return outcome(report, err);
}

xta_status xta_report_add_quicklook(xta_report *report, xta_array *array,
                                    const xta_quicklook_options *options,
                                    const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    xta_status status = xta__picture_quicklook_to(array, options, "report.png", &file, err);
    return status == XTA_OK ? add_picture(report, &file, false, figure, err) : status;
}

xta_status xta_report_add_classes(xta_report *report, xta_array *array,
                                  const xta_classes_options *options,
                                  const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    xta_status status = xta__picture_classes_to(array, options, "report.png", &file, err);
    return status == XTA_OK ? add_picture(report, &file, false, figure, err) : status;
}

xta_status xta_report_add_spectra(xta_report *report, const xta_spectra_chart *chart,
                                  const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    xta_status status = xta__chart_spectra_to(chart, "report.svg", &file, err);
    return status == XTA_OK ? add_picture(report, &file, true, figure, err) : status;
}

xta_status xta_report_add_confusion(xta_report *report, const xta_confusion_chart *chart,
                                    const xta_report_figure *figure, xta_error *err)
{
    xta__text file = {NULL, 0, 0, false};
    xta_status status = xta__chart_confusion_to(chart, "report.svg", &file, err);
    return status == XTA_OK ? add_picture(report, &file, true, figure, err) : status;
}

/* ---- the page ---- */

static bool is_html(const char *path)
{
    const char *dot = strrchr(path, '.');
    char suffix[8] = "";
    for (size_t k = 0; dot != NULL && dot[k] != '\0' && k < sizeof suffix - 1; k++) {
        suffix[k] = (char)tolower((unsigned char)dot[k]);
        suffix[k + 1] = '\0';
    }
    return strcmp(suffix, ".html") == 0 || strcmp(suffix, ".htm") == 0;
}

xta_status xta_report_write(const xta_report *report, const char *path, xta_error *err)
{
    xta__text page = {NULL, 0, 0, false};
    if (!is_html(path)) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the name of a report must end in .html or .htm",
                             path);
    }
    xta__text_add_string(
        &page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "img-src data:; style-src 'unsafe-inline'\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n");
    add_element(&page, "<title>", report->title, "</title>\n<style>\n");
    xta__text_add_string(&page, style);
    // An empty icon, since browsers would ask for one.
    xta__text_add_string(
        &page, "</style>\n<link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n<header>\n");
    add_element(&page, "<h1>", report->title, "</h1>\n");
    if (report->lead[0] != '\0') {
        add_element(&page, "<p class=\"lead\">", report->lead, "</p>\n");
    }
    xta__text_add_string(&page, "</header>\n");
    if (report->n_sections > 1) {
        xta__text_add_string(&page, "<nav aria-label=\"Contents\">\n<ul>\n");
        xta__text_add(&page, report->contents.bytes, report->contents.n);
        xta__text_add_string(&page, "</ul>\n</nav>\n");
    }
    xta__text_add_string(&page, "<main>\n");
    xta__text_add(&page, report->body.bytes, report->body.n);
    xta__text_add_string(&page, report->in_row ? "</div>\n" : "");
    xta__text_add_string(&page, report->in_section ? "</section>\n" : "");
    xta__text_add_string(&page, "</main>\n</body>\n</html>\n");
    xta_status status = page.failed ? xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", path)
                                    : xta__picture_replace_file(path, &page, err);
    xta__text_clear(&page);
    return status;
}
