/* A growth of several arrays that the journal announces: its leader knows whether it happened.
 *
 * The growth was announced by a PREPARE at the end of this journal. Whether it was committed is
 * recorded in the journal of the array that leads the growth (see change/group.c), which is read
 * here without its lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/announced_growth.h"

#include <stdlib.h>
#include <string.h>

#include "array/state/replay.h"
#include "util/vector.h"

typedef struct commit_search {
    const uint8_t *group;
    bool found;
} commit_search;

static xta_status find_commit(void *user, const xta__record *record, const char **why)
{
    commit_search *s = user;
    uint8_t group[XTA__UUID_BYTES];
    xta_status status = XTA_OK;

    if (record->type == XTA__RECORD_COMMIT) {
        status = xta__decode_group(record, group, why);
        s->found = s->found || (status == XTA_OK && memcmp(group, s->group, sizeof group) == 0);
    }
    return status;
}

/* The path of the leader's journal, which is recorded relative to the folder of this one. */
static char *leader_path(const xta_array *array)
{
    const char *path = array->state.pending->record.path;
    const char *slash = strrchr(array->journal_file, '/');
    size_t folder = path[0] == '/' || slash == NULL ? 0 : (size_t)(slash - array->journal_file) + 1;
    char *whole = malloc(folder + strlen(path) + 1);

    if (whole != NULL) {
        memcpy(whole, array->journal_file, folder);
        strcpy(whole + folder, path);
    }
    return whole;
}

/* Whether the leader has committed. An array that no longer exists, or has been replaced by
 * another, has not. */
static xta_status ask_leader(xta_array *array, bool *committed, xta_error *err)
{
    const xta__prepare_record *record = &array->state.pending->record;
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    commit_search s = {.group = record->group};
    xta_status status = XTA_OK;
    xta_error local = {0};
    char *path = leader_path(array);

    *committed = false;
    if (memcmp(record->leader, array->journal.uuid, XTA__UUID_BYTES) == 0) {
        goto done; // its own COMMIT would have followed
    }
    if (path == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a path", array->journal_path));
    }
    do {
        xta__journal_close(&journal);
        status = xta__journal_open((xta__path){path, path}, false, false, &journal, &local);
        if (status == XTA_ENOENT || status == XTA_EFORMAT ||
            (status == XTA_OK && memcmp(journal.uuid, record->leader, XTA__UUID_BYTES) != 0)) {
            status = XTA_OK;
            goto done;
        }
        if (status == XTA_OK) {
            status = xta__journal_read(&journal, find_commit, &s, &local);
        }
        // A compaction may replace the journal meanwhile; the new one keeps the record that is
        // looked for.
    } while (status == XTA_OK && journal.moved && !s.found);
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, local.os_errno,
                          "%s: it grew together with another array, which cannot be asked: %s",
                          array->journal_path, local.text));
    }
    *committed = s.found;

done:
    xta__journal_close(&journal);
    free(path);
    return status;
}

xta_status xta__group_ask_leader(xta_array *array, bool *changed, xta_error *err)
{
    bool committed = false;
    const char *why = "";

    if (array->state.pending == NULL || array->state.pending->taken) {
        return XTA_OK;
    }
    xta_status status = ask_leader(array, &committed, err);
    if (status != XTA_OK || !committed) {
        // A process that may not read the leader's journal sees the growth once this journal has
        // its COMMIT.
        return status == XTA_EACCESS && !array->writable ? XTA_OK : status;
    }
    status = xta__state_apply_pending(&array->state, &why);
    if (status == XTA_ECANCELLED) {
        return XTA_OK;
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, 0, "%s: a growth of several arrays: %s", array->journal_path,
                         why);
    }
    *changed = true;
    return XTA_OK;
}

typedef struct commit_list {
    const uint8_t *uuid;               /* of the array */
    uint8_t followed[XTA__UUID_BYTES]; /* the last growth that another array leads */
    uint8_t (*groups)[XTA__UUID_BYTES];
    size_t n, capacity;
} commit_list;

static xta_status collect_commit(void *user, const xta__record *record, const char **why)
{
    commit_list *c = user;
    uint8_t group[XTA__UUID_BYTES];

    if (record->type == XTA__RECORD_PREPARE && record->payload_bytes >= 2 * XTA__UUID_BYTES &&
        memcmp(record->payload + XTA__UUID_BYTES, c->uuid, XTA__UUID_BYTES) != 0) {
        memcpy(c->followed, record->payload, XTA__UUID_BYTES);
    }
    if (record->type != XTA__RECORD_COMMIT && record->type != XTA__RECORD_SETTLED) {
        return XTA_OK;
    }
    xta_status status = xta__decode_group(record, group, why);
    if (status == XTA_OK && record->type == XTA__RECORD_SETTLED) {
        for (size_t k = 0; k < c->n; k++) {
            if (memcmp(c->groups[k], group, sizeof group) == 0) {
                memcpy(c->groups[k], c->groups[--c->n], sizeof group);
            }
        }
        return XTA_OK;
    }
    if (status == XTA_OK && memcmp(group, c->followed, sizeof group) == 0) {
        return XTA_OK; // nobody asks this array
    }
    if (status == XTA_OK && !XTA__RESERVE(c->groups, c->capacity, c->n + 1)) {
        *why = "no memory for the growths of several arrays";
        return XTA_ENOMEM;
    }
    if (status == XTA_OK) {
        memcpy(c->groups[c->n++], group, sizeof group);
    }
    return status;
}

xta_status xta__group_unsettled(xta_array *array, xta__bytes **payloads, size_t *n, xta_error *err)
{
    xta__journal journal = {.file = XTA__FILE_CLOSED};
    commit_list c = {.uuid = array->journal.uuid};
    xta_status status = XTA_OK;

    *payloads = NULL;
    *n = 0;
    XTA_TRY(xta__journal_open(xta__journal_of(array), false, false, &journal, err));
    XTA_TRY(xta__journal_read(&journal, collect_commit, &c, err));
    *payloads = xta__calloc(c.n + 1, sizeof **payloads);
    for (size_t k = 0; k < c.n && *payloads != NULL; k++) {
        xta__encode_group(c.groups[k], &(*payloads)[k]);
    }
    if (*payloads == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", array->journal_path));
    }
    *n = c.n;

done:
    free(c.groups);
    xta__journal_close(&journal);
    return status;
}
