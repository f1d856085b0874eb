/* The two forms of a report; docs/JSON.md has the fields of the second.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "compare/difference_report.h"

#include <inttypes.h>

#include "kit/print/describe.h"
#include "kit/print/json_cells.h"

/* ---- the frame ---- */

void cli_report_begin(cli_report *report, const char *a, const char *b)
{
    if (report->form == CLI_REPORT_JSON) {
        fputs("{\"a\": ", report->out);
        cli_json_text(report->out, a);
        fputs(", \"b\": ", report->out);
        cli_json_text(report->out, b);
        fputs(", \"arrays\": [", report->out);
    }
}

void cli_report_end(cli_report *report)
{
    if (report->form == CLI_REPORT_JSON) {
        fprintf(report->out, "\n], \"n_differences\": %" PRIu64 ", \"equal\": %s}\n",
                report->n_differences, report->n_differences == 0 ? "true" : "false");
    }
}

void cli_report_array_begin(cli_report *report, const char *name)
{
    report->name = name;
    report->n_in_array = 0;
    if (report->form == CLI_REPORT_JSON) {
        fprintf(report->out, "%s\n  {\"name\": ", report->n_arrays > 0 ? "," : "");
        cli_json_text(report->out, name != NULL ? name : "");
        fputs(", \"in\": \"both\", \"differences\": [", report->out);
    }
    report->n_arrays++;
}

void cli_report_array_end(cli_report *report)
{
    if (report->form == CLI_REPORT_JSON) {
        fputs(report->n_in_array > 0 ? "\n  ]}" : "]}", report->out);
    }
}

void cli_report_lone(cli_report *report, const char *name, const char *side, const char *path)
{
    report->n_differences++;
    if (report->form == CLI_REPORT_TEXT) {
        cli_print_name(report->out, name);
        fputs(": only in ", report->out);
        cli_print_name(report->out, path);
        fputc('\n', report->out);
    } else if (report->form == CLI_REPORT_JSON) {
        fprintf(report->out, "%s\n  {\"name\": ", report->n_arrays > 0 ? "," : "");
        cli_json_text(report->out, name);
        fprintf(report->out, ", \"in\": \"%s\", \"differences\": []}", side);
    }
    report->n_arrays++;
}

/* Begin one difference: "[NAME: ][axis LABEL ]WHAT: ", or {"what": WHAT, ["axis": AXIS, ]. False if
 * nothing is printed. */
static bool begin_difference(cli_report *report, const char *what, int axis, const char *label)
{
    FILE *out = report->out;

    report->n_differences++;
    report->n_in_array++;
    if (report->form == CLI_REPORT_JSON) {
        fprintf(out, "%s\n    {\"what\": \"%s\"", report->n_in_array > 1 ? "," : "", what);
        if (axis != XTA_ON_ARRAY) {
            fprintf(out, ", \"axis\": %d", axis);
        }
        fputs(", ", out);
    } else if (report->form == CLI_REPORT_TEXT) {
        if (report->name != NULL) {
            cli_print_name(out, report->name);
            fputs(": ", out);
        }
        if (axis != XTA_ON_ARRAY) {
            fputs("axis ", out);
            cli_print_name(out, label);
            fputc(' ', out);
        }
        fprintf(out, "%s", what);
    }
    return report->form != CLI_REPORT_NOTHING;
}

static void end_difference(cli_report *report)
{
    fputs(report->form == CLI_REPORT_JSON ? "}" : "\n", report->out);
}

/* ---- structure ---- */

void cli_report_boxes(cli_report *report, const xta_box *a, const xta_box *b)
{
    FILE *out = report->out;

    if (!begin_difference(report, "bounds", XTA_ON_ARRAY, NULL)) {
        return;
    }
    if (report->form == CLI_REPORT_JSON) {
        fputs("\"a\": ", out);
        cli_json_box(out, a);
        fputs(", \"b\": ", out);
        cli_json_box(out, b);
    } else {
        fputs(": ", out);
        cli_print_box(out, a);
        fputs(" / ", out);
        cli_print_box(out, b);
    }
    end_difference(report);
}

void cli_report_texts(cli_report *report, const char *what, int axis, const char *label,
                      const char *a, const char *b)
{
    FILE *out = report->out;

    if (!begin_difference(report, what, axis, label)) {
        return;
    }
    if (report->form == CLI_REPORT_JSON) {
        fputs("\"a\": ", out);
        cli_json_text(out, a);
        fputs(", \"b\": ", out);
        cli_json_text(out, b);
    } else {
        fputs(": ", out);
        cli_print_name(out, a[0] != '\0' ? a : "(none)");
        fputs(" / ", out);
        cli_print_name(out, b[0] != '\0' ? b : "(none)");
    }
    end_difference(report);
}

/* ---- attributes ---- */

static xta_status put_attribute(cli_report *report, const char *side,
                                const xta_attribute *attribute, cli_error *err)
{
    fprintf(report->out, ", \"%s\": ", side);
    if (attribute == NULL) {
        fputs("null", report->out);
        return XTA_OK;
    }
    return cli_json_attribute(report->out, attribute, err);
}

static xta_status print_attribute(FILE *out, const xta_attribute *attribute, bool with_type,
                                  cli_error *err)
{
    if (with_type) {
        fprintf(out, "%s ", xta_type_name(attribute->type));
    }
    return cli_print_beginning(out, attribute, err);
}

static xta_status print_attributes(FILE *out, const char *name, const xta_attribute *a,
                                   const xta_attribute *b, cli_error *err)
{
    xta_status status = XTA_OK;

    fputc(' ', out);
    cli_print_name(out, name);
    fputs(": ", out);
    if (a == NULL || b == NULL) {
        fprintf(out, "only in %s: ", a != NULL ? "the first" : "the second");
        return print_attribute(out, a != NULL ? a : b, false, err);
    }
    bool with_type = a->type != b->type;
    XTA_TRY(print_attribute(out, a, with_type, err));
    fputs(" / ", out);
    XTA_TRY(print_attribute(out, b, with_type, err));
done:
    return status;
}

xta_status cli_report_attributes(cli_report *report, int axis, const char *label, const char *name,
                                 const xta_attribute *a, const xta_attribute *b, cli_error *err)
{
    xta_status status = XTA_OK;

    if (!begin_difference(report, "attribute", axis, label)) {
        return XTA_OK;
    }
    if (report->form == CLI_REPORT_JSON) {
        fputs("\"name\": ", report->out);
        cli_json_text(report->out, name);
        XTA_TRY(put_attribute(report, "a", a, err));
        XTA_TRY(put_attribute(report, "b", b, err));
    } else {
        XTA_TRY(print_attributes(report->out, name, a, b, err));
    }
    end_difference(report);
done:
    return status;
}

/* ---- cells ---- */

/* Where a pair is, and its values if these are numbers. */
typedef struct pair_view {
    int ndim;
    const cli_cell_kind *a, *b;
} pair_view;

static bool has_values(const pair_view *view)
{
    return view->a->type != XTA_BYTES;
}

static void print_real(FILE *out, double value)
{
    char text[128];

    cli_value_text(XTA_F64, sizeof value, &value, text);
    fputs(text, out);
}

static void print_pair(FILE *out, const pair_view *view, const cli_different_pair *pair)
{
    char text[128];

    fputs(" at ", out);
    cli_print_coords(out, pair->at, view->ndim);
    if (has_values(view)) {
        cli_value_text(view->a->type, view->a->cell_bytes, pair->a, text);
        fprintf(out, " (%s / ", text);
        cli_value_text(view->b->type, view->b->cell_bytes, pair->b, text);
        fprintf(out, "%s)", text);
    }
}

static void print_cells(FILE *out, const pair_view *view, const cli_cell_differences *found)
{
    fprintf(out, ": %" PRIu64 " of %" PRIu64 " differ; the first", found->n_different,
            found->n_cells);
    print_pair(out, view, &found->first);
    if (found->n_sized > 0) {
        fputs("; the largest difference ", out);
        print_real(out, found->largest.size);
        print_pair(out, view, &found->largest);
        fputs("; the largest relative one ", out);
        print_real(out, found->largest_relative.size);
        print_pair(out, view, &found->largest_relative);
    }
    if (found->n_nan > 0) {
        fprintf(out, "; %" PRIu64 " with nan on one side", found->n_nan);
    }
}

static xta_status put_pair(FILE *out, const char *name, const pair_view *view,
                           const cli_different_pair *pair, bool with_size, cli_error *err)
{
    xta_status status = XTA_OK;

    fprintf(out, ", \"%s\": {\"at\": ", name);
    cli_json_coords(out, pair->at, view->ndim);
    if (with_size) {
        fputs(", \"size\": ", out);
        XTA_TRY(cli_json_cell(out, XTA_F64, sizeof pair->size, &pair->size, err));
    }
    if (has_values(view)) {
        fputs(", \"a\": ", out);
        XTA_TRY(cli_json_cell(out, view->a->type, view->a->cell_bytes, pair->a, err));
        fputs(", \"b\": ", out);
        XTA_TRY(cli_json_cell(out, view->b->type, view->b->cell_bytes, pair->b, err));
    }
    fputc('}', out);
done:
    return status;
}

static xta_status put_cells(FILE *out, const pair_view *view, const cli_cell_differences *found,
                            cli_error *err)
{
    xta_status status = XTA_OK;

    fprintf(out, "\"n_cells\": %" PRIu64 ", \"n_different\": %" PRIu64 ", \"n_nan\": %" PRIu64,
            found->n_cells, found->n_different, found->n_nan);
    XTA_TRY(put_pair(out, "first", view, &found->first, false, err));
    if (found->n_sized > 0) {
        XTA_TRY(put_pair(out, "largest", view, &found->largest, true, err));
        XTA_TRY(put_pair(out, "largest_relative", view, &found->largest_relative, true, err));
    }
done:
    return status;
}

xta_status cli_report_cells(cli_report *report, const char *what, int axis, const char *label,
                            int ndim, const cli_cell_kind *a, const cli_cell_kind *b,
                            const cli_cell_differences *found, cli_error *err)
{
    const pair_view view = {.ndim = ndim, .a = a, .b = b};
    xta_status status = XTA_OK;

    if (!begin_difference(report, what, axis, label)) {
        return XTA_OK;
    }
    if (report->form == CLI_REPORT_JSON) {
        XTA_TRY(put_cells(report->out, &view, found, err));
    } else {
        print_cells(report->out, &view, found);
    }
    end_difference(report);
done:
    return status;
}
