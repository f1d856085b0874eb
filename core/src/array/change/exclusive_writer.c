/* The sole writer: a handle that keeps the lock, and grows without asking the system for anything.
 *
 * With the lock kept, an extension needs no lock, no look for news and no unlock; with the end of
 * the journal mapped its record is a store; with the data file lengthened ahead it has its slots.
 * Then what remains is arithmetic, and the general way of a growth, which is made to be undone
 * wherever something fails, costs more than all else. So there is a short way for the growth that
 * cannot fail: one axis, chunks as many as it needs, room in each table, in the journal and in the
 * file. Everything out of the ordinary goes the general way, which makes new room generously.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/exclusive_writer.h"

#include "array/io/cell.h"
#include "array/state/structure.h"

/* Whether there is nothing to be done before or beside a growth: no look through the cells, no
 * growth of several arrays to be settled, no slots to be emptied, no cells that were shrunk away to
 * be reset. As long as only one axis grows, these would lie on its side. */
static bool nothing_else_to_do(const xta_array *array, const xta__structure *s,
                               const xta_growth *growth)
{
    const xta__axis *a = &s->axis[growth->axis];
    bool reset =
        growth->side == XTA_BACK
            ? s->reached_hi[growth->axis] > atomic_load_explicit(&a->hi, memory_order_relaxed)
            : s->reached_lo[growth->axis] < atomic_load_explicit(&a->lo, memory_order_relaxed);

    return array->in_order && !array->littered && array->state.pending == NULL && !reset;
}

static int64_t chunk_of(const xta__axis *axis, int64_t coord)
{
    bool power_of_two = ((uint64_t)axis->chunk & axis->rest) == 0;

    return power_of_two ? coord >> axis->shift : xta__floor_div(coord, axis->chunk);
}

/* The new bound of the axis, and the chunks that have to be allocated for it, perhaps none. */
static int64_t new_bound(const xta__structure *s, const xta_growth *growth,
                         xta__chunk_growth *allocation)
{
    const xta__axis *a = &s->axis[growth->axis];
    int64_t bound, need;

    if (growth->side == XTA_BACK) {
        bound = atomic_load_explicit(&a->hi, memory_order_relaxed) + growth->by;
        need = chunk_of(a, bound - 1) + 1 - s->mapping.hi[growth->axis];
    } else {
        bound = atomic_load_explicit(&a->lo, memory_order_relaxed) - growth->by;
        need = s->mapping.lo[growth->axis] - chunk_of(a, bound);
    }
    *allocation = (xta__chunk_growth){
        .axis = growth->axis, .side = growth->side, .n = need > 0 ? (uint64_t)need : 0};
    return bound;
}

/* Let readers see the bound. */
static void publish(xta_array *array, xta__structure *s, const xta_growth *growth, int64_t bound)
{
    xta__axis *a = &s->axis[growth->axis];

    if (growth->side == XTA_BACK) {
        s->reached_hi[growth->axis] = bound;
        atomic_store_explicit(&a->hi, bound, memory_order_release);
    } else {
        s->reached_lo[growth->axis] = bound;
        atomic_store_explicit(&a->lo, bound, memory_order_release);
        xta__choose_ways(array, s);
    }
    s->n_steps++;
}

/* The lock is held. */
static inline bool grow_shortly(xta_array *array, const xta_growth *growth, xta_box *after)
{
    xta__structure *s = array->state.structure;
    xta__chunk_growth allocation;
    uint8_t bytes[XTA__ONE_GROWTH_BYTES];
    xta__bytes payload = {.bytes = bytes, .room = sizeof bytes, .borrowed = true};
    xta_policy policy = array->state.constants.policy;

    if (growth->axis < 0 || growth->axis >= s->ndim || growth->by <= 0 ||
        growth->by >= XTA__COORD_LIMIT || (unsigned)growth->side > XTA_FRONT ||
        !xta__journal_only_stores(&array->journal, sizeof bytes) ||
        array->journal.end + XTA__RECORD_HEAD_BYTES + sizeof bytes > array->checkpoint_due ||
        !nothing_else_to_do(array, s, growth)) {
        return false;
    }
    int64_t bound = new_bound(s, growth, &allocation);
    if (bound >= XTA__COORD_LIMIT || bound <= -XTA__COORD_LIMIT) {
        return false;
    }
    if (allocation.n > 0) {
        // Other policies allocate more than is needed; they do so rarely.
        if ((policy != XTA_EXACT && policy != XTA_SHELL) ||
            !xta__mapping_grow_within(&s->mapping, &allocation, s->axis[growth->axis].coord_limit,
                                      array->holder->n_room)) {
            return false;
        }
        array->holder->n_chunks = s->mapping.n_chunks;
    }
    payload.n = xta__encode_one_growth(growth, &allocation, bytes);
    xta__journal_store(&array->journal, XTA__RECORD_EXTEND, &payload);
    publish(array, s, growth, bound);
    if (after != NULL) {
        *after = xta__structure_bounds(s);
    }
    return true;
}

XTA__HOT bool xta__extend_shortly(xta_array *array, const xta_growth *growth, xta_box *after)
{
    pthread_mutex_lock(&array->lock);
    bool done = !atomic_load_explicit(&array->broken, memory_order_relaxed) && !array->appending &&
                grow_shortly(array, growth, after);
    pthread_mutex_unlock(&array->lock);
    return done;
}
