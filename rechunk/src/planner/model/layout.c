/* How the axes are cut into sections.
 *
 * Definition: a section of an axis extends from one place where both sides have a cut to the next.
 *
 * Naive: list the cuts of both sides and compare. This is done if a side is irregular; equal
 * sections are one kind.
 *
 * Better, if both sides are regular: their cuts coincide, if at all, at one place and at every
 * multiple of the least common multiple of their lengths from there (the Chinese remainder
 * theorem). So an axis has at most three kinds of sections, however many blocks it has: the first,
 * the middle ones, the last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/model/layout.h"

#include <stdlib.h>
#include <string.h>

/* A section of more blocks than this is planned in about this many folds: planning then takes only
 * milliseconds, and a fold is a small part of the memory in use. */
#define MANY_BLOCKS ((int64_t)1 << 13)
#define FOLDS       ((int64_t)1 << 12)

/* An axis with more blocks than this on a side is not made one section just because a strategy
 * prefers to handle the whole at once. */
#define MOST_GLUED ((int64_t)1 << 17)

__extension__ typedef __int128 wide;

/* ---- one side ---- */

/* The number of the last edge at or before x, where x is below the last edge. */
static int64_t edge_before(const xta_cuts *cuts, int64_t x)
{
    int64_t first = 0, last = cuts->n_edges - 1;

    while (last - first > 1) {
        int64_t middle = first + (last - first) / 2;
        if (cuts->edges[middle] <= x) {
            first = middle;
        } else {
            last = middle;
        }
    }
    return first;
}

/* The last cut at or before x. */
static int64_t cut_before(const xta_cuts *cuts, int64_t x)
{
    if (cuts->length > 0) {
        return x -
               (int64_t)((((wide)x - cuts->origin) % cuts->length + cuts->length) % cuts->length);
    }
    return cuts->edges[edge_before(cuts, x)];
}

/* The first cut after x, where x is below the last cut; it may be far beyond the bounds. */
static int64_t cut_after(const xta_cuts *cuts, int64_t x)
{
    if (cuts->length > 0) {
        return cut_before(cuts, x) + cuts->length;
    }
    return cuts->edges[edge_before(cuts, x) + 1];
}

/* How many blocks lie in [lo, hi), including those that its ends cut. */
static int64_t blocks_within(const xta_cuts *cuts, int64_t lo, int64_t hi)
{
    int64_t n = 0;

    if (cuts->length > 0) {
        return (int64_t)(((wide)cut_before(cuts, hi - 1) - cut_before(cuts, lo)) / cuts->length) +
               1;
    }
    for (int64_t x = lo; x < hi; x = cut_after(cuts, x)) {
        n++;
    }
    return n;
}

int64_t xta__axis_block(const xta__axis *axis, int side, int64_t x, int64_t *lo, int64_t *hi)
{
    const xta_cuts *cuts = &axis->cuts[side];
    int64_t begin = cut_before(cuts, x);
    int64_t end = cut_after(cuts, x);
    int64_t number;

    *lo = begin < axis->lo ? axis->lo : begin;
    *hi = end > axis->hi ? axis->hi : end;
    if (cuts->length > 0) {
        number = (int64_t)(((wide)begin - cut_before(cuts, axis->lo)) / cuts->length);
    } else {
        int64_t first = 0, last = cuts->n_edges - 1;
        while (last - first > 1) {
            int64_t middle = first + (last - first) / 2;
            if (cuts->edges[middle] <= x) {
                first = middle;
            } else {
                last = middle;
            }
        }
        number = first;
    }
    return number;
}

/* ---- both sides ---- */

/* Solve a * x = gcd (mod b) for x; returns the greatest common divisor. */
static int64_t gcd_inverse(int64_t a, int64_t b, int64_t *x)
{
    wide old = 1, now = 0;
    int64_t r = a, s = b;

    while (s != 0) {
        int64_t q = r / s;
        int64_t rest = r - q * s;
        wide next = old - q * now;
        old = now;
        now = next;
        r = s;
        s = rest;
    }
    *x = b != 0 ? (int64_t)(old % b) : 0;
    return r;
}

/* The first position after lo where regular cuts of both sides coincide, and the distance to the
 * next; false if there is none before hi. */
static bool first_meeting(const xta__axis *axis, int64_t *place, int64_t *period)
{
    const xta_cuts *a = &axis->cuts[XTA__FROM];
    const xta_cuts *b = &axis->cuts[XTA__TO];
    int64_t inverse;
    int64_t gcd = gcd_inverse(a->length, b->length, &inverse);
    wide apart = (wide)b->origin - a->origin;
    wide lcm = (wide)(a->length / gcd) * b->length;

    if (apart % gcd != 0) {
        return false;
    }
    wide steps = (apart / gcd % (b->length / gcd)) * inverse % (b->length / gcd);
    wide meeting = a->origin + steps * a->length;
    wide ahead = (meeting - axis->lo) % lcm;
    if (ahead <= 0) {
        ahead += lcm;
    }
    if (axis->lo + ahead >= axis->hi) {
        return false;
    }
    *place = (int64_t)(axis->lo + ahead);
    // A period longer than the axis ends it in any case.
    *period = lcm > axis->hi - *place ? axis->hi - *place : (int64_t)lcm;
    return true;
}

static void span_clear(xta__span *span)
{
    for (int side = 0; side < 2; side++) {
        free(span->edge[side]);
        free(span->count[side]);
    }
    *span = (xta__span){0};
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The number of blocks from x on that are as long as the first and end at or before `end`, at most
 * `most`; 1 if the first one is clipped. *length: length of one block. */
static int64_t alike_from(const xta_cuts *cuts, int64_t x, int64_t lo, int64_t end, int64_t most,
                          int64_t *length)
{
    int64_t next = cut_after(cuts, x), n = 1;

    *length = next - x;
    if (cut_before(cuts, x) < lo || next > end) {
        return 1;
    }
    if (cuts->length > 0) {
        n = (end - x) / cuts->length;
        return n < most ? n : most;
    }
    for (x = next; n < most && x < end; n++) {
        next = cut_after(cuts, x);
        if (next > end || next - x != *length) {
            break;
        }
        x = next;
    }
    return n;
}

/* How one side of a span is folded: at most `most` blocks in a fold; a fold does not cross a cut of
 * the other side, unless `across` is set. */
typedef struct folding {
    int64_t most;
    bool across;
} folding;

static folding choose_folding(const xta__span *span, int side)
{
    int64_t n = span->blocks[side], others = span->blocks[!side];

    if (n <= MANY_BLOCKS) {
        return (folding){1, true};
    }
    if (others >= FOLDS) {
        return (folding){(n - 1) / FOLDS + 1, true};
    }
    // Fold the blocks within each block of the other side, as many as fit.
    int64_t folds = FOLDS / others, each = n / others;
    return (folding){each <= folds ? 1 : (each - 1) / folds + 1, false};
}

/* Make the folds of a side; without `store`, only count them. */
static int64_t make_folds(xta__span *span, const xta__axis *axis, int side, int64_t lo, int64_t hi,
                          bool store)
{
    const xta_cuts *cuts = &axis->cuts[side], *other = &axis->cuts[!side];
    folding f = choose_folding(span, side);
    int64_t n = 0;

    for (int64_t x = lo; x < hi; n++) {
        int64_t end = f.across ? hi : smaller(hi, cut_after(other, x)), length;
        int64_t count = f.most == 1 ? 1 : alike_from(cuts, x, axis->lo, end, f.most, &length);
        x = count == 1 ? smaller(hi, cut_after(cuts, x)) : x + count * length;
        if (store) {
            span->edge[side][n + 1] = x - lo;
            if (span->count[side] != NULL) {
                span->count[side][n] = count;
            }
        }
    }
    return n;
}

static xta_status span_init(xta__span *span, const xta__axis *axis, int number, int64_t lo,
                            int64_t hi, xta_error *err)
{
    span->length = hi - lo;
    span->n_sections = 1;
    for (int side = 0; side < 2; side++) {
        span->blocks[side] = blocks_within(&axis->cuts[side], lo, hi);
    }
    for (int side = 0; side < 2; side++) {
        int64_t n = make_folds(span, axis, side, lo, hi, false);
        span->edge[side] = xta__calloc((size_t)n + 1, sizeof(int64_t));
        if (n < span->blocks[side]) {
            span->count[side] = xta__calloc((size_t)n, sizeof(int64_t));
        }
        if (span->edge[side] == NULL || (n < span->blocks[side] && span->count[side] == NULL)) {
            return xta__fail(err, XTA_ENOMEM, 0, "no memory for the cuts of axis %d", number);
        }
        span->n[side] = n;
        make_folds(span, axis, side, lo, hi, true);
    }
    return XTA_OK;
}

static bool spans_alike(const xta__span *a, const xta__span *b)
{
    bool alike = a->length == b->length;

    for (int side = 0; side < 2 && alike; side++) {
        alike = a->n[side] == b->n[side] && a->blocks[side] == b->blocks[side] &&
                memcmp(a->edge[side], b->edge[side], (size_t)a->n[side] * sizeof(int64_t)) == 0;
        for (int64_t k = 0; k < a->n[side] && alike; k++) {
            alike = xta__fold_count(a, side, k) == xta__fold_count(b, side, k);
        }
    }
    return alike;
}

/* Make the span of [lo, hi), or find an equal one. */
static xta_status axis_add_kind(xta__axis *axis, int number, int64_t lo, int64_t hi,
                                uint64_t n_sections, int *kind, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__span span = {0};
    xta__span *more;

    XTA_TRY(span_init(&span, axis, number, lo, hi, err));
    span.n_sections = n_sections;
    for (int k = 0; k < axis->n_kinds; k++) {
        if (spans_alike(&axis->kinds[k], &span)) {
            axis->kinds[k].n_sections += n_sections;
            *kind = k;
            goto done;
        }
    }
    more = xta__realloc_array(axis->kinds, (size_t)axis->n_kinds + 1, sizeof *more);
    if (more == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for the parts of axis %d", number);
        goto done;
    }
    axis->kinds = more;
    *kind = axis->n_kinds++;
    axis->kinds[*kind] = span;
    span = (xta__span){0};

done:
    span_clear(&span);
    return status;
}

/* ---- sections ---- */

static xta_status regular_sections(xta__axis *axis, int number, bool glued, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t last;

    axis->n_sections = 1;
    if (glued || !first_meeting(axis, &axis->second, &axis->period)) {
        XTA_TRY(axis_add_kind(axis, number, axis->lo, axis->hi, 1, &axis->kind[0], err));
        goto done;
    }
    axis->n_sections += (axis->hi - axis->second - 1) / axis->period + 1;
    last = axis->second + (axis->n_sections - 2) * axis->period;
    XTA_TRY(axis_add_kind(axis, number, axis->lo, axis->second, 1, &axis->kind[0], err));
    if (axis->n_sections > 2) {
        XTA_TRY(axis_add_kind(axis, number, axis->second, axis->second + axis->period,
                              (uint64_t)axis->n_sections - 2, &axis->kind[1], err));
    }
    XTA_TRY(axis_add_kind(axis, number, last, axis->hi, 1, &axis->kind[2], err));

done:
    return status;
}

/* Find where the sections of an axis with an irregular side begin. */
static xta_status irregular_begins(xta__axis *axis, int number, xta_error *err)
{
    const xta_cuts *few = &axis->cuts[axis->cuts[XTA__FROM].length > 0];
    const xta_cuts *other = &axis->cuts[axis->cuts[XTA__FROM].length == 0];

    axis->begins = xta__calloc((size_t)few->n_edges, sizeof axis->begins[0]);
    axis->kind_of = xta__calloc((size_t)few->n_edges, sizeof axis->kind_of[0]);
    if (axis->begins == NULL || axis->kind_of == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the parts of axis %d", number);
    }
    axis->n_sections = 0;
    for (int64_t k = 0; k + 1 < few->n_edges; k++) {
        int64_t x = few->edges[k];
        if (k == 0 || cut_before(other, x) == x) {
            axis->begins[axis->n_sections++] = x;
        }
    }
    axis->begins[axis->n_sections] = axis->hi;
    return XTA_OK;
}

static xta_status irregular_sections(xta__axis *axis, int number, bool glued, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(irregular_begins(axis, number, err));
    if (glued) {
        axis->n_sections = 1;
        axis->begins[1] = axis->hi;
    }
    for (int64_t section = 0; section < axis->n_sections; section++) {
        XTA_TRY(axis_add_kind(axis, number, axis->begins[section], axis->begins[section + 1], 1,
                              &axis->kind_of[section], err));
    }

done:
    return status;
}

int xta__axis_kind(const xta__axis *axis, int64_t section)
{
    if (axis->kind_of != NULL) {
        return axis->kind_of[section];
    }
    return axis->kind[section == 0 ? 0 : section < axis->n_sections - 1 ? 1 : 2];
}

int64_t xta__axis_begin(const xta__axis *axis, int64_t section)
{
    if (section == 0) {
        return axis->lo;
    }
    if (section == axis->n_sections) {
        return axis->hi;
    }
    return axis->begins != NULL ? axis->begins[section]
                                : axis->second + (section - 1) * axis->period;
}

/* ---- layouts ---- */

static void axis_clear(xta__axis *axis)
{
    for (int k = 0; k < axis->n_kinds; k++) {
        span_clear(&axis->kinds[k]);
    }
    free(axis->kinds);
    free(axis->begins);
    free(axis->kind_of);
    axis->kinds = NULL;
    axis->begins = NULL;
    axis->kind_of = NULL;
    axis->n_kinds = 0;
}

static xta_status axis_make(xta__axis *axis, int number, bool glued, xta_error *err)
{
    axis_clear(axis);
    if (axis->cuts[XTA__FROM].length == 0 || axis->cuts[XTA__TO].length == 0) {
        return irregular_sections(axis, number, glued, err);
    }
    return regular_sections(axis, number, glued, err);
}

static xta_status axis_init(xta__axis *axis, int number, bool glued, xta_error *err)
{
    glued = glued && blocks_within(&axis->cuts[XTA__FROM], axis->lo, axis->hi) <= MOST_GLUED &&
            blocks_within(&axis->cuts[XTA__TO], axis->lo, axis->hi) <= MOST_GLUED;
    return axis_make(axis, number, glued, err);
}

/* At most this many kinds of components are planned. If there are more, the axis with the most
 * kinds is made one section, which is still correct but needs more memory. */
#define MOST_KINDS 256

static xta_status glue_axes(xta__layout *layout, xta_error *err)
{
    xta_status status = XTA_OK;

    for (;;) {
        uint64_t kinds = 1;
        int most = 0;
        for (int d = 0; d < layout->ndim; d++) {
            most = layout->axis[d].n_kinds > layout->axis[most].n_kinds ? d : most;
            kinds = kinds > MOST_KINDS ? kinds : kinds * (uint64_t)layout->axis[d].n_kinds;
        }
        layout->n_kinds = kinds;
        if (kinds <= MOST_KINDS) {
            break;
        }
        XTA_TRY(axis_make(&layout->axis[most], most, true, err));
    }

done:
    return status;
}

xta_status xta__layout_init(xta__layout *layout, const xta_rechunk_problem *problem, bool glued,
                            xta_error *err)
{
    xta_status status = XTA_OK;

    *layout = (xta__layout){.ndim = problem->bounds.ndim, .n_components = 1};
    layout->axis = xta__calloc((size_t)layout->ndim, sizeof layout->axis[0]);
    if (layout->axis == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for a plan");
    }
    for (int d = 0; d < layout->ndim; d++) {
        xta__axis *axis = &layout->axis[d];
        axis->lo = problem->bounds.lo[d];
        axis->hi = problem->bounds.hi[d];
        axis->cuts[XTA__FROM] = problem->from.axis[d];
        axis->cuts[XTA__TO] = problem->to.axis[d];
        XTA_TRY(axis_init(axis, d, glued, err));
    }
    XTA_TRY(glue_axes(layout, err));
    for (int d = 0; d < layout->ndim; d++) {
        layout->n_components *= (uint64_t)layout->axis[d].n_sections;
    }

done:
    return status;
}

void xta__layout_clear(xta__layout *layout)
{
    for (int d = 0; layout->axis != NULL && d < layout->ndim; d++) {
        axis_clear(&layout->axis[d]);
    }
    free(layout->axis);
    *layout = (xta__layout){0};
}

uint64_t xta__layout_kind(const xta__layout *layout, uint64_t kind, const xta__span *span[])
{
    uint64_t n = 1;

    for (int d = layout->ndim - 1; d >= 0; d--) {
        const xta__axis *axis = &layout->axis[d];
        span[d] = &axis->kinds[kind % (uint64_t)axis->n_kinds];
        kind /= (uint64_t)axis->n_kinds;
        n *= span[d]->n_sections;
    }
    return n;
}
