/** @file
 * A report: headings, sentences, tables and pictures in one HTML file that needs nothing else: no
 * network, no script; and the same as data, in JSON. Library libxta_picture.
 *
 * A report is assembled from top to bottom and then written. It can be read on a phone, on dark
 * screens, on paper and with a screen reader. All texts are plain UTF-8; characters with a meaning
 * in HTML are escaped.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_REPORT_H
#define XTA_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/chart.h>
#include <xta/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A report being assembled. Opaque; used by one thread at a time. */
typedef struct xta_report xta_report;

/** Begin a report.
 * @param[in]  title   of the page
 * @param[in]  lead    a sentence below it; NULL: none
 * @param[out] report  for xta_report_free; NULL on failure
 * @param[out] err     why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_report_new(const char *title, const char *lead,
                                                 xta_report **report, xta_error *err);

/** Free a report. NULL is allowed. */
XTA_API void xta_report_free(xta_report *report);

/** Begin a section; it appears in the list of contents. */
XTA_API XTA_MUST_CHECK xta_status xta_report_section(xta_report *report, const char *heading,
                                                     xta_error *err);

/** Add a paragraph. */
XTA_API XTA_MUST_CHECK xta_status xta_report_text(xta_report *report, const char *text,
                                                  xta_error *err);

/** A table of texts. Start from zeros with `struct_size` set. */
typedef struct xta_report_table {
    size_t struct_size; /**< sizeof(xta_report_table) */
    size_t n_rows;
    size_t n_columns;
    const char *const *heads;     /**< n_columns; NULL: the first column holds the headings of the
                                       rows, as in a table of parameters and values */
    const char *const *cells;     /**< n_rows x n_columns, row-major; NULL: empty */
    const unsigned char *numbers; /**< n_columns, not 0: a column of numbers, right-aligned; NULL:
                                       none */
    const unsigned char *colours; /**< 3 bytes a row, shown as a patch before its first cell; NULL:
                                       none */
    const char *caption;          /**< NULL: none */
    bool folded;                  /**< collapsed until its caption is selected */
} xta_report_table;

/** Add a table.
 * @param[in]  report  the report
 * @param[in]  table   copied
 * @param[out] err     why it failed
 * @retval XTA_EARG  no column */
XTA_API XTA_MUST_CHECK xta_status xta_report_add_table(xta_report *report,
                                                       const xta_report_table *table,
                                                       xta_error *err);

/** Texts and size of a picture. */
typedef struct xta_report_figure {
    const char *alt;     /**< alternative text: what the picture shows; not NULL */
    const char *caption; /**< below it; NULL: none */
    bool small;          /**< small pictures are placed side by side */
} xta_report_figure;

/** Add a quicklook, a map of classes, spectra or a confusion matrix: drawn as by xta/picture.h and
 * xta/chart.h and embedded in the page, maps as PNG, charts as SVG.
 * @param[in]  report   the report
 * @param[in]  array    what to draw
 * @param[in]  options  as in xta/picture.h and xta/chart.h
 * @param[in]  figure   alt text and caption
 * @param[out] err      why it failed; the report is then unchanged */
XTA_API XTA_MUST_CHECK xta_status xta_report_add_quicklook(xta_report *report, xta_array *array,
                                                           const xta_quicklook_options *options,
                                                           const xta_report_figure *figure,
                                                           xta_error *err);
/** See xta_report_add_quicklook. */
XTA_API XTA_MUST_CHECK xta_status xta_report_add_classes(xta_report *report, xta_array *array,
                                                         const xta_classes_options *options,
                                                         const xta_report_figure *figure,
                                                         xta_error *err);
/** See xta_report_add_quicklook. */
XTA_API XTA_MUST_CHECK xta_status xta_report_add_spectra(xta_report *report,
                                                         const xta_spectra_chart *chart,
                                                         const xta_report_figure *figure,
                                                         xta_error *err);
/** See xta_report_add_quicklook. */
XTA_API XTA_MUST_CHECK xta_status xta_report_add_confusion(xta_report *report,
                                                           const xta_confusion_chart *chart,
                                                           const xta_report_figure *figure,
                                                           xta_error *err);

/** Write the page.
 * @param[in]  report  the report; more may be added, and it may be written again
 * @param[in]  path    ends in .html or .htm; replaced only on success
 * @param[out] err     why it failed */
XTA_API XTA_MUST_CHECK xta_status xta_report_write(const xta_report *report, const char *path,
                                                   xta_error *err);

/** Write the report as data: one JSON object (RFC 8259, UTF-8; each byte that is not UTF-8 becomes
 * U+FFFD). A member without a value is null, as are NaN and infinities. Integers are exact, and
 * reals have the fewest digits that read back as the same double. Colours are "#rrggbb".
 *
 * - the object: `title`, `lead`, `sections`
 * - a section: `heading`, which is null for what was added before the first; `elements`
 * - an element: `kind`, and by it
 *   - "text": `text`
 *   - "table": `caption`, `folded`, `heads`, `numbers` (for each column whether it has numbers),
 *     `colours` (for each row), `rows` (lists of texts)
 *   - "figure": `alt`, `caption`, `small`, `width` and `height` in pixels, `media_type`, `chart`,
 *     `data` (a data: URI of the picture)
 * - `chart`: null for a map, else `kind`, `title`, and by it, as in xta/chart.h
 *   - "spectra": `label`, `unit`, `wavelength`, `band`, and `spectra`: for each one `name`,
 *     `colour`, `dashed`, `values`
 *   - "confusion": `note`, `rows` and `columns` (names), `counts` (a list for each row),
 *     `producer_accuracy`, `user_accuracy`, and with scores `overall_accuracy`,
 *     `average_accuracy`, `kappa`
 *
 * @param[in]  report  the report; more may be added, and it may be written again
 * @param[in]  path    ends in .json; replaced only on success
 * @param[out] err     why it failed
 * @retval XTA_EARG  another ending */
XTA_API XTA_MUST_CHECK xta_status xta_report_write_json(const xta_report *report, const char *path,
                                                        xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
