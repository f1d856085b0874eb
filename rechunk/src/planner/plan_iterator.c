/* The operations of a plan, one after the other.
 *
 * Definition: the components in order; for each component its groups, the product of the axes'
 * groups, slowest axis first; for each group its events; at each event the pieces that it reads,
 * then those that it writes, again products over the axes.
 *
 * Naive: list them. There may be billions, so an iterator has four counters (the component, the
 * group, the event and the piece), each with a digit for each axis, and nothing is ever listed.
 * With folded blocks a piece may extend over several blocks; then each part of it that lies in one
 * block is a separate value of the digit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/plan_iterator.h"

#include <stdlib.h>

#include "planner/model/seeks.h"

void xta__plan_iterator_init(xta_rechunk_iterator *walk, const xta_rechunk_plan *plan,
                             uint64_t first, uint64_t n)
{
    *walk = (xta_rechunk_iterator){.plan = plan, .next = first, .end = first + n};
}

xta_status xta_rechunk_iterator_new(const xta_rechunk_plan *plan, uint64_t first, uint64_t n,
                                    xta_rechunk_iterator **walk, xta_error *err)
{
    unsigned long long all = plan->facts.n_components, end = first + n;

    xta__clear(err);
    *walk = NULL;
    if (first > all || n > all - first) {
        return xta__fail(err, XTA_EARG, 0,
                         "components %llu to %llu are asked for, the plan has %llu",
                         (unsigned long long)first, end, all);
    }
    *walk = xta__calloc(1, sizeof **walk);
    if (*walk == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory to walk a plan");
    }
    xta__plan_iterator_init(*walk, plan, first, n);
    return XTA_OK;
}

void xta_rechunk_iterator_free(xta_rechunk_iterator *walk)
{
    free(walk);
}

static void to_first_event_of_group(xta_rechunk_iterator *w)
{
    for (int d = 0; d < w->recipe->ndim; d++) {
        w->event[d] = w->recipe->schedule[d]->group[w->group[d]];
    }
    w->side = XTA__FROM;
    w->moving = false;
}

static void enter_component(xta_rechunk_iterator *w)
{
    const xta__layout *layout = &w->plan->layout;
    uint64_t number = w->next++;
    uint64_t kind = 0, scale = 1;

    for (int d = layout->ndim - 1; d >= 0; d--) {
        const xta__axis *axis = &layout->axis[d];
        int64_t section = (int64_t)(number % (uint64_t)axis->n_sections);
        number /= (uint64_t)axis->n_sections;
        w->lo[d] = xta__axis_begin(axis, section);
        w->group[d] = 0;
        kind += scale * (uint64_t)xta__axis_kind(axis, section);
        scale *= (uint64_t)axis->n_kinds;
    }
    w->recipe = &w->plan->recipe[kind];
    w->inside = true;
    to_first_event_of_group(w);
}

/* Step to the next event; false after the last. */
static bool next_event(xta_rechunk_iterator *w)
{
    const xta__recipe *recipe = w->recipe;

    w->side = XTA__FROM;
    w->moving = false;
    for (int i = recipe->ndim - 1; i >= 0; i--) {
        int d = recipe->event_order[i];
        const xta__axis_schedule *schedule = recipe->schedule[d];
        if (++w->event[d] < schedule->group[w->group[d] + 1]) {
            return true;
        }
        w->event[d] = schedule->group[w->group[d]];
    }
    for (int i = recipe->ndim - 1; i >= 0; i--) {
        int d = recipe->group_order[i];
        if (++w->group[d] < recipe->schedule[d]->n_groups) {
            to_first_event_of_group(w);
            return true;
        }
        w->group[d] = 0;
    }
    return false;
}

/* Set a digit to the part of piece `number` from x on that lies in one block. */
static void set_digit(xta_rechunk_iterator *w, int axis, int64_t number, int64_t x)
{
    xta__piece_digit *piece = &w->piece[axis];
    int64_t end = w->lo[axis] + w->recipe->schedule[axis]->edge[w->side][number + 1];

    piece->number = number;
    piece->block = xta__axis_block(&w->plan->layout.axis[axis], w->side, x, &piece->block_lo,
                                   &piece->block_hi);
    piece->lo = x;
    piece->hi = piece->block_hi < end ? piece->block_hi : end;
}

/* Set the first value of an axis's digit at the event; false if there is none. */
static bool first_digit(xta_rechunk_iterator *w, int axis)
{
    const xta__axis_schedule *schedule = w->recipe->schedule[axis];
    int64_t first = schedule->first[w->side][w->event[axis]];

    if (first == schedule->first[w->side][w->event[axis] + 1]) {
        return false;
    }
    set_digit(w, axis, first, w->lo[axis] + schedule->edge[w->side][first]);
    return true;
}

/* Set the next value of an axis's digit at the event; false after the last. */
static bool next_digit(xta_rechunk_iterator *w, int axis)
{
    const xta__axis_schedule *schedule = w->recipe->schedule[axis];
    int64_t number = w->piece[axis].number, x = w->piece[axis].hi;

    number += x == w->lo[axis] + schedule->edge[w->side][number + 1];
    if (number == schedule->first[w->side][w->event[axis] + 1]) {
        return false;
    }
    set_digit(w, axis, number, x);
    return true;
}

/* Step to the next piece of the event's side; false after the last. */
static bool next_piece(xta_rechunk_iterator *w)
{
    int ndim = w->recipe->ndim;

    if (!w->moving) {
        for (int d = 0; d < ndim; d++) {
            if (!first_digit(w, d)) {
                return false;
            }
        }
        w->moving = true;
        return true;
    }
    for (int d = ndim - 1; d >= 0; d--) {
        if (next_digit(w, d)) {
            return true;
        }
        (void)first_digit(w, d);
    }
    return false;
}

/* Convert an operation planned with the axes in reverse to the original axes. */
static void reverse_op(xta_rechunk_op *op)
{
    for (int d = 0, e = op->piece.ndim - 1; d < e; d++, e--) {
        int64_t block = op->block[d], lo = op->piece.lo[d], hi = op->piece.hi[d];
        op->block[d] = op->block[e];
        op->piece.lo[d] = op->piece.lo[e];
        op->piece.hi[d] = op->piece.hi[e];
        op->block[e] = block;
        op->piece.lo[e] = lo;
        op->piece.hi[e] = hi;
    }
}

static void describe(const xta_rechunk_iterator *w, xta_rechunk_op *op)
{
    const xta__layout *layout = &w->plan->layout;
    xta_box block = {.ndim = layout->ndim};

    op->write = w->side == XTA__TO;
    op->component = w->next - 1;
    op->piece.ndim = layout->ndim;
    for (int d = 0; d < layout->ndim; d++) {
        const xta__piece_digit *piece = &w->piece[d];
        op->piece.lo[d] = piece->lo;
        op->piece.hi[d] = piece->hi;
        op->block[d] = piece->block;
        block.lo[d] = piece->block_lo;
        block.hi[d] = piece->block_hi;
    }
    op->whole = xta_box_equal(&op->piece, &block);
    op->runs = xta__piece_runs(&w->plan->problem, w->side, &op->piece, &block);
    if (w->plan->reversed) {
        reverse_op(op);
    }
}

bool xta_rechunk_iterator_next(xta_rechunk_iterator *walk, xta_rechunk_op *op)
{
    for (;;) {
        if (!walk->inside) {
            if (walk->next == walk->end) {
                return false;
            }
            enter_component(walk);
        }
        if (next_piece(walk)) {
            describe(walk, op);
            return true;
        }
        if (walk->side == XTA__FROM) {
            walk->side = XTA__TO;
            walk->moving = false;
        } else if (!next_event(walk)) {
            walk->inside = false;
        }
    }
}
