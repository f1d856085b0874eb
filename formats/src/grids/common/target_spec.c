/* The specification of a target: a copy of the source's description, with the target's bounds and
 * blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/target_spec.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/export_coordinates.h"

static bool copy_attribute(const bridge_attribute *from, bridge_description *to)
{
    bridge_attribute *a =
        xta__description_add(to, from->axis, from->name, from->type, from->count, from->values);
    if (a == NULL) {
        return false;
    }
    a->ndim = from->ndim;
    for (int d = 0; d < from->ndim; d++) {
        a->along[d] = from->along[d];
        a->lo[d] = from->lo[d];
        a->hi[d] = from->hi[d];
        a->own[d] = from->own[d] != NULL ? xta__bridge_copy(from->own[d]) : NULL;
        if (from->own[d] != NULL && a->own[d] == NULL) {
            return false;
        }
    }
    return true;
}

static bool copy_text(const char *from, char **to)
{
    *to = from != NULL ? xta__bridge_copy(from) : NULL;
    return from == NULL || *to != NULL;
}

/* XTA_BYTES attribute cells have a length of their own, which a copy would not keep. */
static bool is_plain(const bridge_attribute *a)
{
    return a->type != XTA_BYTES || a->cell_bytes == 1;
}

static bool copy_description(const bridge_description *from, bridge_description *to)
{
    bool good = copy_text(from->variable, &to->variable);
    for (int axis = 0; axis < from->ndim && good; axis++) {
        good = copy_text(from->name[axis], &to->name[axis]) &&
               copy_text(from->unit[axis], &to->unit[axis]);
    }
    for (size_t k = 0; k < from->n_attributes && good; k++) {
        good = !is_plain(&from->attributes[k]) || copy_attribute(&from->attributes[k], to);
    }
    if (good && from->fill != NULL && from->cell_bytes == to->cell_bytes) {
        memcpy(to->fill, from->fill, to->cell_bytes);
    }
    return good;
}

xta_status xta__target_spec_describe(const target_spec *spec, bridge_description *what,
                                     xta_error *err)
{
    int ndim = spec->bounds.ndim;
    xta__description_init(what);
    what->type = spec->type;
    what->cell_bytes = spec->cell_bytes;
    what->ndim = ndim;
    what->fill = calloc(1, spec->cell_bytes);
    for (int axis = 0; axis < ndim; axis++) {
        what->lo[axis] = spec->bounds.lo[axis];
        what->bounds[axis] = spec->bounds.hi[axis] - spec->bounds.lo[axis];
        what->chunk[axis] = spec->partition.axis[axis].length;
        what->slow[axis] = axis;
    }
    bool good = what->fill != NULL;
    if (good && spec->like != NULL && spec->like->ndim == ndim) {
        good = copy_description(spec->like, what);
    }
    if (good && spec->options->variable != NULL) {
        free(what->variable);
        good = copy_text(spec->options->variable, &what->variable);
    }
    if (good && what->variable == NULL) {
        good = copy_text("array", &what->variable);
    }
    return good ? XTA_OK : xta__bridge_no_memory(spec->path, err);
}

xta_status xta__target_spec_check_coordinates(const target_spec *spec, const char *const names[],
                                              bridge_description *what, xta_error *err)
{
    if (spec->options->no_coordinates) {
        xta__coordinates_drop(what);
        return XTA_OK;
    }
    const char *source = spec->source_path != NULL ? spec->source_path : "of the source";
    return xta__coordinates_cover(what, names, source, spec->path, err);
}
