/* One file goes into a data set that is there.
 *
 * The walk: a plan says where each variable's cells go (merge_plan.c). Cells that are there are
 * compared before anything is changed. If one dimension grows, the new slab is appended with its
 * cells, one step on each side; if several do, bounds and coordinates grow first. Then cells within
 * the bounds are written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge/merge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/provenance.h>

#include "sets/merge/merge_cells.h"
#include "util/text.h"
#include "util/try.h"

/* ---- cells that are there ---- */

/* The cells of a variable within bounds; false: none. */
static bool intersect(const merge_variable *v, const xta_box *bounds, xta_box *out)
{
    *out = v->box;
    for (int axis = 0; axis < out->ndim; axis++) {
        out->lo[axis] = out->lo[axis] > bounds->lo[axis] ? out->lo[axis] : bounds->lo[axis];
        out->hi[axis] = out->hi[axis] < bounds->hi[axis] ? out->hi[axis] : bounds->hi[axis];
        if (out->hi[axis] <= out->lo[axis]) {
            return false;
        }
    }
    return true;
}

static const char *cell_text(int ndim, const int64_t at[], char text[200])
{
    size_t n = 0;

    text[0] = '\0';
    for (int axis = 0; axis < ndim && n < 170; axis++) {
        n += (size_t)snprintf(text + n, 200 - n, "%s%" PRId64, axis > 0 ? "," : "", at[axis]);
    }
    return text;
}

/* What does not grow is compared, and kept. */
static xta_status compare_fixed(set_merge *job, const merge_variable *v, xta_error *err)
{
    xta_status status = XTA_OK;
    merge_relation relation = MERGE_DIFFERS;
    int64_t at[XTA_MAX_NDIM] = {0};
    char cell[200];
    xta_box bounds = xta_array_bounds(v->array), box;
    bool same_type = xta_array_type(v->array) == v->from.what.type &&
                     xta_array_cell_bytes(v->array) == v->from.what.cell_bytes;

    if (same_type && intersect(v, &bounds, &box)) {
        XTA_TRY(xta__merge_compare(job, v, &box, &relation, at, err));
    }
    if (relation == MERGE_EQUAL || xta_box_empty(&v->box)) {
        return XTA_OK;
    }
    char *text = xta__string("variable %s, which differs from member %s from cell %s on: that "
                             "is kept",
                             v->from.name, v->member, cell_text(v->box.ndim, at, cell));
    status = text != NULL ? xta__merge_lose(job, text, err)
                          : xta__bridge_no_memory(job->source->path, err);
    free(text);

done:
    return status;
}

/* Before anything is changed. */
static xta_status check_overlap(set_merge *job, const merge_variable *v, merge_relation *relation,
                                xta_error *err)
{
    int64_t at[XTA_MAX_NDIM] = {0};
    char cell[200];
    xta_box bounds = xta_array_bounds(v->array), box;

    *relation = MERGE_FILLS;
    if (job->options.overlap != XTA_OVERLAP_REFUSE || !intersect(v, &bounds, &box)) {
        return XTA_OK;
    }
    xta_status status = xta__merge_compare(job, v, &box, relation, at, err);
    if (status != XTA_OK || *relation != MERGE_DIFFERS) {
        return status;
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: variable %s: cell %s of member %s is there, and has another value; "
                         "nothing was changed: let the new one replace it, or skip it",
                         job->source->path, v->from.name, cell_text(box.ndim, at, cell), v->member);
}

/* Cells within bounds. */
static xta_status write_inside(set_merge *job, const merge_variable *v, const xta_box *bounds,
                               xta_error *err)
{
    xta_box box;
    bool keep = job->options.overlap != XTA_OVERLAP_REPLACE;

    return intersect(v, bounds, &box) ? xta__merge_write(job, v, &box, keep, err) : XTA_OK;
}

/* ---- growth ---- */

static int64_t growth_of(const merge_dimension *d, xta_side side)
{
    int64_t by = side == XTA_FRONT ? d->have.lo - d->lo : d->hi - d->have.hi;

    return by > 0 && d->hi > d->lo ? by : 0;
}

/* The coordinates of the n outermost cells on a side. */
static xta_new_coordinates outermost(const merge_dimension *d, xta_side side, int64_t n)
{
    xta_new_coordinates c = d->coordinates;
    size_t bytes = c.type == XTA_BYTES ? c.cell_bytes : xta_type_bytes(c.type);

    if (side == XTA_BACK) {
        c.values = (const char *)c.values + (size_t)(c.n - n) * bytes;
    }
    c.n = n;
    return c;
}

/* Which variables have a dimension, as cells of an append. */
static size_t cells_along(set_merge *job, const merge_plan *plan, const merge_dimension *d,
                          merge_append *appends, xta_member_cells *cells)
{
    size_t n = 0;

    for (size_t k = 0; k < plan->n_variables; k++) {
        const merge_variable *v = &plan->variables[k];
        bool has = false;
        for (int axis = 0; axis < v->box.ndim && !v->from.scalar; axis++) {
            has = has || strcmp(xta_axis_name(v->array, axis), d->name) == 0;
        }
        if (has) {
            appends[n] = (merge_append){job, v};
            cells[n] = (xta_member_cells){
                .member = v->member, .fn = xta__merge_append, .user = &appends[n]};
            n++;
        }
    }
    return n;
}

/* The gap between the bounds and regular coordinates beyond them. */
static xta_status fill_gap(const merge_plan *plan, const merge_dimension *d, xta_side side,
                           xta_error *err)
{
    int64_t gap = side == XTA_BACK ? d->lo - d->have.hi : d->have.lo - d->hi;
    const xta_dimension_growth growth = {d->name, side, gap};

    return gap > 0 ? xta_dataset_extend(plan->set, &growth, 1, err) : XTA_OK;
}

/* One dimension grows on a side, with its cells, in one step. */
static xta_status append_side(set_merge *job, const merge_plan *plan, const merge_dimension *d,
                              xta_side side, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t by = growth_of(d, side), n = d->hi - d->lo;
    merge_append *appends = calloc(plan->n_variables + 1, sizeof *appends);
    xta_member_cells *cells = calloc(plan->n_variables + 1, sizeof *cells);
    xta_error why = {0};

    if (appends == NULL || cells == NULL) {
        XTA_TRY(xta__bridge_no_memory(job->source->path, err));
    }
    if (by > n) {
        XTA_TRY(fill_gap(plan, d, side, err));
        by = n;
    }
    const xta_new_coordinates c = outermost(d, side, by);
    const xta_dataset_slab slab = {.dimension = d->name,
                                   .side = side,
                                   .by = by,
                                   .coordinates = d->values != NULL ? &c : NULL,
                                   .cells = cells,
                                   .n_cells = cells_along(job, plan, d, appends, cells)};
    status = xta_dataset_append(plan->set, &slab, NULL, &why);
    if (status != XTA_OK) {
        bool named = strncmp(why.text, job->source->path, strlen(job->source->path)) == 0;
        XTA_TRY(xta_error_set(err, status, why.os_errno, "%s%s%.400s",
                              named ? "" : job->source->path, named ? "" : ": ", why.text));
    }

done:
    free(appends);
    free(cells);
    return status;
}

/* Bounds and coordinates of a dimension alone. */
static xta_status grow_bare(const merge_plan *plan, const merge_dimension *d, xta_side side,
                            xta_error *err)
{
    int64_t by = growth_of(d, side);
    const xta_dimension_growth growth = {d->name, side, by};

    if (d->values == NULL || d->regular) {
        return xta_dataset_extend(plan->set, &growth, 1, err);
    }
    const xta_new_coordinates c = outermost(d, side, by);
    const xta_dataset_slab slab = {.dimension = d->name, .side = side, .by = by, .coordinates = &c};
    return xta_dataset_append(plan->set, &slab, NULL, err);
}

static xta_status grow(set_merge *job, const merge_plan *plan, size_t n_growing, xta_error *err)
{
    static const xta_side sides[] = {XTA_FRONT, XTA_BACK};
    xta_status status = XTA_OK;

    for (size_t k = 0; k < plan->n_dimensions; k++) {
        const merge_dimension *d = &plan->dimensions[k];
        for (int s = 0; s < 2; s++) {
            if (growth_of(d, sides[s]) > 0) {
                XTA_TRY(n_growing == 1 ? append_side(job, plan, d, sides[s], err)
                                       : grow_bare(plan, d, sides[s], err));
            }
        }
    }

done:
    return status;
}

/* ---- a group ---- */

static size_t count_growing(const merge_plan *plan)
{
    size_t n = 0;

    for (size_t k = 0; k < plan->n_dimensions; k++) {
        n += growth_of(&plan->dimensions[k], XTA_FRONT) > 0 ||
             growth_of(&plan->dimensions[k], XTA_BACK) > 0;
    }
    return n;
}

/* A variable as it was before the growth. */
typedef struct before {
    xta_box bounds;
    merge_relation relation;
} before;

/* Along which cells came, and from where. */
static xta_status note_source(const set_merge *job, const merge_plan *plan, xta_error *err)
{
    for (size_t k = 0; k < plan->n_dimensions; k++) {
        const merge_dimension *d = &plan->dimensions[k];
        bool along = job->options.dimension != NULL ? strcmp(job->options.dimension, d->name) == 0
                                                    : d->lo != d->have.lo || d->hi != d->have.hi;
        if (along && d->lo < d->hi) {
            xta_status status =
                xta_dataset_note_source(plan->set, d->name, d->lo, d->hi, job->source->path, err);
            if (status != XTA_OK) {
                return status;
            }
        }
    }
    return XTA_OK;
}

static xta_status carry_out(set_merge *job, const merge_plan *plan, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n_growing = count_growing(plan);
    bool any = false; // whether any cell is written
    before *was = calloc(plan->n_variables + 1, sizeof *was);

    if (was == NULL) {
        return xta__bridge_no_memory(job->source->path, err);
    }
    for (size_t k = 0; k < plan->n_variables; k++) {
        const merge_variable *v = &plan->variables[k];
        was[k].bounds = xta_array_bounds(v->array);
        XTA_TRY(v->grows ? check_overlap(job, v, &was[k].relation, err)
                         : compare_fixed(job, v, err));
    }
    XTA_TRY(grow(job, plan, n_growing, err));
    for (size_t k = 0; k < plan->n_variables; k++) {
        const merge_variable *v = &plan->variables[k];
        xta_box now = xta_array_bounds(v->array);
        bool all = n_growing > 1; // no cells came with the growth
        if (v->grows && (all || was[k].relation != MERGE_EQUAL)) {
            XTA_TRY(write_inside(job, v, all ? &now : &was[k].bounds, err));
            any = true;
        }
    }
    if (any || n_growing > 0) {
        XTA_TRY(note_source(job, plan, err));
    }
    XTA_TRY(xta_dataset_sync(plan->set, err));

done:
    free(was);
    return status;
}

/* Whether a group has a dimension. */
static bool has_dimension(const set_group *group, const char *name)
{
    for (size_t k = 0; k < group->n_dimensions; k++) {
        if (name == NULL || strcmp(group->dimensions[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static xta_status merge_inner(set_merge *job, const set_group *around, size_t k, xta_dataset *set,
                              bool *found, xta_error *err)
{
    const set_group *group = &around->groups[k];
    xta_dataset *inner = NULL;
    char *text = NULL, *name = xta__set_group_name(around, k);
    xta_status status = name != NULL ? xta_dataset_group(set, name, false, &inner, err)
                                     : xta__bridge_no_memory(job->source->path, err);

    free(name);
    if (status == XTA_ENOENT) {
        text = xta__string("group %s, which is no group of the data set", group->name);
        status = text != NULL ? xta__merge_lose(job, text, err)
                              : xta__bridge_no_memory(job->source->path, err);
    } else if (status == XTA_OK) {
        status = xta__merge_group(job, group, inner, found, err);
    }
    free(text);
    if (status != XTA_OK) {
        xta_dataset_close(inner, NULL);
        return status;
    }
    return xta_dataset_close(inner, err);
}

xta_status xta__merge_group(set_merge *job, const set_group *group, xta_dataset *set, bool *found,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    merge_plan plan = {0};

    *found = *found || has_dimension(group, job->options.dimension);
    XTA_TRY(xta__merge_plan_make(job, group, set, &plan, err));
    XTA_TRY(carry_out(job, &plan, err));
    for (size_t k = 0; k < group->n_groups; k++) {
        XTA_TRY(merge_inner(job, group, k, set, found, err));
    }

done:
    xta__merge_plan_clear(&plan);
    return status;
}
