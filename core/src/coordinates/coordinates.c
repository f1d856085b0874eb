/* Coordinates in memory: computed, or a list of integers, of binary64 or of names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "coordinates/coordinates.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

struct xta_coordinates {
    xta_coordinates_kind kind;
    xta_type type;
    bool whole; // numbers are integers
    int direction;
    int64_t lo, hi;
    xta_regular regular;
    union {
        int64_t *integers;
        double *floats;
        char **names; // pointers into text
        void *list;   // NULL: regular
    } of;
    char *text;
    char *unit, *calendar;
};

static xta_status no_memory(const xta__coordinates_about *about, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "no memory for the coordinates of %" PRId64 " cells",
                     about->hi - about->lo);
}

void xta_coordinates_free(xta_coordinates *coordinates)
{
    if (coordinates != NULL) {
        free(coordinates->of.list);
        free(coordinates->text);
        free(coordinates->unit);
        free(coordinates->calendar);
        free(coordinates);
    }
}

static xta_coordinates *new_coordinates(const xta__coordinates_about *about)
{
    xta_coordinates *c = calloc(1, sizeof *c);

    if (c == NULL) {
        return NULL;
    }
    c->lo = about->lo;
    c->hi = about->hi;
    c->unit = xta__strdup(about->unit != NULL ? about->unit : "");
    c->calendar = xta__strdup(about->calendar != NULL ? about->calendar : "");
    if (c->unit == NULL || c->calendar == NULL) {
        xta_coordinates_free(c);
        return NULL;
    }
    return c;
}

/* Negative, 0 or positive, as two numbers compare; 0 if one is NaN. */
static int compare_cells(const xta_coordinates *c, int64_t a, int64_t b)
{
    xta_coordinate x = xta__coordinates_number(c, a), y = xta__coordinates_number(c, b);

    return c->whole ? (x.i > y.i) - (x.i < y.i) : (x.f > y.f) - (x.f < y.f);
}

static int find_direction(const xta_coordinates *c)
{
    if (c->hi - c->lo < 2) {
        return 1;
    }
    int direction = compare_cells(c, c->lo + 1, c->lo);
    for (int64_t cell = c->lo + 2; cell < c->hi && direction != 0; cell++) {
        if (compare_cells(c, cell, cell - 1) != direction) {
            direction = 0;
        }
    }
    return direction;
}

/* ---- the three kinds ---- */

xta_status xta__coordinates_regular(const xta__coordinates_about *about, const xta_regular *regular,
                                    xta_coordinates **out, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta_regular_check(regular, about->lo, about->hi, err));
    xta_coordinates *c = new_coordinates(about);
    if (c == NULL) {
        return no_memory(about, err);
    }
    c->kind = XTA_COORDINATES_REGULAR;
    c->type = regular->type;
    c->whole = regular->type != XTA_F32 && regular->type != XTA_F64;
    c->regular = *regular;
    bool falls = c->whole ? regular->step.i < 0 : regular->step.f < 0;
    c->direction = falls && about->hi - about->lo > 1 ? -1 : 1;
    *out = c;
done:
    return status;
}

/* Integers are kept as int64, unless there is one beyond it. */
static bool convert_numbers(xta_coordinates *c, xta_type type, const void *values, size_t n)
{
    bool real = type == XTA_F16 || type == XTA_F32 || type == XTA_F64;

    c->whole = !real && xta_type_convert(type, values, XTA_I64, c->of.integers, n, NULL) == XTA_OK;
    return c->whole || xta_type_convert(type, values, XTA_F64, c->of.floats, n, NULL) == XTA_OK;
}

xta_status xta__coordinates_numbers(const xta__coordinates_about *about, xta_type type,
                                    const void *values, xta_coordinates **out, xta_error *err)
{
    size_t n = (size_t)(about->hi - about->lo);

    if (type == XTA_C64 || type == XTA_C128 || type == XTA_BYTES || type == XTA_TEXT) {
        return xta__fail(err, XTA_ETYPE, 0, "coordinates of type %s; want numbers",
                         xta_type_name(type));
    }
    xta_coordinates *c = new_coordinates(about);
    if (c == NULL) {
        return no_memory(about, err);
    }
    c->kind = XTA_COORDINATES_LISTED;
    c->type = type;
    c->of.list = xta__calloc(n > 0 ? n : 1, sizeof(int64_t));
    if (c->of.list == NULL) {
        xta_coordinates_free(c);
        return no_memory(about, err);
    }
    if (!convert_numbers(c, type, values, n)) {
        xta_coordinates_free(c);
        return xta__fail(err, XTA_ETYPE, 0, "coordinates of type %s are no real numbers",
                         xta_type_name(type));
    }
    c->direction = find_direction(c);
    *out = c;
    return XTA_OK;
}

/* Copy names of `name_bytes` bytes each, and end them. */
static void copy_fixed_names(xta_coordinates *c, size_t n, const char *text, size_t name_bytes)
{
    for (size_t k = 0; k < n; k++) {
        c->of.names[k] = c->text + k * (name_bytes + 1);
        memcpy(c->of.names[k], text + k * name_bytes, name_bytes);
    }
}

/* Copy lines, and end them. */
static void copy_lines(xta_coordinates *c, size_t n, const char *text, size_t bytes)
{
    memcpy(c->text, text, bytes);
    char *at = c->text;
    for (size_t k = 0; k < n; k++) {
        c->of.names[k] = at;
        at += strcspn(at, "\n");
        if (*at == '\n') {
            *at++ = '\0';
        }
    }
}

xta_status xta__coordinates_names(const xta__coordinates_about *about, const char *text,
                                  size_t bytes, size_t name_bytes, xta_coordinates **out,
                                  xta_error *err)
{
    size_t n = (size_t)(about->hi - about->lo);
    xta_coordinates *c = new_coordinates(about);

    if (c == NULL) {
        return no_memory(about, err);
    }
    c->kind = XTA_COORDINATES_NAMES;
    c->type = XTA_TEXT;
    c->of.list = xta__calloc(n > 0 ? n : 1, sizeof(char *));
    c->text = xta__calloc(name_bytes > 0 ? n + 1 : bytes + 1, name_bytes > 0 ? name_bytes + 1 : 1);
    if (c->of.list == NULL || c->text == NULL) {
        xta_coordinates_free(c);
        return no_memory(about, err);
    }
    if (name_bytes > 0) {
        copy_fixed_names(c, n, text, name_bytes);
    } else {
        copy_lines(c, n, text, bytes);
    }
    c->direction = n > 1 ? 0 : 1;
    *out = c;
    return XTA_OK;
}

/* ---- what they are ---- */

xta_coordinates_kind xta_coordinates_kind_of(const xta_coordinates *coordinates)
{
    return coordinates->kind;
}

xta_type xta_coordinates_type(const xta_coordinates *coordinates)
{
    return coordinates->type;
}

int64_t xta_coordinates_lo(const xta_coordinates *coordinates)
{
    return coordinates->lo;
}

int64_t xta_coordinates_hi(const xta_coordinates *coordinates)
{
    return coordinates->hi;
}

const char *xta_coordinates_unit(const xta_coordinates *coordinates)
{
    return coordinates->unit;
}

const char *xta_coordinates_calendar(const xta_coordinates *coordinates)
{
    return coordinates->calendar;
}

int xta_coordinates_direction(const xta_coordinates *coordinates)
{
    return coordinates->direction;
}

bool xta__coordinates_whole(const xta_coordinates *coordinates)
{
    return coordinates->whole;
}

xta_coordinate xta__coordinates_number(const xta_coordinates *coordinates, int64_t cell)
{
    const xta_coordinates *c = coordinates;

    if (c->kind == XTA_COORDINATES_REGULAR) {
        return xta_regular_at(&c->regular, cell);
    }
    return c->whole ? (xta_coordinate){.i = c->of.integers[cell - c->lo]}
                    : (xta_coordinate){.f = c->of.floats[cell - c->lo]};
}

static bool has_cell(const xta_coordinates *c, int64_t cell)
{
    return cell >= c->lo && cell < c->hi;
}

double xta_coordinates_at(const xta_coordinates *coordinates, int64_t cell)
{
    const xta_coordinates *c = coordinates;

    if (c->kind == XTA_COORDINATES_NAMES || !has_cell(c, cell)) {
        return NAN;
    }
    xta_coordinate number = xta__coordinates_number(c, cell);
    return c->whole ? (double)number.i : number.f;
}

/* Integers among which one was too large for int64. Its binary64 may be 2^64. */
static void large_numbers(const double *from, size_t n, uint64_t *to)
{
    for (size_t k = 0; k < n; k++) {
        to[k] = from[k] < 0x1p64 ? (uint64_t)from[k] : UINT64_MAX;
    }
}

void xta_coordinates_values(const xta_coordinates *coordinates, int64_t lo, int64_t hi,
                            void *values)
{
    const xta_coordinates *c = coordinates;
    size_t first = (size_t)(lo - c->lo), n = (size_t)(hi - lo);

    if (c->kind == XTA_COORDINATES_REGULAR) {
        xta_regular_values(&c->regular, lo, hi, values);
    } else if (c->kind == XTA_COORDINATES_LISTED && c->type == XTA_U64 && !c->whole) {
        large_numbers(c->of.floats + first, n, values);
    } else if (c->kind == XTA_COORDINATES_LISTED) {
        // They were converted from this type, so each of them fits.
        const void *from = c->whole ? (const void *)(c->of.integers + first)
                                    : (const void *)(c->of.floats + first);
        xta_status fits =
            xta_type_convert(c->whole ? XTA_I64 : XTA_F64, from, c->type, values, n, NULL);
        assert(fits == XTA_OK);
        (void)fits;
    }
}

const char *xta_coordinates_name(const xta_coordinates *coordinates, int64_t cell)
{
    const xta_coordinates *c = coordinates;

    return c->kind == XTA_COORDINATES_NAMES && has_cell(c, cell) ? c->of.names[cell - c->lo] : NULL;
}
