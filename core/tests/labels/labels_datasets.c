/* Data sets that grow, and selections of their members, as datasets.py asks: labels_datasets CASES.
 *
 *     set PATH                                     close the last data set, create another one
 *     dimension NAME LO HI                         without coordinates
 *     regular NAME LO HI TYPE ORIGIN STEP UNIT     regular ones; UNIT to the end of the line, or -
 *     list NAME TYPE N VALUE ... UNIT              a list of the N cells of the dimension
 *     member NAME NDIM DIMENSION ...               of type i32
 *     cells NAME VALUE ...                         of all its cells
 *     append DIMENSION SIDE N [VALUE ...] UNIT     coordinates (f64) of an append, or N and -
 *     with NAME VALUE ...                          cells of a member in that append
 *     go                                           carry it out: prints ok or the status
 *     again                                        close the data set and open it again
 *     sel NAME LABELS                              prints the cells, or the status and text
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/dataset_append.h>
#include <xta/select.h>

enum { MOST_CELLS = 1 << 16, MOST_MEMBERS = 8, MOST_VALUES = 256 };

static xta_dataset *set;
static char path[512];
static xta_error err;

/* An append that is being described. */
static struct {
    char dimension[64], unit[128], names[MOST_MEMBERS][64];
    double values[MOST_VALUES];
    xta_new_coordinates coordinates;
    xta_member_cells cells[MOST_MEMBERS];
    xta_dataset_slab slab;
} append;

static void must(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "labels_datasets: %s\n", err.text);
        exit(1);
    }
}

static char *next(char **rest)
{
    char *word = strtok_r(NULL, " \n", rest);

    if (word == NULL) {
        fprintf(stderr, "labels_datasets: a word is missing\n");
        exit(1);
    }
    return word;
}

static int64_t number(char **rest)
{
    return strtoll(next(rest), NULL, 10);
}

/* What is left of the line; "" for -. */
static const char *remainder_of(char **rest)
{
    char *text = strtok_r(NULL, "\n", rest);

    return text == NULL || strcmp(text, "-") == 0 ? "" : text;
}

static xta_type type_of(const char *name)
{
    xta_type type = XTA_F64;

    must(xta_type_parse(name, &type, NULL, &err));
    return type;
}

static void set_unit(const char *dimension, const char *unit, xta_array *list)
{
    if (unit[0] == '\0') {
        return;
    }
    must(list != NULL ? xta_attribute_set_text(list, XTA_ON_ARRAY, "units", unit, &err)
                      : xta_dataset_set_text(set, dimension, "units", unit, &err));
}

static void make_dimension(char **rest, bool regular)
{
    xta_dimension d = {.name = next(rest)};

    d.lo = number(rest);
    d.hi = number(rest);
    if (regular) {
        d.coordinates = XTA_COORDINATES_REGULAR;
        d.regular.type = type_of(next(rest));
        bool real = d.regular.type == XTA_F64 || d.regular.type == XTA_F32;
        const char *origin = next(rest), *step = next(rest);
        if (real) {
            d.regular.origin.f = strtod(origin, NULL);
            d.regular.step.f = strtod(step, NULL);
        } else {
            d.regular.origin.i = strtoll(origin, NULL, 10);
            d.regular.step.i = strtoll(step, NULL, 10);
        }
    }
    must(xta_dataset_set_dimension(set, &d, &err));
    if (regular) {
        set_unit(d.name, remainder_of(rest), NULL);
    }
}

static void make_list(char **rest)
{
    const char *name = next(rest);
    xta_type type = type_of(next(rest));
    int64_t n = number(rest);
    double values[MOST_VALUES];
    xta_array *list = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    must(xta_dataset_add_member(set, name, type, 1, &name, NULL, &list, &err));
    for (int64_t k = 0; k < n; k++) {
        values[k] = strtod(next(rest), NULL);
    }
    io.type = XTA_F64;
    xta_box box = xta_array_bounds(list);
    must(xta_array_write(list, &box, &io, values, &err));
    set_unit(name, remainder_of(rest), list);
}

static void make_member(char **rest)
{
    const char *name = next(rest), *dimensions[XTA_MAX_NDIM];
    int ndim = (int)number(rest);

    for (int k = 0; k < ndim; k++) {
        dimensions[k] = next(rest);
    }
    must(xta_dataset_add_member(set, name, XTA_I32, ndim, dimensions, NULL, NULL, &err));
}

/* As many cells as the line has. */
static int32_t *read_cells(char **rest)
{
    int32_t *cells = calloc(MOST_CELLS, sizeof *cells);
    char *word;

    for (size_t k = 0; cells != NULL && (word = strtok_r(NULL, " \n", rest)) != NULL; k++) {
        cells[k] = (int32_t)strtol(word, NULL, 10);
    }
    return cells;
}

static void write_cells(char **rest)
{
    xta_array *array = NULL;

    must(xta_dataset_member(set, next(rest), &array, &err));
    xta_box box = xta_array_bounds(array);
    int32_t *cells = read_cells(rest);
    must(xta_array_write(array, &box, NULL, cells, &err));
    must(xta_dataset_sync(set, &err));
    free(cells);
}

static void begin_append(char **rest)
{
    memset(&append, 0, sizeof append);
    snprintf(append.dimension, sizeof append.dimension, "%s", next(rest));
    append.slab.dimension = append.dimension;
    append.slab.side = strcmp(next(rest), "front") == 0 ? XTA_FRONT : XTA_BACK;
    append.slab.by = number(rest);
    append.slab.cells = append.cells;
    for (int64_t k = 0; k < append.slab.by; k++) {
        const char *word = next(rest);
        if (strcmp(word, "-") == 0) {
            return;
        }
        append.values[k] = strtod(word, NULL);
    }
    snprintf(append.unit, sizeof append.unit, "%s", remainder_of(rest));
    append.coordinates = (xta_new_coordinates){
        .n = append.slab.by, .type = XTA_F64, .values = append.values, .unit = append.unit};
    append.slab.coordinates = &append.coordinates;
}

static void add_cells(char **rest)
{
    size_t k = append.slab.n_cells++;

    snprintf(append.names[k], sizeof append.names[k], "%s", next(rest));
    append.cells[k] = (xta_member_cells){.member = append.names[k], .cells = read_cells(rest)};
}

static void carry_out(void)
{
    xta_status status = xta_dataset_append(set, &append.slab, NULL, &err);

    printf("%s\n", status == XTA_OK ? "ok" : xta_status_name(status));
    for (size_t k = 0; k < append.slab.n_cells; k++) {
        free((void *)append.cells[k].cells);
    }
    append.slab.n_cells = 0;
}

static void open_again(void)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;

    options.writable = true;
    must(xta_dataset_close(set, &err));
    must(xta_dataset_open(path, &options, &set, &err));
}

/* The cells of a selection, in the order of its labels. */
static void print_cells(xta_array *array, const xta_selection *s)
{
    int64_t n[XTA_MAX_NDIM], at[XTA_MAX_NDIM] = {0}, cell[XTA_MAX_NDIM];
    int32_t value = 0;
    int axis = 0;

    for (int k = 0; k < s->box.ndim; k++) {
        int64_t step = s->step[k];
        n[k] = s->list[k] != NULL ? s->n_list[k] : (s->box.hi[k] - s->box.lo[k] + step - 1) / step;
    }
    do {
        for (int k = 0; k < s->box.ndim; k++) {
            cell[k] = s->list[k] != NULL ? s->list[k][at[k]] : s->box.lo[k] + at[k] * s->step[k];
        }
        must(xta_array_get(array, cell, &value, &err));
        printf(" %" PRId32, value);
        for (axis = s->box.ndim - 1; axis >= 0 && ++at[axis] == n[axis]; axis--) {
            at[axis] = 0;
        }
    } while (axis >= 0);
    printf("\n");
}

static void select_cells(char **rest)
{
    xta_array *array = NULL;
    xta_selection selection;

    must(xta_dataset_member(set, next(rest), &array, &err));
    xta_status status = xta_box_select(array, remainder_of(rest), &selection, &err);
    if (status != XTA_OK) {
        printf("error %s %s\n", xta_status_name(status), err.text);
        return;
    }
    print_cells(array, &selection);
    xta_selection_clear(&selection);
}

static void answer(const char *verb, char **rest)
{
    if (strcmp(verb, "set") == 0) {
        must(xta_dataset_close(set, &err));
        set = NULL;
        snprintf(path, sizeof path, "%s", next(rest));
        must(xta_dataset_create(path, NULL, &set, &err));
    } else if (strcmp(verb, "dimension") == 0 || strcmp(verb, "regular") == 0) {
        make_dimension(rest, verb[0] == 'r');
    } else if (strcmp(verb, "list") == 0) {
        make_list(rest);
    } else if (strcmp(verb, "member") == 0) {
        make_member(rest);
    } else if (strcmp(verb, "cells") == 0) {
        write_cells(rest);
    } else if (strcmp(verb, "append") == 0) {
        begin_append(rest);
    } else if (strcmp(verb, "with") == 0) {
        add_cells(rest);
    } else if (strcmp(verb, "go") == 0) {
        carry_out();
    } else if (strcmp(verb, "again") == 0) {
        open_again();
    } else if (strcmp(verb, "sel") == 0) {
        select_cells(rest);
    } else {
        fprintf(stderr, "labels_datasets: what is %s?\n", verb);
        exit(1);
    }
}

int main(int argc, char *argv[])
{
    FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
    char *line = NULL;
    size_t capacity = 0;

    if (cases == NULL) {
        fprintf(stderr, "usage: labels_datasets CASES\n");
        return 2;
    }
    while (getline(&line, &capacity, cases) > 0) {
        char *rest = NULL;
        const char *verb = strtok_r(line, " \n", &rest);
        if (verb != NULL) {
            answer(verb, &rest);
        }
    }
    free(line);
    fclose(cases);
    must(xta_dataset_close(set, &err));
    return 0;
}
