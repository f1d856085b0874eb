/* An array like another one, without its cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/create_like.h"

#include <string.h>

#include <xta/attribute.h>
#include <xta/copy.h>

#include "array/admin/axis_list.h"
#include "array/handle/create.h"
#include "array/state/open_array.h"

/* Names and units of the axes, and all attributes; lists are cut to the bounds of the new array. */
static xta_status copy_attributes(xta_array *from, xta_array *to, bool names, xta_error *err)
{
    int ndim = xta_array_ndim(from);
    const xta_box bounds = xta_array_bounds(to);
    xta_status status = XTA_OK;
    xta_attribute attribute;

    for (int axis = 0; axis < ndim; axis++) {
        if (names) {
            XTA_TRY(xta_axis_set_name(to, axis, xta_axis_name(from, axis), err));
        }
        XTA_TRY(xta_axis_set_unit(to, axis, xta_axis_unit(from, axis), err));
    }
    for (int axis = XTA_ON_ARRAY; axis < ndim; axis++) {
        size_t n = xta_attribute_count(from, axis);
        for (size_t k = 0; k < n; k++) {
            XTA_TRY(xta_attribute_at(from, axis, k, &attribute, err));
            if (axis != XTA_ON_ARRAY) {
                xta__axis_list_cut(from, axis, bounds.lo[axis], bounds.hi[axis], &attribute);
            }
            XTA_TRY(xta_attribute_set(to, axis, &attribute, err));
        }
    }

done:
    return status;
}

xta_status xta__fit_bounds(xta_array *array, const xta_box *bounds, xta_error *err)
{
    xta_growth growths[XTA_MAX_NDIM], shrinks[2 * XTA_MAX_NDIM];
    int n_growths = 0, n_shrinks = 0;
    xta_status status = XTA_OK;

    for (int a = 0; a < bounds->ndim; a++) {
        int64_t lo = bounds->lo[a], hi = bounds->hi[a];
        if (lo < 0) {
            growths[n_growths++] = (xta_growth){a, XTA_FRONT, -lo};
        }
        if (lo > 0) {
            shrinks[n_shrinks++] = (xta_growth){a, XTA_FRONT, lo};
        }
        if (hi < 0) {
            shrinks[n_shrinks++] = (xta_growth){a, XTA_BACK, -hi};
        }
    }
    if (n_growths > 0) {
        XTA_TRY(xta_array_extend(array, growths, n_growths, NULL, err));
    }
    if (n_shrinks > 0) {
        XTA_TRY(xta_array_shrink(array, shrinks, n_shrinks, NULL, err));
    }

done:
    return status;
}

/* The fill value of the source as a cell of another type. */
static xta_status convert_fill(xta_array *source, const char *path, xta_type type, uint8_t cell[16],
                               xta_error *err)
{
    xta_status status =
        xta_type_convert(xta_array_type(source), xta_array_fill_value(source), type, cell, 1, NULL);

    if (status != XTA_OK) {
        return xta__fail(err, status, 0,
                         status == XTA_ETYPE
                             ? "%s: cells of %s cannot be converted to %s; choose another type"
                             : "%s: the fill value, of type %s, does not fit %s; give another one",
                         path, xta_type_name(xta_array_type(source)), xta_type_name(type));
    }
    return XTA_OK;
}

/* Whatever `changes` does not give is taken from the source. */
static xta_status fill_options(xta_array *source, const xta_array_info *info,
                               const xta_create_options *changes, xta_create_options *o,
                               xta_error *err)
{
    static const xta_create_options defaults = XTA_CREATE_OPTIONS_INIT;

    *o = defaults;
    o->order = info->order;
    xta_status status = xta_options_read(o, sizeof *o, changes, "xta_create_options", err);
    if (status != XTA_OK) {
        return status;
    }
    o->chunk = o->chunk != NULL || o->chunk_bytes > 0 ? o->chunk : info->chunk;
    o->cell_bytes = (uint32_t)info->cell_bytes;
    if (o->lock == XTA_LOCK_DEFAULT && source->writable) {
        o->lock = source->locking.by_file ? XTA_LOCK_FILE : XTA_LOCK_SYSTEM;
    }
    if (o->alignment_bytes == 0) {
        o->alignment_bytes = source->state.constants.alignment_bytes;
    }
    if (o->policy == XTA_EXACT && o->policy_amount == 0) {
        o->policy = info->policy;
        o->policy_amount = info->policy_amount;
    }
    return XTA_OK;
}

xta_status xta__array_create_like(xta_array *source, const char *path, const xta__like *how,
                                  xta_array **out, xta_work **work, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options o;
    xta_array *array = NULL;
    xta_array_info info;
    int64_t bounds[XTA_MAX_NDIM];
    _Alignas(16) uint8_t fill[16];

    *out = NULL;
    *work = NULL;
    XTA_TRY(xta_array_inquire(source, &info, err));
    XTA_TRY(fill_options(source, &info, how->changes, &o, err));
    const xta_box *box = how->box != NULL ? how->box : &info.bounds;
    const xta_type type = how->type != XTA_TYPE_SAME ? how->type : info.type;
    if (o.fill == NULL && type != info.type) {
        XTA_TRY(convert_fill(source, path, type, fill, err));
    }
    o.fill = o.fill != NULL ? o.fill : type != info.type ? fill : xta_array_fill_value(source);
    for (int a = 0; a < info.ndim; a++) {
        bounds[a] = box->hi[a] > 0 ? box->hi[a] : 0;
    }
    XTA_TRY(path == NULL ? xta_array_new(type, info.ndim, bounds, &o, &array, err)
                         : xta__array_create(path, type, info.ndim, bounds, &o, how->replaced,
                                             how->plan, &array, work, err));
    XTA_TRY(xta__fit_bounds(array, box, err));
    XTA_TRY(copy_attributes(source, array, o.names == NULL, err));
    *out = array;
    array = NULL;

done:
    if (array != NULL) {
        // An incomplete array loses its journal, too.
        xta_work_abandon(*work);
        *work = NULL;
        xta_array_close(array, NULL);
        xta_status ignored = path != NULL ? xta_array_delete(path, NULL) : XTA_OK;
        (void)ignored;
    }
    return status;
}

xta_status xta_array_create_like(xta_array *source, const char *path,
                                 const xta_create_options *changes, xta_array **out, xta_error *err)
{
    const xta__like how = {.changes = changes};
    xta_work *none = NULL;

    return xta__array_create_like(source, path, &how, out, &none, err);
}

xta_status xta_work_create_like(xta_array *source, const char *path,
                                const xta_create_options *changes, xta_work_verb verb,
                                xta_array **out, xta_work **work, xta_error *err)
{
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    const xta__like how = {.changes = changes, .plan = &plan};
    const xta_box bounds = xta_array_bounds(source);

    plan.verb = verb;
    plan.source = xta_array_path(source);
    plan.box = &bounds;
    return xta__array_create_like(source, path, &how, out, work, err);
}

xta_status xta_work_create_copy(xta_array *source, const char *path,
                                const xta_copy_options *options, xta_work_verb verb,
                                xta_array **out, xta_work **work, xta_error *err)
{
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_copy_options o = XTA_COPY_OPTIONS_INIT;
    const xta_box bounds = xta_array_bounds(source);

    xta__clear(err);
    *out = NULL;
    *work = NULL;
    xta_status status = xta_options_read(&o, sizeof o, options, "xta_copy_options", err);
    if (status != XTA_OK) {
        return status;
    }
    const xta__like how = {.changes = o.changes, .box = o.box, .type = o.type, .plan = &plan};
    plan.verb = verb;
    plan.source = xta_array_path(source);
    plan.box = o.box != NULL ? o.box : &bounds;
    return xta__array_create_like(source, path, &how, out, work, err);
}
