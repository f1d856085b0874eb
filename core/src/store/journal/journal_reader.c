/* Reading a journal: records one after another, and the tail after the last one.
 *
 * Nothing in a file is trusted before it has been checked: a record is read completely, its
 * checksum is computed and its number compared, and only then is it passed to the caller.
 *
 * Definition: all records from `end` on, each once, up to the first bytes that are not a record.
 * Naive version: read the whole file. Improvement: a window of 4 KiB moves over the file, since
 * most reads find at most one record; once it has moved, it reads 64 KiB at a time. After a damaged
 * record, valid ones are searched only where the file had been durable, and only within a budget,
 * as bytes that claim to be a record cost a checksum over their length.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/journal_reader.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/journal/journal_check.h"
#include "store/journal/journal_header.h"

enum {
    SEARCH_BYTES = 1 << 20,       /* how far after a bad record valid ones are searched */
    SEARCH_BUDGET = 256 << 20,    /* and over how many bytes checksums are computed for it */
    FIRST_WINDOW_BYTES = 1 << 12, /* of the reader; later reads are longer */
    MOST_WINDOW_BYTES = 1 << 16
};

/* A part of the file in memory, moved and lengthened as reading proceeds. */
typedef struct window {
    const xta__file *file;
    uint8_t *bytes;
    size_t n, capacity;
    uint64_t offset;
    uint64_t limit;   /* end of the bytes that will be needed; 0: unknown */
    uint64_t checked; /* bytes that checksums were computed over */
} window;

/* The bytes offset .. offset + n of the file; *bytes = NULL if it ends before. */
static xta_status read_window(window *w, uint64_t offset, size_t n, const uint8_t **bytes,
                              xta_error *err)
{
    size_t got = 0;

    if (offset >= w->offset && offset + n <= w->offset + w->n) {
        *bytes = w->bytes + (offset - w->offset);
        return XTA_OK;
    }
    *bytes = NULL;
    // Most reads find at most one record; the others find many.
    size_t want = w->n == 0 ? FIRST_WINDOW_BYTES : MOST_WINDOW_BYTES;
    if (w->limit > 0 && w->limit - offset < want) {
        want = (size_t)(w->limit - offset);
    }
    want = n > want ? n : want;
    if (want > w->capacity) {
        uint8_t *bigger = realloc(w->bytes, want);
        if (bigger == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a record of %zu bytes",
                             w->file->path, n);
        }
        w->bytes = bigger;
        w->capacity = want;
    }
    xta_status status = xta__file_read_at(w->file, offset, w->bytes, want, &got, err);
    if (status != XTA_OK) {
        return status;
    }
    w->offset = offset;
    w->n = got;
    if (got >= n) {
        *bytes = w->bytes;
    }
    return XTA_OK;
}

typedef enum verdict { NO_RECORD, WHOLE_RECORD, END_OF_FILE } verdict;

/* Whether a valid record lies at `offset`, with a number of at least `least`. A file that ends
 * within the record gives NO_RECORD; memory is allocated for a payload only if the file has the
 * bytes. */
static xta_status parse_record(window *w, uint64_t offset, uint64_t file_bytes, uint64_t least,
                               uint64_t most, xta__record *record, verdict *found, xta_error *err)
{
    const uint8_t *head = NULL, *whole = NULL;

    *found = NO_RECORD;
    if (offset >= file_bytes) {
        *found = END_OF_FILE;
        return XTA_OK;
    }
    xta_status status = read_window(w, offset, XTA__RECORD_HEAD_BYTES, &head, err);
    if (status != XTA_OK || head == NULL) {
        return status;
    }
    uint32_t payload_bytes = xta__get_u32(head);
    unsigned type = xta__get_u16(head + 4);
    uint64_t sequence = xta__get_u64(head + 8);
    size_t total = XTA__RECORD_HEAD_BYTES + xta__padded(payload_bytes);
    if (payload_bytes > XTA__MAX_PAYLOAD_BYTES || type < XTA__RECORD_CREATE || sequence < least ||
        sequence > most || total > file_bytes - offset) {
        return XTA_OK;
    }
    status = read_window(w, offset, total, &whole, err);
    if (status != XTA_OK || whole == NULL) {
        return status;
    }
    w->checked += total;
    uint32_t crc =
        xta__record_crc(whole, whole + XTA__RECORD_HEAD_BYTES, total - XTA__RECORD_HEAD_BYTES);
    if (crc != xta__get_u32(whole + XTA__RECORD_CRC_AT)) {
        return XTA_OK;
    }
    *record = (xta__record){.type = type,
                            .sequence = sequence,
                            .offset = offset,
                            .payload = whole + XTA__RECORD_HEAD_BYTES,
                            .payload_bytes = payload_bytes,
                            .flags = xta__get_u16(whole + 6)};
    *found = WHOLE_RECORD;
    return XTA_OK;
}

/* Whether a valid, later record follows the bad one at `bad`. */
static xta_status find_later(window *w, uint64_t bad, uint64_t file_bytes, uint64_t sequence,
                             bool *later, uint64_t *where, xta_error *err)
{
    xta__record record;
    verdict found = NO_RECORD;
    uint64_t limit = file_bytes - bad < SEARCH_BYTES ? file_bytes : bad + SEARCH_BYTES;
    xta_status status = XTA_OK;

    // What claims to be a record costs a checksum over its length: a budget bounds what a file can
    // demand.
    *later = false;
    w->checked = 0;
    for (uint64_t at = bad + 8;
         at + XTA__RECORD_HEAD_BYTES <= limit && !*later && w->checked < SEARCH_BUDGET; at += 8) {
        status = parse_record(w, at, file_bytes, sequence, sequence + SEARCH_BYTES, &record, &found,
                              err);
        if (status != XTA_OK) {
            return status;
        }
        *later = found == WHOLE_RECORD;
        *where = at;
    }
    return XTA_OK;
}

xta_status xta__journal_go_to_checkpoint(xta__journal *journal, uint64_t file_bytes, xta_error *err)
{
    xta__record record;
    verdict found = NO_RECORD;
    window w = {.file = &journal->file};
    uint64_t offset = journal->marked_checkpoint;
    bool good = offset < journal->synced_bytes || xta__journal_same_boot(journal);
    xta_status status = XTA_OK;

    if (good && offset >= XTA__HEADER_BYTES && offset % 8 == 0 && offset < file_bytes) {
        status = parse_record(&w, offset, file_bytes, 0, UINT64_MAX, &record, &found, err);
        if (status == XTA_OK && found == WHOLE_RECORD && record.type == XTA__RECORD_CHECKPOINT) {
            journal->end = journal->checkpoint_offset = offset;
            journal->next_sequence = record.sequence;
        }
    }
    free(w.bytes);
    return status;
}

static void step_over_record(xta__journal *journal, const xta__record *record)
{
    if (record->type == XTA__RECORD_CHECKPOINT) {
        journal->checkpoint_offset = record->offset;
    }
    journal->end += XTA__RECORD_HEAD_BYTES + xta__padded(record->payload_bytes);
    journal->next_sequence = record->sequence + 1;
    journal->n_read++;
}

xta_status xta__journal_read(xta__journal *journal, xta__journal_apply *apply, void *user,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    window w = {.file = &journal->file};
    uint64_t file_bytes = 0;
    verdict found = WHOLE_RECORD;
    xta__record record = {0};

    journal->torn = false;
    XTA_TRY(xta__file_sizes(&journal->file, &file_bytes, NULL, err));
    while (journal->end < file_bytes) {
        bool any = journal->next_sequence == UINT64_MAX;
        XTA_TRY(parse_record(&w, journal->end, file_bytes, any ? 0 : journal->next_sequence,
                             any ? UINT64_MAX : journal->next_sequence, &record, &found, err));
        if (found != WHOLE_RECORD) {
            break;
        }
        const char *why = "";
        bool unknown = record.type > journal->kind->last_type;
        if (unknown && (record.flags & XTA__RECORD_MAY_BE_SKIPPED) != 0) {
            journal->unknown_type = record.type;
        } else if (unknown) {
            XTA_TRY(xta__fail(err, XTA_EFORMAT, 0,
                              "%s: offset %" PRIu64
                              ": a record of type %u, which this library does "
                              "not know; use a newer release",
                              journal->file.path, record.offset, record.type));
        }
        if (record.type == XTA__RECORD_SUPERSEDED) {
            journal->moved = !xta__file_is_at_path(&journal->file);
            if (!journal->moved) {
                // Either the rename is still to come, or a compaction was killed before it. The
                // record stays unread, so that the next read tests again, and the next writer,
                // which has the lock and so knows that it was killed, removes it.
                journal->torn = true;
                goto done;
            }
        } else if (!unknown) {
            status = apply(user, &record, &why);
        }
        if (status != XTA_OK) {
            XTA_TRY(xta__fail(err, status, 0, "%s: offset %" PRIu64 ": record %" PRIu64 ": %s",
                              journal->file.path, record.offset, record.sequence, why));
        }
        step_over_record(journal, &record);
    }
    if (found != WHOLE_RECORD && journal->end < file_bytes) {
        bool later = false;
        uint64_t where = 0;
        uint64_t least = journal->next_sequence == UINT64_MAX ? 0 : journal->next_sequence;
        if (journal->end < journal->synced_bytes) {
            XTA_TRY(find_later(&w, journal->end, file_bytes, least, &later, &where, err));
        }
        if (later) {
            XTA_TRY(xta__fail(err, XTA_ECORRUPT, 0,
                              "%s: offset %" PRIu64 ": a record is damaged, and whole records "
                              "follow from offset %" PRIu64 "; restore the file from a copy",
                              journal->file.path, journal->end, where));
        }
        journal->torn = true;
    }
    assert(xta__check_journal(journal) == NULL);

done:
    free(w.bytes);
    return status;
}

/* The length of the checkpoint at `offset`; 0 if there is a record of another type. */
static xta_status checkpoint_bytes(window *w, uint64_t offset, uint64_t *bytes, xta_error *err)
{
    const uint8_t *head = NULL;
    xta_status status = read_window(w, offset, XTA__RECORD_HEAD_BYTES, &head, err);

    *bytes = 0;
    if (status == XTA_OK && head != NULL && xta__get_u16(head + 4) == XTA__RECORD_CHECKPOINT) {
        *bytes = XTA__RECORD_HEAD_BYTES + xta__padded(xta__get_u32(head));
    }
    return status;
}

xta_status xta__journal_read_again(const xta__journal *journal, uint64_t begin,
                                   xta__journal_apply *apply, void *user, xta_error *err)
{
    xta_status status = XTA_OK;
    window w = {.file = &journal->file, .limit = journal->end};
    verdict found = WHOLE_RECORD;
    xta__record record = {0};
    uint64_t skip = 0;

    for (uint64_t at = begin; at < journal->end; at += skip) {
        const char *why = "";
        XTA_TRY(checkpoint_bytes(&w, at, &skip, err));
        if (skip > 0) {
            continue;
        }
        XTA_TRY(parse_record(&w, at, journal->end, 0, UINT64_MAX, &record, &found, err));
        if (found != WHOLE_RECORD) {
            XTA_TRY(xta__fail(err, XTA_ECORRUPT, 0,
                              "%s: offset %" PRIu64 ": a record is damaged that was read before; "
                              "restore the file from a copy",
                              journal->file.path, at));
        }
        status = record.type <= journal->kind->last_type ? apply(user, &record, &why) : XTA_OK;
        if (status != XTA_OK) {
            XTA_TRY(xta__fail(err, status, 0, "%s: offset %" PRIu64 ": record %" PRIu64 ": %s",
                              journal->file.path, record.offset, record.sequence, why));
        }
        skip = XTA__RECORD_HEAD_BYTES + xta__padded(record.payload_bytes);
    }

done:
    free(w.bytes);
    return status;
}

xta_status xta__journal_tail(const xta__journal *journal, uint64_t *bytes, bool *zeros,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t some[4096];
    uint64_t file_bytes = 0;
    size_t got = sizeof some;

    *zeros = true;
    XTA_TRY(xta__file_sizes(&journal->file, &file_bytes, NULL, err));
    *bytes = file_bytes > journal->end ? file_bytes - journal->end : 0;
    for (uint64_t at = journal->end; at < file_bytes && *zeros && got > 0; at += got) {
        XTA_TRY(xta__file_read_at(&journal->file, at, some, sizeof some, &got, err));
        for (size_t k = 0; k < got; k++) {
            *zeros = *zeros && some[k] == 0;
        }
    }

done:
    return status;
}
