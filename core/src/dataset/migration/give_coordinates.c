/* Dimensions of the data set get planned coordinates: lists are made as unfinished members, then
 * one change makes them members, and other dimensions regular.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/migration/give_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "coordinates/own_coordinates.h"
#include "dataset/change.h"
#include "dataset/listing.h"
#include "dataset/members.h"
#include "store/journal/journal.h"

/* ---- attributes that go with the coordinates ---- */

/* Attributes that describe the coordinates, and no lists of other things. */
static bool goes_along(const char *name)
{
    static const char *const others[] = {"values",      "units", "calendar", "wavelength",
                                         "wavelengths", "fwhm",  "bbl"};

    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        if (strcmp(name, others[k]) == 0) {
            return false;
        }
    }
    return strchr(name, '/') == NULL;
}

/* Where an attribute goes to. */
typedef xta_status put_fn(void *to, const xta_attribute *attribute, xta_error *err);

static xta_status put_text(put_fn *put, void *to, const char *name, const char *text,
                           xta_error *err)
{
    const xta_attribute a = {
        .name = name, .type = XTA_TEXT, .cell_bytes = 1, .count = strlen(text), .values = text};

    return text[0] != '\0' ? put(to, &a, err) : XTA_OK;
}

/* Unit, calendar, and the others that the data set does not have yet. */
static xta_status put_attributes(xta_dataset *set, const xta__moved *m, put_fn *put, void *to,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute a;

    XTA_TRY(put_text(put, to, "units", xta_coordinates_unit(m->coordinates), err));
    XTA_TRY(put_text(put, to, "calendar", xta_coordinates_calendar(m->coordinates), err));
    for (size_t k = 0; k < xta_attribute_count(m->array, m->axis); k++) {
        XTA_TRY(xta_attribute_at(m->array, m->axis, k, &a, err));
        if (goes_along(a.name) &&
            xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, m->name, a.name) == NULL) {
            XTA_TRY(put(to, &a, err));
        }
    }

done:
    return status;
}

static xta_status put_on_array(void *to, const xta_attribute *attribute, xta_error *err)
{
    return xta_attribute_set(to, XTA_ON_ARRAY, attribute, err);
}

/* To a dimension: a change, and whose. */
typedef struct described {
    xta__bytes *change;
    const char *name;
} described;

static xta_status put_on_dimension(void *to, const xta_attribute *attribute, xta_error *err)
{
    const described *d = to;

    (void)err;
    xta__change_put_attribute(d->change, d->name, attribute);
    return XTA_OK;
}

/* ---- lists ---- */

static size_t longest_name(const xta__moved *m)
{
    size_t longest = 1;

    for (int64_t k = m->lo; k < m->hi; k++) {
        size_t n = strlen(xta_coordinates_name(m->coordinates, k));
        longest = n > longest ? n : longest;
    }
    return longest;
}

static xta_status write_names(const xta__moved *m, size_t name_bytes, xta_error *err)
{
    const xta_box box = {.ndim = 1, .lo = {m->lo}, .hi = {m->hi}};
    char *cells = xta__calloc((size_t)(m->hi - m->lo), name_bytes);
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its names", m->name);
    }
    for (int64_t k = m->lo; k < m->hi; k++) {
        const char *name = xta_coordinates_name(m->coordinates, k);
        memcpy(cells + (size_t)(k - m->lo) * name_bytes, name, strlen(name));
    }
    status = xta_array_write(m->list, &box, NULL, cells, err);
    free(cells);
    return status;
}

static xta_status fill_list(xta_dataset *set, const xta__moved *m, size_t name_bytes,
                            xta_error *err)
{
    const xta_box box = {.ndim = 1, .lo = {m->lo}, .hi = {m->hi}};
    xta_status status = XTA_OK;
    xta_attribute list;

    if (name_bytes > 0) {
        XTA_TRY(write_names(m, name_bytes, err));
    } else if (xta__axis_values(m->array, m->axis, &list)) {
        XTA_TRY(xta__axis_list(m->array, m->axis, &list, err));
        XTA_TRY(xta_array_write(m->list, &box, NULL, list.values, err));
    }
    for (size_t k = 0; k < set->entries.n; k++) {
        const xta__entry *e = set->entries.items[k];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, m->name) == 0) {
            XTA_TRY(xta_attribute_set(m->list, XTA_ON_ARRAY, &e->attribute, err));
        }
    }
    XTA_TRY(put_attributes(set, m, put_on_array, m->list, err));
    XTA_TRY(xta_array_sync(m->list, err));

done:
    return status;
}

static xta_status make_list(xta_dataset *set, xta__moved *m, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *const dimensions[] = {m->name};
    bool names = xta_coordinates_kind_of(m->coordinates) == XTA_COORDINATES_NAMES;
    size_t name_bytes = names ? longest_name(m) : 0;
    xta__new_member *w = xta__calloc(1, sizeof *w);

    if (w == NULL) {
        return xta__dataset_no_memory(set, err);
    }
    *w = (xta__new_member){.name = m->name,
                           .type = names ? XTA_BYTES : xta_coordinates_type(m->coordinates),
                           .ndim = 1,
                           .dimensions = dimensions,
                           .options = XTA_CREATE_OPTIONS_INIT,
                           .bounds = {.ndim = 1, .lo = {m->lo}, .hi = {m->hi}}};
    w->options.cell_bytes = name_bytes;
    if (xta__entries_find(&set->entries, XTA__ENTRY_MEMBER, "", m->name) != NULL) {
        // The lock is held, so whoever began this has been killed.
        XTA_TRY(xta__dataset_drop_member(set, m->name, err));
    }
    XTA_TRY(xta__dataset_mark_member(set, m->name, true, err));
    m->begun = true;
    XTA_TRY(xta__dataset_create_member(set, w, &m->list, err));
    XTA_TRY(fill_list(set, m, name_bytes, err));
    status = xta_array_close(m->list, err);
    m->list = NULL;

done:
    free(w);
    return status;
}

/* ---- the change ---- */

static void put_moved(xta_dataset *set, const xta__moved *m, xta__bytes *change)
{
    const xta__entry *set_before =
        xta__entries_find(&set->entries, XTA__ENTRY_DIMENSION, "", m->name);
    xta_dimension d = set_before != NULL ? set_before->dimension : (xta_dimension){0};
    described to = {change, m->name};

    if (!m->regular) {
        xta__change_put_member(change, m->name, false);
        for (size_t k = 0; k < set->entries.n; k++) {
            const xta__entry *e = set->entries.items[k];
            if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, m->name) == 0) {
                xta__change_remove(change, XTA__ENTRY_ATTRIBUTE, e->owner, e->name);
            }
        }
        return;
    }
    d.name = m->name;
    d.lo = m->lo;
    d.hi = m->hi;
    d.coordinates = XTA_COORDINATES_REGULAR;
    d.regular = m->as;
    xta__change_put_dimension(change, &d);
    (void)!put_attributes(set, m, put_on_dimension, &to, NULL);
}

xta_status xta__migration_apply(xta_dataset *set, xta__migration *p, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__bytes change = {0};

    for (size_t k = 0; k < p->n && status == XTA_OK; k++) {
        status = p->items[k].regular ? XTA_OK : make_list(set, &p->items[k], err);
    }
    xta__change_start(&change);
    for (size_t k = 0; k < p->n; k++) {
        put_moved(set, &p->items[k], &change);
    }
    status = status == XTA_OK ? xta__dataset_commit(set, &change, err) : status;
    xta__bytes_clear(&change);
    if (status == XTA_OK) {
        // Only then may the axes lose theirs.
        XTA_TRY(xta__journal_sync(&set->journal, err));
        XTA_TRY(xta__dataset_list(set, err));
        goto done;
    }
    for (size_t k = 0; k < p->n; k++) {
        xta_error ignored = {0};
        if (p->items[k].begun) {
            xta_array_close(p->items[k].list, NULL);
            p->items[k].list = NULL;
            (void)!xta__dataset_drop_member(set, p->items[k].name, &ignored);
        }
    }

done:
    return status;
}
