/* A report as data: a title and a list of elements, which own all that they name. report_html.h and
 * report_json.h show it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_ELEMENTS_H
#define XTA_PICTURE_REPORT_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/report.h>

#include "report/chart_copy.h"
#include "util/text.h"

typedef enum element_kind {
    ELEMENT_SECTION, /* begins one; `text` is its heading */
    ELEMENT_TEXT,    /* a paragraph */
    ELEMENT_TABLE,
    ELEMENT_FIGURE,
} element_kind;

/* Texts that may be NULL in xta_report_table may be NULL here. */
typedef struct element_table {
    size_t n_rows, n_columns;
    char **heads; /* n_columns; NULL: none */
    char **cells; /* n_rows x n_columns */
    unsigned char *numbers;
    unsigned char *colours;
    char *caption;
    bool folded;
} element_table;

typedef struct element_figure {
    char *alt, *caption;
    bool small;
    bool svg;          /* else PNG */
    int width, height; /* as it is shown */
    xta__text file;    /* the bytes of the picture */
    chart_copy chart;  /* the numbers of a chart; of a map none */
} element_figure;

/* The members of its kind are set, the others zero. */
typedef struct report_element {
    element_kind kind;
    char *text;
    element_table table;
    element_figure figure;
} report_element;

struct xta_report {
    char *title;
    char *lead; /* empty: none */
    report_element *elements;
    size_t n_elements, capacity;
};

/* Copy a table that was read by xta_options_read and has a column. False: out of memory, and `to`
 * needs xta__element_clear. */
bool xta__element_copy_table(const xta_report_table *table, report_element *to);

/* Copy the texts of a figure; the rest is zero. False: as above. */
bool xta__element_copy_figure(const xta_report_figure *figure, report_element *to);

/* Free what an element owns. */
void xta__element_clear(report_element *element);

/* Append an element and take over what it owns; after a failure it is cleared, and the report is as
 * before. */
xta_status xta__report_append(xta_report *report, report_element *element, xta_error *err);

/* Whether the k-th element is a figure that stands beside others; false behind the last. */
bool xta__report_small_at(const xta_report *report, size_t k);

#endif
