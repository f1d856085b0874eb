/* The cells that have a label.
 *
 * Monotonic coordinates are searched by bisection. `rank` counts cells in the order of ascending
 * coordinates: it runs from lo up, or from hi - 1 down.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "select/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "util/vector.h"

enum { SHOWN = 64, NAMES_SHOWN = 5 };

static const char has_label[] = "no cell has"; // where a ~ would help

static int shown(xta__piece piece)
{
    return (int)(piece.n < SHOWN ? piece.n : SHOWN);
}

static int direction_of(const xta__axis_reader *reader)
{
    return xta_coordinates_direction(reader->coordinates);
}

static int64_t count_cells(const xta__axis_reader *reader)
{
    return xta_coordinates_hi(reader->coordinates) - xta_coordinates_lo(reader->coordinates);
}

static int64_t cell_of_rank(const xta__axis_reader *reader, int64_t rank)
{
    return direction_of(reader) < 0 ? xta_coordinates_hi(reader->coordinates) - 1 - rank
                                    : xta_coordinates_lo(reader->coordinates) + rank;
}

/* The first rank whose cell does not lie below a label (`above`: which lies above it); the number
 * of cells if there is none. */
static int64_t first_rank(const xta__axis_reader *reader, const xta__label *label, bool above)
{
    int64_t lo = 0, hi = count_cells(reader);

    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        int compared = xta__label_compare(reader, cell_of_rank(reader, middle), label);
        if (above ? compared > 0 : compared >= 0) {
            hi = middle;
        } else {
            lo = middle + 1;
        }
    }
    return lo;
}

/* ---- the nearest cell ---- */

/* Of ascending or descending coordinates, of which there is at least one; the lower cell of two
 * that are equally near. */
static int64_t nearest_by_rank(const xta__axis_reader *reader, const xta__label *label)
{
    int64_t n = count_cells(reader), rank = first_rank(reader, label, false);

    if (rank == 0 || rank == n) {
        return cell_of_rank(reader, rank == 0 ? 0 : n - 1);
    }
    int64_t below = cell_of_rank(reader, rank - 1), above = cell_of_rank(reader, rank);
    int nearer = xta__label_compare_distance(reader, below, above, label);
    return nearer < 0 || (nearer == 0 && below < above) ? below : above;
}

/* Of any coordinates. */
static int64_t nearest_by_distance(const xta__axis_reader *reader, const xta__label *label)
{
    int64_t lo = xta_coordinates_lo(reader->coordinates), found = lo;
    double least = INFINITY;

    for (int64_t cell = lo; cell < lo + count_cells(reader); cell++) {
        double distance = xta__label_distance(reader, cell, label);
        if (distance < least) {
            least = distance;
            found = cell;
        }
    }
    return found;
}

/* ---- errors ---- */

static xta_status no_name(const xta__axis_reader *reader, const xta__label *label, xta_error *err)
{
    int64_t lo = xta_coordinates_lo(reader->coordinates), n = count_cells(reader);
    char names[XTA_ERROR_TEXT_BYTES / 2] = "";
    size_t used = 0;

    for (int64_t k = 0; k < n && k < NAMES_SHOWN && used < sizeof names; k++) {
        const char *name = xta_coordinates_name(reader->coordinates, lo + k);
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%.40s", k > 0 ? ", " : "", name);
    }
    return xta__fail(err, XTA_ENOENT, 0, "%s: %s: no cell is called %.64s; there are %s%s",
                     reader->path, reader->name, label->name, names,
                     n > NAMES_SHOWN ? ", ..." : "");
}

/* No cell has a label; `what` begins the sentence. */
static xta_status none(const xta__axis_reader *reader, const char *what, xta__piece piece,
                       const xta__label *label, xta_error *err)
{
    xta__label point = *label;
    char text[XTA__CELL_TEXT_BYTES];
    bool has_remedy =
        what == has_label && label->kind != XTA__LABEL_PERIOD && reader->has_coordinates;

    if (count_cells(reader) == 0) {
        return xta__fail(err, XTA_ENOENT, 0, "%s: %s: the axis has no cells", reader->path,
                         reader->name);
    }
    if (label->kind == XTA__LABEL_NAME) {
        return no_name(reader, label, err);
    }
    xta__label_narrow(&point);
    int64_t cell = direction_of(reader) != 0 ? nearest_by_rank(reader, &point)
                                             : nearest_by_distance(reader, &point);
    return xta__fail(err, XTA_ENOENT, 0, "%s: %s: %s %.*s; the nearest has %s (cell %" PRId64 ")%s",
                     reader->path, reader->name, what, shown(piece), piece.text,
                     xta__cell_text(reader, cell, text), cell,
                     has_remedy ? "; a ~ after the label takes it" : "");
}

static xta_status not_monotonic(const xta__axis_reader *reader, xta__piece piece, xta_error *err)
{
    return xta__fail(err, XTA_EBOX, 0,
                     "%s: %s: %.*s needs coordinates that ascend or descend, and these do neither; "
                     "select single labels or a list",
                     reader->path, reader->name, shown(piece), piece.text);
}

/* ---- lists of cells ---- */

void xta__cells_clear(xta__cells *cells)
{
    free(cells->list);
    *cells = (xta__cells){0};
}

static xta_status add_cell(xta__cells *cells, int64_t cell, xta_error *err)
{
    if (!XTA__RESERVE(cells->list, cells->capacity, cells->n + 1)) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a list of %zu cells", cells->n + 1);
    }
    cells->list[cells->n++] = cell;
    return XTA_OK;
}

/* All cells that have a label, in ascending order. */
static xta_status add_matches(const xta__axis_reader *reader, const xta__label *label,
                              xta__cells *cells, xta_error *err)
{
    int64_t lo = xta_coordinates_lo(reader->coordinates), hi = lo + count_cells(reader);
    bool sorted = direction_of(reader) != 0 && label->kind != XTA__LABEL_NAME;
    size_t before = cells->n;
    xta_status status = XTA_OK;

    if (sorted) {
        int64_t first = first_rank(reader, label, false), end = first_rank(reader, label, true);
        int64_t a = cell_of_rank(reader, first), b = cell_of_rank(reader, end - 1);
        lo = first < end ? (a < b ? a : b) : hi;
        hi = first < end ? (a < b ? b : a) + 1 : hi;
    }
    for (int64_t cell = lo; cell < hi; cell++) {
        if (sorted || xta__label_compare(reader, cell, label) == 0) {
            XTA_TRY(add_cell(cells, cell, err));
        }
    }
    if (cells->n == before) {
        status = none(reader, has_label, label->piece, label, err);
    }
done:
    return status;
}

static xta_status add_nearest(const xta__axis_reader *reader, const xta__label_text *text,
                              xta__label *label, xta__cells *cells, xta_error *err)
{
    double tolerance = INFINITY;
    xta_status status = XTA_OK;

    if (label->kind == XTA__LABEL_NAME) {
        return xta__fail(err, XTA_EARG, 0, "%s: %s: %.*s~: no name is nearest to another",
                         reader->path, reader->name, shown(text->a), text->a.text);
    }
    if (direction_of(reader) == 0) {
        return not_monotonic(reader, (xta__piece){text->a.text, text->a.n + 1}, err);
    }
    if (text->more.n > 0) {
        XTA_TRY(xta__tolerance_read(reader, text->more, &tolerance, err));
    }
    if (count_cells(reader) == 0) {
        return none(reader, "", text->a, label, err);
    }
    xta__label_narrow(label);
    int64_t cell = nearest_by_rank(reader, label);
    if (isnan(xta__label_distance(reader, cell, label))) {
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: %s: nothing is near %.*s: the coordinate of cell %" PRId64
                         " is no number; select it with --box",
                         reader->path, reader->name, shown(text->a), text->a.text, cell);
    }
    if (!(xta__label_distance(reader, cell, label) <= tolerance)) {
        char nearest[XTA__CELL_TEXT_BYTES];
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: %s: no cell lies within %.*s of %.*s; the nearest has %s (cell "
                         "%" PRId64 ")",
                         reader->path, reader->name, shown(text->more), text->more.text,
                         shown(text->a), text->a.text, xta__cell_text(reader, cell, nearest), cell);
    }
    status = add_cell(cells, cell, err);
done:
    return status;
}

xta_status xta__cells_add(const xta__axis_reader *reader, const xta__label_text *text,
                          xta__cells *cells, xta_error *err)
{
    xta__label label = {0};
    xta_status status = XTA_OK;

    XTA_TRY(xta__label_read(reader, text->a, &label, err));
    if (text->form == XTA__LABEL_NEAREST) {
        XTA_TRY(add_nearest(reader, text, &label, cells, err));
    } else {
        XTA_TRY(add_matches(reader, &label, cells, err));
    }
done:
    xta__label_clear(&label);
    return status;
}

/* ---- ranges ---- */

static xta_status read_step(const xta__axis_reader *reader, xta__piece piece, int64_t *step,
                            xta_error *err)
{
    char text[24];
    char *end = text;

    *step = 1;
    if (piece.n == 0) {
        return XTA_OK;
    }
    bool good = xta__piece_copy(piece, text, sizeof text) && text[0] >= '0' && text[0] <= '9';
    long long value = good ? strtoll(text, &end, 10) : 0;
    if (value < 1 || *end != '\0' || value >= XTA__COORD_LIMIT) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: \"%.*s\" is no step; want a number of cells, 1 or more%s",
                         reader->path, reader->name, shown(piece), piece.text,
                         reader->is_time ? "; a time has two digits each, and up to six behind "
                                           "its second"
                                         : "");
    }
    *step = value;
    return XTA_OK;
}

/* The ranks of the cells from `a` to `b`; NULL: open. */
static xta_status find_ranks(const xta__axis_reader *reader, const xta__label *a,
                             const xta__label *b, int64_t *first, int64_t *end, xta_error *err)
{
    *first = a != NULL ? first_rank(reader, a, false) : 0;
    *end = b != NULL ? first_rank(reader, b, true) : count_cells(reader);
    if (*first < *end || (a == NULL && b == NULL)) {
        return XTA_OK;
    }
    if (a != NULL && b != NULL && xta__label_above(a, b)) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: %.*s lies above %.*s; a range begins with the lower label, also "
                         "where coordinates descend",
                         reader->path, reader->name, shown(a->piece), a->piece.text,
                         shown(b->piece), b->piece.text);
    }
    if (a != NULL && b != NULL) {
        xta__piece both = {a->piece.text, (size_t)(b->piece.text + b->piece.n - a->piece.text)};
        return none(reader, "no cell lies in", both, a, err);
    }
    return a != NULL ? none(reader, "no cell lies at or above", a->piece, a, err)
                     : none(reader, "no cell lies at or below", b->piece, b, err);
}

xta_status xta__cells_range(const xta__axis_reader *reader, const xta__label_text *text,
                            xta__cells *cells, xta_error *err)
{
    bool has_a = text->a.n > 0, has_b = text->b.n > 0;
    xta__label a = {0}, b = {0};
    int64_t first = 0, end = 0;
    xta_status status = XTA_OK;

    XTA_TRY(read_step(reader, text->more, &cells->step, err));
    if (has_a) {
        XTA_TRY(xta__label_read(reader, text->a, &a, err));
    }
    if (has_b) {
        XTA_TRY(xta__label_read(reader, text->b, &b, err));
    }
    bool names = a.kind == XTA__LABEL_NAME || b.kind == XTA__LABEL_NAME;
    if ((has_a || has_b) && (names || direction_of(reader) == 0)) {
        XTA_TRY(not_monotonic(reader, has_a ? text->a : text->b, err));
    }
    XTA_TRY(find_ranks(reader, has_a ? &a : NULL, has_b ? &b : NULL, &first, &end, err));
    int64_t n = end - first;
    cells->lo = n == 0                     ? xta_coordinates_lo(reader->coordinates)
                : direction_of(reader) < 0 ? cell_of_rank(reader, end - 1)
                                           : cell_of_rank(reader, first);
    // Up to the last cell that the step reaches.
    cells->hi = n == 0 ? cells->lo : cells->lo + (n - 1) / cells->step * cells->step + 1;
done:
    xta__label_clear(&a);
    xta__label_clear(&b);
    return status;
}
