/* Joining what data sets say about their arrays: everything is that of the first but the regular
 * coordinates of the dimension along which they are joined.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "transfer/concat_sets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/folder.h"

static xta_status open_set(const char *folder, const char *inner, bool writable, xta_dataset **set,
                           cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;
    char *path = NULL;
    xta_status status = XTA_OK;

    *set = NULL;
    how.writable = writable;
    if (inner[0] == '\0') {
        return xta_dataset_open(folder, &how, set, &err->error);
    }
    XTA_TRY(cli_join(folder, inner, &path, err));
    status = xta_dataset_open(path, &how, set, &err->error);
done:
    free(path);
    return status;
}

static xta_status close_set(xta_dataset *set, xta_status status, cli_error *err)
{
    xta_error why;

    if (xta_dataset_close(set, &why) != XTA_OK && status == XTA_OK) {
        err->error = why;
        status = why.status;
    }
    return status;
}

/* ---- the same everywhere ---- */

static bool same_text(xta_dataset *a, xta_dataset *b, const char *dimension, const char *name)
{
    xta_attribute x, y;
    bool in_a = xta_dataset_attribute(a, dimension, name, &x, NULL) == XTA_OK;
    bool in_b = xta_dataset_attribute(b, dimension, name, &y, NULL) == XTA_OK;

    return in_a == in_b &&
           (!in_a || (x.type == y.type && x.count == y.count && x.cell_bytes == y.cell_bytes &&
                      memcmp(x.values, y.values, x.count * x.cell_bytes) == 0));
}

static bool same_regular(const xta_regular *a, const xta_regular *b)
{
    return a->type == b->type && a->origin.i == b->origin.i && a->step.i == b->step.i;
}

static xta_status check_dimension(xta_dataset *first, xta_dataset *other, const xta_dimension *d,
                                  bool joined, cli_error *err)
{
    xta_dimension o = {.name = d->name};
    bool there = xta_dataset_dimension(other, d->name, &o, NULL) == XTA_OK;
    const bool regular = d->coordinates == XTA_COORDINATES_REGULAR;

    if (there && d->coordinates != o.coordinates) {
        return cli_fail(err, XTA_EARG, 0,
                        "dimension %s has %s coordinates in %s and others in %s; import both with "
                        "--all-listed",
                        d->name, regular ? "regular" : "no regular", xta_dataset_path(first),
                        xta_dataset_path(other));
    }
    if (!there || !regular) {
        return XTA_OK;
    }
    if (!same_text(first, other, d->name, "units") ||
        !same_text(first, other, d->name, "calendar")) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: dimension %s: its unit or calendar is not that of %s; convert one of "
                        "them first",
                        xta_dataset_path(other), d->name, xta_dataset_path(first));
    }
    if (joined ? d->regular.type != o.regular.type : !same_regular(&d->regular, &o.regular)) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: dimension %s: its regular coordinates are not those of %s",
                        xta_dataset_path(other), d->name, xta_dataset_path(first));
    }
    return XTA_OK;
}

/* ---- regular coordinates along the dimension ---- */

/* Cells [lo, hi) of the joined dimension get the coordinates of a set. */
typedef struct stretch {
    int64_t lo, hi;
    xta_regular regular;
    int64_t from; /* the first cell in its set */
} stretch;

static bool has_bits(const stretch *s, const xta_regular *joined)
{
    size_t bytes = xta_type_bytes(joined->type);
    char own[8], want[8];
    bool same = true;

    for (int64_t k = 0; same && k < s->hi - s->lo; k++) {
        xta_regular_values(&s->regular, s->from + k, s->from + k + 1, own);
        xta_regular_values(joined, s->lo + k, s->lo + k + 1, want);
        same = memcmp(own, want, bytes) == 0;
    }
    return same;
}

static xta_status write_stretch(xta_array *list, const stretch *s, cli_error *err)
{
    const xta_box box = {.ndim = 1, .lo = {s->lo}, .hi = {s->hi}};
    void *values = calloc((size_t)(s->hi - s->lo) + 1, xta_type_bytes(s->regular.type));
    xta_status status = XTA_OK;

    if (values == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its coordinates",
                        xta_array_path(list));
    }
    xta_regular_values(&s->regular, s->from, s->from + (s->hi - s->lo), values);
    status = xta_array_write(list, &box, NULL, values, &err->error);
    free(values);
    return status;
}

static xta_status read_stretches(const char *const folders[], size_t n, const char *inner,
                                 const char *along, stretch *stretches, cli_error *err)
{
    xta_dataset *set = NULL;
    xta_dimension d;
    int64_t at = 0;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < n; k++) {
        XTA_TRY(open_set(folders[k], inner, false, &set, err));
        XTA_TRY(xta_dataset_dimension(set, along, &d, &err->error));
        at = k == 0 ? d.lo : at;
        stretches[k] = (stretch){at, at + (d.hi - d.lo), d.regular, d.lo};
        at += d.hi - d.lo;
        XTA_TRY(close_set(set, XTA_OK, err));
        set = NULL;
    }
done:
    xta_dataset_close(set, NULL);
    return status;
}

static bool is_less(const xta_regular *type, xta_coordinate a, xta_coordinate b)
{
    bool real = type->type == XTA_F32 || type->type == XTA_F64;

    return real ? a.f < b.f : a.i < b.i;
}

/* Whether the coordinates of all stretches together ascend, or descend. */
static xta_status check_order(const char *const folders[], size_t n, const char *inner,
                              const char *along, cli_error *err)
{
    stretch *stretches = calloc(n, sizeof stretches[0]);
    const stretch *last = NULL;
    const xta_coordinate zero = {0};
    xta_status status = XTA_OK;

    if (stretches == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu folders", n);
    }
    XTA_TRY(read_stretches(folders, n, inner, along, stretches, err));
    bool down = is_less(&stretches[0].regular, stretches[0].regular.step, zero);
    for (size_t k = 0; k < n; k++) {
        const stretch *s = &stretches[k];
        if (s->hi == s->lo) {
            continue;
        }
        const xta_regular *r = &s->regular;
        xta_coordinate begin = xta_regular_at(r, s->from);
        xta_coordinate end =
            last != NULL ? xta_regular_at(&last->regular, last->from + (last->hi - last->lo) - 1)
                         : begin;
        bool goes_on = last == NULL || (down ? is_less(r, begin, end) : is_less(r, end, begin));
        if (!goes_on || (s->hi - s->lo > 1 && is_less(r, r->step, zero) != down)) {
            XTA_TRY(cli_fail(err, XTA_EARG, 0,
                             "%s: its coordinates along %s do not continue those of the folders "
                             "before it; give them in order, without overlaps",
                             folders[k], along));
        }
        last = s;
    }
done:
    free(stretches);
    return status;
}

xta_status cli_check_sets(const char *const folders[], size_t n, const char *inner,
                          const char *along, cli_error *err)
{
    xta_dataset *first = NULL, *other = NULL;
    size_t n_dimensions = 0;
    xta_dimension d;
    xta_status status = XTA_OK;

    XTA_TRY(open_set(folders[0], inner, false, &first, err));
    XTA_TRY(xta_dataset_dimension_count(first, &n_dimensions, &err->error));
    for (size_t k = 1; k < n; k++) {
        XTA_TRY(open_set(folders[k], inner, false, &other, err));
        for (size_t i = 0; i < n_dimensions; i++) {
            XTA_TRY(xta_dataset_dimension_at(first, i, &d, &err->error));
            XTA_TRY(check_dimension(first, other, &d, strcmp(d.name, along) == 0, err));
        }
        XTA_TRY(close_set(other, XTA_OK, err));
        other = NULL;
    }
    if (xta_dataset_dimension(first, along, &d, NULL) == XTA_OK &&
        d.coordinates == XTA_COORDINATES_REGULAR) {
        status = check_order(folders, n, inner, along, err);
    }
done:
    xta_dataset_close(other, NULL);
    xta_dataset_close(first, NULL);
    return status;
}

/* Coordinates that do not continue the first ones become a list. */
static xta_status join_regular(const char *const folders[], size_t n, const char *inner,
                               const char *along, xta_dataset *out, cli_error *err)
{
    stretch *stretches = calloc(n, sizeof stretches[0]);
    xta_array *list = NULL;
    bool goes_on = true;
    xta_status status = XTA_OK;

    if (stretches == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu folders", n);
    }
    XTA_TRY(read_stretches(folders, n, inner, along, stretches, err));
    for (size_t k = 1; k < n; k++) {
        goes_on = goes_on && has_bits(&stretches[k], &stretches[0].regular);
    }
    if (!goes_on) {
        XTA_TRY(xta_dataset_list_coordinates(out, along, &err->error));
        XTA_TRY(xta_dataset_member(out, along, &list, &err->error));
        for (size_t k = 1; k < n; k++) {
            XTA_TRY(write_stretch(list, &stretches[k], err));
        }
    }
done:
    free(stretches);
    return status;
}

/* Which cells came from which folder; the notes of the first are there. */
static xta_status note_folders(const char *const folders[], size_t n, const char *along,
                               xta_dataset *out, cli_error *err)
{
    stretch *stretches = calloc(n, sizeof stretches[0]);
    xta_status status = XTA_OK;

    if (stretches == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu folders", n);
    }
    XTA_TRY(read_stretches(folders, n, "", along, stretches, err));
    for (size_t k = 0; k < n; k++) {
        const stretch *s = &stretches[k];
        if (s->lo < s->hi && (k > 0 || xta_dataset_source_count(out) == 0)) {
            XTA_TRY(xta_dataset_note_source(out, along, s->lo, s->hi, folders[k], &err->error));
        }
    }
done:
    free(stretches);
    return status;
}

xta_status cli_join_sets(const char *const folders[], size_t n, const char *inner,
                         const char *along, const char *out, cli_error *err)
{
    xta_dataset *first = NULL, *target = NULL;
    xta_dimension d;
    xta_status status = XTA_OK;

    XTA_TRY(open_set(folders[0], inner, false, &first, err));
    XTA_TRY(open_set(out, inner, true, &target, err));
    if (xta_dataset_exists(xta_dataset_path(first))) {
        XTA_TRY(xta_dataset_copy_entries(first, target, &err->error));
    }
    if (xta_dataset_dimension(target, along, &d, NULL) != XTA_OK) {
        goto done;
    }
    if (d.coordinates == XTA_COORDINATES_REGULAR) {
        XTA_TRY(join_regular(folders, n, inner, along, target, err));
    }
    if (inner[0] == '\0') {
        status = note_folders(folders, n, along, target, err);
    }
done:
    status = close_set(target, status, err);
    xta_dataset_close(first, NULL);
    return status;
}
