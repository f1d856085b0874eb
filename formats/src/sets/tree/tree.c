/* The tree of groups and variables of a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/tree/tree.h"

#include <stdlib.h>

#include "util/text.h"
#include "util/vector.h"

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
