/* Whether a path leads all ranks to the same files, and whether rank 0's lock reaches all nodes.
 *
 * On a node where another file system is mounted, or in a container with its own, the same path is
 * another file: each rank would work on its own file, all calls would succeed, and cells would be
 * missing. So rank 0 creates a file beside the array, with a name that nobody can have used before,
 * and each rank has to find it. If rank 0 may not create files, the ranks compare what they find in
 * the journal, which copies of the array would pass. docs/decisions/0023-locks.md.
 *
 * The file of rank 0 is locked as long as it exists, and the lowest rank of every other node makes
 * sure that it cannot lock it as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/handle/same_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 16,
    TRIES = 11, /* with pauses of 1, 2, 4 ... ms: NFS caches may be out of date */
    TAIL_BYTES = 4096,
    HOST_BYTES = 64,
    MOST_NAMED = 6
};

/* What a rank has found. A rank that could not search has a status instead. */
typedef enum finding { FOUND, NOT_FOUND, LOCKED_TWICE } finding;

/* What rank 0 sends to all: the digits in the name of its file (none if it could not create one),
 * or the identity of the journal. */
typedef struct sign {
    char digits[DIGITS + 8];
    uint8_t uuid[XTA__UUID_BYTES];
    uint64_t end; /* the end of the journal, as far as rank 0 has read it */
    uint32_t crc; /* checksum of the last bytes before the end */
    uint16_t by_journal;
    uint16_t by_lock_file; /* locks of the file system are not used */
} sign;

/* ---- the file of rank 0 ---- */

static xta_status sign_path(const char *file, const sign *s, char **path, xta_error *err)
{
    size_t capacity = strlen(file) + sizeof ".meet-" + DIGITS;

    *path = malloc(capacity);
    if (*path == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to look for it", file);
    }
    snprintf(*path, capacity, "%s.meet-%s", file, s->digits);
    return XTA_OK;
}

/* Rank 0: make the file, locked, so that nobody takes it for a leftover. On failure s->digits is
 * empty. */
static void make_file(const char *beside, sign *s, xta__file *file)
{
    uint8_t bits[XTA__UUID_BYTES];
    char *path = NULL;
    bool got = false;
    xta_error ignored = {0};

    if (xta__random_uuid(bits, &ignored) != XTA_OK) {
        return;
    }
    for (int k = 0; k < DIGITS / 2; k++) {
        snprintf(s->digits + 2 * k, 3, "%02x", bits[k]);
    }
    bool made = sign_path(beside, s, &path, &ignored) == XTA_OK &&
                xta__file_open(path, XTA__FILE_CREATE_NEW, file, &ignored) == XTA_OK;
    // If the lock cannot be taken, the others find out when they try it.
    bool locked = made && xta__file_try_lock(file, false, &got, &ignored) == XTA_OK;
    if (!made || (locked && !xta__file_is_at_path(file))) {
        xta__file_close(file);
        s->digits[0] = '\0';
    }
    free(path);
}

static void remove_file(xta__file *file)
{
    xta_error ignored = {0};

    if (file->path != NULL) {
        // If it is left behind it does no harm.
        (void)!xta__path_remove(file->path, &ignored);
        xta__file_close(file);
    }
}

/* Another rank: open it; XTA_ENOENT if it is not there. Messages name the array. */
static xta_status open_sign(const xta_array *array, const char *beside, const sign *s,
                            xta__file_mode mode, xta__file *file, xta_error *err)
{
    char *path = NULL;
    xta_status status = sign_path(beside, s, &path, err);

    if (status == XTA_OK) {
        status = xta__file_open_at((xta__path){path, array->journal_path}, mode, file, err);
    }
    free(path);
    return status;
}

/* ---- the identity of the journal ---- */

/* Checksum of the last bytes before `end`, which never change once they are there. */
static bool read_tail(const xta__file *journal, uint64_t end, uint32_t *crc)
{
    uint8_t bytes[TAIL_BYTES];
    xta_error ignored = {0};
    uint64_t first = XTA__HEADER_BYTES;
    uint64_t begin = end > first + TAIL_BYTES ? end - TAIL_BYTES : first;
    size_t n = end > begin ? (size_t)(end - begin) : 0, got = 0;
    bool whole = xta__file_read_at(journal, begin, bytes, n, &got, &ignored) == XTA_OK && got == n;

    *crc = xta__crc32c(0, bytes, got);
    return whole;
}

static void describe_journal(const xta__journal *journal, sign *s)
{
    memcpy(s->uuid, journal->uuid, sizeof s->uuid);
    s->end = journal->end;
    s->by_journal = read_tail(&journal->file, s->end, &s->crc);
}

/* XTA_ENOENT if it is another journal. */
static xta_status compare_journal(const xta_array *array, const sign *s, xta_error *err)
{
    xta__journal journal;
    uint32_t crc = 0;
    xta_status status = s->by_journal
                            ? xta__journal_open(xta__journal_of(array), false, false, &journal, err)
                            : XTA_ENOENT;

    if (status == XTA_EFORMAT || status == XTA_ECORRUPT) {
        return XTA_ENOENT;
    }
    if (status != XTA_OK) {
        return status;
    }
    bool same = memcmp(journal.uuid, s->uuid, sizeof s->uuid) == 0 &&
                read_tail(&journal.file, s->end, &crc) && crc == s->crc;
    xta__journal_close(&journal);
    return same ? XTA_OK : XTA_ENOENT;
}

/* A client's caches may not yet show what rank 0 has just done, or still show what is gone. */
static xta_status find_sign(const xta_array *array, const char *beside, const sign *s,
                            finding *found, xta_error *err)
{
    xta_error why = {0};
    xta_status status = XTA_ENOENT;
    bool behind = true;

    for (unsigned k = 0; k < TRIES && behind; k++) {
        xta__file file = XTA__FILE_CLOSED;
        if (k > 0) {
            xta__pause_ms(1u << (k - 1));
        }
        xta__clear(&why);
        status = s->digits[0] != '\0' ? open_sign(array, beside, s, XTA__FILE_READ, &file, &why)
                                      : compare_journal(array, s, &why);
        xta__file_close(&file);
        behind = status == XTA_ENOENT || why.os_errno == ESTALE;
    }
    *found = status == XTA_ENOENT ? NOT_FOUND : FOUND;
    return status == XTA_OK || status == XTA_ENOENT
               ? XTA_OK
               : xta__fail(err, status, why.os_errno, "%s", why.text);
}

/* ---- the lock ---- */

/* Rank 0 holds the lock of the file that `s` names, or of the journal. */
static xta_status try_lock(const xta_array *array, const char *beside, const sign *s,
                           finding *found, xta_error *err)
{
    xta__file file = XTA__FILE_CLOSED;
    bool got = false;
    xta_status status =
        s->digits[0] != '\0'
            ? open_sign(array, beside, s, XTA__FILE_WRITE, &file, err)
            : xta__file_open_at(xta__journal_of(array), XTA__FILE_WRITE, &file, err);

    if (status == XTA_OK) {
        status = xta__file_try_lock(&file, false, &got, err);
    }
    if (got) {
        xta__file_unlock(&file);
        *found = LOCKED_TWICE;
    }
    xta__file_close(&file);
    return status;
}

/* Whether this rank tries locks for its node, which is not that of rank 0. Collective. */
static bool speaks_for_node(const xta_parallel *p)
{
    MPI_Comm node;
    int rank = 0;

    MPI_Comm_split_type(p->comm, MPI_COMM_TYPE_SHARED, p->rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    return rank == 0 && p->rank != 0;
}

/* ---- the error message ---- */

typedef struct report {
    int32_t found;
    char host[HOST_BYTES];
} report;

/* "rank 3 on n2, rank 4 on n2 and 7 more" of the ranks that report the worst. */
static int list_ranks(const report reports[], int n_ranks, finding worst, char *text,
                      size_t capacity)
{
    int n = 0;
    size_t used = 0;

    text[0] = '\0';
    for (int rank = 0; rank < n_ranks; rank++) {
        if (reports[rank].found != (int32_t)worst) {
            continue;
        }
        if (n < MOST_NAMED && used < capacity) {
            used += (size_t)snprintf(text + used, capacity - used, "%srank %d on %.*s",
                                     n > 0 ? ", " : "", rank, HOST_BYTES - 1, reports[rank].host);
        }
        n++;
    }
    if (n > MOST_NAMED && used < capacity) {
        snprintf(text + used, capacity - used, " and %d more", n - MOST_NAMED);
    }
    return n;
}

static xta_status refuse(const xta_parallel *p, const report reports[], finding worst,
                         const sign *s, xta_error *err)
{
    char ranks[256];
    const char *path = p->array->journal_path;
    int n = list_ranks(reports, p->n_ranks, worst, ranks, sizeof ranks);

    if (worst == NOT_FOUND) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %d of %d ranks have %s under this path than rank 0 on %s: %s; give "
                         "a path on a file system that all of them share",
                         path, n, p->n_ranks,
                         s->digits[0] != '\0' ? "another folder" : "another journal",
                         reports[0].host, ranks);
    }
    return xta__fail(err, XTA_EUNSUPPORTED, 0,
                     "%s: while rank 0 on %s had it locked %s could lock it, too: locks of this "
                     "file system do not reach other nodes; mount it with locks that do, or open "
                     "it read-only",
                     path, reports[0].host, ranks);
}

/* Agree on one status and on the worst finding; rank 0 writes the message about it. Collective. */
static xta_status conclude(const xta_parallel *p, xta_status status, finding found, const sign *s,
                           xta_error *err)
{
    int worst = (int)found;
    report mine = {.found = (int32_t)found}, *all = NULL;

    status = xta_agree(p->comm, status, err);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, p->comm);
    if (status != XTA_OK || worst == FOUND) {
        return status;
    }
    xta__host_name(mine.host, sizeof mine.host);
    if (p->rank == 0) {
        all = xta__calloc((size_t)p->n_ranks, sizeof all[0]);
        status = all != NULL ? XTA_OK
                             : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %d ranks",
                                         p->array->journal_path, p->n_ranks);
    }
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK) {
        MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0, p->comm);
        if (p->rank == 0) {
            status = refuse(p, all, (finding)worst, s, err);
        }
        status = xta_agree(p->comm, status, err);
    }
    free(all);
    return status;
}

/* ---- the whole check ---- */

/* Rank 0: take the journal's lock, if there is no file of its own to lock. */
static xta_status lock_journal(xta_parallel *p, bool *locked, xta_error *err)
{
    bool news = false;
    xta_status status = xta__journal_lock(&p->root->journal, xta__data_of(p->root),
                                          XTA__LOCK_PATIENCE_MS, &news, err);

    *locked = status == XTA_OK;
    return status;
}

/* Check the folder of `beside`, which is the journal or the data file of the replica.
 * Collective. */
static xta_status check_beside(xta_parallel *p, const char *beside, bool speaks, xta_error *err)
{
    sign s = {.end = 0};
    xta__file file = XTA__FILE_CLOSED;
    bool locked = false;
    finding found = FOUND;
    xta_status status = XTA_OK;

    if (p->rank == 0) {
        make_file(beside, &s, &file);
        describe_journal(&p->root->journal, &s);
        s.by_lock_file = p->root->locking.by_file;
        if (s.digits[0] == '\0' && p->writable && !s.by_lock_file) {
            status = lock_journal(p, &locked, err);
        }
    }
    status = xta_agree(p->comm, status, err);
    if (status == XTA_OK) {
        MPI_Bcast(&s, (int)sizeof s, MPI_BYTE, 0, p->comm);
        p->only_alike = p->only_alike || s.digits[0] == '\0';
        p->by_lock_file = s.by_lock_file != 0;
        if (p->rank != 0) {
            status = find_sign(p->array, beside, &s, &found, err);
        }
        status = conclude(p, status, found, &s, err);
    }
    // Locks mean something only where all ranks have the same files.
    if (status == XTA_OK && p->writable && !s.by_lock_file) {
        status = speaks ? try_lock(p->array, beside, &s, &found, err) : XTA_OK;
        status = conclude(p, status, found, &s, err);
    }
    if (locked) {
        xta__journal_unlock(&p->root->journal);
    }
    remove_file(&file);
    return status;
}

xta_status xta__same_files(xta_parallel *p, xta_error *err)
{
    const xta_array *array = p->array;
    int apart = xta__pair_is_split(array->journal_file, array->data_file);
    bool speaks = p->writable && speaks_for_node(p);
    xta_status status = XTA_OK;

    if (p->n_ranks == 1) {
        p->by_lock_file = p->root->locking.by_file;
        return XTA_OK;
    }
    status = check_beside(p, array->journal_file, speaks, err);
    // If the data file of any rank is in another folder, by a link, all ranks check that one as
    // well.
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, p->comm);
    return status == XTA_OK && apart ? check_beside(p, array->data_file, speaks, err) : status;
}
