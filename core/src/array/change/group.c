/* One growth of several arrays: all of them, or none.
 *
 * Each array has a journal of its own, so one of them, the leader, decides. With the locks of all:
 *
 *   1. everything that can fail is done (xta__grow_prepare);
 *   2. each journal gets a PREPARE: the growth, and which array leads. Those of the followers are
 *      made durable;
 *   3. the journal of the leader gets a COMMIT. From here on the growth has happened;
 *   4. the journals of the followers get their COMMIT;
 *   5. once these are durable the leader gets SETTLED: nobody will ask it any more.
 *
 * Whoever finds a PREPARE at the end of a journal searches the leader's journal for the COMMIT
 * (handle/announced_growth.c). All locks were held, so a writer that finds none knows that there
 * never will be one. Any other record after a PREPARE says that the growth did not happen.
 *
 * Locks are taken in ascending order of the arrays' UUIDs, so two such growths cannot wait for each
 * other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/group.h"

#include <stdlib.h>
#include <string.h>

#include "array/change/growth.h"
#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"

/* One array of the growth, in the order of the locks. */
typedef struct member {
    const xta_array_growth *wanted;
    bool locked, prepared;
    xta__growing growing;
} member;

static int by_uuid(const void *a, const void *b)
{
    const xta_array *x = (*(member *const *)a)->wanted->array;
    const xta_array *y = (*(member *const *)b)->wanted->array;

    // Arrays in files first, so that the leader is one of them.
    if (x->in_memory != y->in_memory) {
        return x->in_memory ? 1 : -1;
    }
    int order = memcmp(x->journal.uuid, y->journal.uuid, XTA__UUID_BYTES);
    return order != 0 ? order : ((uintptr_t)x > (uintptr_t)y) - ((uintptr_t)x < (uintptr_t)y);
}

static xta_status check_members(member *const members[], int n, xta_error *err)
{
    for (int k = 0; k < n; k++) {
        const xta_array_growth *wanted = members[k]->wanted;
        xta_status status = xta__begin_change(wanted->array, "extend", err);
        if (status == XTA_OK) {
            status = xta__check_growths(wanted->array, wanted->growths, wanted->n_growths, err);
        }
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

static xta_status check_different(member *const members[], int n, xta_error *err)
{
    for (int k = 1; k < n; k++) {
        const xta_array *a = members[k - 1]->wanted->array, *b = members[k]->wanted->array;
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

/* PREPARE in the journal of a member. */
static xta_status announce(const member *m, const xta_array *leader, const uint8_t group[],
                           xta_error *err)
{
    xta_array *array = m->wanted->array;
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
    memcpy(record->group, group, XTA__UUID_BYTES);
    memcpy(record->leader, leader->journal.uuid, XTA__UUID_BYTES);
    record->growth = *m->growing.record;
    xta__encode_prepare(record, &payload);
    XTA_TRY(xta__commit(array, XTA__RECORD_PREPARE, &payload, err));
    if (array != leader) {
        XTA_TRY(xta__file_sync(&array->journal.file, err));
    }

done:
    xta__bytes_clear(&payload);
    free(record);
    free(path);
    return status;
}

/* The growth has happened; record this in a follower's journal. If that fails (the disk is full),
 * it is as if this process had been killed here: the next change of this array does it instead. */
static bool note_commit(const member *m, const xta__bytes *commit)
{
    xta_array *array = m->wanted->array;
    xta_error ignored = {0};

    if (xta__commit(array, XTA__RECORD_COMMIT, commit, &ignored) == XTA_OK) {
        return xta__file_sync(&array->journal.file, &ignored) == XTA_OK;
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

/* Steps 2 to 5 for `n` arrays in files; the first is the leader. */
static xta_status commit_together(member *const members[], int n, xta_error *err)
{
    xta_array *leader = members[0]->wanted->array;
    uint8_t group[XTA__UUID_BYTES];
    xta__bytes commit = {0};
    xta_status status = XTA_OK;
    xta_error ignored = {0};
    bool settled = true;

    XTA_TRY(xta__random_uuid(group, err));
    xta__encode_group(group, &commit);
    for (int k = n - 1; k >= 0; k--) {
        XTA_TRY(announce(members[k], leader, group, err));
    }
    XTA_TRY(xta__commit(leader, XTA__RECORD_COMMIT, &commit, err));
    settled = xta__file_sync(&leader->journal.file, &ignored) == XTA_OK;
    for (int k = 1; k < n; k++) {
        settled = note_commit(members[k], &commit) && settled;
    }
    if (settled) {
        // Without it, compactions keep the COMMIT forever, which costs 40 bytes.
        (void)!xta__commit(leader, XTA__RECORD_SETTLED, &commit, &ignored);
    }

done:
    xta__bytes_clear(&commit);
    return status;
}

static xta_status commit_members(member *const members[], int n, xta_error *err)
{
    xta__bytes payload = {0};
    int n_files = 0;

    while (n_files < n && !members[n_files]->wanted->array->in_memory) {
        n_files++;
    }
    if (n_files > 1) {
        return commit_together(members, n_files, err);
    }
    xta__encode_growth(members[0]->growing.record, &payload);
    xta_status status = xta__commit(members[0]->wanted->array, XTA__RECORD_EXTEND, &payload, err);
    xta__bytes_clear(&payload);
    return status;
}

static xta_status grow_members(member *const members[], int n, xta_error *err)
{
    xta_status status = XTA_OK;
    bool unsure = false;

    for (int k = 0; k < n; k++) {
        XTA_TRY(xta__change_begin(members[k]->wanted->array, err));
        members[k]->locked = true;
    }
    // Another process may have added axes meanwhile.
    XTA_TRY(check_members(members, n, err));
    bool nothing = true;
    for (int k = 0; k < n; k++) {
        const xta_array_growth *wanted = members[k]->wanted;
        nothing = nothing && xta__grows_nothing(wanted->growths, wanted->n_growths);
        members[k]->growing.after = xta__structure_bounds(wanted->array->state.structure);
    }
    if (nothing) {
        goto done;
    }
    for (int k = 0; k < n; k++) {
        const xta_array_growth *wanted = members[k]->wanted;
        XTA_TRY(xta__grow_prepare(&members[k]->growing, wanted->array, wanted->growths,
                                  wanted->n_growths, err));
        members[k]->prepared = true;
    }
    XTA_TRY(commit_members(members, n, err));
    for (int k = 0; k < n; k++) {
        xta__grow_publish(&members[k]->growing);
    }

done:
    unsure = status != XTA_OK && members[0]->wanted->array->journal.unsure;
    for (int k = n - 1; k >= 0; k--) {
        if (status != XTA_OK && members[k]->prepared) {
            xta__grow_undo(&members[k]->growing);
        }
        if (unsure) {
            // The journal of the leader says whether the growth happened, to whoever opens it
            // again.
            xta__break(members[k]->wanted->array);
        }
        if (members[k]->locked) {
            xta__change_end(members[k]->wanted->array);
        }
    }
    return status;
}

xta_status xta_arrays_extend(const xta_array_growth growths[], int n_arrays, xta_box after[],
                             xta_error *err)
{
    const int most = 1024;
    member *members = NULL, **order = NULL;
    xta_status status = XTA_OK;

    xta__clear(err);
    if (n_arrays < 1 || n_arrays > most) {
        return xta__fail(err, XTA_EARG, 0, "%d arrays in one step; give 1 to %d", n_arrays, most);
    }
    members = xta__calloc((size_t)n_arrays, sizeof members[0]);
    order = xta__calloc((size_t)n_arrays, sizeof order[0]);
    if (members == NULL || order == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory to grow %d arrays", n_arrays));
    }
    for (int k = 0; k < n_arrays; k++) {
        members[k].wanted = &growths[k];
        order[k] = &members[k];
    }
    XTA_TRY(check_members(order, n_arrays, err));
    qsort(order, (size_t)n_arrays, sizeof order[0], by_uuid);
    XTA_TRY(check_different(order, n_arrays, err));
    XTA_TRY(grow_members(order, n_arrays, err));
    for (int k = 0; k < n_arrays && after != NULL; k++) {
        after[k] = members[k].growing.after;
    }

done:
    free(order);
    free(members);
    return status;
}
