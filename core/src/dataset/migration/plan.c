/* Which coordinates move to the data set: those of the first member that has some, if those of all
 * others are the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/migration/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coordinates/axis_regular.h"
#include "coordinates/own_coordinates.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "dataset/members.h"
#include "dataset/migration/agreement.h"
#include "util/vector.h"

void xta__migration_clear(xta__migration *p)
{
    for (size_t k = 0; k < p->n; k++) {
        free(p->items[k].name);
        xta_coordinates_free(p->items[k].coordinates);
        xta_array_close(p->items[k].list, NULL);
    }
    free(p->items);
}

bool xta__axis_holds_coordinates(xta_array *array, int axis)
{
    xta_attribute found;

    return xta_axis_name(array, axis)[0] != '\0' &&
           (xta_attribute_get(array, axis, XTA__REGULAR, &found, NULL) == XTA_OK ||
            xta__axis_values(array, axis, &found) || xta__axis_has_bare_box(array, axis));
}

bool xta__axis_has_bare_box(xta_array *array, int axis)
{
    xta_attribute found;

    return xta_attribute_get(array, axis, XTA__VALUES_BOX, &found, NULL) == XTA_OK &&
           xta_attribute_get(array, axis, XTA__VALUES, &found, NULL) != XTA_OK;
}

xta_status xta__axis_own_coordinates(xta_array *array, int axis, xta_coordinates **out,
                                     xta_error *err)
{
    xta_status status = xta__own_coordinates(array, axis, out, err);

    return status == XTA_ENOMEM || status == XTA_EIO ? status : XTA_OK;
}

static xta_status texts_differ(xta_dataset *set, const xta__moved *m, const char *what,
                               const char *a, const char *member, const char *b, xta_error *err)
{
    if (strcmp(a, b) == 0) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: dimension %s: its %s is '%.80s' in %s and '%.80s' in %s; give both the "
                     "same with xta attr, or one of the axes another name with xta attr --set-name",
                     set->path, m->name, what, a, m->member, b, member);
}

/* The coordinates of another member must be those of the first one. */
static xta_status check_same(xta_dataset *set, const xta__moved *m, const char *member,
                             const xta_coordinates *other, xta_error *err)
{
    xta_status status = XTA_OK;
    char a[XTA__COORDINATE_TEXT_BYTES], b[XTA__COORDINATE_TEXT_BYTES];
    const xta_coordinates *first = m->coordinates;
    int64_t cell = xta__coordinates_first_difference(first, other);

    if (cell < m->hi) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: dimension %s: the coordinate of cell %" PRId64 " is %s in %s and %s "
                         "in %s; give both the same with xta attr, or one of the axes another "
                         "name with xta attr --set-name",
                         set->path, m->name, cell, xta__coordinate_text(first, cell, a), m->member,
                         xta__coordinate_text(other, cell, b), member);
    }
    XTA_TRY(texts_differ(set, m, "unit", xta_coordinates_unit(first), member,
                         xta_coordinates_unit(other), err));
    XTA_TRY(texts_differ(set, m, "calendar", xta_coordinates_calendar(first), member,
                         xta_coordinates_calendar(other), err));

done:
    return status;
}

/* A text attribute that the data set has for the dimension must be that of the axis. */
static xta_status check_described(xta_dataset *set, const xta__moved *m, const char *name,
                                  const char *text, xta_error *err)
{
    const xta__entry *e = xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, m->name, name);

    if (e == NULL || e->attribute.type != XTA_TEXT || text[0] == '\0') {
        return XTA_OK;
    }
    return texts_differ(set, m, name, text, "dataset.xmd", e->attribute.values, err);
}

/* Whether the data set can have the coordinates: the name of a list is free. */
static bool is_free(xta_dataset *set, const char *name)
{
    bool group = false;

    for (size_t k = 0; k < set->n_groups; k++) {
        group = group || strcmp(set->groups[k], name) == 0;
    }
    return !group && xta__dataset_find_member(set, name) == NULL &&
           xta__dataset_check_name(set, "member", name, NULL) == XTA_OK;
}

static void find_regular(xta__moved *m)
{
    xta_attribute list;
    xta_type type = xta_coordinates_type(m->coordinates);

    if (xta_coordinates_kind_of(m->coordinates) == XTA_COORDINATES_REGULAR) {
        m->regular = xta_axis_regular(m->array, m->axis, &m->as, NULL) == XTA_OK;
    } else if (xta_coordinates_kind_of(m->coordinates) == XTA_COORDINATES_LISTED) {
        m->regular = xta__axis_values(m->array, m->axis, &list) &&
                     xta__axis_list(m->array, m->axis, &list, NULL) == XTA_OK &&
                     xta_regular_detect(type, list.values, m->hi - m->lo, m->lo, &m->as) &&
                     xta_regular_check(&m->as, m->lo, m->hi, NULL) == XTA_OK;
    }
}

/* Plan the first coordinates of a dimension. The plan takes them over. */
static xta_status plan_first(xta_dataset *set, const xta__member *member, int axis,
                             const xta_dimension *d, xta_coordinates *coordinates,
                             xta__migration *p, xta_error *err)
{
    xta__moved m = {.name = xta__strdup(d->name),
                    .lo = d->lo,
                    .hi = d->hi,
                    .member = member->name,
                    .array = member->array,
                    .axis = axis,
                    .coordinates = coordinates};

    if (m.name == NULL || !XTA__RESERVE(p->items, p->capacity, p->n + 1)) {
        free(m.name);
        xta_coordinates_free(coordinates);
        return xta__dataset_no_memory(set, err);
    }
    find_regular(&m);
    p->items[p->n++] = m;
    xta_status status = check_described(set, &m, "units", xta_coordinates_unit(coordinates), err);
    return status == XTA_OK
               ? check_described(set, &m, "calendar", xta_coordinates_calendar(coordinates), err)
               : status;
}

static const xta__moved *planned(const xta__migration *p, const char *name)
{
    for (size_t k = 0; k < p->n; k++) {
        if (strcmp(p->items[k].name, name) == 0) {
            return &p->items[k];
        }
    }
    return NULL;
}

static xta_status plan_axis(xta_dataset *set, const xta__member *member, int axis,
                            xta__migration *p, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *name = xta_axis_name(member->array, axis);
    const xta_dimension *d = NULL;
    xta_coordinates *own = NULL;

    if (!xta__axis_holds_coordinates(member->array, axis)) {
        return XTA_OK;
    }
    d = xta__dataset_known_dimension(set, name);
    if (d->coordinates != 0 || d->hi <= d->lo || !is_free(set, name)) {
        return XTA_OK;
    }
    XTA_TRY(xta__axis_own_coordinates(member->array, axis, &own, err));
    if (own == NULL) {
        goto done;
    }
    const xta__moved *first = planned(p, name);
    if (first == NULL) {
        xta_coordinates *taken = own;
        own = NULL;
        XTA_TRY(plan_first(set, member, axis, d, taken, p, err));
    } else {
        XTA_TRY(check_same(set, first, member->name, own, err));
    }

done:
    xta_coordinates_free(own);
    return status;
}

xta_status xta__migration_plan(xta_dataset *set, xta__migration *p, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < set->n_members; k++) {
        for (int axis = 0; axis < xta_array_ndim(set->members[k].array); axis++) {
            XTA_TRY(plan_axis(set, &set->members[k], axis, p, err));
        }
    }

done:
    return status;
}
