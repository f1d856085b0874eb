/* Printing statistics of regions: CSV (RFC 4180, but with the line ends of this system) and JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/escape.h"
#include "kit/print/describe.h"

#define NUMBER_BYTES 128

const char *cli_region_name(const xta_regions *regions, size_t k, char text[64])
{
    xta_region region = xta_regions_at(regions, k);

    if (region.kind == XTA_REGION_LABEL) {
        snprintf(text, 64, "%" PRId64, region.label);
        return text;
    }
    if (region.name[0] != '\0') {
        return region.name;
    }
    snprintf(text, 64, "%zu", k);
    return text;
}

/* The coordinates of a position on the remaining axes. */
static void coordinate_of(const xta_extract_facts *facts, uint64_t position, int64_t coord[])
{
    for (int k = facts->n_rest - 1; k >= 0; k--) {
        int axis = facts->rest[k];
        uint64_t length = (uint64_t)(facts->bounds.hi[axis] - facts->bounds.lo[axis]);
        coord[k] = facts->bounds.lo[axis] + (int64_t)(position % length);
        position /= length;
    }
}

/* ---- CSV ---- */

static void csv_head(FILE *out, const cli_extraction *job, const xta_extract_facts *facts)
{
    char number[16];

    fputs("region,name", out);
    for (int k = 0; k < facts->n_rest; k++) {
        const char *name = xta_axis_name(job->array, facts->rest[k]);
        fputc(',', out);
        if (name[0] == '\0') {
            snprintf(number, sizeof number, "axis%d", facts->rest[k]);
        }
        cli_print_csv(out, name[0] != '\0' ? name : number);
    }
    fputs(",count,nan,min,max,mean,sum\n", out);
}

/* A cell of the array's type as text, "nan" if there is none. */
static const char *cell_text(xta_type type, bool none, const uint8_t cell[8],
                             char text[NUMBER_BYTES])
{
    if (none) {
        return "nan";
    }
    cli_value_text(type, xta_type_bytes(type), cell, text);
    return text;
}

static const char *real_text(double value, char text[NUMBER_BYTES])
{
    cli_value_text(XTA_F64, sizeof value, &value, text);
    return text;
}

xta_status cli_regions_csv(FILE *out, const cli_extraction *job, const xta_extraction *extraction,
                           cli_error *err)
{
    const xta_extract_facts *facts = xta_extraction_facts(extraction);
    xta_type type = xta_array_type(job->array);
    char name[64], text[NUMBER_BYTES];
    int64_t coord[XTA_MAX_NDIM];

    csv_head(out, job, facts);
    for (size_t k = 0; k < facts->n_regions; k++) {
        for (uint64_t p = 0; p < facts->n_positions; p++) {
            xta_region_statistics s = xta_extraction_statistics(extraction, k, p);
            fprintf(out, "%zu,", k);
            cli_print_csv(out, cli_region_name(job->regions, k, name));
            coordinate_of(facts, p, coord);
            for (int axis = 0; axis < facts->n_rest; axis++) {
                fprintf(out, ",%" PRId64, coord[axis]);
            }
            fprintf(out, ",%" PRIu64 ",%" PRIu64, s.count, s.n_nan);
            fprintf(out, ",%s", cell_text(type, s.count == 0, s.min_cell, text));
            fprintf(out, ",%s", cell_text(type, s.count == 0, s.max_cell, text));
            fprintf(out, ",%s", real_text(s.mean, text));
            fprintf(out, ",%s\n", real_text(s.sum, text));
        }
        if (ferror(out)) {
            return cli_fail(err, XTA_EIO, 0, "the statistics cannot be written");
        }
    }
    return XTA_OK;
}

/* ---- JSON ---- */

/* A number, or the string that stands for it if JSON has no such number. */
static void json_number(FILE *out, const char *text)
{
    fprintf(out, strpbrk(text, "nif") != NULL ? "\"%s\"" : "%s", text);
}

typedef enum column { COUNT, N_NAN, MIN, MAX, MEAN, SUM } column;

static const char *const columns[] = {"count", "nan", "min", "max", "mean", "sum"};

static void json_column(FILE *out, const cli_extraction *job, const xta_extraction *extraction,
                        size_t k, column which)
{
    const xta_extract_facts *facts = xta_extraction_facts(extraction);
    xta_type type = xta_array_type(job->array);
    char text[NUMBER_BYTES];

    fprintf(out, ", \"%s\": [", columns[which]);
    for (uint64_t p = 0; p < facts->n_positions; p++) {
        xta_region_statistics s = xta_extraction_statistics(extraction, k, p);
        fputs(p > 0 ? ", " : "", out);
        switch (which) {
        case COUNT:
        case N_NAN:
            fprintf(out, "%" PRIu64, which == COUNT ? s.count : s.n_nan);
            break;
        case MIN:
        case MAX:
            json_number(
                out, cell_text(type, s.count == 0, which == MIN ? s.min_cell : s.max_cell, text));
            break;
        default:
            json_number(out, real_text(which == MEAN ? s.mean : s.sum, text));
            break;
        }
    }
    fputc(']', out);
}

xta_status cli_regions_json(FILE *out, const cli_extraction *job, const xta_extraction *extraction,
                            cli_error *err)
{
    const xta_extract_facts *facts = xta_extraction_facts(extraction);
    char name[64];

    fputs("{\n  \"array\": ", out);
    cli_json_text(out, job->path);
    fputs(",\n  \"rest\": [", out);
    for (int k = 0; k < facts->n_rest; k++) {
        int axis = facts->rest[k];
        fprintf(out, "%s{\"axis\": %d, \"lo\": %" PRId64 ", \"hi\": %" PRId64 "}",
                k > 0 ? ", " : "", axis, facts->bounds.lo[axis], facts->bounds.hi[axis]);
    }
    fprintf(out, "],\n  \"chunks_read\": %" PRIu64 ",\n  \"regions\": [", facts->n_chunks_read);
    for (size_t k = 0; k < facts->n_regions; k++) {
        fprintf(out, "%s\n    {\"region\": %zu, \"name\": ", k > 0 ? "," : "", k);
        cli_json_text(out, cli_region_name(job->regions, k, name));
        for (column which = COUNT; which <= SUM; which++) {
            json_column(out, job, extraction, k, which);
        }
        fputc('}', out);
        if (ferror(out)) {
            return cli_fail(err, XTA_EIO, 0, "the statistics cannot be written");
        }
    }
    fputs("\n  ]\n}\n", out);
    return XTA_OK;
}
