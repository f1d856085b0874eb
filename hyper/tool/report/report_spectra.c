/* The section of a report about endmembers: their spectra, their pixels, and the comparison with
 * references.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/physical.h"

static void where_text(int64_t coord, char text[32])
{
    if (coord == CLI_NOWHERE) {
        snprintf(text, 32, "-");
    } else {
        snprintf(text, 32, "%" PRId64, coord);
    }
}

static xta_status add_endmembers(cli_report *report, cli_error *err)
{
    static const char *const heads[] = {"endmember", "line", "sample", "mean abundance"};
    static const unsigned char numbers[] = {0, 1, 1, 1};
    size_t n = report->endmembers.n;
    bool shares = report->mean != NULL && report->n_layers == n;
    xta_report_table table = {.n_columns = shares ? 4 : 3};
    unsigned char *colours = malloc(3 * n + 1);
    cli_cells cells = {0};
    xta_status status;

    if (colours == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a table of the report");
    }
    for (size_t k = 0; k < n; k++) {
        char line[32], sample[32];
        xta_class_colour(k + 1, colours + 3 * k);
        where_text(report->line[k], line);
        where_text(report->sample[k], sample);
        cli_cells_add(&cells, "%s", report->endmembers.names[k]);
        cli_cells_add(&cells, "%s", line);
        cli_cells_add(&cells, "%s", sample);
        if (shares) {
            cli_cells_add(&cells, "%.4f", report->mean[k]);
        }
    }
    table.heads = heads;
    table.numbers = numbers;
    table.colours = colours;
    table.caption = "Pixels of the endmembers";
    status = cli_cells_end(&cells, report, &table, err);
    free(colours);
    return status;
}

/* Add the other comments of the file of endmembers. */
static xta_status add_notes(cli_report *report, cli_error *err)
{
    xta_report_table table = {.n_columns = 2, .caption = "Notes in the file of endmembers"};
    cli_cells cells = {0};
    int number = 0;

    if (report->notes == NULL || report->notes[0] == '\0') {
        return XTA_OK;
    }
    for (const char *at = report->notes; *at != '\0';) {
        int n = (int)strcspn(at, "\n");
        cli_cells_add(&cells, "%d", ++number);
        cli_cells_add(&cells, "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    table.folded = true;
    return cli_cells_end(&cells, report, &table, err);
}

/* Add the angles to the references. */
static xta_status add_angles(cli_report *report, cli_error *err)
{
    static const char *const heads[] = {"reference", "endmember", "angle [rad]"};
    static const unsigned char numbers[] = {0, 0, 1};
    const xta_endmember_score *score = &report->angles;
    xta_report_table table = {.n_columns = 3, .heads = heads, .numbers = numbers};
    cli_cells cells = {0};

    if (score->n_references == 0) {
        return XTA_OK;
    }
    for (size_t k = 0; k < score->n_references; k++) {
        int64_t own = score->endmember_of[k];
        cli_cells_add(&cells, "%s", report->reference.names[k]);
        cli_cells_add(&cells, "%s", own < 0 ? "-" : report->endmembers.names[own]);
        cli_cells_add(&cells, isnan(score->angle[k]) ? "-" : "%.4f", score->angle[k]);
    }
    cli_cells_add(&cells, "mean");
    cli_cells_add(&cells, " ");
    cli_cells_add(&cells, "%.4f", score->mean);
    table.caption = "Spectral angles to the reference, matched one to one";
    return cli_cells_end(&cells, report, &table, err);
}

static double length_of(const double *spectrum, size_t n)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++) {
        sum += spectrum[k] * spectrum[k];
    }
    return sqrt(sum);
}

/* The lines of the chart: the endmembers, and below them each reference that has an endmember,
 * dashed, in the endmember's colour and scaled to its length, since angles do not depend on
 * brightness. Start from zeros. */
typedef struct chart_lines {
    double *values;
    const char **names;
    unsigned char *colours, *dashed;
    size_t n;
} chart_lines;

static void clear_lines(chart_lines *lines)
{
    free(lines->values);
    free(lines->names);
    free(lines->colours);
    free(lines->dashed);
}

static xta_status gather_lines(const cli_report *report, chart_lines *lines, cli_error *err)
{
    const cli_spectra *own = &report->endmembers, *other = &report->reference;
    size_t most = own->n + report->angles.n_references, n_bands = own->n_bands;

    lines->values = malloc((most * n_bands + 1) * sizeof *lines->values);
    lines->names = calloc(most + 1, sizeof *lines->names);
    lines->colours = calloc(most + 1, 3);
    lines->dashed = calloc(most + 1, 1);
    if (lines->values == NULL || lines->names == NULL || lines->colours == NULL ||
        lines->dashed == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu spectra", most);
    }
    memcpy(lines->values, own->values, own->n * n_bands * sizeof *lines->values);
    for (size_t k = 0; k < own->n; k++) {
        lines->names[k] = own->names[k];
        xta_class_colour(k + 1, lines->colours + 3 * k);
    }
    lines->n = own->n;
    for (size_t k = 0; k < report->angles.n_references; k++) {
        int64_t match = report->angles.endmember_of[k];
        const double *from = other->values + k * n_bands;
        double *to = lines->values + lines->n * n_bands;
        double length = length_of(from, n_bands);
        if (match < 0 || !(length > 0)) {
            continue;
        }
        length = length_of(own->values + (size_t)match * n_bands, n_bands) / length;
        for (size_t band = 0; band < n_bands; band++) {
            to[band] = length * from[band];
        }
        lines->names[lines->n] = other->names[k];
        lines->dashed[lines->n] = 1;
        xta_class_colour((size_t)match + 1, lines->colours + 3 * lines->n);
        lines->n++;
    }
    return XTA_OK;
}

/* ---- bands that are not drawn ---- */

/* Whether the spectra are pixels of a scene; those of a laboratory have no air in between. */
static bool seen_through_air(const cli_report *report)
{
    bool seen = report->scene.array != NULL;

    for (size_t k = 0; !seen && k < report->endmembers.n; k++) {
        seen = report->line[k] != CLI_NOWHERE;
    }
    return seen;
}

/* Flag the bands that are not drawn; returns their number. */
static size_t find_bad(const cli_report *report, const char *unit, unsigned char *bad)
{
    const cli_spectra *s = &report->endmembers;

    if (s->wavelength == NULL || !seen_through_air(report) ||
        cli_has(report->args, "bad-bands-too")) {
        return 0;
    }
    return xta_chart_opaque(s->n_bands, s->wavelength, unit, bad);
}

/* ---- the chart ---- */

/* What the chart is made of besides the lines. */
typedef struct chart_parts {
    xta_spectra_chart chart;
    char label[128], caption[400];
} chart_parts;

static void set_bands(const cli_report *report, const chart_lines *lines, xta_spectra_chart *chart)
{
    const cli_spectra *s = &report->endmembers;

    chart->n_spectra = lines->n;
    chart->n_bands = s->n_bands;
    chart->values = lines->values;
    chart->wavelength = s->wavelength;
    chart->unit = s->unit;
    if (s->unit == NULL && report->scene.array != NULL) {
        chart->unit = report->scene.info.wavelength_unit;
    }
    chart->band = s->band;
    // Spectra fitted to a scene are on its bands; the band coordinates show which ones are left
    // out.
    if (report->scene.array != NULL && report->scene.info.n_bands == s->n_bands) {
        chart->band = report->scene.info.band;
    }
    chart->names = lines->names;
    chart->colours = lines->colours;
    chart->dashed = lines->dashed;
}

static void write_caption(const cli_report *report, const chart_lines *lines, size_t n_bad,
                          char caption[400])
{
    char left_out[200] = "";

    if (n_bad > 0) {
        snprintf(left_out, sizeof left_out,
                 " Not drawn: %zu band%s between 1350 and 1450 or 1790 and 1960 nm, where water "
                 "vapour absorbs the light.",
                 n_bad, n_bad == 1 ? "" : "s");
    }
    snprintf(caption, 400,
             "Spectra of the endmembers%s. Lines are broken where bands are left "
             "out.%s",
             lines->n > report->endmembers.n
                 ? "; dashed, the references, brought to the length of their endmembers"
                 : "",
             left_out);
}

static xta_status draw_spectra(cli_report *report, chart_parts *parts, cli_error *err)
{
    const cli_spectra *s = &report->endmembers;
    char alt[160], path[4096];
    xta_report_figure figure = {alt, parts->caption, false};
    xta_status status = XTA_OK;

    snprintf(alt, sizeof alt, "Chart of the spectra of %zu endmembers in %zu bands", s->n,
             s->n_bands);
    XTA_TRY(xta_report_add_spectra(report->page, &parts->chart, &figure, &err->error));
    if (report->pictures != NULL) {
        XTA_TRY(cli_report_path(report, "endmembers", path, err));
        XTA_TRY(xta_chart_spectra(&parts->chart, path, &err->error));
    }
done:
    return status;
}

static xta_status show_spectra(cli_report *report, const chart_lines *lines, cli_error *err)
{
    chart_parts parts = {.chart = XTA_SPECTRA_CHART_INIT};
    unsigned char *bad = calloc(report->endmembers.n_bands + 1, 1);

    if (bad == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu bands", report->endmembers.n_bands);
    }
    set_bands(report, lines, &parts.chart);
    size_t n_bad = find_bad(report, parts.chart.unit, bad);
    parts.chart.bad = n_bad > 0 ? bad : NULL;
    cli_report_physical(report, lines->n, lines->values, parts.label);
    parts.chart.label = parts.label;
    write_caption(report, lines, n_bad, parts.caption);
    xta_status status = draw_spectra(report, &parts, err);
    free(bad);
    return status;
}

xta_status cli_report_endmembers(cli_report *report, cli_error *err)
{
    chart_lines lines = {0};
    xta_status status = XTA_OK;

    if (report->endmembers.n == 0) {
        return XTA_OK;
    }
    XTA_TRY(xta_report_section(report->page, "Endmembers", &err->error));
    XTA_TRY(gather_lines(report, &lines, err));
    XTA_TRY(show_spectra(report, &lines, err));
    XTA_TRY(add_endmembers(report, err));
    XTA_TRY(add_angles(report, err));
    XTA_TRY(add_notes(report, err));
done:
    clear_lines(&lines);
    return status;
}
