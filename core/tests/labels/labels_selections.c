/* Select cells, as selections.py asks: labels_selections CASES, which prints an answer for each
 * `sel`.
 *
 *     none LO HI                                   an axis without coordinates
 *     regular TYPE LO HI ORIGIN STEP               regular ones
 *     listed TYPE LO HI BOX_LO BOX_HI VALUE ...    a list, in a box that may be larger
 *     names LO HI NAME ...                         one word each
 *     unit UNIT                                    of the axis, to the end of the line
 *     calendar NAME
 *     sel LABELS                                   of the axis, to the end of the line
 *
 * The answer is `LO HI STEP`, `list CELL ...`, or `error STATUS TEXT`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/select.h>

static xta_array *array;
static xta_error err;

static void must(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "labels_selections: %s\n", err.text);
        exit(1);
    }
}

static void make_array(int64_t lo, int64_t hi)
{
    const int64_t bounds[1] = {0};

    xta_array_close(array, NULL);
    array = NULL;
    must(xta_array_new(XTA_U8, 1, bounds, NULL, &array, &err));
    xta_growth growths[] = {{.axis = 0, .by = hi, .side = XTA_BACK},
                            {.axis = 0, .by = -lo, .side = XTA_FRONT}};
    for (int k = 0; k < 2; k++) {
        if (growths[k].by > 0) {
            must(xta_array_extend(array, &growths[k], 1, NULL, &err));
        }
    }
    must(xta_axis_set_name(array, 0, "x", &err));
}

static char *next(char **rest)
{
    char *word = strtok_r(NULL, " \n", rest);

    if (word == NULL) {
        fprintf(stderr, "labels_selections: a word is missing\n");
        exit(1);
    }
    return word;
}

static int64_t next_number(char **rest)
{
    return strtoll(next(rest), NULL, 10);
}

static bool is_real(xta_type type)
{
    return type == XTA_F32 || type == XTA_F64;
}

static void set_regular(char **rest)
{
    xta_regular regular = {0};
    size_t bytes;

    must(xta_type_parse(next(rest), &regular.type, &bytes, &err));
    int64_t lo = next_number(rest), hi = next_number(rest);
    const char *origin = next(rest), *step = next(rest);
    if (is_real(regular.type)) {
        regular.origin.f = strtod(origin, NULL);
        regular.step.f = strtod(step, NULL);
    } else {
        regular.origin.i = strtoll(origin, NULL, 10);
        regular.step.i = strtoll(step, NULL, 10);
    }
    make_array(lo, hi);
    must(xta_axis_set_regular(array, 0, &regular, &err));
}

static void set_list(char **rest)
{
    xta_type type;
    size_t bytes;

    must(xta_type_parse(next(rest), &type, &bytes, &err));
    int64_t lo = next_number(rest), hi = next_number(rest);
    int64_t box[2] = {next_number(rest), next_number(rest)};
    size_t n = (size_t)(box[1] - box[0]);
    char *values = malloc((n + 1) * bytes);
    for (size_t k = 0; k < n && values != NULL; k++) {
        char *word = next(rest);
        double real = strtod(word, NULL);
        int64_t whole = strtoll(word, NULL, 10);
        const void *from = is_real(type) ? (const void *)&real : (const void *)&whole;
        must(xta_type_convert(is_real(type) ? XTA_F64 : XTA_I64, from, type, values + k * bytes, 1,
                              NULL));
    }
    make_array(lo, hi);
    const xta_attribute list = {.name = "values", .type = type, .count = n, .values = values};
    const xta_attribute where = {.name = "values//box", .type = XTA_I64, .count = 2, .values = box};
    must(xta_attribute_set(array, 0, &list, &err));
    must(xta_attribute_set(array, 0, &where, &err));
    free(values);
}

static void set_names(char **rest)
{
    int64_t lo = next_number(rest), hi = next_number(rest);
    char *text = *rest;

    make_array(lo, hi);
    for (char *c = text; c != NULL && *c != '\0'; c++) {
        *c = *c == ' ' ? '\n' : *c;
    }
    must(xta_attribute_set_text(array, 0, "values", text, &err));
}

static void answer(const char *labels)
{
    char text[4096];
    xta_selection s;

    snprintf(text, sizeof text, "x=%s", labels);
    xta_status status = xta_box_select(array, text, &s, &err);
    if (status != XTA_OK) {
        printf("error %s %s\n", xta_status_name(status), err.text);
        return;
    }
    if (s.list[0] != NULL) {
        printf("list");
        for (int64_t k = 0; k < s.n_list[0]; k++) {
            printf(" %" PRId64, s.list[0][k]);
        }
        printf("\n");
    } else {
        printf("%" PRId64 " %" PRId64 " %" PRId64 "\n", s.box.lo[0], s.box.hi[0], s.step[0]);
    }
    xta_selection_clear(&s);
}

static void run_line(char *line)
{
    char *rest = line + strcspn(line, " \n");
    size_t n = (size_t)(rest - line);
    char *tail = *rest == ' ' ? rest + 1 : rest;

    tail[strcspn(tail, "\n")] = '\0';
    if (n == 3 && strncmp(line, "sel", n) == 0) {
        answer(tail);
    } else if (n == 4 && strncmp(line, "unit", n) == 0) {
        must(xta_axis_set_unit(array, 0, tail, &err));
    } else if (n == 8 && strncmp(line, "calendar", n) == 0) {
        must(xta_attribute_set_text(array, 0, "calendar", tail, &err));
    } else {
        char *word = strtok_r(line, " \n", &rest);
        if (strcmp(word, "none") == 0) {
            int64_t lo = next_number(&rest);
            make_array(lo, next_number(&rest));
        } else if (strcmp(word, "regular") == 0) {
            set_regular(&rest);
        } else if (strcmp(word, "listed") == 0) {
            set_list(&rest);
        } else if (strcmp(word, "names") == 0) {
            set_names(&rest);
        }
    }
}

int main(int argc, char *argv[])
{
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;

    if (file == NULL) {
        fprintf(stderr, "usage: labels_selections CASES\n");
        return 1;
    }
    while (getline(&line, &capacity, file) > 0) {
        run_line(line);
    }
    free(line);
    fclose(file);
    xta_array_close(array, NULL);
    return 0;
}
