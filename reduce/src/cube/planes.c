/* Aggregates of many groups in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"

/* ---- types ---- */

static bool limits_of(xta_type type, xta__cube_arithmetic *a)
{
    a->kind = 'f';
    a->least.f = -(double)INFINITY;
    a->greatest.f = (double)INFINITY;
    if (type == XTA_F16 || type == XTA_F32 || type == XTA_F64) {
        return true;
    }
    int bits = (int)xta_type_bytes(type) * 8;
    if (type == XTA_I8 || type == XTA_I16 || type == XTA_I32 || type == XTA_I64) {
        a->kind = 'i';
        a->greatest.i = INT64_MAX >> (64 - bits);
        a->least.i = -a->greatest.i - 1;
        return true;
    }
    a->kind = 'u';
    a->least.u = 0;
    a->greatest.u = bits > 0 && bits <= 64 ? UINT64_MAX >> (64 - bits) : 0;
    return type == XTA_BOOL || type == XTA_U8 || type == XTA_U16 || type == XTA_U32 ||
           type == XTA_U64;
}

bool xta__arithmetic_of(xta_type type, xta__cube_arithmetic *arithmetic)
{
    return limits_of(type, arithmetic);
}

xta_type xta__arithmetic_type(const xta__cube_arithmetic *arithmetic)
{
    return arithmetic->kind == 'f' ? XTA_F64 : arithmetic->kind == 'i' ? XTA_I64 : XTA_U64;
}

xta_type xta__measure_type(xta_type base, xta_cube_measure measure)
{
    xta__cube_arithmetic a;

    if (measure == XTA_CUBE_COUNT) {
        return XTA_U64;
    }
    if (measure == XTA_CUBE_SUM) {
        (void)limits_of(base, &a);
        return xta__arithmetic_type(&a);
    }
    return base == XTA_BOOL ? XTA_U8 : base;
}

xta_cube_number xta__identity(const xta__cube_arithmetic *arithmetic, xta_cube_measure measure)
{
    xta_cube_number zero = {.u = 0};

    return measure == XTA_CUBE_MIN   ? arithmetic->greatest
           : measure == XTA_CUBE_MAX ? arithmetic->least
                                     : zero;
}

/* ---- memory ---- */

bool xta__planes_make(xta__planes *planes, uint32_t measures, size_t n)
{
    memset(planes, 0, sizeof *planes);
    planes->n = n;
    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        if ((measures >> m & 1) == 0) {
            continue;
        }
        planes->at[m] = xta__calloc(n + 1, sizeof *planes->at[m]);
        if (planes->at[m] == NULL) {
            xta__planes_clear(planes);
            return false;
        }
    }
    return true;
}

void xta__planes_clear(xta__planes *planes)
{
    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        free(planes->at[m]);
        planes->at[m] = NULL;
    }
}

void xta__planes_reset(xta__planes *planes, const xta__cube_arithmetic *arithmetic)
{
    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        xta_cube_number identity = xta__identity(arithmetic, (xta_cube_measure)m);
        for (size_t k = 0; planes->at[m] != NULL && k < planes->n; k++) {
            planes->at[m][k] = identity;
        }
    }
}

/* ---- cells ---- */

/* The aggregates of one cell. */
static void of_cell(const xta__cube_arithmetic *a, xta_cube_number v, xta_cube_number out[4])
{
    bool counts = true;

    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        out[m] = v;
    }
    if (a->kind == 'f') {
        bool missing =
            a->has_missing && (v.f == a->missing.f || (isnan(v.f) && isnan(a->missing.f)));
        bool poisons = isnan(v.f) && !missing && a->propagate_nan;
        counts = !missing && !isnan(v.f);
        out[XTA_CUBE_MIN].f = out[XTA_CUBE_MAX].f = v.f + 0.0; // a zero is +0.0
        if (poisons) {
            out[XTA_CUBE_COUNT].u = 0;
            return;
        }
    } else {
        counts = !a->has_missing || v.u != a->missing.u;
    }
    for (int m = 0; m < XTA_CUBE_MEASURES && !counts; m++) {
        out[m] = xta__identity(a, (xta_cube_measure)m);
    }
    out[XTA_CUBE_COUNT].u = counts;
}

void xta__planes_of_cells(xta__planes *planes, const xta__cube_arithmetic *arithmetic,
                          const xta_cube_number *cells)
{
    const xta__cube_arithmetic a = *arithmetic;
    xta_cube_number *const *at = planes->at;

    for (size_t k = 0; k < planes->n; k++) {
        xta_cube_number out[XTA_CUBE_MEASURES];
        of_cell(&a, cells[k], out);
        for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
            if (at[m] != NULL) {
                at[m][k] = out[m];
            }
        }
    }
}

/* ---- adding ---- */

static inline double add_f(double a, double b)
{
    return a + b;
}

/* A NaN stays. */
static inline double min_f(double a, double b)
{
    return b < a || b != b ? b : a;
}

static inline double max_f(double a, double b)
{
    return b > a || b != b ? b : a;
}

/* Whether a row of sums could be added. */
static bool add_i(xta_cube_number *to, const xta_cube_number *from, size_t n)
{
    bool over = false;

    for (size_t k = 0; k < n; k++) {
        over |= __builtin_add_overflow(to[k].i, from[k].i, &to[k].i);
    }
    return !over;
}

static bool add_u(xta_cube_number *to, const xta_cube_number *from, size_t n)
{
    bool over = false;

    for (size_t k = 0; k < n; k++) {
        over |= __builtin_add_overflow(to[k].u, from[k].u, &to[k].u);
    }
    return !over;
}

static void add_row_f(xta_cube_number *to, const xta_cube_number *from, size_t n, int measure)
{
    if (measure == XTA_CUBE_SUM) {
        for (size_t k = 0; k < n; k++) {
            to[k].f = add_f(to[k].f, from[k].f);
        }
    } else if (measure == XTA_CUBE_MIN) {
        for (size_t k = 0; k < n; k++) {
            to[k].f = min_f(to[k].f, from[k].f);
        }
    } else {
        for (size_t k = 0; k < n; k++) {
            to[k].f = max_f(to[k].f, from[k].f);
        }
    }
}

static void extreme_row(xta_cube_number *to, const xta_cube_number *from, size_t n, int measure,
                        bool is_signed)
{
    bool least = measure == XTA_CUBE_MIN;

    for (size_t k = 0; k < n; k++) {
        bool below = is_signed ? from[k].i < to[k].i : from[k].u < to[k].u;
        bool above = is_signed ? from[k].i > to[k].i : from[k].u > to[k].u;
        to[k] = (least ? below : above) ? from[k] : to[k];
    }
}

/* Add a row of aggregates to another. */
static bool add_row(char kind, int measure, xta_cube_number *to, const xta_cube_number *from,
                    size_t n)
{
    if (measure == XTA_CUBE_COUNT) {
        return add_u(to, from, n);
    }
    if (kind == 'f') {
        add_row_f(to, from, n, measure);
        return true;
    }
    if (measure == XTA_CUBE_SUM) {
        return kind == 'i' ? add_i(to, from, n) : add_u(to, from, n);
    }
    extreme_row(to, from, n, measure, kind == 'i');
    return true;
}

/* The same of floating-point sums where rows have one cell, which are most of the work. */
static void fold_sums(const xta_cube_number *from, const xta__fold_shape *s, xta_cube_number *to)
{
    for (size_t o = 0; o < s->outer; o++) {
        for (size_t j = 0; j < s->n; j++) {
            to[o * s->m + (size_t)s->parent[j]].f += from[o * s->n + j].f;
        }
    }
}

bool xta__planes_fold(const xta__cube_arithmetic *arithmetic, const xta__planes *from,
                      const xta__fold_shape *shape, xta__planes *to)
{
    const xta__fold_shape *s = shape;
    bool fits = true;

    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        if (from->at[m] == NULL || to->at[m] == NULL) {
            continue;
        }
        if (s->inner == 1 && m == XTA_CUBE_SUM && arithmetic->kind == 'f') {
            fold_sums(from->at[m], s, to->at[m]);
            continue;
        }
        for (size_t row = 0; row < s->outer * s->n; row++) {
            size_t parent = row / s->n * s->m + (size_t)s->parent[row % s->n];
            fits &= add_row(arithmetic->kind, m, to->at[m] + parent * s->inner,
                            from->at[m] + row * s->inner, s->inner);
        }
    }
    return fits;
}

bool xta__planes_scatter(const xta__cube_arithmetic *arithmetic, const xta__planes *from,
                         size_t first, size_t n, const size_t *to, size_t base, xta__planes *into)
{
    bool fits = true;

    for (int m = 0; m < XTA_CUBE_MEASURES; m++) {
        if (from->at[m] == NULL || into->at[m] == NULL) {
            continue;
        }
        for (size_t k = 0; k < n; k++) {
            fits &= add_row(arithmetic->kind, m, into->at[m] + base + to[k],
                            from->at[m] + first + k, 1);
        }
    }
    return fits;
}

void xta__planes_canonical(xta__planes *planes, const xta__cube_arithmetic *arithmetic)
{
    for (int m = XTA_CUBE_SUM; arithmetic->kind == 'f' && m < XTA_CUBE_MEASURES; m++) {
        for (size_t k = 0; planes->at[m] != NULL && k < planes->n; k++) {
            double v = planes->at[m][k].f;
            planes->at[m][k].f = v != v ? (double)NAN : v;
        }
    }
}
