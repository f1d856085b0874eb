/* Whether a journal is valid. The numbers are those of the invariants at the top of journal.c.
 *
 * Debug builds check each record before or after it is written, and the state of the handle after
 * each change. Assertions do not apply to what others wrote to a file: reading checks that.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/journal_check.h"

#include "store/journal/journal_header.h"

const char *xta__check_record(const uint8_t *bytes, uint64_t n, uint64_t sequence, uint64_t *length)
{
    *length = 0;
    if (n < XTA__RECORD_HEAD_BYTES || xta__get_u16(bytes + 4) == 0) {
        return "J3: there is no record, or only a part of one";
    }
    uint32_t payload_bytes = xta__get_u32(bytes);
    uint64_t total = XTA__RECORD_HEAD_BYTES + (uint64_t)xta__padded(payload_bytes);
    if (payload_bytes > XTA__MAX_PAYLOAD_BYTES || total > n) {
        return "J3: there is no record, or only a part of one";
    }
    if (xta__get_u64(bytes + 8) != sequence) {
        return "J1: the number of a record does not follow that of the one before";
    }
    uint32_t crc =
        xta__record_crc(bytes, bytes + XTA__RECORD_HEAD_BYTES, total - XTA__RECORD_HEAD_BYTES);
    if (crc != xta__get_u32(bytes + XTA__RECORD_CRC_AT)) {
        return "J1: the checksum of a record is wrong";
    }
    *length = total;
    return NULL;
}

const char *xta__check_journal(const xta__journal *journal)
{
    const xta__reserved_tail *tail = &journal->tail;

    if (journal->end < XTA__HEADER_BYTES || journal->end % 8 != 0 ||
        journal->begin > journal->end) {
        return "J1: the records end where none can end";
    }
    if (journal->exclusive && journal->lease.path == NULL) {
        return "J2: the lock is kept without the lease";
    }
    if (tail->end > 0 && (!journal->exclusive || tail->bytes == NULL)) {
        return "J2: space is reserved at the end without the lock being kept";
    }
    if (tail->bytes != NULL && tail->end > tail->begin + tail->mapped) {
        return "J3: records would be stored beyond what is mapped";
    }
    return journal->checkpoint_offset > journal->end
               ? "J6: the newest checkpoint lies behind the last record"
               : NULL;
}

typedef struct mark {
    uint64_t count, synced, checkpoint;
} mark;

/* J5: two valid marks, the even one first, one being the successor of the other. */
static const char *check_marks(const uint8_t *file, mark *newest)
{
    mark both[2];

    for (unsigned k = 0; k < 2; k++) {
        const uint8_t *at = file + XTA__MARK_AT + (size_t)k * XTA__MARK_BYTES;
        both[k] = (mark){xta__get_u64(at), xta__get_u64(at + 8), xta__get_u64(at + 16)};
        if (xta__get_u32(at + 28) != xta__crc32c(0, at, 28)) {
            return "J5: the checksum of a mark is wrong";
        }
        if (both[k].count % 2 != k) {
            return "J5: a mark is in the place of the other";
        }
    }
    *newest = both[0].count > both[1].count ? both[0] : both[1];
    return both[0].count + 1 == both[1].count || both[1].count + 1 == both[0].count
               ? NULL
               : "J5: the marks have not been written by turns";
}

/* J1, J3: records from the header to `end`. *found: one of them is a checkpoint at `checkpoint`. */
static const char *check_records(const uint8_t *file, uint64_t end, uint64_t checkpoint,
                                 bool *found)
{
    uint64_t length = 0;
    uint64_t at = XTA__HEADER_BYTES;
    uint64_t sequence = end > at + 16 ? xta__get_u64(file + at + 8) : 0;

    *found = checkpoint == 0;
    for (; at < end; at += length, sequence++) {
        const char *flaw = xta__check_record(file + at, end - at, sequence, &length);
        if (flaw != NULL) {
            return flaw;
        }
        *found =
            *found || (at == checkpoint && xta__get_u16(file + at + 4) == XTA__RECORD_CHECKPOINT);
    }
    return NULL;
}

const char *xta__check_journal_file(const uint8_t *file, uint64_t n, uint64_t end)
{
    mark newest = {0};
    bool found = false;

    if (n < XTA__HEADER_BYTES || end < XTA__HEADER_BYTES || end > n) {
        return "J1: the file ends before its records";
    }
    const char *flaw = check_marks(file, &newest);
    flaw = flaw != NULL ? flaw : check_records(file, end, newest.checkpoint, &found);
    if (flaw != NULL) {
        return flaw;
    }
    for (uint64_t at = end; at < n; at++) {
        if (file[at] != 0) {
            return "J2: something was written that is not at the end of the last record";
        }
    }
    if (newest.synced > end) {
        return "J4: more is said to be durable than there are records";
    }
    return found ? NULL : "J6: no checkpoint lies where the newest mark names one";
}
