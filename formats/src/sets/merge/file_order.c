/* The order of files by their coordinates.
 *
 * Listed coordinates grow at their ends only, so files have to come in the order of their
 * coordinates. The key of a file are its first coordinates; times of any unit and epoch are
 * compared as instants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge/file_order.h"

#include <stdlib.h>
#include <string.h>

#include <xta/calendar.h>

#include "sets/readers.h"
#include "sets/tree/cut.h"
#include "sets/tree/labels.h"
#include "util/try.h"

static bool read_number(const set_source *source, const set_variable *v, int64_t cell, double *out)
{
    const xta_box box = {.ndim = 1, .lo = {cell}, .hi = {cell + 1}};
    unsigned char value[16];

    return v->what.cell_bytes <= sizeof value && v->what.type != XTA_BYTES &&
           xta__set_read(source, v, &box, value, NULL) == XTA_OK &&
           xta_type_convert(v->what.type, value, XTA_F64, out, 1, NULL) == XTA_OK;
}

static file_key key_of(double number, const char *units, const char *calendar)
{
    file_key key = {.number = number};
    xta_time_unit unit;
    xta_instant instant;

    if (units != NULL && xta_time_unit_is(units) &&
        xta_time_unit_parse(units, calendar, &unit, NULL) == XTA_OK &&
        xta_time_from_f64(&unit, number, &instant, NULL) == XTA_OK) {
        key.time = true;
        key.day = instant.day;
        key.microsecond = instant.microsecond;
    }
    return key;
}

/* Add the first coordinate of a dimension, if there is one. */
static void add_key(const set_source *source, const set_variable *v, bool outer, ordered_file *out)
{
    double first = 0, last = 0;
    int64_t n = v->what.bounds[0];
    const char *text = xta__description_text(&v->what, XTA_ON_ARRAY, "units");
    const char *calendar = xta__description_text(&v->what, XTA_ON_ARRAY, "calendar");

    if (out->n_keys == FILE_ORDER_KEYS || n < 1 || !read_number(source, v, 0, &first)) {
        return;
    }
    if (out->direction == 0 && n > 1 && read_number(source, v, n - 1, &last)) {
        out->direction = last < first ? -1 : 1;
    }
    out->names[out->n_keys] = outer ? xta__bridge_copy(v->what.name[0]) : NULL;
    out->labels[out->n_keys] = outer ? xta__bridge_copy(v->name) : NULL;
    out->keys[out->n_keys++] = key_of(first, text, calendar);
}

static bool add_keys(const set_source *source, const set_group *group, const char *dimension,
                     ordered_file *out)
{
    bool found = false;

    for (size_t k = 0; k < group->n_dimensions; k++) {
        const char *name = group->dimensions[k].name;
        const set_variable *v = xta__set_label_of(group, name);
        bool wanted = dimension == NULL || strcmp(name, dimension) == 0;
        found = found || wanted;
        if (wanted && v != NULL) {
            add_key(source, v, group == &source->root, out);
        }
    }
    for (size_t k = 0; k < group->n_groups; k++) {
        found = add_keys(source, &group->groups[k], dimension, out) || found;
    }
    return found;
}

xta_status xta__file_key_read(const char *path, const xta_dataset_files_options *options,
                              ordered_file *out, xta_error *err)
{
    set_source source;
    const char *dimension = options->dimension;
    xta_status status = xta__set_open(path, options->trust, &source, err);

    *out = (ordered_file){.path = path};
    if (status != XTA_OK) {
        return status;
    }
    status = xta__set_cut(&source, options->select, true, &out->outside, err);
    if (status != XTA_OK) {
        xta__set_close(&source);
        return out->outside ? XTA_OK : status;
    }
    if (!add_keys(&source, &source.root, dimension, out) && dimension != NULL) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: it has no dimension %s", path, dimension);
    }
    out->bytes = xta__set_bytes_of(&source.root);
    out->dependences = source.dependences;
    out->n_dependences = source.n_dependences;
    source.dependences = NULL;
    source.n_dependences = 0;
    xta__set_close(&source);
    return status;
}

static bool is_same(const ordered_file *a, const set_dependence *d)
{
    for (size_t k = 0; k < a->n_dependences; k++) {
        const set_dependence *other = &a->dependences[k];
        if (strcmp(other->dimension, d->dimension) == 0) {
            return other->n_bytes == d->n_bytes &&
                   memcmp(other->values, d->values, d->n_bytes) == 0;
        }
    }
    return true; // the dimension of one file alone
}

xta_status xta__files_check(const ordered_file *files, size_t n, xta_error *err)
{
    for (size_t k = 1; k < n; k++) {
        for (size_t j = 0; j < files[k].n_dependences; j++) {
            const set_dependence *d = &files[k].dependences[j];
            if (!is_same(&files[0], d)) {
                return xta_error_set(err, XTA_EARG, 0,
                                     "%s: dimension %s is selected by a list, a step or the "
                                     "nearest, and has other coordinates than in %s, so that each "
                                     "file would have its own; select a range, or import one file "
                                     "at a time",
                                     files[k].path, d->dimension, files[0].path);
            }
        }
    }
    return XTA_OK;
}

static int compare(const file_key *a, const file_key *b)
{
    if (!a->time || !b->time) {
        return (a->number > b->number) - (a->number < b->number);
    }
    if (a->day != b->day) {
        return a->day > b->day ? 1 : -1;
    }
    return (a->microsecond > b->microsecond) - (a->microsecond < b->microsecond);
}

/* Negative, 0 or positive: the keys of a before, equal to, after those of b. */
static int compare_files(const ordered_file *a, const ordered_file *b)
{
    int c = 0;

    for (int k = 0; k < a->n_keys && k < b->n_keys && c == 0; k++) {
        c = compare(&a->keys[k], &b->keys[k]);
    }
    return c;
}

static int ascending(const void *a, const void *b)
{
    return compare_files(a, b);
}

static int descending(const void *a, const void *b)
{
    return compare_files(b, a);
}

int xta__files_sort(ordered_file *files, size_t n)
{
    bool down = false;

    for (size_t k = 0; k < n && !down; k++) {
        down = files[k].direction < 0;
    }
    qsort(files, n, sizeof files[0], down ? descending : ascending);
    return down ? -1 : 1;
}

void xta__files_clear(ordered_file *files, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (int j = 0; j < FILE_ORDER_KEYS; j++) {
            free(files[k].names[j]);
            free(files[k].labels[j]);
        }
        for (size_t j = 0; j < files[k].n_dependences; j++) {
            xta__set_clear_dependence(&files[k].dependences[j]);
        }
        free(files[k].dependences);
    }
    free(files);
}

/* The key of cell `lo` of a list. */
static bool key_of_list(xta_dataset *set, const char *member, int64_t lo, file_key *key)
{
    xta_attribute unit = {0}, calendar = {0};
    xta_array *list = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    const xta_box box = {.ndim = 1, .lo = {lo}, .hi = {lo + 1}};
    double number = 0;

    io.type = XTA_F64;
    if (xta_dataset_member(set, member, &list, NULL) != XTA_OK || xta_array_ndim(list) != 1 ||
        xta_array_read(list, &box, &io, &number, NULL) != XTA_OK) {
        return false;
    }
    (void)!xta_attribute_get(list, XTA_ON_ARRAY, "units", &unit, NULL);
    (void)!xta_attribute_get(list, XTA_ON_ARRAY, "calendar", &calendar, NULL);
    *key = key_of(number, unit.type == XTA_TEXT ? unit.values : NULL,
                  calendar.type == XTA_TEXT ? calendar.values : NULL);
    return true;
}

/* The key of the first cell of a dimension of the data set; false: there is none. */
static bool key_of_set(xta_dataset *set, const char *name, const char *label, file_key *key)
{
    xta_dimension d;
    xta_attribute unit = {0}, calendar = {0};

    if (name == NULL || label == NULL || xta_dataset_dimension(set, name, &d, NULL) != XTA_OK ||
        d.hi <= d.lo) {
        return false;
    }
    if (strcmp(name, label) != 0 || d.coordinates != XTA_COORDINATES_REGULAR) {
        return key_of_list(set, label, d.lo, key);
    }
    xta_coordinate c = xta_regular_at(&d.regular, d.lo);
    bool whole = d.regular.type != XTA_F32 && d.regular.type != XTA_F64;
    (void)!xta_dataset_attribute(set, name, "units", &unit, NULL);
    (void)!xta_dataset_attribute(set, name, "calendar", &calendar, NULL);
    *key = key_of(whole ? (double)c.i : c.f, unit.type == XTA_TEXT ? unit.values : NULL,
                  calendar.type == XTA_TEXT ? calendar.values : NULL);
    return true;
}

size_t xta__files_before(const ordered_file *files, size_t n, int direction, xta_dataset *set)
{
    ordered_file there = {0};
    size_t before = 0;

    while (n > 0 && there.n_keys < files[0].n_keys &&
           key_of_set(set, files[0].names[there.n_keys], files[0].labels[there.n_keys],
                      &there.keys[there.n_keys])) {
        there.n_keys++;
    }
    while (before < n && direction * compare_files(&files[before], &there) < 0) {
        before++;
    }
    return before;
}
