/* Printing statistics: for people, and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "stat_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/escape.h"
#include "kit/print/describe.h"
#include "kit/print/json_cells.h"

#define TEXT_BYTES  128
#define PLACE_BYTES (20 * XTA_MAX_NDIM)
#define FIRST_WIDTH 16 // of a folder's table: names
#define WIDTH       12 // and numbers

static const char *const columns[] = {"cells", "count", "missing", "min", "at",
                                      "max",   "at",    "mean",    "std"};
enum { CELLS, COUNT, MISSING, MIN, MIN_AT, MAX, MAX_AT, MEAN, STD, COLUMNS };

/* The texts of one result. */
typedef struct result_texts {
    char of[COLUMNS][PLACE_BYTES];
} result_texts;

static void real_text(double value, char *text)
{
    cli_value_text(XTA_F64, sizeof value, &value, text);
}

/* The coordinates of cell number `number` of the box. */
static void place_of(const cli_stat *stat, uint64_t number, int64_t at[])
{
    for (int axis = stat->box.ndim - 1; axis >= 0; axis--) {
        uint64_t length = (uint64_t)(stat->box.hi[axis] - stat->box.lo[axis]);
        at[axis] = stat->box.lo[axis] + (int64_t)(number % length);
        number /= length;
    }
}

static void place_text(const cli_stat *stat, uint64_t number, char *text)
{
    int64_t at[XTA_MAX_NDIM];
    size_t used = 0;

    if (number == STAT_NOWHERE) {
        strcpy(text, "-");
        return;
    }
    place_of(stat, number, at);
    for (int axis = 0; axis < stat->box.ndim; axis++) {
        used += (size_t)snprintf(text + used, PLACE_BYTES - used, "%s%" PRId64, axis > 0 ? "," : "",
                                 at[axis]);
    }
}

/* An extreme, of the array's own type: a float has fewer digits than its double. */
static void extreme_text(const cli_stat *stat, const void *extremes, uint64_t k, char *text)
{
    xta_type type = xta_array_type(stat->array);
    uint8_t cell[8];

    if (stat->count[k] == 0) {
        strcpy(text, "nan");
        return;
    }
    (void)!xta_type_convert(stat->wide, (const uint8_t *)extremes + 8 * k, type, cell, 1, NULL);
    cli_value_text(type, xta_array_cell_bytes(stat->array), cell, text);
}

static void make_texts(const cli_stat *stat, uint64_t k, result_texts *texts)
{
    snprintf(texts->of[CELLS], TEXT_BYTES, "%" PRIu64, stat->n_cells);
    snprintf(texts->of[COUNT], TEXT_BYTES, "%" PRIu64, stat->count[k]);
    snprintf(texts->of[MISSING], TEXT_BYTES, "%" PRIu64, stat->n_cells - stat->count[k]);
    extreme_text(stat, stat->least, k, texts->of[MIN]);
    place_text(stat, stat->least_at[k], texts->of[MIN_AT]);
    extreme_text(stat, stat->most, k, texts->of[MAX]);
    place_text(stat, stat->most_at[k], texts->of[MAX_AT]);
    real_text(stat->mean[k], texts->of[MEAN]);
    real_text(stat->deviation[k], texts->of[STD]);
}

/* The axis of the array that is axis `k` of the results. */
static int kept_axis(const cli_stat *stat, int k)
{
    int reduced = 0;

    for (int axis = 0; axis < stat->box.ndim; axis++) {
        if (reduced < stat->options.n_axes && stat->axes[reduced] == axis) {
            reduced++;
        } else if (k-- == 0) {
            return axis;
        }
    }
    return 0;
}

/* ---- one array ---- */

static void print_single(FILE *out, const cli_stat *stat)
{
    result_texts texts;

    make_texts(stat, 0, &texts);
    fputs("array    ", out);
    cli_print_name(out, stat->name);
    fprintf(out, "\ntype     %s\nbox      ", xta_type_name(xta_array_type(stat->array)));
    cli_print_box(out, &stat->box);
    fputc('\n', out);
    for (int k = 0; k < COLUMNS; k++) {
        if (k == MIN_AT || k == MAX_AT) {
            continue;
        }
        fprintf(out, "%-9s%s", columns[k], texts.of[k]);
        if ((k == MIN || k == MAX) && stat->count[0] > 0) {
            fprintf(out, " at %s", texts.of[k + 1]);
        }
        fputc('\n', out);
    }
}

/* The coordinates of result `k`. */
static void result_at(const cli_stat *stat, uint64_t k, int64_t at[])
{
    for (int axis = stat->bounds.ndim - 1; axis >= 0; axis--) {
        uint64_t length = (uint64_t)(stat->bounds.hi[axis] - stat->bounds.lo[axis]);
        at[axis] = stat->bounds.lo[axis] + (int64_t)(k % length);
        k /= length;
    }
}

static void put_column(FILE *out, const char *text, int width, bool first)
{
    fprintf(out, "%s%*s", first ? "" : "  ", width, text);
}

/* The width of each column: coordinates first, then the statistics. */
static void measure(const cli_stat *stat, int widths[])
{
    int ndim = stat->bounds.ndim;
    char number[16], text[32];
    int64_t at[XTA_MAX_NDIM];
    result_texts texts;

    for (int axis = 0; axis < ndim; axis++) {
        widths[axis] = (int)strlen(cli_axis_label(stat->array, kept_axis(stat, axis), number));
    }
    for (int c = 0; c < COLUMNS; c++) {
        widths[ndim + c] = (int)strlen(columns[c]);
    }
    for (uint64_t k = 0; k < stat->n_results; k++) {
        result_at(stat, k, at);
        for (int axis = 0; axis < ndim; axis++) {
            int n = snprintf(text, sizeof text, "%" PRId64, at[axis]);
            widths[axis] = n > widths[axis] ? n : widths[axis];
        }
        make_texts(stat, k, &texts);
        for (int c = 0; c < COLUMNS; c++) {
            int n = (int)strlen(texts.of[c]);
            widths[ndim + c] = n > widths[ndim + c] ? n : widths[ndim + c];
        }
    }
}

static void print_table(FILE *out, const cli_stat *stat)
{
    int ndim = stat->bounds.ndim, widths[XTA_MAX_NDIM + COLUMNS];
    char number[16], text[32];
    int64_t at[XTA_MAX_NDIM];
    result_texts texts;

    measure(stat, widths);
    for (int axis = 0; axis < ndim; axis++) {
        // Padding first, since a name may have to be escaped.
        const char *label = cli_axis_label(stat->array, kept_axis(stat, axis), number);
        fprintf(out, "%s%*s", axis > 0 ? "  " : "", widths[axis] - (int)strlen(label), "");
        cli_print_name(out, label);
    }
    for (int c = 0; c < COLUMNS; c++) {
        put_column(out, columns[c], widths[ndim + c], false);
    }
    fputc('\n', out);
    for (uint64_t k = 0; k < stat->n_results; k++) {
        result_at(stat, k, at);
        for (int axis = 0; axis < ndim; axis++) {
            snprintf(text, sizeof text, "%" PRId64, at[axis]);
            put_column(out, text, widths[axis], axis == 0);
        }
        make_texts(stat, k, &texts);
        for (int c = 0; c < COLUMNS; c++) {
            put_column(out, texts.of[c], widths[ndim + c], false);
        }
        fputc('\n', out);
    }
}

xta_status cli_stat_print(FILE *out, const cli_stat *stat, cli_error *err)
{
    if (stat->options.n_axes == stat->box.ndim) {
        print_single(out, stat);
    } else {
        print_table(out, stat);
    }
    return ferror(out) ? cli_fail(err, XTA_EIO, 0, "the results cannot be written") : XTA_OK;
}

/* ---- a folder ---- */

static bool in_folder_table(int column)
{
    return column != MIN_AT && column != MAX_AT;
}

void cli_stat_print_line(FILE *out, const cli_stat *stat, const char *why)
{
    result_texts texts;

    if (stat == NULL) {
        fprintf(out, "%-*s  %-4s", FIRST_WIDTH, "array", "type");
        for (int c = 0; c < COLUMNS; c++) {
            if (in_folder_table(c)) {
                fprintf(out, "  %*s", WIDTH, columns[c]);
            }
        }
        fputc('\n', out);
        return;
    }
    cli_print_name(out, stat->name);
    int padding = FIRST_WIDTH - (int)strlen(stat->name);
    fprintf(out, "%*s  %-4s", padding > 0 ? padding : 0, "",
            xta_type_name(xta_array_type(stat->array)));
    if (why != NULL) {
        fprintf(out, "  %s\n", why);
        return;
    }
    make_texts(stat, 0, &texts);
    snprintf(texts.of[MEAN], TEXT_BYTES, "%.7g", stat->mean[0]);
    snprintf(texts.of[STD], TEXT_BYTES, "%.7g", stat->deviation[0]);
    for (int c = 0; c < COLUMNS; c++) {
        if (in_folder_table(c)) {
            fprintf(out, "  %*s", WIDTH, texts.of[c]);
        }
    }
    fputc('\n', out);
}

/* ---- JSON ---- */

static xta_status put_extreme(FILE *out, const cli_stat *stat, const char *name,
                              const void *extremes, const uint64_t *places, uint64_t k,
                              cli_error *err)
{
    int64_t at[XTA_MAX_NDIM];
    uint8_t cell[8];
    xta_type type = xta_array_type(stat->array);
    xta_status status = XTA_OK;

    fprintf(out, ", \"%s\": ", name);
    if (stat->count[k] == 0) {
        fprintf(out, "null, \"%s_at\": null", name);
        return XTA_OK;
    }
    (void)!xta_type_convert(stat->wide, (const uint8_t *)extremes + 8 * k, type, cell, 1, NULL);
    XTA_TRY(cli_json_cell(out, type, xta_array_cell_bytes(stat->array), cell, err));
    fprintf(out, ", \"%s_at\": ", name);
    place_of(stat, places[k], at);
    cli_json_coords(out, at, stat->box.ndim);
done:
    return status;
}

/* A mean or a deviation; null: no value. */
static xta_status put_real(FILE *out, const char *name, double value, cli_error *err)
{
    fprintf(out, ", \"%s\": ", name);
    if (value != value) {
        fputs("null", out);
        return XTA_OK;
    }
    return cli_json_cell(out, XTA_F64, sizeof value, &value, err);
}

static xta_status put_result(FILE *out, const cli_stat *stat, uint64_t k, cli_error *err)
{
    int64_t at[XTA_MAX_NDIM];
    bool all = stat->options.n_axes == stat->box.ndim;
    xta_status status = XTA_OK;

    result_at(stat, k, at);
    fprintf(out, "%s\n    {\"at\": ", k > 0 ? "," : "");
    cli_json_coords(out, at, all ? 0 : stat->bounds.ndim);
    fprintf(out, ", \"n_cells\": %" PRIu64 ", \"count\": %" PRIu64 ", \"n_missing\": %" PRIu64,
            stat->n_cells, stat->count[k], stat->n_cells - stat->count[k]);
    XTA_TRY(put_extreme(out, stat, "min", stat->least, stat->least_at, k, err));
    XTA_TRY(put_extreme(out, stat, "max", stat->most, stat->most_at, k, err));
    XTA_TRY(put_real(out, "mean", stat->mean[k], err));
    XTA_TRY(put_real(out, "std", stat->deviation[k], err));
    fputc('}', out);
done:
    return status;
}

xta_status cli_stat_json(FILE *out, const cli_stat *stat, const char *why, cli_error *err)
{
    char number[16];
    xta_status status = XTA_OK;

    fputs("\n  {\"name\": ", out);
    cli_json_text(out, stat->name);
    fprintf(out, ", \"type\": \"%s\", \"box\": ", xta_type_name(xta_array_type(stat->array)));
    cli_json_box(out, &stat->box);
    if (why != NULL) {
        fputs(", \"error\": ", out);
        cli_json_text(out, why);
        fputs(", \"axes\": [], \"results\": []}", out);
        return XTA_OK;
    }
    fputs(", \"axes\": [", out);
    bool all = stat->options.n_axes == stat->box.ndim;
    for (int axis = 0; !all && axis < stat->bounds.ndim; axis++) {
        fputs(axis > 0 ? ", " : "", out);
        cli_json_text(out, cli_axis_label(stat->array, kept_axis(stat, axis), number));
    }
    fputs("], \"missing_value\": ", out);
    if (stat->options.missing != NULL) {
        XTA_TRY(cli_json_cell(out, xta_array_type(stat->array), xta_array_cell_bytes(stat->array),
                              stat->options.missing, err));
    } else {
        fputs("null", out);
    }
    fputs(", \"results\": [", out);
    for (uint64_t k = 0; k < stat->n_results; k++) {
        XTA_TRY(put_result(out, stat, k, err));
    }
    fputs("\n  ]}", out);
done:
    return status;
}
