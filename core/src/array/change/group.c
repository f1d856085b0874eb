/* One growth of several arrays: all of them, or none; with their cells or without.
 *
 * Each array has a journal of its own, so one of them, the leader, decides. With the locks of all:
 *
 *   1. everything that can fail without writing is done (xta__grow_prepare);
 *   2. each array that brings cells gets a WRITE_INTENT, then the cells. Their data files are made
 *      durable;
 *   3. each journal gets a PREPARE: the growth, and which array leads. Those of the followers are
 *      made durable;
 *   4. the journal of the leader gets a COMMIT. From here on the growth has happened;
 *   5. the journals of the followers get their COMMIT;
 *   6. once these are durable the leader gets SETTLED: nobody will ask it any more.
 *
 * Whoever finds a PREPARE at the end of a journal searches the leader's journal for the COMMIT
 * (handle/announced_growth.c). All locks were held, so a writer that finds none knows that there
 * never will be one. Any other record after a PREPARE says that the growth did not happen; so the
 * WRITE_INTENT of an array comes before its PREPARE. If the growth does not happen, the next one
 * finds the cells that were written through the WRITE_INTENT, as after an append (append_cells.c).
 *
 * Locks are taken in ascending order of the arrays' UUIDs, so two such growths cannot wait for each
 * other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/group.h"

#include <stdlib.h>
#include <string.h>

#include "array/change/append_cells.h"
#include "array/change/growth.h"
#include "array/change/sync_together.h"
#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/io/cell.h"
#include "array/io/check_call.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"

/* One array of the growth. */
typedef struct member {
    xta_array *array;
    const xta_growth *growths;
    int n_growths;
    const xta_growth *brings; /* the growth whose cells are brought; NULL: no cells */
    xta__slab slab;           /* these cells */
    xta_io_options io;        /* options of this release */
    xta_box seen;             /* the bounds from which the caller took the shape of the slab */
    bool locked, prepared, wrote, had_leftovers;
    xta__growing growing;
} member;

typedef struct group {
    member *given;  /* in the order of the caller */
    member **order; /* in the order of the locks: those in files first, the leader first of all */
    int n, n_files;
} group;

static int by_uuid(const void *a, const void *b)
{
    const xta_array *x = (*(member *const *)a)->array;
    const xta_array *y = (*(member *const *)b)->array;

    // Arrays in files first, so that the leader is one of them.
    if (x->in_memory != y->in_memory) {
        return x->in_memory ? 1 : -1;
    }
    int order = memcmp(x->journal.uuid, y->journal.uuid, XTA__UUID_BYTES);
    return order != 0 ? order : ((uintptr_t)x > (uintptr_t)y) - ((uintptr_t)x < (uintptr_t)y);
}

/* ---- what the caller gave ---- */

static xta_status check_member(const member *m, xta_error *err)
{
    const char *what = m->slab.cells != NULL || m->slab.fn != NULL ? "append" : "extend";
    xta_status status = xta__begin_change(m->array, what, err);

    return status == XTA_OK ? xta__check_growths(m->array, m->growths, m->n_growths, err) : status;
}

/* Which growth the cells belong to, and whether they can be written; the growths have been
 * checked. */
static xta_status check_cells(member *m, xta_error *err)
{
    const xta_growth *only = NULL;
    int n = 0;
    xta_status status = XTA_OK;

    if (m->slab.cells == NULL && m->slab.fn == NULL) {
        return XTA_OK;
    }
    if (m->slab.cells != NULL && m->slab.fn != NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: cells in memory and a function that writes them; give one of both",
                         xta__array_name(m->array));
    }
    for (int k = 0; k < m->n_growths; k++) {
        only = m->growths[k].by != 0 ? &m->growths[k] : only;
        n += m->growths[k].by != 0;
    }
    if (n > 1) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: cells for %d growths; give cells with a single growth, and grow on "
                         "other axes or sides in another step",
                         xta__array_name(m->array), n);
    }
    m->seen = xta__structure_bounds(xta__structure_of(m->array));
    XTA_TRY(xta__read_io_options(&m->slab.options, &m->io, err));
    XTA_TRY(xta__check_append_options(m->array, m->seen.ndim, m->slab.options, err));
    m->brings = only;

done:
    return status;
}

static xta_status check_different(member *const members[], int n, xta_error *err)
{
    for (int k = 1; k < n; k++) {
        const xta_array *a = members[k - 1]->array, *b = members[k]->array;
        bool same_file = !a->in_memory && !b->in_memory &&
                         memcmp(a->journal.uuid, b->journal.uuid, XTA__UUID_BYTES) == 0;
        if (a == b || same_file) {
            return xta__fail(err, XTA_EARG, 0,
                             "%s: given twice (or a copy of %s, with the same identity); give each "
                             "array once, with all its growths",
                             xta__array_name(b), xta__array_name(a));
        }
    }
    return XTA_OK;
}

/* Check all that was given, and find the order of the locks. */
static xta_status take_members(group *g, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < g->n; k++) {
        XTA_TRY(check_member(&g->given[k], err));
        XTA_TRY(check_cells(&g->given[k], err));
        g->order[k] = &g->given[k];
    }
    qsort(g->order, (size_t)g->n, sizeof g->order[0], by_uuid);
    XTA_TRY(check_different(g->order, g->n, err));
    while (g->n_files < g->n && !g->order[g->n_files]->array->in_memory) {
        g->n_files++;
    }

done:
    return status;
}

/* ---- step 2: cells ---- */

static void set_appending(group *g, bool appending)
{
    for (int k = 0; k < g->n; k++) {
        g->given[k].array->appending = appending;
    }
}

static xta_status write_cells(group *g, xta_error *err)
{
    xta_status status = XTA_OK;

    // A function that writes cells must not change the structure of any of the arrays.
    set_appending(g, true);
    for (int k = 0; k < g->n; k++) {
        member *m = &g->given[k];
        if (m->brings == NULL) {
            continue;
        }
        m->wrote = true;
        m->had_leftovers = m->array->has_leftovers;
        m->array->has_leftovers = true; // until the growth has happened
        XTA_TRY(xta__write_slab(m->array, &m->slab, m->brings, &m->growing.after, err));
    }

done:
    set_appending(g, false);
    return status;
}

static xta_status sync_cells(group *g, xta_error *err)
{
    xta__to_sync *list = xta__calloc((size_t)g->n, sizeof list[0]);
    int n = 0;

    if (list == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory to grow %d arrays", g->n);
    }
    for (int k = 0; k < g->n_files; k++) {
        if (g->order[k]->wrote) {
            list[n++] = (xta__to_sync){.chunk_store = g->order[k]->array->chunk_store};
        }
    }
    xta_status status = xta__sync_together(list, n, err);
    free(list);
    return status;
}

/* ---- steps 3 to 6: records ---- */

/* PREPARE in the journal of a member. */
static xta_status announce(const member *m, const xta_array *leader, const uint8_t number[],
                           xta_error *err)
{
    xta_array *array = m->array;
    xta__prepare_record *record = xta__calloc(1, sizeof *record);
    xta__bytes payload = {0};
    xta_status status = XTA_OK;
    char *path = NULL;

    if (record == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a record", array->journal_path);
    }
    XTA_TRY(xta__path_relative(array->journal_file, leader->journal_file, &path, err));
    if (strlen(path) > XTA__MAX_PATH_BYTES) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: %zu bytes of path to %s; at most %d",
                          array->journal_path, strlen(path), path, XTA__MAX_PATH_BYTES));
    }
    strcpy(record->path, path);
    memcpy(record->group, number, XTA__UUID_BYTES);
    memcpy(record->leader, leader->journal.uuid, XTA__UUID_BYTES);
    record->growth = *m->growing.record;
    xta__encode_prepare(record, &payload);
    XTA_TRY(xta__commit(array, XTA__RECORD_PREPARE, &payload, err));

done:
    xta__bytes_clear(&payload);
    free(record);
    free(path);
    return status;
}

/* The growth has happened; record this in a follower's journal. If that fails (the disk is full),
 * it is as if this process had been killed here: the next change of this array does it instead. If
 * the leader's COMMIT is not durable, none is written: after a loss of power all arrays depend on
 * that one. */
static bool note_commit(const member *m, bool durable, const xta__bytes *commit)
{
    xta_array *array = m->array;
    xta_error ignored = {0};

    if (durable && xta__commit(array, XTA__RECORD_COMMIT, commit, &ignored) == XTA_OK) {
        return true;
    }
    array->state.pending = xta__calloc(1, sizeof *array->state.pending);
    if (array->state.pending == NULL) {
        xta__break(array);
        return false;
    }
    memcpy(array->state.pending->record.group, commit->bytes, XTA__UUID_BYTES);
    array->state.pending->taken = true;
    return false;
}

/* Make the journals of the followers durable. */
static xta_status sync_followers(const group *g, xta__to_sync list[], xta_error *err)
{
    for (int k = 1; k < g->n_files; k++) {
        list[k - 1] = (xta__to_sync){.journal = &g->order[k]->array->journal.file};
    }
    return xta__sync_together(list, g->n_files - 1, err);
}

static xta_status commit_together(const group *g, xta_error *err)
{
    xta_array *leader = g->order[0]->array;
    uint8_t number[XTA__UUID_BYTES];
    xta__bytes commit = {0};
    xta__to_sync *list = xta__calloc((size_t)g->n_files, sizeof list[0]);
    xta_status status = XTA_OK;
    xta_error ignored = {0};
    bool durable = false, settled = true;

    if (list == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory to grow %d arrays", g->n));
    }
    XTA_TRY(xta__random_uuid(number, err));
    xta__encode_group(number, &commit);
    for (int k = g->n_files - 1; k > 0; k--) {
        XTA_TRY(announce(g->order[k], leader, number, err));
    }
    XTA_TRY(sync_followers(g, list, err));
    XTA_TRY(announce(g->order[0], leader, number, err));
    XTA_TRY(xta__commit(leader, XTA__RECORD_COMMIT, &commit, err));
    durable = xta__file_sync(&leader->journal.file, &ignored) == XTA_OK;
    for (int k = 1; k < g->n_files; k++) {
        settled = note_commit(g->order[k], durable, &commit) && settled;
    }
    if (settled && sync_followers(g, list, &ignored) == XTA_OK) {
        // Without it, compactions keep the COMMIT forever, which costs 40 bytes.
        (void)!xta__commit(leader, XTA__RECORD_SETTLED, &commit, &ignored);
    }

done:
    xta__bytes_clear(&commit);
    free(list);
    return status;
}

static xta_status commit_members(const group *g, xta_error *err)
{
    xta__bytes payload = {0};

    if (g->n_files > 1) {
        return commit_together(g, err);
    }
    xta__encode_growth(g->order[0]->growing.record, &payload);
    xta_status status = xta__commit(g->order[0]->array, XTA__RECORD_EXTEND, &payload, err);
    xta__bytes_clear(&payload);
    return status;
}

/* ---- all steps ---- */

/* Acquire the locks, and check again: another process may have changed axes meanwhile. *nothing: no
 * array is to grow. */
static xta_status lock_members(group *g, bool *nothing, xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; k < g->n; k++) {
        XTA_TRY(xta__change_begin(g->order[k]->array, err));
        g->order[k]->locked = true;
    }
    *nothing = true;
    for (int k = 0; k < g->n; k++) {
        member *m = &g->given[k];
        XTA_TRY(check_member(m, err));
        if (m->brings != NULL) {
            XTA_TRY(xta__place_slab(m->array, m->brings, &m->seen, &m->slab.box, err));
        }
        *nothing = *nothing && xta__grows_nothing(m->growths, m->n_growths);
        m->growing.after = xta__structure_bounds(m->array->state.structure);
    }

done:
    return status;
}

static void undo_members(group *g)
{
    bool unsure = g->order[0]->array->journal.unsure;

    for (int k = g->n - 1; k >= 0; k--) {
        member *m = g->order[k];
        if (m->prepared) {
            xta__grow_undo(&m->growing);
        }
        if (unsure) {
            // The journal of the leader says whether the growth happened, to whoever opens it
            // again.
            xta__break(m->array);
        }
    }
}

static xta_status grow_members(group *g, xta_error *err)
{
    xta_status status = XTA_OK;
    bool nothing = false;

    XTA_TRY(lock_members(g, &nothing, err));
    if (nothing) {
        goto done;
    }
    for (int k = 0; k < g->n; k++) {
        member *m = g->order[k];
        XTA_TRY(xta__grow_prepare(&m->growing, m->array, m->growths, m->n_growths, err));
        m->prepared = true;
    }
    XTA_TRY(write_cells(g, err));
    XTA_TRY(sync_cells(g, err));
    XTA_TRY(commit_members(g, err));
    for (int k = 0; k < g->n; k++) {
        xta__grow_publish(&g->order[k]->growing);
        if (g->order[k]->wrote) {
            g->order[k]->array->has_leftovers = g->order[k]->had_leftovers;
        }
    }

done:
    if (status != XTA_OK) {
        undo_members(g);
    }
    for (int k = g->n - 1; k >= 0; k--) {
        if (g->order[k]->locked) {
            xta__change_end(g->order[k]->array);
        }
    }
    return status;
}

/* ---- the calls ---- */

static xta_status make_group(group *g, int n, xta_error *err)
{
    const int most = 8192;

    if (n < 1 || n > most) {
        return xta__fail(err, XTA_EARG, 0, "%d arrays in one step; give 1 to %d", n, most);
    }
    g->n = n;
    g->given = xta__calloc((size_t)n, sizeof g->given[0]);
    g->order = xta__calloc((size_t)n, sizeof g->order[0]);
    return g->given != NULL && g->order != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "no memory to grow %d arrays", n);
}

static xta_status grow_group(group *g, xta_box after[], xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(take_members(g, err));
    XTA_TRY(grow_members(g, err));
    for (int k = 0; k < g->n && after != NULL; k++) {
        after[k] = g->given[k].growing.after;
    }

done:
    return status;
}

static void clear_group(group *g)
{
    free(g->order);
    free(g->given);
}

xta_status xta_arrays_extend(const xta_array_growth growths[], int n_arrays, xta_box after[],
                             xta_error *err)
{
    group g = {0};

    xta__clear(err);
    xta_status status = make_group(&g, n_arrays, err);
    for (int k = 0; k < g.n && status == XTA_OK; k++) {
        g.given[k].array = growths[k].array;
        g.given[k].growths = growths[k].growths;
        g.given[k].n_growths = growths[k].n_growths;
    }
    if (status == XTA_OK) {
        status = grow_group(&g, after, err);
    }
    clear_group(&g);
    return status;
}

xta_status xta_arrays_append(const xta_append_member members[], int n_arrays, xta_box after[],
                             xta_error *err)
{
    group g = {0};

    xta__clear(err);
    xta_status status = make_group(&g, n_arrays, err);
    for (int k = 0; k < g.n && status == XTA_OK; k++) {
        const xta_append_member *from = &members[k];
        g.given[k].array = from->array;
        g.given[k].growths = from->growths;
        g.given[k].n_growths = from->n_growths;
        g.given[k].slab = (xta__slab){.options = from->fn == NULL ? from->options : NULL,
                                      .cells = from->cells,
                                      .fn = from->fn,
                                      .user = from->user};
    }
    if (status == XTA_OK) {
        status = grow_group(&g, after, err);
    }
    clear_group(&g);
    return status;
}
