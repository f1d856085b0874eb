/* Growth of a folder: as a data set, so that coordinates grow with the cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/extend_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/source.h"
#include "kit/print/describe.h"
#include "util/checked.h"
#include "util/text.h"

enum { MOST_GROWTHS = 2 * XTA_MAX_NDIM };

/* What the command line wants. */
typedef struct wanted {
    xta_dimension_growth growths[MOST_GROWTHS];
    int n;
    bool has_by; /* the last of them has its cells */
} wanted;

static xta_status parse_option(const cli_given *given, wanted *w, cli_error *err)
{
    const char *name = given->option->name;
    xta_dimension_growth *last = w->n > 0 ? &w->growths[w->n - 1] : NULL;
    bool is_axis = strcmp(name, "axis") == 0, is_by = strcmp(name, "by") == 0;

    if (is_axis && (w->n == MOST_GROWTHS || (last != NULL && !w->has_by))) {
        return w->n == MOST_GROWTHS
                   ? cli_usage(err, "more than %d pairs of --axis and --by", MOST_GROWTHS)
                   : cli_usage(err, "--axis %s has no --by; say by how many cells, as in --by 1",
                               last->dimension);
    }
    if (is_axis) {
        w->growths[w->n++] = (xta_dimension_growth){given->value, XTA_BACK, 0};
        w->has_by = false;
    } else if (is_by && (last == NULL || w->has_by)) {
        return cli_usage(err, "--by %s has no --axis before it", given->value);
    } else if (is_by) {
        w->has_by = true;
        return cli_parse_int(given->value, "--by", &last->by, err);
    } else if (strcmp(name, "front") == 0 && last == NULL) {
        return cli_usage(err, "--front belongs behind the --axis and --by that it is about");
    } else if (strcmp(name, "front") == 0) {
        last->side = XTA_FRONT;
    }
    return XTA_OK;
}

static xta_status parse_options(const cli_args *args, wanted *w, cli_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < args->n_given; k++) {
        XTA_TRY(parse_option(&args->given[k], w, err));
    }
    if (w->n == 0) {
        return cli_usage(err, "--axis and --by are missing: xta %s %s", args->command->name,
                         args->command->usage);
    }
    if (!w->has_by) {
        return cli_usage(err, "--axis %s has no --by; say by how many cells, as in --by 1",
                         w->growths[w->n - 1].dimension);
    }
done:
    return status;
}

/* ---- coordinates ---- */

/* The type of the coordinates of a dimension. */
static xta_status coordinate_type(xta_dataset *set, const xta_dimension *d,
                                  xta_new_coordinates *out, cli_error *err)
{
    xta_array *list = NULL;
    xta_status status = XTA_OK;

    if (d->coordinates == XTA_COORDINATES_REGULAR) {
        out->type = d->regular.type;
        out->cell_bytes = xta_type_bytes(out->type);
        return XTA_OK;
    }
    if (d->coordinates != XTA_COORDINATES_LISTED) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: dimension %s has no coordinates; leave out "
                        "--coordinates",
                        xta_dataset_path(set), d->name);
    }
    XTA_TRY(xta_dataset_member(set, d->name, &list, &err->error));
    out->type = xta_array_type(list);
    out->cell_bytes = xta_array_cell_bytes(list);
done:
    return status;
}

static xta_status wrong_count(const char *axis, int64_t by, const char *what, cli_error *err)
{
    return cli_fail(err, XTA_EARG, 0,
                    "--coordinates: %s values for axis %s, which grows by %" PRId64
                    "; give one for each new cell",
                    what, axis, by);
}

/* One value: of bytes, a name padded with zeros. */
static xta_status parse_value(const char *text, const xta_new_coordinates *c, void *cell,
                              cli_error *err)
{
    size_t n = strlen(text);

    if (c->type != XTA_BYTES) {
        return cli_value_parse(text, "--coordinates", c->type, c->cell_bytes, cell, err);
    }
    if (n > c->cell_bytes) {
        return cli_fail(err, XTA_ERANGE, 0, "--coordinates: \"%s\" has %zu bytes, a name %zu", text,
                        n, c->cell_bytes);
    }
    memcpy(cell, text, n);
    return XTA_OK;
}

/* "V,V,..." */
static xta_status parse_list(const char *text, const xta_dimension_growth *growth,
                             const xta_new_coordinates *c, char *values, cli_error *err)
{
    char *copy = xta__strdup(text), *at = copy;
    xta_status status = XTA_OK;

    if (copy == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--coordinates: no memory for the values");
    }
    for (int64_t k = 0; k < growth->by; k++) {
        char *comma = at != NULL ? strchr(at, ',') : NULL;
        if (at == NULL) {
            XTA_TRY(wrong_count(growth->dimension, growth->by, "too few", err));
        }
        if (comma != NULL) {
            *comma = '\0';
        }
        XTA_TRY(parse_value(at, c, values + (size_t)k * c->cell_bytes, err));
        at = comma != NULL ? comma + 1 : NULL;
    }
    if (at != NULL) {
        XTA_TRY(wrong_count(growth->dimension, growth->by, "too many", err));
    }
done:
    free(copy);
    return status;
}

/* The cells of an .npy file, of any numeric type; it becomes the type of the coordinates. */
static xta_status read_file(const char *path, int64_t n, xta_new_coordinates *c, void **values,
                            cli_error *err)
{
    cli_source source = {.file = NULL};
    const cli_npy cells = {.type = c->type, .cell_bytes = c->cell_bytes, .order = XTA_ROW};
    xta_status status = XTA_OK;

    XTA_TRY(cli_source_open(&source, path, CLI_NPY, &cells, err));
    XTA_TRY(cli_source_check(&source, (uint64_t)n, err));
    c->type = source.cells.type;
    c->cell_bytes = source.cells.cell_bytes;
    *values = calloc((size_t)n, c->cell_bytes);
    if (*values == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRId64 " values", path, n));
    }
    XTA_TRY(cli_source_read(&source, (uint64_t)n, *values, 0, (uint64_t)n, err));
    status = cli_source_end(&source, (uint64_t)n, err);
done:
    cli_source_close(&source);
    return status;
}

static xta_status append_coordinates(xta_dataset *set, const xta_dimension_growth *growth,
                                     const char *text, cli_error *err)
{
    xta_new_coordinates c = {.n = growth->by};
    xta_dimension d;
    void *values = NULL;
    xta_status status = XTA_OK;

    if (growth->by < 1) {
        return cli_usage(err, "--coordinates need at least one new cell: --by is %" PRId64,
                         growth->by);
    }
    XTA_TRY(xta_dataset_dimension(set, growth->dimension, &d, &err->error));
    XTA_TRY(coordinate_type(set, &d, &c, err));
    if (xta__ends_with(text, ".npy")) {
        XTA_TRY(read_file(text, growth->by, &c, &values, err));
    } else {
        values =
            (uint64_t)growth->by <= strlen(text) ? calloc((size_t)growth->by, c.cell_bytes) : NULL;
        XTA_TRY(values != NULL ? parse_list(text, growth, &c, values, err)
                               : wrong_count(growth->dimension, growth->by, "too few", err));
    }
    c.values = values;
    const xta_dataset_slab slab = {
        .dimension = growth->dimension, .side = growth->side, .by = growth->by, .coordinates = &c};
    status = xta_dataset_append(set, &slab, NULL, &err->error);
done:
    free(values);
    return status;
}

/* ---- growth ---- */

static bool has_any(xta_array *array, const wanted *w)
{
    bool has = false;

    for (int k = 0; k < w->n; k++) {
        int axis = 0;
        has = has || xta_axis_find(array, w->growths[k].dimension, &axis, NULL) == XTA_OK;
    }
    return has;
}

static xta_status print_grown(xta_dataset *set, const wanted *w, bool json, cli_error *err)
{
    size_t n = xta_dataset_member_count(set);
    const char **names = calloc(n + 1, sizeof names[0]);
    xta_box *bounds = calloc(n + 1, sizeof bounds[0]);
    int n_grown = 0;
    xta_status status = XTA_OK;

    if (names == NULL || bounds == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu members", n));
    }
    for (size_t k = 0; k < n; k++) {
        xta_array *array = NULL;
        const char *name = xta_dataset_member_name(set, k);
        XTA_TRY(xta_dataset_member(set, name, &array, &err->error));
        if (has_any(array, w)) {
            names[n_grown] = name;
            bounds[n_grown++] = xta_array_bounds(array);
        }
    }
    cli_print_bounds(stdout, json, n_grown, names, bounds);
done:
    free(names);
    free(bounds);
    return status;
}

/* What the library says of listed coordinates, with the option that gives them. */
static xta_status say_option(xta_status status, cli_error *err)
{
    if (status == XTA_ESTATE && strstr(err->error.text, "has listed coordinates") != NULL) {
        xta_error why = err->error;
        xta_error_set(&err->error, status, why.os_errno, "%.400s with --coordinates V,V,...",
                      why.text);
    }
    return status;
}

xta_status cli_extend_folder(const cli_args *args, const char *coordinates, bool json,
                             cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_error closing;
    wanted w = {.n = 0};
    xta_status status = XTA_OK;

    if (args->n_words > 1) {
        return cli_usage(err, "%s is a folder: it grows alone, not with other arrays",
                         args->words[0]);
    }
    XTA_TRY(parse_options(args, &w, err));
    if (coordinates != NULL && w.n > 1) {
        return cli_usage(err, "--coordinates are those of one axis: give a single --axis");
    }
    how.writable = true;
    XTA_TRY(xta_dataset_open(args->words[0], &how, &set, &err->error));
    status = coordinates != NULL ? append_coordinates(set, &w.growths[0], coordinates, err)
                                 : xta_dataset_extend(set, w.growths, w.n, &err->error);
    XTA_TRY(say_option(status, err));
    XTA_TRY(xta_dataset_sync(set, &err->error));
    status = print_grown(set, &w, json, err);
done:
    if (xta_dataset_close(set, &closing) != XTA_OK && status == XTA_OK) {
        err->error = closing;
        status = closing.status;
    }
    return status;
}
