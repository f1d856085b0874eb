/* The journal: a header, then records that are only ever appended.
 *
 * Invariants (journal_check.c has them as code)
 *   J1  Bytes before `end` are whole records with ascending numbers and correct checksums.
 *   J2  Only the owner of the lock appends, and only at the end of the last whole record.
 *   J3  One structural change is one record, written by one write, or stored with its type last:
 *       it exists completely or not at all.
 *   J4  A byte once covered by `synced_bytes` of a mark was durable; a record damaged there is
 *       corruption if whole records follow it, never a torn tail.
 *   J5  Marks alternate between two places, each with its own checksum. Without a valid one the
 *       journal is read from its first record, and J4 promises nothing.
 *   J6  A checkpoint that a mark names is valid if it lies before `synced_bytes`. Beyond that it is
 *       valid only until the next reboot: a power loss may keep it and lose records before it.
 *
 * States and the functions that lead from one to the next
 *
 *   closed --xta__journal_open--> behind --xta__journal_read--> current
 *   current --xta__journal_lock--> locked, and behind again if *news
 *   locked and current --xta__journal_append--> locked and current, one record longer
 *   locked and current --xta__journal_supersede--> superseded (`moved`)
 *   locked --xta__journal_unlock--> current
 *   current --xta__journal_close_lease, xta__journal_lock, xta__journal_keep_lock--> exclusive:
 *       locked and current until it is closed
 *   behind --xta__journal_read finds SUPERSEDED, and the path names another file--> superseded
 *   superseded --xta__journal_close--> closed (the array opens the new one)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/journal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/journal/journal_check.h"
#include "store/lock/lock.h"

enum { SHORT_RECORD_BYTES = 512 }; /* is assembled on the stack */

/* ---- records as bytes ---- */

static size_t record_bytes(const xta__bytes *payload)
{
    return XTA__RECORD_HEAD_BYTES + xta__padded(payload->n);
}

/* The parts of a record other than its payload: encodes the head, and returns how many zeros follow
 * the payload. */
static inline size_t encode_head(unsigned type, uint64_t sequence, const xta__bytes *payload,
                                 uint8_t head[XTA__RECORD_HEAD_BYTES])
{
    memset(head, 0, XTA__RECORD_HEAD_BYTES);
    xta__put_u32(head, (uint32_t)payload->n);
    xta__put_u16(head + 4, (uint16_t)type);
    xta__put_u64(head + 8, sequence);
    xta__put_u32(head + XTA__RECORD_CRC_AT, xta__record_crc(head, payload->bytes, payload->n));
    return xta__padded(payload->n) - payload->n;
}

static void encode_record(unsigned type, uint64_t sequence, const xta__bytes *payload,
                          xta__bytes *out)
{
    static const uint8_t zeros[8];
    uint8_t head[XTA__RECORD_HEAD_BYTES];

    size_t pad = encode_head(type, sequence, payload, head);
    out->failed = out->failed || payload->failed;
    xta__bytes_add(out, head, sizeof head);
    xta__bytes_add(out, payload->bytes, payload->n);
    xta__bytes_add(out, zeros, pad);
}

/* Most payloads are a few words, for which a call would cost more than the copy. */
static inline void copy_payload(uint8_t *to, const uint8_t *from, size_t n)
{
    for (; n >= 8; n -= 8, to += 8, from += 8) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        memcpy(to, &word, sizeof word);
        // Otherwise compilers recognise the loop and call memcpy after all.
        __asm__("" : : : "memory");
    }
    for (; n > 0; n--) {
        *to++ = *from++;
    }
}

/* The same into zeros that others may be reading. As long as the first eight bytes, length and
 * type, are zero there is no record; they are written last, with one store. */
static inline void store_record(unsigned type, uint64_t sequence, const xta__bytes *payload,
                                uint8_t *at)
{
    uint8_t head[XTA__RECORD_HEAD_BYTES];
    uint64_t first;

    encode_head(type, sequence, payload, head);
    memcpy(at + sizeof first, head + sizeof first, sizeof head - sizeof first);
    copy_payload(at + sizeof head, payload->bytes, payload->n);
    memcpy(&first, head, sizeof first);
    __atomic_store_n((uint64_t *)(void *)at, first, __ATOMIC_RELEASE);
}

#ifndef NDEBUG
/* J1, J3: all of `image` is the next record. */
static bool is_next_record(const xta__journal *journal, const uint8_t *image, size_t n)
{
    uint64_t length = 0;

    return xta__check_record(image, n, journal->next_sequence, &length) == NULL && length == n;
}
#endif

/* ---- life ---- */

/* Write a new file, complete and durable, under a unique name beside `path`. */
static xta_status write_image(xta__path path, const xta__bytes *image, const xta__file *like,
                              char **temporary, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    uint8_t unique[16];
    size_t capacity = strlen(path.at) + 32;
    char *beside = malloc(capacity);

    *temporary = NULL;
    if (beside == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to write the journal", path.name));
    }
    XTA_TRY(xta__random_uuid(unique, err));
    snprintf(beside, capacity, "%s.new-%02x%02x%02x%02x", path.at, unique[0], unique[1], unique[2],
             unique[3]);
    XTA_TRY(xta__file_open_at((xta__path){beside, path.name},
                              like != NULL ? XTA__FILE_CREATE_PRIVATE : XTA__FILE_CREATE_NEW, &file,
                              err));
    *temporary = beside;
    beside = NULL;
    XTA_TRY(xta__file_write_at(&file, 0, image->bytes, image->n, err));
    if (like != NULL) {
        XTA_TRY(xta__file_keep_access(&file, like, err));
    }
    XTA_TRY(xta__file_sync(&file, err));

done:
    xta__file_close(&file);
    free(beside);
    return status;
}

/* xta__journal_create with the boot stamp of the marks. */
static xta_status create(const xta__journal_kind *kind, xta__path path, const uint8_t uuid[16],
                         uint64_t first_sequence, const xta__new_record records[], size_t n,
                         bool replace, uint32_t boot, const xta__file *like, xta_error *err)
{
    uint64_t checkpoint = 0;
    xta_status status = XTA_OK;
    xta__bytes image = {0};
    uint8_t header[XTA__HEADER_BYTES];
    char *temporary = NULL;

    xta__journal_encode_header(kind, uuid, header);
    xta__bytes_add(&image, header, sizeof header);
    for (size_t k = 0; k < n; k++) {
        checkpoint = records[k].type == XTA__RECORD_CHECKPOINT ? image.n : checkpoint;
        encode_record(records[k].type, first_sequence + k, &records[k].payload, &image);
    }
    if (image.failed) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to write the journal", path.name));
    }
    xta__journal_encode_marks(image.bytes, image.n, checkpoint, boot);
    status = write_image(path, &image, like, &temporary, err);
    if (status == XTA_OK) {
        status = xta__path_rename(temporary, path.at, replace, err);
    }
    if (status != XTA_OK) {
        xta_error ignored = {0};
        if (temporary != NULL) {
            xta__path_remove(temporary, &ignored);
        }
        goto done;
    }
    status = xta__path_sync_folder(path.at, err);
    if (status != XTA_OK && !replace) {
        // What is not durable is removed: the caller gets an error, so there must be no array.
        xta_error ignored = {0};
        xta__path_remove(path.at, &ignored);
    }

done:
    xta__bytes_clear(&image);
    free(temporary);
    return status;
}

xta_status xta__journal_create(const xta__journal_kind *kind, xta__path path,
                               const uint8_t uuid[16], uint64_t first_sequence,
                               const xta__new_record records[], size_t n, bool replace,
                               const xta__file *like, xta_error *err)
{
    return create(kind, path, uuid, first_sequence, records, n, replace, xta__boot(), like, err);
}

xta_status xta__journal_open(xta__path path, bool writable, bool from_checkpoint,
                             xta__journal *journal, xta_error *err)
{
    return xta__journal_open_as(&xta__array_journal, path, writable, from_checkpoint, journal, err);
}

xta_status xta__journal_open_as(const xta__journal_kind *kind, xta__path path, bool writable,
                                bool from_checkpoint, xta__journal *journal, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t file_bytes = 0;

    memset(journal, 0, sizeof *journal);
    journal->kind = kind;
    journal->file.fd = journal->lease.fd = -1;
    XTA_TRY(
        xta__file_open_at(path, writable ? XTA__FILE_WRITE : XTA__FILE_READ, &journal->file, err));
    XTA_TRY(xta__journal_read_header(journal, err));
    XTA_TRY(xta__file_sizes(&journal->file, &file_bytes, NULL, err));
    journal->end = XTA__HEADER_BYTES;
    journal->next_sequence = UINT64_MAX; // whatever the first record says
    if (from_checkpoint) {
        XTA_TRY(xta__journal_go_to_checkpoint(journal, file_bytes, err));
    }
    journal->begin = journal->end;

done:
    if (status != XTA_OK) {
        xta__journal_close(journal);
    }
    return status;
}

/* Truncate the file at `end`: what follows is not a record, or must not become one. */
static xta_status cut_tail(xta__journal *journal, xta_error *err)
{
    // A store beyond the end of the file would raise a signal.
    xta__tail_drop(&journal->tail);
    return xta__file_truncate(&journal->file, journal->end, err);
}

/* A lock file needs what flock does on a network file system: everything written is sent to the
 * server before the lock is released. Records have been synced one by one, and failures were
 * reported then. */
static void release_lock(xta__journal *journal)
{
    if (journal->lock.has_file && journal->unsynced) {
        (void)!xta__file_sync(&journal->file, NULL);
        journal->unsynced = false;
    }
    xta__lock_give(&journal->lock, &journal->file);
}

void xta__journal_close(xta__journal *journal)
{
    if (journal->exclusive) {
        // After a failure zeros remain, which readers skip and the next writer truncates.
        xta_error ignored = {0};
        (void)!cut_tail(journal, &ignored);
        journal->unsynced = true;
        // Released explicitly, as another process may have inherited the descriptor and thus the
        // lock.
        release_lock(journal);
        journal->exclusive = false;
    } else if (journal->lock.me.nonce[0] != '\0') {
        // Closing would release only the flock; the lock file has to be removed as well.
        release_lock(journal);
    }
    if (journal->lease.path != NULL) {
        if (journal->lease.fd >= 0) {
            xta__file_unlock(&journal->lease);
        }
        xta__file_close(&journal->lease);
    }
    xta__file_close(&journal->file);
}

void xta__journal_disown(xta__journal *journal)
{
    xta__file_disown(&journal->file);
    xta__file_disown(&journal->lease);
    xta__tail_drop(&journal->tail);
    journal->exclusive = false;
    journal->lock.has_file = false;
    journal->lock.me.nonce[0] = '\0';
}

/* ---- changing ---- */

void xta__journal_lock_like(xta__journal *journal, const xta__lock *lock)
{
    journal->lock = *lock;
    journal->lock.proved = journal->lock.has_file = false;
}

xta_status xta__journal_lock(xta__journal *journal, xta__path lease_path, unsigned patience_ms,
                             bool *news, xta_error *err)
{
    uint8_t probe;
    size_t got = 0;
    xta_status status = XTA_OK;

    *news = false;
    if (journal->exclusive) {
        return XTA_OK;
    }
    bool keeps = journal->lease.path != NULL;
    status = xta__lock_acquire(&journal->lock, &journal->file, lease_path, keeps, patience_ms, err);
    if (status != XTA_OK) {
        return status;
    }
    if (journal->lock.by_file) {
        // As acquiring an flock does on a network file system. A journal that was replaced may no
        // longer exist.
        status = xta__file_revalidate(&journal->file, &journal->moved, err);
    }
    if (status == XTA_OK && !journal->moved) {
        status = xta__file_read_at(&journal->file, journal->end, &probe, 1, &got, err);
    }
    if (status != XTA_OK) {
        xta__lock_give(&journal->lock, &journal->file);
    }
    *news = got > 0 || journal->moved;
    return status;
}

void xta__journal_unlock(xta__journal *journal)
{
    if (!journal->exclusive) {
        release_lock(journal);
    }
}

static xta_status repair_tail(xta__journal *journal, xta_error *err)
{
    xta_status status = XTA_OK;

    if (journal->torn) {
        // Durably: otherwise old records after a new one of the same length could reappear.
        XTA_TRY(cut_tail(journal, err));
        XTA_TRY(xta__file_sync(&journal->file, err));
        journal->torn = false;
    }

done:
    return status;
}

xta_status xta__journal_close_lease(xta__journal *journal, xta__path lease_path, xta_error *err)
{
    return xta__lock_acquire_lease(&journal->lock, lease_path, XTA__LOCK_PATIENCE_MS,
                                   &journal->lease, err);
}

xta_status xta__journal_keep_lock(xta__journal *journal, xta_error *err)
{
    xta_status status = repair_tail(journal, err);

    if (status == XTA_OK) {
        journal->exclusive = true;
        // If no space can be reserved now, each append tries again.
        xta__tail_reserve(&journal->tail, &journal->file, journal->end, 0);
        assert(xta__check_journal(journal) == NULL);
    }
    return status;
}

/* Other nodes read the record from the server, so a failure there must fail here. After a failure
 * the record may or may not exist, and they may have read it: removing it would leave them with a
 * record that nobody else ever sees. */
static xta_status confirm_record(xta__journal *journal, xta_error *err)
{
    xta_error why = {0};
    xta_status status = xta__file_sync(&journal->file, &why);

    if (status == XTA_OK) {
        journal->unsynced = false;
        return XTA_OK;
    }
    journal->unsure = true;
    return xta__fail(err, status, why.os_errno,
                     "%.350s; the change may have been made: close the array and open it again",
                     why.text);
}

static xta_status write_record(xta__journal *journal, unsigned type, const xta__bytes *payload,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t small[SHORT_RECORD_BYTES];
    xta__bytes image = {.bytes = small, .capacity = sizeof small, .borrowed = true};

    encode_record(type, journal->next_sequence, payload, &image);
    if (image.failed) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a record", journal->file.path));
    }
    assert(is_next_record(journal, image.bytes, image.n));
    journal->unsynced = true;
    status = xta__file_write_at(&journal->file, journal->end, image.bytes, image.n, err);
    if (status == XTA_OK && journal->lock.has_file && !journal->exclusive) {
        status = confirm_record(journal, err);
    }
    if (status != XTA_OK && !journal->unsure) {
        // The file may hold a partial record. It is removed now, and durably before the next
        // append.
        xta_error ignored = {0};
        (void)!cut_tail(journal, &ignored);
        journal->torn = true;
    }

done:
    xta__bytes_clear(&image);
    return status;
}

XTA__HOT void xta__journal_store(xta__journal *journal, unsigned type, const xta__bytes *payload)
{
    uint8_t *at = journal->tail.bytes + (journal->end - journal->tail.begin);

    store_record(type, journal->next_sequence, payload, at);
    assert(is_next_record(journal, at, record_bytes(payload)));
    // Meanwhile, prefetch the cache lines into which the next records will be stored.
    __builtin_prefetch(at + 320, 1);
    journal->end += record_bytes(payload);
    journal->next_sequence++;
    assert(xta__check_journal(journal) == NULL);
}

xta_status xta__journal_append(xta__journal *journal, unsigned type, const xta__bytes *payload,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t end = journal->end + record_bytes(payload);

    if (payload->n > XTA__MAX_PAYLOAD_BYTES) {
        return xta__fail(err, XTA_EARG, 0, "%s: a record of %zu bytes is too large; at most %u",
                         journal->file.path, payload->n, XTA__MAX_PAYLOAD_BYTES);
    }
    XTA_TRY(repair_tail(journal, err));
    bool reserved = journal->exclusive && (end <= journal->tail.end ||
                                           xta__tail_reserve(&journal->tail, &journal->file,
                                                             journal->end, end - journal->end));
    if (reserved) {
        xta__journal_store(journal, type, payload);
        goto done;
    }
    XTA_TRY(write_record(journal, type, payload, err));
    journal->end = end;
    journal->next_sequence++;
    assert(xta__check_journal(journal) == NULL);

done:
    return status;
}

void xta__journal_undo(xta__journal *journal, uint64_t end)
{
    uint64_t behind = journal->end;
    xta_error ignored = {0};

    journal->end = end;
    if (cut_tail(journal, &ignored) == XTA_OK) {
        journal->next_sequence--;
    } else {
        journal->end = behind;
    }
    assert(xta__check_journal(journal) == NULL);
}

xta_status xta__journal_supersede(xta__journal *journal, const xta__new_record records[], size_t n,
                                  xta_error *err)
{
    const xta__bytes nothing = {0};
    uint64_t end = journal->end;

    // Its boot stamp is that of the old one: nobody has searched the data file for what a loss of
    // power kept outside the bounds.
    xta_status status = xta__journal_read_marks(journal, err);
    // Others learn from the old file that it was superseded: the record has to be there before the
    // new file becomes visible.
    status = status == XTA_OK ? xta__journal_append(journal, XTA__RECORD_SUPERSEDED, &nothing, err)
                              : status;
    if (status != XTA_OK) {
        return status;
    }
    const xta__path path = {journal->file.at != NULL ? journal->file.at : journal->file.path,
                            journal->file.path};
    status = create(journal->kind, path, journal->uuid, journal->next_sequence, records, n, true,
                    journal->boot, &journal->file, err);
    if (status != XTA_OK) {
        // If the record stays, it means nothing as long as the path names this file.
        xta__journal_undo(journal, end);
        return status;
    }
    journal->moved = true;
    return XTA_OK;
}

xta_status xta__journal_sync(xta__journal *journal, xta_error *err)
{
    xta_status status = xta__file_sync(&journal->file, err);

    xta__tail_touch(&journal->tail, journal->end);
    if (status == XTA_OK) {
        status = xta__journal_read_marks(journal, err);
    }
    if (status != XTA_OK || (journal->synced_bytes >= journal->end &&
                             journal->marked_checkpoint == journal->checkpoint_offset)) {
        return status;
    }
    return xta__journal_write_mark(journal, journal->end, journal->boot, err);
}

xta_status xta__journal_add_checkpoint(xta__journal *journal, const xta__bytes *payload,
                                       xta_error *err)
{
    uint64_t offset = journal->end;
    xta_status status = xta__journal_append(journal, XTA__RECORD_CHECKPOINT, payload, err);

    if (status == XTA_OK) {
        journal->checkpoint_offset = offset;
    }
    return status;
}

xta_status xta__journal_name_checkpoint(xta__journal *journal, xta_error *err)
{
    xta_status status = xta__journal_read_marks(journal, err);

    if (status != XTA_OK || journal->marked_checkpoint == journal->checkpoint_offset ||
        !xta__journal_same_boot(journal)) {
        return status;
    }
    return xta__journal_write_mark(journal, journal->synced_bytes, journal->boot, err);
}

xta_status xta__journal_set_boot(xta__journal *journal, xta_error *err)
{
    xta_status status = xta__journal_read_marks(journal, err);

    return status == XTA_OK
               ? xta__journal_write_mark(journal, journal->synced_bytes, xta__boot(), err)
               : status;
}
