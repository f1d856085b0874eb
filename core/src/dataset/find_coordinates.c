/* The coordinates that the data set of an array has for one of its axes.
 *
 * Only what this axis needs is opened: the journal of the data set, or one array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/find_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include <xta/dataset.h>

#include "array/state/open_array.h"
#include "coordinates/own_coordinates.h"
#include "dataset/entries.h"
#include "dataset/open_dataset.h"
#include "util/os.h"
#include "util/text.h"

/* What was found, before it is cut to the bounds of the axis. */
typedef struct found_coordinates {
    xta_coordinates_kind kind; // 0: none
    xta_regular regular;
    xta_type type; // of the list: cells [lo, hi)
    size_t cell_bytes;
    int64_t lo, hi;
    void *values;
    char *unit, *calendar; // "": none
} found_coordinates;

static void clear_found(found_coordinates *found)
{
    free(found->values);
    free(found->unit);
    free(found->calendar);
    memset(found, 0, sizeof *found);
}

/* A copy of a text attribute; "" if it is none. NULL: no memory. */
static char *copy_text(const xta_attribute *attribute)
{
    bool text = attribute != NULL && attribute->type == XTA_TEXT;

    return xta__strdup(text ? attribute->values : "");
}

/* Whether there is a journal of this name. */
static xta_status find_journal(const char *folder, const char *name, bool *there, xta_error *err)
{
    char *journal = xta__string("%s/%s.xmd", folder, name);

    if (journal == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s/%s: no memory for its name", folder, name);
    }
    *there = xta__path_exists(journal);
    free(journal);
    return XTA_OK;
}

/* Whether there is an array of the dimension's name. */
static xta_status find_list_file(const char *folder, const char *name, bool *there, xta_error *err)
{
    *there = false;
    return strcmp(name, XTA__DATASET_NAME) != 0 && strchr(name, '/') == NULL
               ? find_journal(folder, name, there, err)
               : XTA_OK;
}

/* Also whether an array of this name is one that is being made, or removed. */
static xta_status find_regular(const char *folder, const char *name, found_coordinates *out,
                               bool *unfinished, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset *set = NULL;
    bool there = false;

    XTA_TRY(find_journal(folder, XTA__DATASET_NAME, &there, err));
    if (!there) {
        return XTA_OK;
    }
    XTA_TRY(xta_dataset_open(folder, NULL, &set, err));
    const xta__entry *d = xta__entries_find(&set->entries, XTA__ENTRY_DIMENSION, "", name);
    const xta__entry *list = xta__entries_find(&set->entries, XTA__ENTRY_MEMBER, "", name);
    *unfinished = list != NULL && list->unfinished;
    if (d != NULL && d->dimension.coordinates == XTA_COORDINATES_REGULAR) {
        const xta__entry *unit =
            xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, name, "units");
        const xta__entry *calendar =
            xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, name, "calendar");
        out->kind = XTA_COORDINATES_REGULAR;
        out->regular = d->dimension.regular;
        out->type = d->dimension.regular.type;
        out->unit = copy_text(unit != NULL ? &unit->attribute : NULL);
        out->calendar = copy_text(calendar != NULL ? &calendar->attribute : NULL);
        if (out->unit == NULL || out->calendar == NULL) {
            status = xta__dataset_no_memory(set, err);
        }
    }

done:
    xta_dataset_close(set, NULL);
    return status;
}

/* The text of a list's unit: an attribute, else the unit of its axis. */
static char *unit_of(xta_array *list)
{
    xta_attribute found;

    if (xta_attribute_get(list, XTA_ON_ARRAY, "units", &found, NULL) == XTA_OK) {
        return copy_text(&found);
    }
    return xta__strdup(xta_axis_unit(list, 0));
}

static xta_status read_list(xta_array *list, found_coordinates *out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_attribute calendar;
    xta_box bounds = xta_array_bounds(list);
    bool has_calendar =
        xta_attribute_get(list, XTA_ON_ARRAY, "calendar", &calendar, NULL) == XTA_OK;

    out->type = xta_array_type(list);
    out->cell_bytes = xta_array_cell_bytes(list);
    out->kind = out->type == XTA_BYTES ? XTA_COORDINATES_NAMES : XTA_COORDINATES_LISTED;
    out->lo = bounds.lo[0];
    out->hi = bounds.hi[0];
    size_t bytes = (size_t)(out->hi - out->lo) * out->cell_bytes;
    out->values = malloc(bytes > 0 ? bytes : 1);
    out->unit = unit_of(list);
    out->calendar = copy_text(has_calendar ? &calendar : NULL);
    if (out->values == NULL || out->unit == NULL || out->calendar == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its coordinates",
                          xta_array_path(list)));
    }
    XTA_TRY(xta_array_read(list, &bounds, NULL, out->values, err));

done:
    return status;
}

/* The array of the dimension's name, if it has this one axis. */
static xta_status find_listed(const char *folder, const char *name, found_coordinates *out,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *list = NULL;
    char *path = xta__string("%s/%s", folder, name);

    if (path == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s/%s: no memory for its name", folder, name));
    }
    XTA_TRY(xta_array_open(path, NULL, &list, err));
    if (xta_array_ndim(list) == 1 && strcmp(xta_axis_name(list, 0), name) == 0) {
        XTA_TRY(read_list(list, out, err));
    }

done:
    xta_array_close(list, NULL);
    free(path);
    return status;
}

static xta_status find(xta_array *array, int axis, found_coordinates *out, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *name = xta_axis_name(array, axis);
    bool there = false, unfinished = false;
    const char *slash = strrchr(array->journal_file, '/');
    char *folder =
        slash != NULL ? xta__string("%.*s", (int)(slash - array->journal_file), array->journal_file)
                      : xta__strdup(".");

    if (folder == NULL) {
        XTA_TRY(
            xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its folder", xta__array_name(array)));
    }
    const char *where = folder[0] != '\0' ? folder : "/";
    // The journal names a list as unfinished before its array is made, so it is read later.
    XTA_TRY(find_list_file(where, name, &there, err));
    XTA_TRY(find_regular(where, name, out, &unfinished, err));
    if (out->kind == 0 && there && !unfinished) {
        XTA_TRY(find_listed(where, name, out, err));
    }

done:
    free(folder);
    return status;
}

/* The cells within the bounds of the axis. */
static xta_status cut(xta_array *array, int axis, const found_coordinates *found,
                      xta_coordinates **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__coordinates_about about = xta__axis_about(array, axis);

    about.unit = found->unit;
    about.calendar = found->calendar;
    if (found->kind == XTA_COORDINATES_REGULAR) {
        return xta__coordinates_regular(&about, &found->regular, out, err);
    }
    XTA_TRY(xta__axis_check_cover(array, axis, found->lo, found->hi, err));
    size_t before = about.lo < about.hi ? (size_t)(about.lo - found->lo) : 0;
    const char *items = (const char *)found->values + before * found->cell_bytes;
    size_t bytes = (size_t)(about.hi - about.lo) * found->cell_bytes;
    status = found->kind == XTA_COORDINATES_NAMES
                 ? xta__coordinates_names(&about, items, bytes, found->cell_bytes, out, err)
                 : xta__coordinates_numbers(&about, found->type, items, out, err);

done:
    return status;
}

xta_status xta__dataset_coordinates(xta_array *array, int axis, xta_coordinates **out,
                                    xta_error *err)
{
    xta_status status = XTA_OK;
    found_coordinates found = {0};

    *out = NULL;
    if (array->in_memory || xta_axis_name(array, axis)[0] == '\0') {
        return XTA_OK;
    }
    XTA_TRY(find(array, axis, &found, err));
    if (found.kind != 0) {
        XTA_TRY(cut(array, axis, &found, out, err));
    }

done:
    clear_found(&found);
    return status;
}
