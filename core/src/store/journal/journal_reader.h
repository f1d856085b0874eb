/* Reading a journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_READER_H
#define XTA_STORE_JOURNAL_JOURNAL_READER_H

#include "store/journal/journal_types.h"

/* Begin at the newest checkpoint if the mark names one and it is valid. */
xta_status xta__journal_go_to_checkpoint(xta__journal *journal, uint64_t file_bytes,
                                         xta_error *err);

/* Read the records from `end` on and pass each to `apply`, except SUPERSEDED
 * (XTA__RECORD_SUPERSEDED), which only sets `moved`. A tail that is not a record is ignored
 * (`torn`), unless valid records follow it and it had been durable: then XTA_ECORRUPT. */
xta_status xta__journal_read(xta__journal *journal, xta__journal_apply *apply, void *user,
                             xta_error *err);

/* Read the records from offset `begin`, where one begins, to `end` again; checkpoints, which
 * contain nothing new there, are skipped. The journal does not change. */
xta_status xta__journal_read_again(const xta__journal *journal, uint64_t begin,
                                   xta__journal_apply *apply, void *user, xta_error *err);

/* How many bytes follow the last record, and whether they are all zeros. */
xta_status xta__journal_tail(const xta__journal *journal, uint64_t *bytes, bool *zeros,
                             xta_error *err);

#endif
