/* The tree of groups and variables of a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/tree/tree.h"

#include <stdlib.h>
#include <string.h>

#include "netcdf/names.h"
#include "util/text.h"
#include "util/vector.h"
#include "zarr/names.h"

xta_status xta__set_lose(set_source *source, const char *group, const char *variable,
                         const char *what, xta_error *err)
{
    char *line = xta__string("%s%s%s: %s", group, group[0] != '\0' ? "/" : "", variable, what);

    if (line == NULL || !XTA__RESERVE(source->lost, source->lost_capacity, source->n_lost + 1)) {
        free(line);
        return xta__bridge_no_memory(source->path, err);
    }
    source->lost[source->n_lost++] = line;
    return XTA_OK;
}

bool xta__set_is_legal_name(const char *name)
{
    return strcmp(name, "dataset") != 0 && name[0] != '.' && strchr(name, '/') == NULL &&
           !xta__ends_with(name, ".xmd") && !xta__ends_with(name, ".xta");
}

static bool has_group(const set_group *around, const char *name)
{
    for (size_t k = 0; k < around->n_groups; k++) {
        if (strcmp(around->groups[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

char *xta__set_group_name(const set_group *around, size_t k)
{
    const char *name = around->groups[k].name;
    bool legal = xta__set_is_legal_name(name);
    char *out = legal ? xta__bridge_copy(name) : xta__string("_%s_", name);

    for (char *c = out; c != NULL && *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    while (out != NULL && !legal && has_group(around, out)) {
        char *longer = xta__string("%s_", out);
        free(out);
        out = longer;
    }
    return out;
}

void xta__set_clear_dependence(set_dependence *dependence)
{
    free(dependence->dimension);
    free(dependence->values);
}

void xta__set_clear_variable(set_variable *v)
{
    free(v->name);
    free(v->fixed);
    free(v->field);
    xta__description_clear(&v->what);
}

void xta__set_clear_group(set_group *group)
{
    for (size_t k = 0; k < group->n_dimensions; k++) {
        free(group->dimensions[k].name);
    }
    for (size_t k = 0; k < group->n_variables; k++) {
        xta__set_clear_variable(&group->variables[k]);
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        xta__set_clear_group(&group->groups[k]);
    }
    xta__description_clear(&group->attributes);
    free(group->dimensions);
    free(group->variables);
    free(group->groups);
    free(group->name);
}

uint64_t xta__set_bytes_of(const set_group *group)
{
    uint64_t bytes = 0;

    for (size_t k = 0; k < group->n_variables; k++) {
        const bridge_description *what = &group->variables[k].what;
        uint64_t n = what->cell_bytes;
        for (int axis = 0; axis < what->ndim; axis++) {
            n *= (uint64_t)what->bounds[axis];
        }
        bytes += n;
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        bytes += xta__set_bytes_of(&group->groups[k]);
    }
    return bytes;
}

const int64_t *xta__set_chunks_of(const set_variable *v)
{
    const bridge_attribute *own = xta__description_find(&v->what, XTA_ON_ARRAY, NC_OWN NC_CHUNKS);

    if (own == NULL) {
        own = xta__description_find(&v->what, XTA_ON_ARRAY, ZARR_CHUNKS);
    }
    return own != NULL && own->type == XTA_I64 && own->count == (size_t)v->what.ndim ? own->values
                                                                                     : NULL;
}
