/* A report as JSON: one object, with each element on a line of its own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include <inttypes.h>

#include "report/data_uri.h"
#include "util/json.h"

/* ---- members and lists ---- */

/* Begin a member that is not the first. */
static void begin_member(xta__text *out, const char *name)
{
    xta__text_printf(out, ", \"%s\": ", name);
}

static void add_text(xta__text *out, const char *name, const char *text)
{
    begin_member(out, name);
    xta__json_add_string(out, text);
}

static void add_flag(xta__text *out, const char *name, bool flag)
{
    begin_member(out, name);
    xta__json_add_bool(out, flag);
}

/* Items of a list: `add` adds the k-th. */
typedef void item_writer(xta__text *out, const void *items, size_t k);

static void add_items(xta__text *out, const void *items, size_t n, item_writer *add)
{
    xta__text_add_string(out, "[");
    for (size_t k = 0; k < n; k++) {
        xta__text_add_string(out, k > 0 ? ", " : "");
        add(out, items, k);
    }
    xta__text_add_string(out, "]");
}

/* A list as a member; null if there are no items. */
static void add_list(xta__text *out, const char *name, const void *items, size_t n,
                     item_writer *add)
{
    begin_member(out, name);
    if (items == NULL) {
        xta__text_add_string(out, "null");
    } else {
        add_items(out, items, n, add);
    }
}

static void write_string(xta__text *out, const void *items, size_t k)
{
    xta__json_add_string(out, ((char *const *)items)[k]);
}

static void write_real(xta__text *out, const void *items, size_t k)
{
    xta__json_add_real(out, ((const double *)items)[k]);
}

static void write_count(xta__text *out, const void *items, size_t k)
{
    xta__text_printf(out, "%" PRIu64, ((const uint64_t *)items)[k]);
}

static void write_coord(xta__text *out, const void *items, size_t k)
{
    xta__text_printf(out, "%" PRId64, ((const int64_t *)items)[k]);
}

static void write_flag(xta__text *out, const void *items, size_t k)
{
    xta__json_add_bool(out, ((const unsigned char *)items)[k] != 0);
}

static void write_colour(xta__text *out, const void *items, size_t k)
{
    const unsigned char *rgb = (const unsigned char *)items + 3 * k;

    xta__text_printf(out, "\"#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
}

/* ---- charts ---- */

static void write_spectrum(xta__text *out, const void *items, size_t k)
{
    const chart_copy *c = items;

    xta__text_add_string(out, "{\"name\": ");
    xta__json_add_string(out, c->names[k]);
    begin_member(out, "colour");
    write_colour(out, c->colours, k);
    add_flag(out, "dashed", c->dashed != NULL && c->dashed[k] != 0);
    add_list(out, "values", c->values + k * c->n_bands, c->n_bands, write_real);
    xta__text_add_string(out, "}");
}

/* The bands of each line, by their numbers from 0. */
static void add_lines(xta__text *out, const chart_copy *c)
{
    begin_member(out, "lines");
    xta__text_add_string(out, "[");
    for (size_t j = 0; j < c->n_places; j++) {
        const char *before = !c->place[j].after_gap ? ", " : j > 0 ? "], [" : "[";
        xta__text_printf(out, "%s%zu", before, c->place[j].k);
    }
    xta__text_add_string(out, "]]"); // a chart that was drawn has a band
}

static void add_spectra(xta__text *out, const chart_copy *c)
{
    xta__text_add_string(out, "{\"kind\": \"spectra\"");
    add_text(out, "title", c->title);
    add_text(out, "label", c->label);
    add_text(out, "axis", c->axis);
    add_text(out, "unit", c->unit);
    add_list(out, "wavelength", c->wavelength, c->n_bands, write_real);
    add_list(out, "band", c->band, c->n_bands, write_coord);
    add_list(out, "bad", c->bad, c->n_bands, write_flag);
    add_lines(out, c);
    add_list(out, "spectra", c, c->n_spectra, write_spectrum);
    xta__text_add_string(out, "}");
}

static void write_counts(xta__text *out, const void *items, size_t k)
{
    const chart_copy *c = items;

    add_items(out, c->counts + k * c->n_columns, c->n_columns, write_count);
}

static void add_confusion(xta__text *out, const chart_copy *c)
{
    static const char *const scores[] = {"overall_accuracy", "average_accuracy", "kappa"};

    xta__text_add_string(out, "{\"kind\": \"confusion\"");
    add_text(out, "title", c->title);
    add_text(out, "note", c->note);
    add_list(out, "rows", c->row_names, c->n_rows, write_string);
    add_list(out, "columns", c->column_names, c->n_columns, write_string);
    add_list(out, "counts", c, c->n_rows, write_counts);
    add_list(out, "producer_accuracy", c->producer, c->n_rows, write_real);
    add_list(out, "user_accuracy", c->user, c->n_columns, write_real);
    for (int k = 0; k < 3 && c->scores != NULL; k++) {
        begin_member(out, scores[k]);
        xta__json_add_real(out, c->scores[k]);
    }
    xta__text_add_string(out, "}");
}

static void add_chart(xta__text *out, const chart_copy *c)
{
    begin_member(out, "chart");
    if (c->kind == CHART_SPECTRA) {
        add_spectra(out, c);
    } else if (c->kind == CHART_CONFUSION) {
        add_confusion(out, c);
    } else {
        xta__text_add_string(out, "null");
    }
}

/* ---- elements ---- */

static void write_row(xta__text *out, const void *items, size_t k)
{
    const element_table *t = items;

    add_items(out, t->cells + k * t->n_columns, t->n_columns, write_string);
}

static void add_table(xta__text *out, const element_table *t)
{
    add_text(out, "caption", t->caption);
    add_flag(out, "folded", t->folded);
    add_list(out, "heads", t->heads, t->n_columns, write_string);
    add_list(out, "numbers", t->numbers, t->n_columns, write_flag);
    add_list(out, "colours", t->colours, t->n_rows, write_colour);
    add_list(out, "rows", t, t->n_rows, write_row);
}

static void add_figure(xta__text *out, const element_figure *f)
{
    add_text(out, "alt", f->alt);
    add_text(out, "caption", f->caption);
    add_flag(out, "small", f->small);
    xta__text_printf(out, ", \"width\": %d, \"height\": %d", f->width, f->height);
    add_text(out, "media_type", xta__picture_media_type(f->svg));
    add_chart(out, &f->chart);
    begin_member(out, "data");
    xta__text_add_string(out, "\""); // a data: URI has no character that JSON escapes
    xta__add_data_uri(out, f->svg, &f->file);
    xta__text_add_string(out, "\"");
}

static void add_element(xta__text *out, const report_element *e)
{
    static const char *const kinds[] = {"section", "text", "table", "figure"};

    xta__text_printf(out, "{\"kind\": \"%s\"", kinds[e->kind]);
    if (e->kind == ELEMENT_TEXT) {
        add_text(out, "text", e->text);
    } else if (e->kind == ELEMENT_TABLE) {
        add_table(out, &e->table);
    } else {
        add_figure(out, &e->figure);
    }
    xta__text_add_string(out, "}");
}

/* Begin a section; a heading of NULL stands for what comes before the first. */
static void begin_section(xta__text *out, bool first, const char *heading)
{
    xta__text_add_string(out, first ? "\n{\"heading\": " : "\n]},\n{\"heading\": ");
    xta__json_add_string(out, heading);
    xta__text_add_string(out, ", \"elements\": [");
}

void xta__report_json(const xta_report *report, xta__text *out)
{
    bool first = true; // of its section

    xta__text_add_string(out, "{\"title\": ");
    xta__json_add_string(out, report->title);
    add_text(out, "lead", report->lead[0] != '\0' ? report->lead : NULL);
    xta__text_add_string(out, ", \"sections\": [");
    for (size_t k = 0; k < report->n_elements; k++) {
        const report_element *e = &report->elements[k];
        if (e->kind == ELEMENT_SECTION || k == 0) {
            begin_section(out, k == 0, e->kind == ELEMENT_SECTION ? e->text : NULL);
            first = true;
        }
        if (e->kind != ELEMENT_SECTION) {
            xta__text_add_string(out, first ? "\n" : ",\n");
            add_element(out, e);
            first = false;
        }
    }
    xta__text_add_string(out, report->n_elements > 0 ? "\n]}\n]}\n" : "]}\n");
}
