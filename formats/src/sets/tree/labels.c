/* Which variables of a file have the coordinates of its dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/tree/labels.h"

#include <string.h>

#include <xta/calendar.h>

int64_t xta__set_begin_of(const set_group *group, const char *dimension)
{
    for (size_t k = 0; k < group->n_variables; k++) {
        const set_variable *v = &group->variables[k];
        for (int axis = 0; axis < v->what.ndim && !v->scalar; axis++) {
            if (strcmp(v->what.name[axis], dimension) == 0 && v->origin[axis] != 0) {
                return v->origin[axis];
            }
        }
    }
    return 0;
}

const set_variable *xta__set_coordinate_of(const set_group *group, const char *dimension)
{
    for (size_t k = 0; k < group->n_variables; k++) {
        const set_variable *v = &group->variables[k];
        if (!v->scalar && v->what.ndim == 1 && strcmp(v->name, dimension) == 0 &&
            strcmp(v->what.name[0], dimension) == 0) {
            return v;
        }
    }
    return NULL;
}

/* Whether a list of names, with blanks between them, has this one. */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = list; at != NULL && (at = strstr(at, word)) != NULL; at += n) {
        bool begins = at == list || at[-1] == ' ';
        if (begins && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_named(const set_group *group, const char *name)
{
    for (size_t k = 0; k < group->n_variables; k++) {
        const bridge_description *what = &group->variables[k].what;
        if (has_word(xta__description_text(what, XTA_ON_ARRAY, "coordinates"), name)) {
            return true;
        }
    }
    return false;
}

const set_variable *xta__set_label_of(const set_group *group, const char *dimension)
{
    const set_variable *own = xta__set_coordinate_of(group, dimension);

    if (own != NULL && xta__description_text(&own->what, XTA_ON_ARRAY, "units") != NULL) {
        return own;
    }
    for (size_t k = 0; k < group->n_variables; k++) {
        const set_variable *v = &group->variables[k];
        if (v->scalar || v->what.ndim != 1 || strcmp(v->what.name[0], dimension) != 0) {
            continue;
        }
        const char *unit = xta__description_text(&v->what, XTA_ON_ARRAY, "units");
        if (unit != NULL && xta_time_unit_is(unit) && is_named(group, v->name)) {
            return v;
        }
    }
    return own;
}
