/* Deferred writing and the structure: which cells of a chunk cache may still be written.
 *
 * A cell that was changed through a handle belongs to the structure that the handle knows. Until it
 * is written, another process may remove it by a shrink, and after a growth another cell lies
 * there, with contents of its own. So before each write-back the guard reads what is new in the
 * journal, and drops the cells that were removed since (docs/decisions/0020-deferred-writing.md):
 *
 *   safe    the box of cells that were within the bounds at all times since the handle last read
 *           the structure. Only cells in it are written.
 *
 * Reading the journal and writing must be one step, or a shrink and a growth could happen in
 * between. A write-back holds a lock of the kernel, shared with others, on one byte of the data
 * file; whoever is about to reuse the place of removed cells holds it exclusively for a moment. By
 * then, write-backs that began before have ended, and later ones see the shrink.
 *
 * While the handle has the lock of the journal nobody else can change the structure, and the guard
 * reads nothing.
 *
 * Order of locks: array -> shard of the cache -> turn -> lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/write_guard.h"

#include <stdlib.h>
#include <string.h>

#include "array/io/chunk_runs.h"
#include "array/state/replay.h"
#include "array/state/structure.h"

/* No slot extends this far, and owners of unfinished work lock bytes from 2^62 on. */
#define LOCKED_BYTE (((uint64_t)1 << 62) - 8)

typedef struct xta__guard {
    xta_array *array;
    /* Held as long as the lock of the kernel, which does not distinguish threads: two would share
     * it, and the first to finish would release it for both. */
    pthread_mutex_t turn;
    pthread_mutex_t lock; /* of all below */
    bool alone;           /* the handle has the lock of the journal */
    bool anything;        /* cells may be written anywhere, also outside the bounds */

    /* The position up to which the journal has been read. The file belongs to the array, or, after
     * a compaction that the array has not noticed yet, to the guard. */
    xta__journal journal;
    bool own;   /* it belongs to the guard */
    bool first; /* the next record is the first one of a journal */

    /* What the journal says, as far as it was read. */
    const xta__structure *structure; /* that the handle knows */
    uint64_t n_steps;
    xta_box bounds, safe;
    int axis_of[XTA_MAX_NDIM]; /* the handle's axis k is number axis_of[k] there */
    bool unknown;              /* steps are missing */
    bool pending;              /* a growth of several arrays that was announced */
    uint8_t group[XTA__UUID_BYTES];
    int n_growths;
    xta_growth growths[2 * XTA_MAX_NDIM];
} xta__guard;

/* ---- what the journal says ---- */

static bool move_bounds(xta__guard *g, const xta_growth growths[], int n, bool shrink)
{
    for (int k = 0; k < n; k++) {
        int axis = growths[k].axis;
        bool back = growths[k].side == XTA_BACK;
        int64_t by = shrink == back ? -growths[k].by : growths[k].by;
        int64_t *bound = back ? &g->bounds.hi[axis] : &g->bounds.lo[axis];
        *bound += by;
        if (g->bounds.hi[axis] >= XTA__COORD_LIMIT || g->bounds.lo[axis] <= -XTA__COORD_LIMIT ||
            g->bounds.hi[axis] < g->bounds.lo[axis]) {
            return false;
        }
    }
    if (shrink) {
        g->safe = xta_box_intersect(&g->safe, &g->bounds);
    }
    g->n_steps++;
    return true;
}

static void insert(int64_t values[], int n, int position, int64_t value)
{
    memmove(values + position + 1, values + position, (size_t)(n - position) * sizeof values[0]);
    values[position] = value;
}

static void add_axis(xta__guard *g, int position)
{
    int n = g->bounds.ndim;

    for (xta_box *box = &g->bounds; box != NULL; box = box == &g->bounds ? &g->safe : NULL) {
        insert(box->lo, n, position, 0);
        insert(box->hi, n, position, 1);
        box->ndim++;
    }
    for (int axis = 0; axis < g->structure->ndim; axis++) {
        g->axis_of[axis] += g->axis_of[axis] >= position;
    }
    g->n_steps++;
}

static xta_status apply_growth(xta__guard *g, const xta__record *record, const char **why)
{
    xta__growth_record growth;

    xta_status status = xta__decode_growth(record, g->bounds.ndim, &growth, why);
    if (status == XTA_OK && record->type != XTA__RECORD_WRITE_INTENT &&
        !move_bounds(g, growth.growths, growth.n_growths, record->type == XTA__RECORD_SHRINK)) {
        *why = "bounds out of range";
        status = XTA_ECORRUPT;
    }
    return status;
}

static xta_status apply_prepare(xta__guard *g, const xta__record *record, const char **why)
{
    xta__prepare_record *prepare = malloc(sizeof *prepare);

    if (prepare == NULL) {
        *why = "no memory for a growth of several arrays";
        return XTA_ENOMEM;
    }
    xta_status status = xta__decode_prepare(record, g->bounds.ndim, prepare, why);
    if (status == XTA_OK) {
        g->pending = true;
        g->n_growths = prepare->growth.n_growths;
        memcpy(g->group, prepare->group, sizeof g->group);
        memcpy(g->growths, prepare->growth.growths, sizeof g->growths);
    }
    free(prepare);
    return status;
}

static xta_status apply_commit(xta__guard *g, const xta__record *record, const char **why)
{
    uint8_t group[XTA__UUID_BYTES];

    xta_status status = xta__decode_group(record, group, why);
    if (status == XTA_OK && g->pending && memcmp(g->group, group, sizeof group) == 0) {
        g->pending = false;
        if (!move_bounds(g, g->growths, g->n_growths, false)) {
            *why = "bounds out of range";
            status = XTA_ECORRUPT;
        }
    }
    return status;
}

/* A new journal begins: if there are steps between the end of the old one and this checkpoint,
 * another compaction has happened in between. */
static xta_status apply_checkpoint(xta__guard *g, const xta__record *record, const char **why)
{
    xta__checkpoint_record checkpoint;

    xta_status status = xta__decode_checkpoint(record, &checkpoint, why);
    if (status == XTA_OK) {
        g->unknown =
            g->unknown || checkpoint.n_steps != g->n_steps || checkpoint.ndim != g->bounds.ndim;
        g->n_steps = checkpoint.n_steps;
        g->bounds = checkpoint.bounds;
        free(checkpoint.constants.fill);
        free(checkpoint.records);
    }
    return status;
}

static xta_status apply_record(void *user, const xta__record *record, const char **why)
{
    xta__guard *g = user;
    xta__axis_record axis;
    xta_status status = XTA_OK;
    bool first = g->first;

    g->first = false;
    if (record->type != XTA__RECORD_COMMIT && record->type != XTA__RECORD_PREPARE) {
        g->pending = false;
    }
    switch (record->type) {
    case XTA__RECORD_EXTEND:
    case XTA__RECORD_SHRINK:
    case XTA__RECORD_WRITE_INTENT:
        return apply_growth(g, record, why);
    case XTA__RECORD_ADD_AXIS:
        status = xta__decode_axis(record, g->bounds.ndim, &axis, why);
        if (status == XTA_OK) {
            add_axis(g, axis.position);
        }
        return status;
    case XTA__RECORD_PREPARE:
        return apply_prepare(g, record, why);
    case XTA__RECORD_COMMIT:
        return apply_commit(g, record, why);
    case XTA__RECORD_CHECKPOINT:
        return first ? apply_checkpoint(g, record, why) : XTA_OK;
    default:
        return XTA_OK;
    }
}

static void drop_own(xta__guard *g)
{
    if (g->own) {
        xta__journal_close(&g->journal);
        g->own = false;
    }
}

/* The journal was compacted: continue in the new one. */
static xta_status follow_compaction(xta__guard *g, xta_error *err)
{
    xta__journal fresh;
    const xta__path path = xta__journal_of(g->array);

    // Not from its newest checkpoint: shrinks before that one count as well.
    xta_status status = xta__journal_open(path, false, false, &fresh, err);
    if (status != XTA_OK) {
        return status;
    }
    if (memcmp(fresh.uuid, g->journal.uuid, sizeof fresh.uuid) != 0) {
        xta__journal_close(&fresh);
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: another array has taken this one's place; close and open again",
                         path.name);
    }
    drop_own(g);
    g->journal = fresh;
    g->own = g->first = true;
    return XTA_OK;
}

static xta_status read_news(xta__guard *g, xta_error *err)
{
    uint8_t probe;
    size_t got = 0;
    xta_status status = XTA_OK;

    XTA_TRY(xta__file_read_at(&g->journal.file, g->journal.end, &probe, 1, &got, err));
    if (got > 0) {
        XTA_TRY(xta__journal_read(&g->journal, apply_record, g, err));
    }
    while (g->journal.moved) {
        XTA_TRY(follow_compaction(g, err));
        XTA_TRY(xta__journal_read(&g->journal, apply_record, g, err));
    }
    if (g->unknown) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: compacted several times since this handle was refreshed: whether "
                          "the cells it has not written yet were taken away cannot be known; "
                          "close and open again",
                          g->array->journal_path));
    }

done:
    return status;
}

/* ---- write-backs ---- */

static xta_status lock_unless_alone(xta__guard *g, bool *alone, xta_error *err)
{
    xta_status status = XTA_OK;

    pthread_mutex_lock(&g->lock);
    *alone = g->alone;
    if (!*alone) {
        status =
            xta__file_lock_byte(xta__chunks_file(g->array->chunk_store), LOCKED_BYTE, true, err);
        if (status == XTA_OK) {
            status = read_news(g, err);
            if (status != XTA_OK) {
                xta__file_unlock_byte(xta__chunks_file(g->array->chunk_store), LOCKED_BYTE);
            }
        }
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

static xta_status begin_write_back(void *user, bool *token, xta_error *err)
{
    xta__guard *g = user;
    bool alone = false;

    pthread_mutex_lock(&g->turn);
    xta_status status = lock_unless_alone(g, &alone, err);
    *token = status == XTA_OK && !alone;
    if (!*token) {
        pthread_mutex_unlock(&g->turn);
    }
    return status;
}

static void end_write_back(void *user, bool token)
{
    xta__guard *g = user;

    if (token) {
        xta__file_unlock_byte(xta__chunks_file(g->array->chunk_store), LOCKED_BYTE);
        pthread_mutex_unlock(&g->turn);
    }
}

/* The safe box in the axes of the handle. Empty if shrinks on other axes have removed all of it. */
static xta_box safe_box(const xta__guard *g)
{
    xta_box safe = {.ndim = g->structure->ndim};
    bool of_handle[XTA_MAX_NDIM] = {false};
    bool alive = true;

    for (int axis = 0; axis < safe.ndim; axis++) {
        safe.lo[axis] = g->safe.lo[g->axis_of[axis]];
        safe.hi[axis] = g->safe.hi[g->axis_of[axis]];
        of_handle[g->axis_of[axis]] = true;
    }
    for (int axis = 0; axis < g->safe.ndim; axis++) {
        // The old cells lie at coordinate 0 of a new axis.
        alive = alive && (of_handle[axis] || (g->safe.lo[axis] <= 0 && g->safe.hi[axis] > 0));
    }
    if (!alive) {
        safe.hi[0] = safe.lo[0];
    }
    return safe;
}

/* Bits to be cleared, and whether one of them was set. */
typedef struct clearing {
    uint8_t *bits;
    bool any;
} clearing;

static void clear_bits(clearing *c, uint64_t byte, uint8_t mask)
{
    c->any = c->any || (c->bits[byte] & mask) != 0;
    c->bits[byte] &= (uint8_t)~mask;
}

static void clear_run(void *user, uint64_t position, uint64_t n)
{
    clearing *c = user;
    uint64_t end = position + n, byte = position / 8, last = end / 8;
    uint8_t head = (uint8_t)(0xffu << position % 8), tail = (uint8_t) ~(0xffu << end % 8), seen = 0;

    if (byte == last) {
        clear_bits(c, byte, head & tail);
        return;
    }
    clear_bits(c, byte++, head);
    for (uint64_t k = byte; k < last; k++) {
        seen |= c->bits[k];
    }
    c->any = c->any || seen != 0;
    memset(c->bits + byte, 0, (size_t)(last - byte));
    if (tail != 0) {
        clear_bits(c, last, tail);
    }
}

/* Clear the bits of the cells outside the box. Returns whether one was set. */
static bool clear_outside(const xta__structure *s, const xta_box *cells, const xta_box *inside,
                          uint8_t *dirty)
{
    xta_box rest = *cells;
    clearing c = {.bits = dirty};

    if (xta_box_empty(inside)) {
        clear_run(&c, 0, s->grid.n_cells);
        return c.any;
    }
    for (int k = 0; k < 2 * s->ndim; k++) {
        int axis = k / 2;
        xta_box slice = rest;
        int64_t *bound = k % 2 == 0 ? &slice.hi[axis] : &slice.lo[axis];
        *bound = k % 2 == 0 ? inside->lo[axis] : inside->hi[axis];
        if (!xta_box_empty(&slice)) {
            xta__each_run(s, cells, &slice, clear_run, &c);
        }
        if (k % 2 == 1) {
            rest.lo[axis] = inside->lo[axis];
            rest.hi[axis] = inside->hi[axis];
        }
    }
    return c.any;
}

static bool clear_unsafe(void *user, const int64_t chunk[], int ndim, uint8_t *dirty)
{
    xta__guard *g = user;
    bool drops = false;

    pthread_mutex_lock(&g->lock);
    const xta__structure *s = g->structure;
    if (!g->anything && ndim == s->ndim) {
        xta_box safe = safe_box(g), cells = xta__structure_cells_of(s, chunk);
        if (!xta_box_contains(&safe, &cells)) {
            xta_box inside = xta_box_intersect(&cells, &safe);
            drops = clear_outside(s, &cells, &inside, dirty);
        }
    }
    pthread_mutex_unlock(&g->lock);
    return drops;
}

xta_status xta__flush(xta_array *array, xta_error *err)
{
    return array->chunk_store->ops->flush != NULL
               ? array->chunk_store->ops->flush(array->chunk_store, err)
               : XTA_OK;
}

/* ---- the handle's own changes ---- */

static void settle_guard(xta__guard *g)
{
    const xta_array *array = g->array;
    const xta__pending *pending = array->state.pending;

    drop_own(g);
    g->journal = array->journal;
    g->journal.moved = false;
    g->first = g->unknown = false;
    // Nobody else can shrink the array of an exclusive writer.
    g->anything = array->journal.exclusive;
    g->structure = array->state.structure;
    g->n_steps = g->structure->n_steps;
    g->bounds = g->safe = xta__structure_bounds(g->structure);
    for (int axis = 0; axis < g->structure->ndim; axis++) {
        g->axis_of[axis] = axis;
    }
    g->pending = pending != NULL && !pending->taken;
    if (g->pending) {
        g->n_growths = pending->record.growth.n_growths;
        memcpy(g->group, pending->record.group, sizeof g->group);
        memcpy(g->growths, pending->record.growth.growths, sizeof g->growths);
    }
}

void xta__guard_settle(xta_array *array)
{
    if (array->guard != NULL) {
        pthread_mutex_lock(&array->guard->lock);
        settle_guard(array->guard);
        pthread_mutex_unlock(&array->guard->lock);
    }
}

void xta__guard_enter(xta_array *array)
{
    if (array->guard != NULL) {
        pthread_mutex_lock(&array->guard->lock);
        array->guard->alone = true;
        pthread_mutex_unlock(&array->guard->lock);
    }
}

void xta__guard_leave(xta_array *array)
{
    if (array->guard != NULL) {
        pthread_mutex_lock(&array->guard->lock);
        settle_guard(array->guard);
        array->guard->alone = array->journal.exclusive;
        pthread_mutex_unlock(&array->guard->lock);
    }
}

void xta__guard_widen(xta_array *array, const xta_box *box)
{
    if (array->guard != NULL) {
        pthread_mutex_lock(&array->guard->lock);
        array->guard->anything = box == NULL || array->journal.exclusive;
        if (box != NULL) {
            array->guard->safe = *box;
        }
        pthread_mutex_unlock(&array->guard->lock);
    }
}

xta_status xta__guard_wait_for_others(xta_array *array, xta_error *err)
{
    xta__guard *g = array->guard;
    xta_status status = XTA_OK;

    if (array->in_memory) {
        return XTA_OK;
    }
    if (g != NULL) {
        pthread_mutex_lock(&g->turn);
    }
    status = xta__file_lock_byte(xta__chunks_file(array->chunk_store), LOCKED_BYTE, false, err);
    if (status == XTA_OK) {
        xta__file_unlock_byte(xta__chunks_file(array->chunk_store), LOCKED_BYTE);
    }
    if (g != NULL) {
        pthread_mutex_unlock(&g->turn);
    }
    return status;
}

/* ---- life ---- */

void xta__guard_disown(xta_array *array)
{
    if (array->guard != NULL && array->guard->own) {
        xta__journal_disown(&array->guard->journal);
    }
}

xta_status xta__guard_new(xta_array *array, xta_error *err)
{
    if (!array->writable || array->in_memory || array->guard != NULL ||
        array->chunk_store->ops->unwritten == NULL) {
        return XTA_OK;
    }
    xta__guard *g = xta__calloc(1, sizeof *g);
    if (g == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the array", array->path);
    }
    g->array = array;
    pthread_mutex_init(&g->turn, NULL);
    pthread_mutex_init(&g->lock, NULL);
    settle_guard(g);
    array->guard = g;
    const xta__write_guard guard = {
        .user = g, .begin = begin_write_back, .judge = clear_unsafe, .end = end_write_back};
    xta__cached_chunks_set_guard(array->chunk_store, &guard);
    return XTA_OK;
}

void xta__guard_free(xta_array *array)
{
    xta__guard *g = array->guard;

    if (g != NULL) {
        drop_own(g);
        pthread_mutex_destroy(&g->turn);
        pthread_mutex_destroy(&g->lock);
        free(g);
        array->guard = NULL;
    }
}
