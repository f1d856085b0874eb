/* Cubes are made, opened and read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/cube.h"

#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/options.h>

#include "cube/covered.h"
#include "cube/definition.h"
#include "util/checked.h"
#include "util/text.h"
#include "util/try.h"

/* The most combinations of levels: each is several arrays, two files each. */
enum { MOST_COMBINATIONS = 1024 };

static const uint32_t all_measures = (1U << XTA_CUBE_MEASURES) - 1;

/* ---- combinations ---- */

bool xta__cube_is_kept(const xta_cube *cube, const int level[])
{
    bool above = false;

    for (int k = 0; k < cube->ndim; k++) {
        if (level[k] < cube->axes[k].first) {
            return false;
        }
        above = above || level[k] > 0;
    }
    return above;
}

bool xta__cube_next(const xta_cube *cube, int level[])
{
    for (int k = cube->ndim - 1; k >= 0; k--) {
        if (++level[k] < cube->axes[k].n_levels) {
            return true;
        }
        level[k] = 0;
    }
    return false;
}

char *xta__cube_dimension_name(const xta_cube *cube, int axis, int level)
{
    const xta__cube_axis *a = &cube->axes[axis];

    // With the level also of cells: whoever renames the axis in all folders does not mean the cube.
    return xta__string("%s_%s", a->name, a->levels[level].name);
}

char *xta__cube_member_name(const xta_cube *cube, const int level[], xta_cube_measure measure)
{
    xta__text text = {0};

    xta__text_add_string(&text, xta_cube_measure_name(measure));
    for (int k = 0; k < cube->ndim; k++) {
        xta__text_printf(&text, "_%s", cube->axes[k].levels[level[k]].name);
    }
    return xta__text_detach(&text);
}

xta_status xta__cube_member(xta_cube *cube, const int level[], xta_cube_measure measure,
                            xta_array **array, xta_error *err)
{
    size_t at = 0;

    for (int k = 0; k < cube->ndim; k++) {
        at = at * (size_t)cube->axes[k].n_levels + (size_t)level[k];
    }
    xta_array **slot = &cube->members[at * XTA_CUBE_MEASURES + measure];
    if (*slot == NULL) {
        char *name = xta__cube_member_name(cube, level, measure);
        xta_status status = name == NULL ? xta__fail(err, XTA_ENOMEM, 0, "no memory for a name")
                                         : xta_dataset_member(cube->set, name, slot, err);
        free(name);
        if (status != XTA_OK) {
            return status;
        }
    }
    *array = *slot;
    return XTA_OK;
}

xta_box xta__cube_groups(const xta_cube *cube, const int level[])
{
    xta_box box = {.ndim = cube->ndim};

    for (int k = 0; k < cube->ndim; k++) {
        int64_t range[2];
        xta__level_groups(&cube->axes[k], level[k], cube->bounds.lo[k], cube->bounds.hi[k], range);
        box.lo[k] = range[0];
        box.hi[k] = range[1];
    }
    return box;
}

/* ---- reading ---- */

static xta_status read_base(xta_cube *cube, const xta_box *box, xta__planes *planes, xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_cube_number *cells = planes->at[XTA_CUBE_SUM] != NULL
                                 ? planes->at[XTA_CUBE_SUM]
                                 : xta__calloc(planes->n + 1, sizeof *cells);

    if (cells == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu cells", planes->n);
    }
    io.type = xta__arithmetic_type(&cube->arithmetic);
    xta_status status = xta_array_read(cube->base, box, &io, cells, err);
    if (status == XTA_OK) {
        xta__planes_of_cells(planes, &cube->arithmetic, cells);
    }
    if (cells != planes->at[XTA_CUBE_SUM]) {
        free(cells);
    }
    return status;
}

xta_status xta__cube_read(xta_cube *cube, const int level[], const xta_box *box,
                          xta__planes *planes, xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_status status = XTA_OK;

    if (!xta__cube_is_kept(cube, level)) {
        return read_base(cube, box, planes, err);
    }
    for (int m = 0; status == XTA_OK && m < XTA_CUBE_MEASURES; m++) {
        xta_array *array = NULL;
        if (planes->at[m] == NULL) {
            continue;
        }
        status = xta__cube_member(cube, level, (xta_cube_measure)m, &array, err);
        io.type = m == XTA_CUBE_COUNT ? XTA_U64 : xta__arithmetic_type(&cube->arithmetic);
        if (status == XTA_OK) {
            status = xta_array_read(array, box, &io, planes->at[m], err);
        }
    }
    return status;
}

/* ---- opening ---- */

xta_status xta_cube_close(xta_cube *cube, xta_error *err)
{
    xta_status status = XTA_OK, second;
    xta_error other;

    xta__clear(err);
    if (cube == NULL) {
        return XTA_OK;
    }
    if (cube->set != NULL) {
        status = xta_dataset_close(cube->set, err);
    }
    if (cube->base != NULL) {
        second = xta_array_close(cube->base, &other);
        status = status == XTA_OK ? second : status;
    }
    for (int k = 0; k < cube->ndim; k++) {
        xta__levels_clear(&cube->axes[k]);
    }
    free(cube->members);
    free(cube->definition);
    free(cube->path);
    free(cube);
    return status;
}

/* Read the times of the axes whose levels need them; those of others when they are asked for. */
static xta_status read_times(xta_cube *cube, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; status == XTA_OK && k < cube->ndim; k++) {
        free(cube->axes[k].instants);
        cube->axes[k].instants = NULL;
        if (xta__levels_need_times(&cube->axes[k])) {
            status = xta__levels_read_times(&cube->axes[k], cube->base, k, err);
        }
    }
    return status;
}

/* Count the combinations, check that their dimensions differ, and read times. */
static xta_status prepare(xta_cube *cube, xta_error *err)
{
    size_t n = 1;

    for (int k = 0; k < cube->ndim; k++) {
        n *= (size_t)cube->axes[k].n_levels;
        if (n > MOST_COMBINATIONS) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: more than %d combinations of levels; list fewer levels",
                             cube->path, MOST_COMBINATIONS);
        }
    }
    cube->n_combinations = n;
    cube->members = xta__calloc(n * XTA_CUBE_MEASURES, sizeof cube->members[0]);
    if (cube->members == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a cube");
    }
    return read_times(cube, err);
}

/* The definition, for the caller to free. */
static xta_status read_definition(const xta_cube *cube, char **text, xta_error *err)
{
    xta_attribute a;

    if (xta_dataset_attribute(cube->set, NULL, XTA__CUBE_DEFINITION, &a, NULL) != XTA_OK ||
        a.type != XTA_TEXT) {
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: no cube: the folder has no attribute cube; xta cube BASE CUBE makes "
                         "one",
                         cube->path);
    }
    *text = xta__strdup(a.values);
    return *text != NULL ? XTA_OK
                         : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cube", cube->path);
}

xta_status xta__cube_open(const char *path, bool writable, xta_cube **out, xta_error *err)
{
    xta_dataset_options o = XTA_DATASET_OPTIONS_INIT;
    xta_cube *cube = xta__calloc(1, sizeof *cube);
    xta__covered covered;
    xta_status status = XTA_OK;

    *out = NULL;
    if (cube == NULL || (cube->path = xta__strdup(path)) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cube", path));
    }
    o.writable = writable;
    XTA_TRY(xta_dataset_open(path, &o, &cube->set, err));
    XTA_TRY(xta__covered_read(cube, &covered, err));
    XTA_TRY(read_definition(cube, &cube->definition, err));
    XTA_TRY(xta__definition_read(cube, cube->definition, err));
    XTA_TRY(prepare(cube, err));
    XTA_TRY(xta__covered_accept(cube, &covered, err));
    *out = cube;
done:
    if (status != XTA_OK) {
        (void)!xta_cube_close(cube, NULL);
    }
    return status;
}

xta_status xta_cube_open(const char *path, xta_cube **out, xta_error *err)
{
    xta__clear(err);
    return xta__cube_open(path, false, out, err);
}

/* Take the present bounds of the base. */
static xta_status refresh_base(xta_cube *cube, xta_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_refresh(cube->base, NULL, err));
    XTA_TRY(xta_array_inquire(cube->base, &info, err));
    if (info.ndim != cube->ndim) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: its base has %d axes, the cube has %d; make the cube again",
                          cube->path, info.ndim, cube->ndim));
    }
    cube->bounds = info.bounds;
    cube->n_steps = info.n_steps;
    for (int k = 0; k < cube->ndim; k++) {
        cube->axes[k].lo = info.bounds.lo[k];
        cube->axes[k].hi = info.bounds.hi[k];
    }
    XTA_TRY(read_times(cube, err));
done:
    return status;
}

xta_status xta_cube_refresh(xta_cube *cube, bool *changed, xta_error *err)
{
    xta_box bounds = cube->bounds, before = cube->covered;
    xta__covered covered;
    char *text = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    XTA_TRY(xta_dataset_refresh(cube->set, NULL, err));
    XTA_TRY(read_definition(cube, &text, err));
    if (strcmp(text, cube->definition) != 0) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0, "%s: another cube has taken its place; open it again",
                          cube->path));
    }
    XTA_TRY(xta__covered_read(cube, &covered, err));
    XTA_TRY(refresh_base(cube, err));
    XTA_TRY(xta__covered_accept(cube, &covered, err));
done:
    cube->failed = status != XTA_OK;
    if (changed != NULL) {
        *changed = status == XTA_OK && (!xta_box_equal(&bounds, &cube->bounds) ||
                                        !xta_box_equal(&before, &cube->covered));
    }
    free(text);
    return status;
}

bool xta_cube_is_current(const xta_cube *cube)
{
    return xta_box_equal(&cube->bounds, &cube->covered);
}

xta_array *xta_cube_base(xta_cube *cube)
{
    return cube->base;
}

bool xta_cube_keeps(const xta_cube *cube, xta_cube_measure measure)
{
    return (unsigned)measure < XTA_CUBE_MEASURES && (cube->arithmetic.measures >> measure & 1) != 0;
}

/* ---- creating ---- */

/* Add the name of the dimension of a level, which the caller frees; none may have it. */
static xta_status add_name(const xta_cube *cube, int axis, int level, char *names[], int *n,
                           xta_error *err)
{
    char *name = names[*n] = xta__cube_dimension_name(cube, axis, level);

    if (name == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a name", cube->path);
    }
    ++*n;
    for (int k = 0; k < *n - 1; k++) {
        if (strcmp(names[k], name) == 0) {
            return xta__fail(
                err, XTA_EARG, 0,
                "axis %d: two axes are called %s, and would both be the dimension %s of "
                "the cube; name them",
                axis, cube->axes[axis].name, name);
        }
    }
    return XTA_OK;
}

/* An axis without a name is called axis0 and so on, and another one may have that name. */
static xta_status check_names(const xta_cube *cube, xta_error *err)
{
    char *names[XTA_MAX_NDIM * XTA__CUBE_MOST_LEVELS] = {NULL};
    int n = 0;
    xta_status status = XTA_OK;

    for (int k = 0; k < cube->ndim; k++) {
        const xta__cube_axis *axis = &cube->axes[k];
        if (strchr(axis->name, '\n') != NULL) {
            XTA_TRY(xta__fail(err, XTA_EARG, 0,
                              "axis %d: a cube needs names of axes of one line; rename it", k));
        }
        for (int l = axis->first; l < axis->n_levels; l++) {
            XTA_TRY(add_name(cube, k, l, names, &n, err));
        }
    }
done:
    for (int k = 0; k < n; k++) {
        free(names[k]);
    }
    return status;
}

/* The definition of a new cube, without its data set. */
static xta_status define(xta_cube *cube, const char *base, const xta_cube_options *o,
                         xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta_array_open(base, NULL, &cube->base, err));
    XTA_TRY(xta__definition_axes(cube, err));
    if (o->levels == NULL) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: a cube needs levels, such as %s:1>8>64", base,
                          cube->axes[0].name));
    }
    XTA_TRY(xta__levels_parse(o->levels, cube->axes, cube->ndim, cube->base, err));
    cube->arithmetic.measures = all_measures;
    if (o->measures != NULL) {
        XTA_TRY(xta__measures_parse(o->measures, &cube->arithmetic.measures, err));
    }
    cube->arithmetic.propagate_nan = o->propagate_nan;
    cube->arithmetic.has_missing = o->missing != NULL;
    if (o->missing != NULL) {
        XTA_TRY(xta_type_convert(cube->type, o->missing, xta__arithmetic_type(&cube->arithmetic),
                                 &cube->arithmetic.missing, 1, NULL));
    }
    XTA_TRY(check_names(cube, err));
    XTA_TRY(prepare(cube, err));
done:
    return status;
}

/* Make the data set, or open one that has nothing in it yet: of a call that was interrupted. */
static xta_status create_set(xta_cube *cube, xta_error *err)
{
    xta_dataset_options o = XTA_DATASET_OPTIONS_INIT;
    bool existed = xta_dataset_exists(cube->path);
    xta_status status = XTA_OK;

    o.writable = true;
    status = existed ? xta_dataset_open(cube->path, &o, &cube->set, err)
                     : xta_dataset_create(cube->path, NULL, &cube->set, err);
    if (status == XTA_OK && (xta_dataset_member_count(cube->set) > 0 ||
                             xta_dataset_attribute_count(cube->set, NULL) > 0)) {
        status =
            xta__fail(err, XTA_EEXIST, 0, "%s: holds a data set; name a new folder", cube->path);
    }
    return status;
}

xta_status xta_cube_create(const char *base, const char *path, const xta_cube_options *options,
                           xta_error *err)
{
    xta_cube_options known = XTA_CUBE_OPTIONS_INIT;
    xta_cube *cube = xta__calloc(1, sizeof *cube);
    char *text = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    if (cube == NULL || (cube->path = xta__strdup(path)) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a cube", path));
    }
    XTA_TRY(xta_options_read(&known, sizeof known, options, "xta_cube_options", err));
    XTA_TRY(define(cube, base, &known, err));
    XTA_TRY(create_set(cube, err));
    XTA_TRY(xta__definition_write(cube, base, &text, err));
    XTA_TRY(xta_dataset_set_text(cube->set, NULL, XTA__CUBE_DEFINITION, text, err));
    XTA_TRY(xta_dataset_sync(cube->set, err));
done:
    free(text);
    if (status == XTA_OK) {
        return xta_cube_close(cube, err);
    }
    (void)!xta_cube_close(cube, NULL);
    return status;
}
