/* The elements of a report: copied, appended, freed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/elements.h"

#include <stdlib.h>
#include <string.h>

#include "report/texts.h"
#include "util/checked.h"
#include "util/vector.h"

static bool copy_texts(const char *const texts[], size_t n, char ***to)
{
    if (texts == NULL || n == 0) {
        return true;
    }
    *to = calloc(n, sizeof **to);
    for (size_t k = 0; *to != NULL && k < n; k++) {
        if (!xta__report_copy_text(texts[k], &(*to)[k])) {
            return false;
        }
    }
    return *to != NULL;
}

static bool copy_bytes(const unsigned char *bytes, size_t n, unsigned char **to)
{
    if (bytes == NULL || n == 0) {
        return true;
    }
    *to = malloc(n);
    if (*to != NULL) {
        memcpy(*to, bytes, n);
    }
    return *to != NULL;
}

bool xta__element_copy_table(const xta_report_table *table, report_element *to)
{
    element_table *t = &to->table;

    to->kind = ELEMENT_TABLE;
    t->n_rows = table->n_rows;
    t->n_columns = table->n_columns;
    t->folded = table->folded;
    return copy_texts(table->heads, t->n_columns, &t->heads) &&
           copy_texts(table->cells, t->n_rows * t->n_columns, &t->cells) &&
           copy_bytes(table->numbers, t->n_columns, &t->numbers) &&
           copy_bytes(table->colours, 3 * t->n_rows, &t->colours) &&
           xta__report_copy_text(table->caption, &t->caption);
}

bool xta__element_copy_figure(const xta_report_figure *figure, report_element *to)
{
    to->kind = ELEMENT_FIGURE;
    to->figure.small = figure->small;
    return xta__report_copy_text(figure->alt, &to->figure.alt) &&
           xta__report_copy_text(figure->caption, &to->figure.caption);
}

void xta__element_clear(report_element *element)
{
    element_table *table = &element->table;
    element_figure *figure = &element->figure;

    free(element->text);
    xta__report_free_texts(table->heads, table->n_columns);
    xta__report_free_texts(table->cells, table->n_rows * table->n_columns);
    free(table->numbers);
    free(table->colours);
    free(table->caption);
    free(figure->alt);
    free(figure->caption);
    xta__text_clear(&figure->file);
    xta__chart_copy_clear(&figure->chart);
    memset(element, 0, sizeof *element);
}

xta_status xta__report_append(xta_report *report, report_element *element, xta_error *err)
{
    if (!XTA__RESERVE(report->elements, report->capacity, report->n_elements + 1)) {
        xta__element_clear(element);
        return xta_error_set(err, XTA_ENOMEM, 0, "report: out of memory");
    }
    report->elements[report->n_elements++] = *element;
    return XTA_OK;
}

bool xta__report_small_at(const xta_report *report, size_t k)
{
    return k < report->n_elements && report->elements[k].kind == ELEMENT_FIGURE &&
           report->elements[k].figure.small;
}
