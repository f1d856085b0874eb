/* Keep: the buffers that are compared on one axis.
 *
 * A list of ends makes a schedule in one of two ways. Read buffers read up to each end, and write
 * up to the last end of an output block that a buffer contains; the rest is kept. A buffer without
 * such an end is written completely, and the output is cut. Mirrored buffers are the same with time
 * reversed: they write up to each end, and before that read from the first beginning of an input
 * block that a buffer contains; an input that goes on behind the buffer is read ahead. A buffer
 * without such a beginning has its own part of the input read, which is cut.
 *
 * On the last axis, where a cut costs a run for each row, there are only lists that cut nothing.
 *
 * @par Source
 * [KEEP] 3.2.2, 3.2.4 and, for the variants, 4.1; docs/decisions/0034-rechunk-variants.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/strategies/keep_choices.h"

#include <stdlib.h>
#include <string.h>

#define MOST_READS    ((int64_t)1 << 17)
#define MOST_DIVISORS 1024
/* At most this many lists of the variants on each side of an axis, beside r̂ and the divisors. */
#define MOST_UNEVEN 10

/* On an axis with many blocks only some of the divisors are used, so that all their schedules
 * together have no more pieces than this. */
#define MOST_PIECES ((int64_t)1 << 20)

/* The choices of one axis in the making. */
typedef struct maker {
    xta__search *search;
    const xta__span *span;
    int axis;
    xta__axis_choices *made;
    int64_t *ends; /* ends[0] is 0 */
    int64_t n;     /* how many follow it */
} maker;

/* ---- schedules ---- */

/* For each read buffer, the position up to which outputs are written at its end. */
static void write_ends(const maker *m, bool pass, int64_t out[])
{
    const int64_t *edge = m->span->edge[XTA__TO];
    int64_t k = 0;

    for (int64_t e = 1; e <= m->n; e++) {
        int64_t last = 0;
        while (k < m->span->n[XTA__TO] && edge[k + 1] <= m->ends[e]) {
            last = edge[++k];
        }
        out[e] = last > m->ends[e - 1] && !pass ? last : m->ends[e];
    }
}

/* For each mirrored buffer, the position from which inputs are read before it; out[n] is the
 * end. */
static void read_begins(const maker *m, int64_t out[])
{
    const int64_t *edge = m->span->edge[XTA__FROM];
    int64_t k = 0;

    for (int64_t e = 0; e < m->n; e++) {
        while (edge[k] < m->ends[e]) {
            k++;
        }
        out[e] = edge[k] < m->ends[e + 1] ? edge[k] : m->ends[e];
    }
    out[m->n] = m->span->length;
}

/* The schedule of the ends, as read buffers or mirrored. */
static xta_status schedule_of(const maker *m, xta__choice *made)
{
    xta_status status = XTA_OK;
    const xta__span *span = m->span;
    xta__schedule_spec spec = {.event = m->ends + 1, .n_events = m->n};
    int64_t *other = xta__calloc((size_t)m->n + 1, sizeof *other);
    int64_t *edge[2] = {NULL, NULL};
    const int64_t *cut[2] = {m->ends, other};

    for (int side = 0; side < 2; side++) {
        edge[side] = xta__calloc((size_t)(m->n + span->n[side] + 2), sizeof(int64_t));
    }
    if (other == NULL || edge[0] == NULL || edge[1] == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    if (made->mirrored) {
        cut[XTA__FROM] = other;
        cut[XTA__TO] = m->ends;
        read_begins(m, other);
    } else {
        write_ends(m, m->search->problem->pass_axes >> m->axis & 1U, other);
    }
    for (int side = 0; side < 2; side++) {
        spec.n[side] =
            xta__merge_edges(span->edge[side], span->n[side] + 1, cut[side], m->n + 1, edge[side]) -
            1;
        spec.edge[side] = edge[side];
    }
    XTA_TRY(xta__schedule_pool_add(&m->search->pool, span, &spec, &made->schedule));
    for (int side = 0; side < 2; side++) {
        made->tally[side] =
            xta__tally_axis(m->search->problem, span, made->schedule, m->axis, side);
    }

done:
    free(other);
    free(edge[0]);
    free(edge[1]);
    return status;
}

/* Add the choice of the ends; `length` 0: that of the longest. */
static xta_status add_choice(maker *m, int64_t length, bool mirrored)
{
    xta_status status = XTA_OK;
    xta__choice *made = &m->made->choice[m->made->n];

    *made = (xta__choice){.length = length, .mirrored = mirrored};
    for (int64_t e = 1; e <= m->n; e++) {
        int64_t own = m->ends[e] - m->ends[e - 1];
        made->length = length == 0 && own > made->length ? own : made->length;
    }
    // The last one may be clipped.
    for (int64_t e = 2; e < m->n; e++) {
        made->uneven |= m->ends[e] - m->ends[e - 1] != m->ends[1];
    }
    made->uneven |= m->n > 1 && m->ends[m->n] - m->ends[m->n - 1] > m->ends[1];
    XTA_TRY(schedule_of(m, made));
    m->made->n++;

done:
    return status;
}

/* ---- ends ---- */

static int64_t longest_of(const xta__span *span, int side)
{
    int64_t longest = 1;

    for (int64_t k = 0; k < span->n[side]; k++) {
        int64_t length = span->edge[side][k + 1] - span->edge[side][k];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* The ends of r̂: whole blocks of the side, the fewest that are as long as the longest block of the
 * other. */
static void long_ends(maker *m, int side)
{
    const int64_t *edge = m->span->edge[side];
    int64_t want = longest_of(m->span, !side), n_blocks = m->span->n[side];

    m->n = 0;
    for (int64_t k = 1, begin = 0; k <= n_blocks; k++) {
        if (edge[k] - begin >= want || k == n_blocks) {
            m->ends[++m->n] = begin = edge[k];
        }
    }
}

/* An end at every `blocks`-th cut of the side. */
static void counted_ends(maker *m, int side, int64_t blocks)
{
    m->n = 0;
    for (int64_t k = 1; k <= m->span->n[side]; k++) {
        if (k % blocks == 0 || k == m->span->n[side]) {
            m->ends[++m->n] = m->span->edge[side][k];
        }
    }
}

/* The ends of blocks of the side next to each block end of the other: at or behind it for inputs,
 * so that a read completes an output; at or before it for outputs, so that a mirrored buffer begins
 * where the input that it needs last does. */
static void nearest_ends(maker *m, int side)
{
    const int64_t *edge = m->span->edge[side], *other = m->span->edge[!side];
    int64_t k = 0;

    m->n = 0;
    for (int64_t i = 1; i <= m->span->n[!side]; i++) {
        while (edge[k] < other[i]) {
            k++;
        }
        int64_t end = edge[k] > other[i] && side == XTA__TO ? edge[k - 1] : edge[k];
        if (end > m->ends[m->n]) {
            m->ends[++m->n] = end;
        }
    }
}

/* Each block of the side in `parts` of about one length; false if there are too many. */
static bool divided_ends(maker *m, int side, int64_t parts)
{
    const int64_t *edge = m->span->edge[side];

    if (m->span->n[side] > MOST_READS / parts) {
        return false;
    }
    m->n = 0;
    for (int64_t k = 0; k < m->span->n[side]; k++) {
        int64_t length = edge[k + 1] - edge[k];
        for (int64_t part = 1; part <= parts; part++) {
            int64_t end = edge[k] + length / parts * part + length % parts * part / parts;
            if (end > m->ends[m->n]) {
                m->ends[++m->n] = end;
            }
        }
    }
    return true;
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x < y) - (x > y);
}

/* The divisors of the axis length, descending; at most `capacity`. */
static int divisors(int64_t length, int64_t out[], int capacity)
{
    int n = 0;

    for (int64_t k = 1; k <= length / k && k <= MOST_READS && n + 2 <= capacity; k++) {
        if (length % k == 0) {
            out[n++] = k;
            if (k != length / k) {
                out[n++] = length / k;
            }
        }
    }
    qsort(out, (size_t)n, sizeof out[0], descending);
    return n;
}

static int thin_divisors(const xta__span *span, int64_t divisor[], int n)
{
    int64_t blocks = span->n[XTA__FROM] + span->n[XTA__TO];
    int step = (int)((blocks * n - 1) / MOST_PIECES) + 1;
    int kept = 0;

    if (step == 1) {
        return n;
    }
    for (int k = (n - 1) % step; k < n; k += step) {
        divisor[kept++] = divisor[k];
    }
    return kept;
}

/* ---- lists of choices ---- */

/* r̂ of a side. */
static xta_status add_longest(maker *m, int side)
{
    const xta_rechunk_problem *problem = m->search->problem;
    const xta_cuts *cuts[2] = {&problem->from.axis[m->axis], &problem->to.axis[m->axis]};
    int64_t own = cuts[side]->length, other = cuts[!side]->length, length = 0;

    if (own > 0 && other > 0 && m->span->count[side] == NULL) {
        counted_ends(m, side, (other - 1) / own + 1);
        length = ((other - 1) / own + 1) * own;
    } else {
        long_ends(m, side);
    }
    return add_choice(m, length, side == XTA__TO);
}

/* Buffers of each length that divides the axis and is at most `most`; `n_divisors` of them. */
static xta_status add_divisors(maker *m, const int64_t divisor[], int n_divisors, int side,
                               int64_t most)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < n_divisors; k++) {
        m->n = m->span->length / divisor[k];
        if (m->n > MOST_READS || divisor[k] > most) {
            continue;
        }
        for (int64_t e = 1; e <= m->n; e++) {
            m->ends[e] = e * divisor[k];
        }
        XTA_TRY(add_choice(m, divisor[k], side == XTA__TO));
    }

done:
    return status;
}

/* Buffers of a side that end where blocks end, or divide them. */
static xta_status add_uneven(maker *m, int side, bool last)
{
    xta_status status = XTA_OK;
    bool mirrored = side == XTA__TO;
    int64_t most = longest_of(m->span, !side);
    int64_t per_buffer = 1 + (most - 1) / longest_of(m->span, side);

    // Of a fold, only the end of its last block is known here.
    if (m->span->count[XTA__FROM] != NULL || m->span->count[XTA__TO] != NULL) {
        return XTA_OK;
    }
    nearest_ends(m, side);
    XTA_TRY(add_choice(m, 0, mirrored));
    for (int64_t k = per_buffer / 2; k >= 1 && !last && m->made->n < MOST_DIVISORS; k /= 2) {
        counted_ends(m, side, k);
        XTA_TRY(add_choice(m, 0, mirrored));
        if (k < per_buffer >> 3) {
            break;
        }
    }
    for (int64_t parts = 1; parts <= 8 && !last; parts *= 2) {
        if (divided_ends(m, !side, parts)) {
            XTA_TRY(add_choice(m, 0, mirrored));
        }
    }

done:
    return status;
}

/* The buffers that the problem gives. */
static xta_status add_given(maker *m, const xta_cuts *cuts)
{
    int64_t lo = m->search->problem->bounds.lo[m->axis], length = m->span->length;

    m->n = 0;
    if (cuts->length == 0) {
        for (int64_t k = 1; k < cuts->n_edges; k++) {
            m->ends[++m->n] = cuts->edges[k] - lo;
        }
    } else {
        int64_t past = (lo - cuts->origin) % cuts->length;
        int64_t end = cuts->length - (past < 0 ? past + cuts->length : past);
        for (; end < length; end += cuts->length) {
            m->ends[++m->n] = end;
        }
        m->ends[++m->n] = length;
    }
    return add_choice(m, 0, false);
}

/* Keep only the choices that cut no input; r̂ does not, so that there is one. */
static void whole_reads(xta__axis_choices *made)
{
    int n = 0, n_plain = 0;

    for (int k = 0; k < made->n; k++) {
        if (made->choice[k].tally[XTA__FROM].cut == 0) {
            n_plain += k < made->n_plain;
            made->choice[n++] = made->choice[k];
        }
    }
    made->n = n;
    made->n_plain = n_plain;
}

/* All choices that are searched. */
static xta_status add_all(maker *m, bool last)
{
    xta_status status = XTA_OK;
    unsigned variants = m->search->problem->variants;
    int64_t divisor[MOST_DIVISORS];
    int n = last ? 0 : divisors(m->span->length, divisor, MOST_DIVISORS);

    n = last ? 0 : thin_divisors(m->span, divisor, n);
    XTA_TRY(add_longest(m, XTA__FROM));
    // A length that equals r̂ is not another choice, if r̂ is one length.
    XTA_TRY(add_divisors(m, divisor, n, XTA__FROM,
                         m->made->choice[0].length - !m->made->choice[0].uneven));
    m->made->n_plain = m->made->n;
    if ((variants & XTA_VARIANT_UNEVEN) != 0) {
        XTA_TRY(add_uneven(m, XTA__FROM, last));
    }
    if ((variants & XTA_VARIANT_MIRRORED) != 0) {
        int longest = m->made->n;
        XTA_TRY(add_longest(m, XTA__TO));
        XTA_TRY(add_divisors(m, divisor, n, XTA__TO, m->made->choice[longest].length - 1));
        if ((variants & XTA_VARIANT_UNEVEN) != 0) {
            XTA_TRY(add_uneven(m, XTA__TO, last));
        }
    }
    if ((variants & XTA_VARIANT_WHOLE_READS) != 0) {
        whole_reads(m->made);
    }

done:
    return status;
}

/* The most ends that a list may have. */
static int64_t most_ends(const maker *m)
{
    const xta_partition *buffer = &m->search->problem->buffer;
    int64_t length = m->span->length;
    int64_t most = m->span->n[0] + m->span->n[1] + (length < MOST_READS ? length : MOST_READS);

    if (buffer->ndim != 0) {
        const xta_cuts *cuts = &buffer->axis[m->axis];
        most += cuts->length == 0 ? cuts->n_edges : length / cuts->length;
    }
    return most;
}

xta_status xta__axis_choices_init(xta__axis_choices *choices, xta__search *search, int axis,
                                  bool last)
{
    xta_status status = XTA_OK;
    maker m = {.search = search, .span = search->span[axis], .axis = axis, .made = choices};
    const xta_partition *buffer = &search->problem->buffer;
    bool searched = buffer->ndim == 0;

    m.ends = xta__calloc((size_t)most_ends(&m) + 2, sizeof m.ends[0]);
    choices->choice = xta__calloc(2 * (MOST_DIVISORS + MOST_UNEVEN + 1), sizeof choices->choice[0]);
    if (m.ends == NULL || choices->choice == NULL) {
        status = XTA_ENOMEM;
        goto done;
    }
    XTA_TRY(searched ? add_all(&m, last) : add_given(&m, &buffer->axis[axis]));
    choices->n_plain = searched ? choices->n_plain : choices->n;
    for (int k = 1; k < choices->n && !last; k++) {
        bool shorter = choices->choice[k].length < choices->choice[choices->shortest].length;
        choices->shortest = shorter ? k : choices->shortest;
    }

done:
    free(m.ends);
    return status;
}

void xta__axis_choices_clear(xta__axis_choices *choices)
{
    free(choices->choice);
    *choices = (xta__axis_choices){0};
}
