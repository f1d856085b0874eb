/* Answers of xta query as CSV, as a table and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube_job.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <xta/attribute.h>

#include "kit/escape.h"
#include "kit/print/describe.h"
#include "kit/print/json.h"

#define TEXT_BYTES 128

const char *cli_query_measure_name(int measure)
{
    return measure == CLI_QUERY_MEAN ? "mean" : xta_cube_measure_name((xta_cube_measure)measure);
}

typedef struct position {
    int64_t at[XTA_MAX_NDIM];
    uint64_t n; // of the cell, in row-major order
} position;

static xta_type base_type(const cli_query *query)
{
    return xta_array_type(xta_cube_base(query->cube));
}

static bool is_float(xta_type type)
{
    return type == XTA_F16 || type == XTA_F32 || type == XTA_F64;
}

static bool is_signed(xta_type type)
{
    return type == XTA_I8 || type == XTA_I16 || type == XTA_I32 || type == XTA_I64;
}

/* A measure of a cell as text; "nan" if it has no value. */
static const char *value_text(const cli_query *query, uint64_t n, int measure,
                              char text[TEXT_BYTES])
{
    xta_cube_values v = xta_cube_answer_values(query->answer, n);
    xta_type type = base_type(query);
    xta_type number = is_float(type) ? XTA_F64 : is_signed(type) ? XTA_I64 : XTA_U64;
    const xta_cube_number *value = measure == XTA_CUBE_MIN   ? &v.min
                                   : measure == XTA_CUBE_MAX ? &v.max
                                                             : &v.sum;
    bool nan = is_float(type) && isnan(value->f);

    if (measure == XTA_CUBE_COUNT) {
        snprintf(text, TEXT_BYTES, "%" PRIu64, v.count);
        return text;
    }
    if (nan || (v.count == 0 && measure != XTA_CUBE_SUM)) {
        return "nan";
    }
    if (measure == CLI_QUERY_MEAN) {
        double sum = is_float(type) ? v.sum.f : is_signed(type) ? (double)v.sum.i : (double)v.sum.u;
        double mean = sum / (double)v.count;
        cli_value_text(XTA_F64, 8, &mean, text);
        return text;
    }
    if (is_float(type) && measure != XTA_CUBE_SUM) {
        uint8_t cell[8]; // an extreme is a cell of the base: as short as that
        if (xta_type_convert(XTA_F64, &value->f, type, cell, 1, NULL) == XTA_OK) {
            cli_value_text(type, xta_type_bytes(type), cell, text);
            return text;
        }
    }
    cli_value_text(number, 8, value, text);
    return text;
}

static const char *axis_name(const cli_query *query, int k, char text[16])
{
    int axis = xta_cube_answer_axis(query->answer, k);
    const char *name = xta_axis_name(xta_cube_base(query->cube), axis);

    snprintf(text, 16, "axis%d", axis);
    return name[0] != '\0' ? name : text;
}

/* Go to the next cell, axis `skip` excepted; false: there is none. */
static bool next(const cli_query *query, position *p, int skip)
{
    int k = xta_cube_answer_ndim(query->answer) - 1;

    for (; k >= 0; k--) {
        if (k == skip) {
            continue;
        }
        if (++p->at[k] < xta_cube_answer_length(query->answer, k)) {
            break;
        }
        p->at[k] = 0;
    }
    p->n = 0;
    for (int j = 0; j < xta_cube_answer_ndim(query->answer); j++) {
        p->n = p->n * (uint64_t)xta_cube_answer_length(query->answer, j) + (uint64_t)p->at[j];
    }
    return k >= 0;
}

static bool is_empty(const cli_query *query)
{
    for (int k = 0; k < xta_cube_answer_ndim(query->answer); k++) {
        if (xta_cube_answer_length(query->answer, k) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- CSV ---- */

static void print_labels(FILE *out, const cli_query *query, const position *p)
{
    char text[48];

    for (int k = 0; k < xta_cube_answer_ndim(query->answer); k++) {
        if (k != query->pivot) {
            xta_cube_answer_text(query->answer, k, p->at[k], text);
            fprintf(out, "%s,", text);
        }
    }
}

static void print_axes(FILE *out, const cli_query *query)
{
    char text[16];

    for (int k = 0; k < xta_cube_answer_ndim(query->answer); k++) {
        if (k != query->pivot) {
            cli_print_csv(out, axis_name(query, k, text));
            fputc(',', out);
        }
    }
}

void cli_query_csv(FILE *out, const cli_query *query)
{
    position p = {.n = 0};
    char text[TEXT_BYTES];

    print_axes(out, query);
    for (int m = 0; m < query->n_measures; m++) {
        fprintf(out, "%s%s", m > 0 ? "," : "", cli_query_measure_name(query->measures[m]));
    }
    fputc('\n', out);
    for (bool more = !is_empty(query); more; more = next(query, &p, -1)) {
        print_labels(out, query, &p);
        for (int m = 0; m < query->n_measures; m++) {
            fprintf(out, "%s%s", m > 0 ? "," : "",
                    value_text(query, p.n, query->measures[m], text));
        }
        fputc('\n', out);
    }
}

void cli_query_pivot(FILE *out, const cli_query *query)
{
    int64_t n = xta_cube_answer_length(query->answer, query->pivot);
    position p = {.n = 0};
    char text[TEXT_BYTES];
    uint64_t stride = 1;

    for (int k = query->pivot + 1; k < xta_cube_answer_ndim(query->answer); k++) {
        stride *= (uint64_t)xta_cube_answer_length(query->answer, k);
    }
    print_axes(out, query);
    for (int64_t c = 0; c < n; c++) {
        xta_cube_answer_text(query->answer, query->pivot, c, text);
        fprintf(out, "%s%s", c > 0 ? "," : "", text);
    }
    fputc('\n', out);
    for (bool more = !is_empty(query); more; more = next(query, &p, query->pivot)) {
        print_labels(out, query, &p);
        for (int64_t c = 0; c < n; c++) {
            fprintf(out, "%s%s", c > 0 ? "," : "",
                    value_text(query, p.n + (uint64_t)c * stride, query->measures[0], text));
        }
        fputc('\n', out);
    }
}

void cli_query_explain(FILE *out, const cli_query *query)
{
    const xta_cube_reading *r;

    fputs("\nlevels,boxes,cells\n", out);
    for (size_t k = 0; (r = xta_cube_answer_reading(query->answer, k)) != NULL; k++) {
        cli_print_csv(out, r->levels);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", r->n_boxes, r->n_cells);
    }
}

/* ---- JSON ---- */

static void json_cell(FILE *out, const cli_query *query, const position *p)
{
    char text[TEXT_BYTES], name[16];

    for (int k = 0; k < xta_cube_answer_ndim(query->answer); k++) {
        cli_json_text(out, axis_name(query, k, name));
        fputs(": ", out);
        xta_cube_answer_text(query->answer, k, p->at[k], text);
        cli_json_text(out, text);
        fputs(", ", out);
    }
    for (int m = 0; m < query->n_measures; m++) {
        const char *value = value_text(query, p->n, query->measures[m], text);
        bool number = strcmp(value, "nan") != 0 && strstr(value, "inf") == NULL;
        fprintf(out, "%s\"%s\": %s", m > 0 ? ", " : "", cli_query_measure_name(query->measures[m]),
                number ? value : "null");
    }
}

void cli_query_json(FILE *out, const cli_query *query, bool explain)
{
    const xta_cube_reading *r;
    position p = {.n = 0};
    bool first = true;

    fputs("{\"cube\": ", out);
    cli_json_text(out, query->path);
    fputs(", \"results\": [", out);
    for (bool more = !is_empty(query); more; more = next(query, &p, -1)) {
        fputs(first ? "\n  {" : ",\n  {", out);
        first = false;
        json_cell(out, query, &p);
        fputc('}', out);
    }
    fputs("\n]", out);
    if (explain) {
        fputs(", \"read\": [", out);
        for (size_t k = 0; (r = xta_cube_answer_reading(query->answer, k)) != NULL; k++) {
            fprintf(out, "%s\n  {\"levels\": ", k > 0 ? "," : "");
            cli_json_text(out, r->levels);
            fprintf(out, ", \"boxes\": %" PRIu64 ", \"cells\": %" PRIu64 "}", r->n_boxes,
                    r->n_cells);
        }
        fputs("\n]", out);
    }
    fputs("}\n", out);
}
