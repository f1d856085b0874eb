/* Where the variables of a file go in a data set that is there.
 *
 * Each dimension is placed by its coordinates. Then each variable is compared with its member: what
 * would give its cells another meaning is an error, before anything is written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge/merge_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sets/names.h"
#include "sets/readers.h"
#include "sets/tree/labels.h"
#include "util/text.h"
#include "util/try.h"

void xta__merge_plan_clear(merge_plan *plan)
{
    for (size_t k = 0; k < plan->n_dimensions; k++) {
        free(plan->dimensions[k].values);
        free(plan->dimensions[k].member);
        free(plan->dimensions[k].unit);
        free(plan->dimensions[k].calendar);
    }
    for (size_t k = 0; k < plan->n_variables; k++) {
        free(plan->variables[k].member);
    }
    free(plan->dimensions);
    free(plan->variables);
    *plan = (merge_plan){0};
}

xta_status xta__merge_lose(const set_merge *job, const char *what, xta_error *err)
{
    char *text = xta__string("%s: %s", job->source->path, what);

    if (text == NULL) {
        return xta__bridge_no_memory(job->source->path, err);
    }
    if (job->options.lost != NULL) {
        job->options.lost(job->options.lost_user, text);
    }
    xta_status status = XTA_OK;
    if (job->options.strict) {
        status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                               "%.400s; import it without strictness, or leave it out", text);
    }
    free(text);
    return status;
}

/* The member of a variable: the one of its name, or one that had to be called otherwise. NULL in
 * *member: there is none. */
static xta_status find_member(xta_dataset *set, const char *name, merge_variable *out,
                              xta_error *err)
{
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        const char *member = xta_dataset_member_name(set, k);
        xta_attribute original = {0};
        xta_status status = xta_dataset_member(set, member, &out->array, err);
        if (status != XTA_OK) {
            return status;
        }
        bool renamed =
            xta_attribute_get(out->array, XTA_ON_ARRAY, SET_NAME, &original, NULL) == XTA_OK &&
            original.type == XTA_TEXT;
        if (strcmp(renamed ? original.values : member, name) == 0) {
            out->member = xta__bridge_copy(member);
            return out->member != NULL ? XTA_OK : xta__bridge_no_memory(xta_dataset_path(set), err);
        }
    }
    out->array = NULL;
    return XTA_OK;
}

/* ---- dimensions ---- */

static char *copy_text(const bridge_description *what, const char *name)
{
    const char *text = xta__description_text(what, XTA_ON_ARRAY, name);

    return xta__bridge_copy(text != NULL ? text : "");
}

static xta_status read_coordinates(const set_merge *job, const set_variable *v, merge_dimension *d,
                                   xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t n = v->what.bounds[0];
    const xta_box box = {.ndim = 1, .lo = {0}, .hi = {n}};

    d->values = calloc((size_t)n + 1, v->what.cell_bytes);
    d->unit = copy_text(&v->what, "units");
    d->calendar = copy_text(&v->what, "calendar");
    if (d->values == NULL || d->unit == NULL || d->calendar == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->source->path, err));
    }
    XTA_TRY(xta__set_read(job->source, v, &box, d->values, err));
    d->coordinates = (xta_new_coordinates){.n = n,
                                           .type = v->what.type,
                                           .cell_bytes = v->what.cell_bytes,
                                           .values = d->values,
                                           .unit = d->unit,
                                           .calendar = d->calendar};

done:
    return status;
}

/* Without coordinates there are only lengths. */
static xta_status place_bare(const set_merge *job, const set_group *group, int64_t length,
                             merge_dimension *d, xta_error *err)
{
    const char *along = job->options.dimension;
    int64_t begin = xta__set_begin_of(group, d->name);

    if (d->have.coordinates != 0 && length > 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: dimension %s has no coordinates, and that of the data set has; "
                             "add a variable %s(%s)",
                             job->source->path, d->name, d->name, d->name);
    }
    if (along != NULL && strcmp(along, d->name) == 0) {
        d->lo = job->options.front ? d->have.lo - length : d->have.hi;
    } else if (length == d->have.hi - d->have.lo) {
        d->lo = d->have.lo;
    } else if (along == NULL && begin != 0) {
        d->lo = begin;
    } else {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: dimension %s has %" PRId64 " cells and no coordinates; that of "
                             "the data set has %" PRId64 ": nothing says where they belong",
                             job->source->path, d->name, length, d->have.hi - d->have.lo);
    }
    d->hi = d->lo + length;
    return XTA_OK;
}

/* With a dimension to append along, all others are those of the data set. */
static xta_status check_place(const set_merge *job, const merge_dimension *d, xta_error *err)
{
    const char *along = job->options.dimension;
    bool same = d->lo == d->have.lo && d->hi == d->have.hi;

    if (along == NULL || d->hi == d->lo) {
        return XTA_OK;
    }
    if (strcmp(along, d->name) != 0) {
        return same ? XTA_OK
                    : xta_error_set(err, XTA_EBOX, 0,
                                    "%s: dimension %s has the cells %" PRId64 " to %" PRId64
                                    " by its coordinates, that of the data set %" PRId64
                                    " to %" PRId64 "; place it by all coordinates (--at auto)",
                                    job->source->path, d->name, d->lo, d->hi - 1, d->have.lo,
                                    d->have.hi - 1);
    }
    bool wrong = job->options.front ? d->hi > d->have.hi : d->lo < d->have.lo;
    if (wrong && d->have.hi > d->have.lo) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: along %s its cells belong %s those that are there; %s, or place "
                             "it by its coordinates (--at auto)",
                             job->source->path, d->name, job->options.front ? "behind" : "before",
                             job->options.front ? "append without --front" : "append with --front");
    }
    return XTA_OK;
}

/* An append concatenates. */
static void close_gap(const set_merge *job, merge_dimension *d)
{
    int64_t n = d->hi - d->lo;

    if (job->options.dimension == NULL || strcmp(job->options.dimension, d->name) != 0) {
        return;
    }
    if (d->lo > d->have.hi) {
        d->lo = d->have.hi;
    } else if (d->hi < d->have.lo) {
        d->lo = d->have.lo - n;
    } else {
        return;
    }
    d->hi = d->lo + n;
    d->regular = false;
}

/* Bounds of cells have the unit of the coordinates, and are not converted with them. */
static xta_status check_bounds_unit(const set_merge *job, const set_variable *v, xta_dataset *set,
                                    const merge_dimension *d, xta_error *err)
{
    const char *bounds = xta__description_text(&v->what, XTA_ON_ARRAY, "bounds");
    xta_attribute unit = {0};
    xta_array *list = NULL;
    xta_status status;

    if (bounds == NULL || d->values == NULL) {
        return XTA_OK;
    }
    if (d->have.coordinates == XTA_COORDINATES_LISTED) {
        status = xta_dataset_member(set, d->name, &list, NULL);
        if (status == XTA_OK) {
            status = xta_attribute_get(list, XTA_ON_ARRAY, "units", &unit, NULL);
        }
    } else {
        status = xta_dataset_attribute(set, d->name, "units", &unit, NULL);
    }
    if (status != XTA_OK || unit.type != XTA_TEXT || strcmp(unit.values, d->unit) == 0) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EARG, 0,
                         "%s: dimension %s has the unit %s, that of the data set %s: the variable "
                         "%s with the bounds of its cells would be mistaken; convert both first",
                         job->source->path, d->name, d->unit, (const char *)unit.values, bounds);
}

/* The member of an auxiliary coordinate. Coordinates of the dimension itself only count: they are
 * cells like others then. */
static xta_status find_auxiliary(xta_dataset *set, const set_variable *v, merge_dimension *d,
                                 xta_error *err)
{
    merge_variable found = {0};
    xta_status status = XTA_OK;

    d->label = v;
    if (strcmp(v->name, d->name) == 0) {
        return XTA_OK;
    }
    if (d->have.coordinates == XTA_COORDINATES_REGULAR) {
        XTA_TRY(xta_dataset_list_coordinates(set, d->name, err));
        d->have.coordinates = XTA_COORDINATES_LISTED;
    }
    XTA_TRY(find_member(set, v->name, &found, err));
    if (found.member == NULL) {
        XTA_TRY(
            xta_error_set(err, XTA_EARG, 0,
                          "%s: dimension %s is placed by %s, which is no member of the data set",
                          xta_dataset_path(set), d->name, v->name));
    }
    d->coordinates.member = d->member = found.member;

done:
    return status;
}

static xta_status place_dimension(const set_merge *job, const set_group *group,
                                  const set_dimension *from, merge_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    merge_dimension *d = &plan->dimensions[plan->n_dimensions];
    const set_variable *v = xta__set_label_of(group, from->name);
    xta_cell_range cells = {0};
    xta_error why = {0};

    *d = (merge_dimension){.name = from->name};
    plan->n_dimensions++;
    status = xta_dataset_dimension(plan->set, from->name, &d->have, &why);
    if (status != XTA_OK) {
        XTA_TRY(xta_error_set(err, status, 0, "%s: %.400s", job->source->path, why.text));
    }
    d->have.name = d->name;
    if (v == NULL || from->length == 0) {
        XTA_TRY(place_bare(job, group, from->length, d, err));
    } else {
        XTA_TRY(read_coordinates(job, v, d, err));
        XTA_TRY(find_auxiliary(plan->set, v, d, err));
        status = xta_dataset_place(plan->set, d->name, &d->coordinates, &cells, &why);
        if (status == XTA_ENOENT) {
            status = XTA_EARG; // the dimension of the data set has no coordinates
        }
        if (status != XTA_OK) {
            XTA_TRY(xta_error_set(err, status, 0, "%s: %.400s", job->source->path, why.text));
        }
        d->lo = cells.lo;
        d->hi = cells.hi;
        d->regular = cells.regular;
    }
    close_gap(job, d);
    XTA_TRY(check_place(job, d, err));
    XTA_TRY(v != NULL ? check_bounds_unit(job, v, plan->set, d, err) : XTA_OK);

done:
    return status;
}

/* ---- variables ---- */

/* An attribute of file and member: both have it with the same bytes, or neither has. */
static bool same_attribute(const merge_variable *v, const char *name)
{
    const bridge_attribute *a = xta__description_find(&v->from.what, XTA_ON_ARRAY, name);
    xta_attribute b;

    if (xta_attribute_get(v->array, XTA_ON_ARRAY, name, &b, NULL) != XTA_OK) {
        return a == NULL;
    }
    return a != NULL && a->type == b.type && a->count == b.count &&
           memcmp(a->values, b.values, a->count * a->cell_bytes) == 0;
}

/* Cells of these would mean something else in the member. */
static xta_status check_meaning(const set_merge *job, merge_variable *v, xta_error *err)
{
    static const char *const names[] = {"units",      "scale_factor", "add_offset",
                                        "_FillValue", "calendar",     "missing_value"};
    const char *path = job->source->path;
    xta_type type = xta_array_type(v->array);

    if (type != v->from.what.type || (type != XTA_BYTES && v->from.strings) ||
        (type == XTA_BYTES && v->from.what.cell_bytes > xta_array_cell_bytes(v->array))) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: variable %s has cells of type %s (%zu bytes), member %s of %s "
                             "(%zu); convert them first",
                             path, v->from.name, xta_type_name(v->from.what.type),
                             v->from.what.cell_bytes, v->member, xta_type_name(type),
                             xta_array_cell_bytes(v->array));
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (!same_attribute(v, names[k])) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: variable %s has another %s than member %s, so its cells mean "
                                 "something else; convert them first",
                                 path, v->from.name, names[k], v->member);
        }
    }
    v->from.what.cell_bytes = xta_array_cell_bytes(v->array);
    v->filled = v->from.what.fill != NULL;
    return XTA_OK;
}

static const merge_dimension *find_dimension(const merge_plan *plan, const char *name)
{
    for (size_t k = 0; k < plan->n_dimensions; k++) {
        if (strcmp(plan->dimensions[k].name, name) == 0) {
            return &plan->dimensions[k];
        }
    }
    return NULL;
}

/* Whether cells are put along it: the dimension to append along, or one that has other cells. */
static bool moves(const set_merge *job, const merge_dimension *d)
{
    const char *along = job->options.dimension;

    return along != NULL ? strcmp(along, d->name) == 0 : d->lo != d->have.lo || d->hi != d->have.hi;
}

static bool any_moves(const set_merge *job, const merge_plan *plan)
{
    bool any = false;

    for (size_t k = 0; k < plan->n_dimensions; k++) {
        any = any || moves(job, &plan->dimensions[k]);
    }
    return any;
}

/* The box of the member where its cells go. The axes must be the same. */
static xta_status find_box(const set_merge *job, const merge_plan *plan, merge_variable *v,
                           xta_error *err)
{
    int ndim = xta_array_ndim(v->array);
    bool same = ndim == v->from.what.ndim;

    v->box = xta_array_bounds(v->array);
    for (int axis = 0; axis < ndim && same && !v->from.scalar; axis++) {
        const char *name = v->from.what.name[axis];
        const merge_dimension *d = find_dimension(plan, name);
        same = strcmp(name, xta_axis_name(v->array, axis)) == 0;
        if (d == NULL && v->box.hi[axis] - v->box.lo[axis] != v->from.what.bounds[axis]) {
            same = false; // a second axis along one dimension
        } else if (d != NULL) {
            v->box.lo[axis] = d->lo;
            v->box.hi[axis] = d->hi;
            v->grows = v->grows || moves(job, d);
        }
    }
    // A file with just the cells that are there: all of them are compared or replaced.
    v->grows =
        v->grows || (job->options.dimension == NULL && !v->from.scalar && !any_moves(job, plan));
    if (!same) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: variable %s has other dimensions than member %s",
                             job->source->path, v->from.name, v->member);
    }
    return XTA_OK;
}

/* The values by which a dimension was placed, which are not written as cells. */
static bool is_label(const merge_plan *plan, const set_variable *v)
{
    bool label = false;

    for (size_t k = 0; k < plan->n_dimensions; k++) {
        label = label || plan->dimensions[k].label == v;
    }
    return label;
}

static xta_status plan_variable(const set_merge *job, const set_variable *from, merge_plan *plan,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    merge_variable *v = &plan->variables[plan->n_variables];
    char *text = NULL;

    if (is_label(plan, from)) {
        return XTA_OK;
    }
    *v = (merge_variable){.from = *from};
    XTA_TRY(find_member(plan->set, from->name, v, err));
    if (v->array == NULL) {
        text = xta__string("variable %s, which is no member of the data set", from->name);
        XTA_TRY(text != NULL ? xta__merge_lose(job, text, err)
                             : xta__bridge_no_memory(job->source->path, err));
        goto done;
    }
    plan->n_variables++;
    XTA_TRY(find_box(job, plan, v, err));
    if (v->grows) {
        XTA_TRY(check_meaning(job, v, err));
    }

done:
    free(text);
    return status;
}

static bool gets_labels(const merge_plan *plan, const char *member)
{
    for (size_t k = 0; k < plan->n_dimensions; k++) {
        const merge_dimension *d = &plan->dimensions[k];
        if (d->label != NULL && strcmp(d->member != NULL ? d->member : d->name, member) == 0) {
            return true;
        }
    }
    return false;
}

/* Members that grow need cells from the file. */
static xta_status check_complete(const set_merge *job, const merge_plan *plan, xta_error *err)
{
    for (size_t k = 0; k < xta_dataset_member_count(plan->set); k++) {
        const char *member = xta_dataset_member_name(plan->set, k);
        xta_array *array = NULL;
        bool found = gets_labels(plan, member), grows = false;
        xta_status status = xta_dataset_member(plan->set, member, &array, err);
        if (status != XTA_OK) {
            return status;
        }
        for (int axis = 0; axis < xta_array_ndim(array); axis++) {
            const merge_dimension *d = find_dimension(plan, xta_axis_name(array, axis));
            grows = grows || (d != NULL && (d->lo < d->have.lo || d->hi > d->have.hi));
        }
        for (size_t j = 0; j < plan->n_variables && !found; j++) {
            found = strcmp(plan->variables[j].member, member) == 0;
        }
        if (grows && !found && job->options.dimension != NULL) {
            return xta_error_set(
                err, XTA_EARG, 0,
                "%s: no variable %s, whose member grows along %s; add it, or place "
                "the file by its coordinates (--at auto), which leaves fill values",
                job->source->path, member, job->options.dimension);
        }
    }
    return XTA_OK;
}

xta_status xta__merge_plan_make(const set_merge *job, const set_group *group, xta_dataset *set,
                                merge_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;

    *plan = (merge_plan){.set = set};
    plan->dimensions = calloc(group->n_dimensions + 1, sizeof plan->dimensions[0]);
    plan->variables = calloc(group->n_variables + 1, sizeof plan->variables[0]);
    if (plan->dimensions == NULL || plan->variables == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->source->path, err));
    }
    for (size_t k = 0; k < group->n_dimensions; k++) {
        XTA_TRY(place_dimension(job, group, &group->dimensions[k], plan, err));
    }
    for (size_t k = 0; k < group->n_variables; k++) {
        XTA_TRY(plan_variable(job, &group->variables[k], plan, err));
    }
    XTA_TRY(check_complete(job, plan, err));

done:
    if (status != XTA_OK) {
        xta__merge_plan_clear(plan);
    }
    return status;
}
