/* Growing as the exclusive writer: a handle that keeps the lock makes no system call.
 *
 * As the lock is kept, an extension acquires no lock and does not have to look for records of
 * others; as the end of the journal is mapped, its record is a store; as the data file was made
 * longer in advance, its chunks already have space. What remains is arithmetic. The general growth,
 * which can be undone wherever it fails, would then cost more than all the rest, so there is a fast
 * path for a growth that cannot fail: one axis, as many chunks as it needs, and capacity reserved
 * in each table, in the journal and in the file. Everything else takes the general path, which
 * reserves generously for the growths that follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/exclusive_writer.h"

#include "array/io/cell.h"
#include "array/state/structure.h"

/* Whether a growth has nothing else to do: no search of the data file after a power loss, no growth
 * of several arrays to settle, no leftovers to remove, no cells to reset that a shrink removed. As
 * only one axis grows, such cells could lie only on that side. */
static bool nothing_else_to_do(const xta_array *array, const xta__structure *s,
                               const xta_growth *growth)
{
    const xta__axis *a = &s->axis[growth->axis];
    bool reset =
        growth->side == XTA_BACK
            ? s->reached_hi[growth->axis] > atomic_load_explicit(&a->hi, memory_order_relaxed)
            : s->reached_lo[growth->axis] < atomic_load_explicit(&a->lo, memory_order_relaxed);

    return array->in_order && !array->has_leftovers && array->state.pending == NULL && !reset;
}

static int64_t chunk_of(const xta__axis *axis, int64_t coord)
{
    bool power_of_two = ((uint64_t)axis->chunk & axis->rest) == 0;

    return power_of_two ? coord >> axis->shift : xta__floor_div(coord, axis->chunk);
}

/* The new bound of the axis, and the chunks that have to be allocated for it (possibly none). */
static int64_t plan_bound(const xta__structure *s, const xta_growth *growth,
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

/* Publish the new bound to readers. */
static void publish_bound(xta_array *array, xta__structure *s, const xta_growth *growth,
                          int64_t bound)
{
    xta__axis *a = &s->axis[growth->axis];

    if (growth->side == XTA_BACK) {
        s->reached_hi[growth->axis] = bound;
        atomic_store_explicit(&a->hi, bound, memory_order_release);
    } else {
        s->reached_lo[growth->axis] = bound;
        atomic_store_explicit(&a->lo, bound, memory_order_release);
        xta__select_accessors(array, s);
    }
    s->n_steps++;
}

/* The lock is held. */
static inline bool grow_exclusively(xta_array *array, const xta_growth *growth, xta_box *after)
{
    xta__structure *s = array->state.structure;
    xta__chunk_growth allocation;
    uint8_t bytes[XTA__ONE_GROWTH_BYTES];
    xta__bytes payload = {.bytes = bytes, .capacity = sizeof bytes, .borrowed = true};
    xta_policy policy = array->state.constants.policy;

    if (growth->axis < 0 || growth->axis >= s->ndim || growth->by <= 0 ||
        growth->by >= XTA__COORD_LIMIT || (unsigned)growth->side > XTA_FRONT ||
        !xta__journal_only_stores(&array->journal, sizeof bytes) ||
        array->journal.end + XTA__RECORD_HEAD_BYTES + sizeof bytes > array->checkpoint_due ||
        !nothing_else_to_do(array, s, growth)) {
        return false;
    }
    int64_t bound = plan_bound(s, growth, &allocation);
    if (bound >= XTA__COORD_LIMIT || bound <= -XTA__COORD_LIMIT) {
        return false;
    }
    if (allocation.n > 0) {
        // Other policies allocate more than is needed; they do so rarely.
        if ((policy != XTA_EXACT && policy != XTA_SHELL) ||
            !xta__mapping_grow_within(&s->mapping, &allocation, s->axis[growth->axis].coord_limit,
                                      array->chunk_store->n_reserved)) {
            return false;
        }
        array->chunk_store->n_chunks = s->mapping.n_chunks;
    }
    payload.n = xta__encode_one_growth(growth, &allocation, bytes);
    xta__journal_store(&array->journal, XTA__RECORD_EXTEND, &payload);
    publish_bound(array, s, growth, bound);
    if (after != NULL) {
        *after = xta__structure_bounds(s);
    }
    return true;
}

XTA__HOT bool xta__extend_exclusively(xta_array *array, const xta_growth *growth, xta_box *after)
{
    pthread_mutex_lock(&array->lock);
    bool done = !atomic_load_explicit(&array->broken, memory_order_relaxed) && !array->appending &&
                grow_exclusively(array, growth, after);
    pthread_mutex_unlock(&array->lock);
    return done;
}
