/* A report as an HTML page. What each mark of the template report.html stands for is said here;
 * the template is compiled in by CMake. The page, an element, a table and a cell each have a
 * function that knows the marks within them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "drawing/output.h"
#include "report/data_uri.h"
#include "report/template.h"

static const unsigned char page[] = {
#include "report_template.inc"
};

typedef struct element_place {
    const xta_report *report;
    size_t k;      /* the element */
    size_t number; /* sections up to it, itself included */
} element_place;

typedef struct cell_place {
    const element_table *table;
    size_t row, column;
} cell_place;

/* Text, or an attribute in double quotes. */
static bool add_escaped(xta__text *out, const char *text)
{
    xta__picture_add_escaped(out, text != NULL ? text : "");
    return true;
}

static bool add_number(xta__text *out, size_t number)
{
    xta__text_printf(out, "%zu", number);
    return true;
}

/* Show a section of the template if `shown`. */
static bool show(bool shown, xta__text *out, const template_mark *mark, template_fill *fill,
                 const void *context)
{
    if (shown) {
        xta__template_render_inner(out, mark, fill, context);
    }
    return true;
}

/* ---- tables ---- */

static bool fill_colour(xta__text *out, const template_mark *mark, const void *context)
{
    const cell_place *place = context;
    const unsigned char *rgb = place->table->colours + 3 * place->row;

    if (!xta__template_is_value(mark, "colour")) {
        return false;
    }
    xta__text_printf(out, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return true;
}

static bool fill_nothing(xta__text *out, const template_mark *mark, const void *context)
{
    (void)out;
    (void)mark;
    (void)context;
    return false;
}

static bool is_numeric(const cell_place *place)
{
    return place->table->numbers != NULL && place->table->numbers[place->column] != 0;
}

static bool fill_head(xta__text *out, const template_mark *mark, const void *context)
{
    const cell_place *place = context;

    if (xta__template_is_section(mark, "numeric")) {
        return show(is_numeric(place), out, mark, fill_nothing, NULL);
    }
    return xta__template_is_value(mark, "text") &&
           add_escaped(out, place->table->heads[place->column]);
}

static bool fill_cell(xta__text *out, const template_mark *mark, const void *context)
{
    const cell_place *place = context;
    const element_table *t = place->table;

    if (xta__template_is_section(mark, "numeric")) {
        return show(is_numeric(place), out, mark, fill_nothing, NULL);
    }
    if (xta__template_is_section(mark, "patch")) {
        return show(t->colours != NULL, out, mark, fill_colour, place);
    }
    return xta__template_is_value(mark, "text") &&
           add_escaped(out, t->cells[place->row * t->n_columns + place->column]);
}

static bool fill_row(xta__text *out, const template_mark *mark, const void *context)
{
    cell_place place = *(const cell_place *)context;

    if (xta__template_is_section(mark, "first")) {
        return show(true, out, mark, fill_cell, &place);
    }
    if (!xta__template_is_section(mark, "other")) {
        return false;
    }
    for (place.column = 1; place.column < place.table->n_columns; place.column++) {
        xta__template_render_inner(out, mark, fill_cell, &place);
    }
    return true;
}

static bool fill_heads(xta__text *out, const template_mark *mark, const void *context)
{
    cell_place place = {context, 0, 0};

    if (!xta__template_is_section(mark, "head")) {
        return false;
    }
    for (; place.column < place.table->n_columns; place.column++) {
        xta__template_render_inner(out, mark, fill_head, &place);
    }
    return true;
}

static bool fill_table(xta__text *out, const template_mark *mark, const void *context)
{
    const element_table *t = context;
    bool folded = t->folded && t->caption != NULL;
    cell_place place = {t, 0, 0};

    if (xta__template_is_section(mark, "folded")) {
        return show(folded, out, mark, fill_table, t);
    }
    if (xta__template_is_section(mark, "captioned")) {
        return show(!folded && t->caption != NULL, out, mark, fill_table, t);
    }
    if (xta__template_is_value(mark, "caption")) {
        return add_escaped(out, t->caption);
    }
    if (xta__template_is_section(mark, "heads")) {
        return show(t->heads != NULL, out, mark, fill_heads, t);
    }
    if (!xta__template_is_section(mark, "row")) {
        return false;
    }
    for (; place.row < t->n_rows; place.row++) {
        xta__template_render_inner(out, mark, fill_row, &place);
    }
    return true;
}

/* ---- figures ---- */

static bool fill_figure(xta__text *out, const template_mark *mark, const void *context)
{
    const element_figure *f = context;

    if (xta__template_is_section(mark, "small") || xta__template_is_section(mark, "large")) {
        return show(f->small == xta__template_is_section(mark, "small"), out, mark, fill_figure, f);
    }
    if (xta__template_is_section(mark, "captioned")) {
        return show(f->caption != NULL, out, mark, fill_figure, f);
    }
    if (xta__template_is_value(mark, "caption")) {
        return add_escaped(out, f->caption);
    }
    if (xta__template_is_value(mark, "alt")) {
        return add_escaped(out, f->alt);
    }
    if (xta__template_is_value(mark, "width") || xta__template_is_value(mark, "height")) {
        int pixels = xta__template_is_value(mark, "width") ? f->width : f->height;
        xta__text_printf(out, "%d", pixels);
        return true;
    }
    if (!xta__template_is_value(mark, "data")) {
        return false;
    }
    xta__add_data_uri(out, f->svg, &f->file);
    return true;
}

/* ---- elements ---- */

/* An entry of the contents, a section or a paragraph. */
static bool fill_words(xta__text *out, const template_mark *mark, const void *context)
{
    const element_place *place = context;
    const char *text = place->report->elements[place->k].text;

    if (xta__template_is_value(mark, "number")) {
        return add_number(out, place->number);
    }
    return (xta__template_is_value(mark, "heading") || xta__template_is_value(mark, "text")) &&
           add_escaped(out, text);
}

/* Whether a section ends with the element: it is the last, or another section follows. */
static bool ends_section(const element_place *place)
{
    const xta_report *r = place->report;
    size_t next = place->k + 1;

    return place->number > 0 &&
           (next == r->n_elements || r->elements[next].kind == ELEMENT_SECTION);
}

/* The template has a section for each kind; the one of the element's own is shown. */
static bool fill_element(xta__text *out, const template_mark *mark, const void *context)
{
    const element_place *place = context;
    const xta_report *r = place->report;
    const report_element *e = &r->elements[place->k];
    bool small = xta__report_small_at(r, place->k);
    bool after_small = place->k > 0 && xta__report_small_at(r, place->k - 1);

    if (xta__template_is_section(mark, "section")) {
        return show(e->kind == ELEMENT_SECTION, out, mark, fill_words, place);
    }
    if (xta__template_is_section(mark, "paragraph")) {
        return show(e->kind == ELEMENT_TEXT, out, mark, fill_words, place);
    }
    if (xta__template_is_section(mark, "table")) {
        return show(e->kind == ELEMENT_TABLE, out, mark, fill_table, &e->table);
    }
    if (xta__template_is_section(mark, "figure")) {
        return show(e->kind == ELEMENT_FIGURE, out, mark, fill_figure, &e->figure);
    }
    if (xta__template_is_section(mark, "row_begin")) {
        return show(small && !after_small, out, mark, fill_nothing, NULL);
    }
    if (xta__template_is_section(mark, "row_end")) {
        bool last = small && !xta__report_small_at(r, place->k + 1);
        return show(last, out, mark, fill_nothing, NULL);
    }
    return xta__template_is_section(mark, "section_end") &&
           show(ends_section(place), out, mark, fill_nothing, NULL);
}

/* ---- the page ---- */

static void render_each(xta__text *out, const template_mark *mark, bool sections,
                        const xta_report *report)
{
    element_place place = {report, 0, 0};

    for (; place.k < report->n_elements; place.k++) {
        bool section = report->elements[place.k].kind == ELEMENT_SECTION;
        place.number += section;
        if (section || !sections) {
            xta__template_render_inner(out, mark, sections ? fill_words : fill_element, &place);
        }
    }
}

static size_t count_sections(const xta_report *report)
{
    size_t n = 0;

    for (size_t k = 0; k < report->n_elements; k++) {
        n += report->elements[k].kind == ELEMENT_SECTION;
    }
    return n;
}

static bool fill_page(xta__text *out, const template_mark *mark, const void *context)
{
    const xta_report *report = context;

    if (xta__template_is_value(mark, "title")) {
        return add_escaped(out, report->title);
    }
    if (xta__template_is_section(mark, "lead")) {
        return show(report->lead[0] != '\0', out, mark, fill_page, report);
    }
    if (xta__template_is_value(mark, "text")) {
        return add_escaped(out, report->lead);
    }
    if (xta__template_is_section(mark, "contents")) {
        return show(count_sections(report) > 1, out, mark, fill_page, report);
    }
    if (!xta__template_is_section(mark, "entry") && !xta__template_is_section(mark, "element")) {
        return false;
    }
    render_each(out, mark, xta__template_is_section(mark, "entry"), report);
    return true;
}

void xta__report_html(const xta_report *report, xta__text *out)
{
    xta__template_render(out, (const char *)page, sizeof page, fill_page, report);
}
