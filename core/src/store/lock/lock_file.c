/* Lock files: for file systems whose locks do not reach other nodes.
 *
 * x.xmd.lock exists as long as a handle changes x. It names the owner (lock_owner.h).
 *
 *   created     written and synced as x.xmd.lock-<nonce>, then renamed without replacing: there is
 *               never a partial lock file, and of several only one gets the name. A handle whose
 *               rename fails, but that finds its own nonce in the file, has the lock (a network
 *               file system lost the reply).
 *   released    removed, unless it holds the nonce of another handle.
 *   broken      if its owner is certainly dead: removed by any handle that needs the lock. All
 *               processes that can be certain run on one kernel, so a flock of the lock file,
 *               which is tested, excludes them from each other. Under it the file is read again:
 *               only the file whose owner was found dead may be removed. No other file can appear
 *               there meanwhile: the dead owner creates none, and other breakers wait.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/lock/lock_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/text.h"

#define SUFFIX ".lock"

enum { FIRST_PAUSE_MS = 1, LAST_PAUSE_MS = 64 };

/* The result of reading the path of a lock file. */
typedef struct finding {
    enum { NOTHING, READABLE, UNREADABLE } what;
    xta__lock_owner owner; /* READABLE */
    char why[200];         /* UNREADABLE: what is wrong */
    xta_status trouble;    /* not XTA_OK: it could not be read, through no fault of the file */
    int os_errno;
} finding;

/* The state of one handle that tries to acquire the lock. */
typedef struct attempt {
    char *at, *name; /* of the lock file */
    char *temporary; /* of the handle's own lock file */
    bool written;    /* the temporary file exists */
    xta__lock_owner mine;
    char waits_for[XTA__NONCE_BYTES]; /* nonce of the owner of unknown state; "" if it has none */
    uint64_t since_ms;                /* since when waiting for that owner; 0: for none */
    uint64_t begun_ms;
    unsigned pause_ms;
} attempt;

/* ---- reading ---- */

/* Whether a failure is one of this process (or its disk) and says nothing about the file. */
static bool is_trouble(xta_status status, int number)
{
    return status == XTA_ENOMEM || number == EMFILE || number == ENFILE || number == EIO;
}

static void read_file(const xta__file *file, finding *found)
{
    char text[XTA__LOCK_FILE_BYTES];
    size_t n = 0;
    xta_error err = {0};
    xta_status status = xta__file_read_at(file, 0, text, sizeof text, &n, &err);
    const char *wrong =
        status == XTA_OK ? xta__lock_owner_parse(text, n, &found->owner) : "it cannot be read";

    found->what = wrong == NULL ? READABLE : UNREADABLE;
    found->trouble = is_trouble(status, err.os_errno) ? status : XTA_OK;
    found->os_errno = err.os_errno;
    snprintf(found->why, sizeof found->why, "%s", wrong != NULL ? wrong : "");
}

static void inspect(const char *path, finding *found)
{
    xta__file file = XTA__FILE_CLOSED;
    xta_error err = {0};
    // The text calls the file "it", because the message already names it.
    xta_status status =
        xta__file_open_at((xta__path){path, "it"}, XTA__FILE_READ_NO_LINK, &file, &err);

    memset(found, 0, sizeof *found);
    if (status == XTA_OK) {
        read_file(&file, found);
    } else {
        found->what = status == XTA_ENOENT ? NOTHING : UNREADABLE;
        found->trouble = is_trouble(status, err.os_errno) ? status : XTA_OK;
        found->os_errno = err.os_errno;
        snprintf(found->why, sizeof found->why, "%.190s", err.text);
    }
    xta__file_close(&file);
}

static xta_status cannot_inspect(const char *name, const finding *found, xta_error *err)
{
    return xta__fail(err, found->trouble, found->os_errno, "%s: cannot look at the lock file: %s",
                     name, found->why);
}

static xta__lock_verdict judge(const xta__lock_owner *owner, const xta__lock_owner *me)
{
    uint64_t start = 0;
    bool there = xta__process_state_of(owner->pid, &start) == XTA__PROCESS_THERE;

    return xta__lock_owner_judge(owner, me, there, start);
}

static void know_myself(xta__lock_owner *me)
{
    char text[256];

    xta__host_name(text, sizeof text);
    xta__lock_owner_set(me->host, text);
    xta__machine_id(text, sizeof text);
    xta__lock_owner_set(me->machine, text);
    xta__boot_id(text, sizeof text);
    xta__lock_owner_set(me->boot, text);
    xta__process_spaces(&me->space, &me->clock);
    me->pid = xta__process_number();
    (void)xta__process_state_of(me->pid, &me->start);
}

/* ---- creating ---- */

static xta_status new_nonce(char nonce[XTA__NONCE_BYTES], xta_error *err)
{
    uint8_t bits[16];
    xta_status status = xta__random_uuid(bits, err);

    for (int k = 0; k < 16 && status == XTA_OK; k++) {
        snprintf(nonce + 2 * k, 3, "%02x", bits[k]);
    }
    return status;
}

/* Write the lock file under its temporary name. */
static xta_status write_temporary(attempt *a, const xta__file *like, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    char text[XTA__LOCK_FILE_BYTES];
    size_t n = xta__lock_owner_encode(&a->mine, text);
    xta_error ignored = {0};

    XTA_TRY(
        xta__file_open_at((xta__path){a->temporary, a->name}, XTA__FILE_CREATE_NEW, &file, err));
    a->written = true;
    if (like != NULL) {
        // So that all users with write access to the array can read the owner, and break the lock.
        // Otherwise they wait.
        (void)!xta__file_keep_access(&file, like, &ignored);
    }
    XTA_TRY(xta__file_write_at(&file, 0, text, n, err));
    XTA_TRY(xta__file_sync(&file, err));

done:
    xta__file_close(&file);
    return status;
}

/* Create the lock file. *made is false if another handle was faster. */
static xta_status make(attempt *a, const xta__file *like, bool *made, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_error why = {0};

    *made = false;
    if (!a->written) {
        XTA_TRY(write_temporary(a, like, err));
    }
    status = xta__path_rename(a->temporary, a->at, false, &why);
    *made = status == XTA_OK;
    a->written = !*made;
    if (status == XTA_ENOENT) {
        // Removed as a leftover, or renamed by a request whose reply was lost: the next read of the
        // lock file shows which.
        a->written = false;
    } else if (status != XTA_OK && status != XTA_EEXIST) {
        finding found;
        inspect(a->at, &found);
        if (found.what != READABLE || strcmp(found.owner.nonce, a->mine.nonce) != 0) {
            return xta__fail(err, status, why.os_errno, "%s", why.text);
        }
    }
    status = XTA_OK;

done:
    return status;
}

/* ---- breaking ---- */

/* On systems without renameat2, link and unlink are used instead. If the owner was killed between
 * them, remove the temporary name under which it wrote the file. */
static void remove_other_name(const attempt *a, const finding *found)
{
    char *other = xta__string("%s-%s", a->at, found->owner.nonce);
    xta_error ignored = {0};

    if (other != NULL) {
        (void)!xta__path_remove(other, &ignored);
    }
    free(other);
}

/* Remove the lock file that is open as `file`. *gone: it is removed, or another file has its
 * name. */
static xta_status remove_locked(const attempt *a, const finding *found, const xta__file *file,
                                bool *gone, xta_error *err)
{
    xta_status status = XTA_OK;
    finding now = {.trouble = XTA_OK};
    bool got = false, proved = false;

    *gone = false;
    XTA_TRY(xta__file_try_lock(file, false, &got, err));
    if (!got) {
        XTA_TRY(xta__fail(err, XTA_EBUSY, 0, "another process has it open to remove it"));
    }
    // This also checks that the path still names this file.
    XTA_TRY(xta__file_prove_lock(file, &proved, err));
    if (proved) {
        read_file(file, &now);
        if (now.what != READABLE) {
            XTA_TRY(xta__fail(err, XTA_EBUSY, 0, "%s", now.why));
        }
    }
    if (proved && strcmp(now.owner.nonce, found->owner.nonce) == 0) {
        XTA_TRY(xta__path_remove(a->at, err));
        remove_other_name(a, found);
    }
    *gone = true;

done:
    return status;
}

/* Break the lock file of a dead owner. True: read the path again; false, with the reason in
 * `found`: it cannot be broken here, or not now. */
static bool break_file(const attempt *a, finding *found)
{
    xta__file file = XTA__FILE_CLOSED;
    xta_error err = {0};
    bool gone = false;
    xta_status status =
        xta__file_open_at((xta__path){a->at, "it"}, XTA__FILE_WRITE_NO_LINK, &file, &err);

    if (status == XTA_OK) {
        status = remove_locked(a, found, &file, &gone, &err);
    }
    xta__file_close(&file);
    snprintf(found->why, sizeof found->why, "%.190s", err.text);
    return gone || status == XTA_ENOENT;
}

/* ---- waiting ---- */

static xta_status refuse(const attempt *a, const finding *found, xta__lock_verdict verdict,
                         xta_error *err)
{
    const xta__lock_owner *o = &found->owner;

    if (found->what != READABLE) {
        return xta__fail(err, XTA_EBUSY, 0,
                         "%s: the lock file is there, and who made it cannot be known: %s; find "
                         "out, and remove it if nobody changes the array",
                         a->name, found->why);
    }
    if (verdict == XTA__OWNER_DEAD) {
        return xta__fail(err, XTA_EBUSY, 0,
                         "%s: process %" PRIu64 " on %s had locked the array and is gone, and the "
                         "lock file could not be removed: %s; remove it",
                         a->name, o->pid, o->host, found->why);
    }
    if (o->keeps) {
        return xta__fail(
            err, XTA_EBUSY, 0,
            "%s: process %" PRIu64 " on %s has the array open as its exclusive writer; try "
            "again when it has been closed%s",
            a->name, o->pid, o->host,
            verdict == XTA__OWNER_LIVES ? "" : ", or remove this file if that process is gone");
    }
    return xta__fail(err, XTA_EBUSY, 0,
                     "%s: process %" PRIu64 " on %s has locked the array, and whether it still "
                     "runs cannot be known here; look there, and remove this file if it is gone",
                     a->name, o->pid, o->host);
}

/* Another handle has the lock: pause, or return XTA_EBUSY after the time limit for such an
 * owner. */
static xta_status wait(attempt *a, xta__lock *lock, const finding *found, xta__lock_verdict verdict,
                       unsigned patience_ms, xta_error *err)
{
    uint64_t now = xta__clock_ms();
    bool keeps = found->what == READABLE && found->owner.keeps;

    if (keeps && verdict != XTA__OWNER_DEAD && now - a->begun_ms >= patience_ms) {
        lock->refused_by_one = true;
        return refuse(a, found, verdict, err);
    }
    if (verdict == XTA__OWNER_LIVES) {
        a->since_ms = 0;
    } else if (a->since_ms == 0 || strcmp(a->waits_for, found->owner.nonce) != 0) {
        memcpy(a->waits_for, found->owner.nonce, sizeof a->waits_for);
        a->since_ms = now > 0 ? now : 1;
    } else if (now - a->since_ms >= lock->wait_ms) {
        return refuse(a, found, verdict, err);
    }
    xta__pause_ms(a->pause_ms);
    a->pause_ms = a->pause_ms < LAST_PAUSE_MS ? 2 * a->pause_ms : LAST_PAUSE_MS;
    return XTA_OK;
}

/* ---- acquiring and releasing ---- */

static xta_status begin_attempt(attempt *a, xta__lock *lock, xta__path journal, bool keeps,
                                xta_error *err)
{
    xta_status status = XTA_OK;

    if (lock->me.pid == 0) {
        know_myself(&lock->me);
    }
    a->mine = lock->me;
    a->mine.keeps = keeps;
    a->pause_ms = FIRST_PAUSE_MS;
    a->begun_ms = xta__clock_ms();
    XTA_TRY(new_nonce(a->mine.nonce, err));
    a->at = xta__string("%s" SUFFIX, journal.at);
    a->name = xta__string("%s" SUFFIX, journal.name);
    a->temporary = xta__string("%s" SUFFIX "-%s", journal.at, a->mine.nonce);
    if (a->at == NULL || a->name == NULL || a->temporary == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to lock it", journal.name));
    }

done:
    return status;
}

static void end_attempt(attempt *a)
{
    xta_error ignored = {0};

    if (a->written) {
        (void)!xta__path_remove(a->temporary, &ignored);
    }
    free(a->at);
    free(a->name);
    free(a->temporary);
}

/* Whether the file belongs to this handle: the one it has just created, or an earlier one that
 * could not be removed on release. */
static bool is_mine(const attempt *a, const xta__lock *lock, const finding *found)
{
    return found->what == READABLE && (strcmp(found->owner.nonce, a->mine.nonce) == 0 ||
                                       strcmp(found->owner.nonce, lock->me.nonce) == 0);
}

/* The lock file belongs to this handle. If it differs in `keeps` it is created again, because
 * others rely on that. */
static xta_status take_up(attempt *a, const finding *found, bool *mine, xta_error *err)
{
    if (found->owner.keeps != a->mine.keeps) {
        xta_status status = xta__path_remove(a->at, err);
        return status == XTA_ENOENT ? XTA_OK : status;
    }
    memcpy(a->mine.nonce, found->owner.nonce, sizeof a->mine.nonce);
    *mine = true;
    return XTA_OK;
}

/* Read the lock file once, and act on the result. */
static xta_status step(attempt *a, xta__lock *lock, const xta__file *like, unsigned patience_ms,
                       bool *mine, xta_error *err)
{
    finding found;
    xta_status status = XTA_OK;
    xta__lock_verdict verdict = XTA__OWNER_UNKNOWN;

    inspect(a->at, &found);
    if (found.trouble != XTA_OK) {
        return cannot_inspect(a->name, &found, err);
    }
    if (found.what == NOTHING) {
        status = make(a, like, mine, err);
        if (status != XTA_OK || *mine) {
            return status;
        }
        snprintf(found.why, sizeof found.why, "it comes and goes");
    }
    if (is_mine(a, lock, &found)) {
        return take_up(a, &found, mine, err);
    }
    if (found.what == READABLE) {
        verdict = judge(&found.owner, &lock->me);
        if (verdict == XTA__OWNER_DEAD && break_file(a, &found)) {
            return XTA_OK;
        }
    }
    return wait(a, lock, &found, verdict, patience_ms, err);
}

xta_status xta__lock_file_acquire(xta__lock *lock, xta__path journal, const xta__file *like,
                                  bool keeps, unsigned patience_ms, xta_error *err)
{
    xta_status status = XTA_OK;
    attempt a = {0};
    bool mine = false;

    XTA_TRY(begin_attempt(&a, lock, journal, keeps, err));
    while (!mine) {
        XTA_TRY(step(&a, lock, like, patience_ms, &mine, err));
    }
    memcpy(lock->me.nonce, a.mine.nonce, sizeof lock->me.nonce);
    lock->has_file = true;

done:
    end_attempt(&a);
    return status;
}

void xta__lock_file_give(xta__lock *lock, const char *journal_at)
{
    char *path = lock->me.nonce[0] != '\0' ? xta__string("%s" SUFFIX, journal_at) : NULL;
    xta_error ignored = {0};
    finding found;

    lock->has_file = false;
    if (path == NULL) {
        return;
    }
    inspect(path, &found);
    // A file that cannot be read now (for example because no descriptor is left) still belongs to
    // this handle.
    bool other = found.what == READABLE && strcmp(found.owner.nonce, lock->me.nonce) != 0;
    xta_status status = other || found.what == NOTHING ? XTA_OK : xta__path_remove(path, &ignored);
    // A file that could not be removed still belongs to this handle when it acquires the lock
    // again.
    if (status == XTA_OK || status == XTA_ENOENT) {
        lock->me.nonce[0] = '\0';
    }
    free(path);
}

xta_status xta__lock_file_refuse(xta__path journal, xta_error *err)
{
    xta_status status = XTA_OK;
    char *path = xta__string("%s" SUFFIX, journal.at);

    if (path == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to lock it", journal.name);
    }
    finding found = {.what = NOTHING};
    if (xta__path_is_taken(path)) {
        inspect(path, &found);
    }
    if (found.trouble != XTA_OK) {
        status = cannot_inspect(journal.name, &found, err);
    } else if (found.what != NOTHING) {
        const xta__lock_owner *o = &found.owner;
        bool known = found.what == READABLE;
        status = xta__fail(err, XTA_EBUSY, 0,
                           "%s" SUFFIX ": there is a lock file (process %" PRIu64
                           " on %s), and this handle takes none; set XTA_LOCK=file in all programs "
                           "that write the array, or remove the file if none of them runs",
                           journal.name, known ? o->pid : 0, known ? o->host : "an unknown host");
    }
    free(path);
    return status;
}

bool xta__lock_file_is_abandoned(const char *path)
{
    finding found;
    xta__lock_owner me = {0};

    inspect(path, &found);
    know_myself(&me);
    // A live owner writes it again.
    return (found.what == UNREADABLE && found.trouble == XTA_OK) ||
           (found.what == READABLE && judge(&found.owner, &me) == XTA__OWNER_DEAD);
}
