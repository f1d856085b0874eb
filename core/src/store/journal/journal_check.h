/* Whether a journal is in order: the invariants at the head of journal.c, as code.
 *
 * All answer NULL, or a constant text that names the first invariant that does not hold, by its
 * number. None touches a file, so that what a debug build asks the system for stays the same.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_CHECK_H
#define XTA_STORE_JOURNAL_JOURNAL_CHECK_H

#include "store/journal/journal_types.h"

/* J1, J3: `bytes` begin with a whole record of this number, and *length is how long it is. */
const char *xta__check_record(const uint8_t *bytes, uint64_t n, uint64_t sequence,
                              uint64_t *length);

/* What a handle knows of its journal: J1, J2 and J6 as far as they show in memory. */
const char *xta__check_journal(const xta__journal *journal);

/* All invariants, of all bytes of a journal whose records end at `end`, while nobody is writing and
 * nothing was cut short. For tests: files of others may break them and be read nevertheless. */
const char *xta__check_journal_file(const uint8_t *file, uint64_t n, uint64_t end);

#endif
