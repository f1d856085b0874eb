/* Checkpoints: the whole state as one record, so that nothing before it has to be read.
 *
 * Whoever holds the lock of the journal adds one when the journal has grown, since the last one, by
 * more than 64 KiB and by more than twice the length of a checkpoint. So what a reader replays is
 * bounded by a constant plus a term proportional to the state (axial records and attributes), and
 * all checkpoints together are at most half of a journal. Nothing is removed: to open an earlier
 * step, the journal is read from its first record on.
 *
 * How long a checkpoint would be is known only when it is made. If it turns out too long for the
 * records since the last one, the next attempt is made when these would be long enough for it; as
 * it grows by no more than they do, attempts are few.
 *
 * An array works just as well without one, so a failure here fails no call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/checkpoint.h"

#include "array/state/replay.h"

#define LONG_BYTES ((uint64_t)64 << 10)

/* Where the records that a reader has to replay begin. */
static uint64_t tail_begin(const xta__journal *journal)
{
    return journal->checkpoint_offset > 0 ? journal->checkpoint_offset : XTA__HEADER_BYTES;
}

static bool is_due(xta_array *array)
{
    uint64_t first = tail_begin(&array->journal) + LONG_BYTES;

    if (array->checkpoint_due < first) {
        array->checkpoint_due = first;
    }
    // Any record after a PREPARE other than its COMMIT would say that the growth did not happen.
    // Any record after an interrupted announcement other than its end would say that it was not
    // interrupted.
    return array->journal.end > array->checkpoint_due && array->state.pending == NULL &&
           !array->state.announced && !array->journal.moved && !array->replica &&
           !atomic_load_explicit(&array->broken, memory_order_relaxed);
}

void xta__checkpoint_if_due(xta_array *array)
{
    xta__journal *journal = &array->journal;
    uint64_t begin = tail_begin(journal);
    xta__bytes payload = {0};

    if (!is_due(array)) {
        return;
    }
    // After a failure (no memory, a full disk) it is not retried immediately.
    array->checkpoint_due = journal->end + LONG_BYTES;
    if (xta__state_checkpoint(&array->state, &payload) != XTA_OK) {
        goto done;
    }
    if (payload.n > XTA__MAX_PAYLOAD_BYTES || 2 * (uint64_t)payload.n >= journal->end - begin) {
        array->checkpoint_due = begin + 2 * (uint64_t)payload.n;
    } else if (xta__journal_add_checkpoint(journal, &payload, NULL) == XTA_OK) {
        array->checkpoint_due = journal->checkpoint_offset + LONG_BYTES;
    }

done:
    xta__bytes_clear(&payload);
}

void xta__checkpoint_after_change(xta_array *array)
{
    uint64_t known = array->journal.checkpoint_offset;

    xta__checkpoint_if_due(array);
    if (array->journal.checkpoint_offset != known) {
        (void)!xta__journal_name_checkpoint(&array->journal, NULL);
    }
}
