/* Whether a journal is valid: the invariants at the top of journal.c, as code.
 *
 * All return NULL, or a constant text that names the first invariant that does not hold, by its
 * number. None accesses a file, so that a debug build makes the same system calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_JOURNAL_CHECK_H
#define XTA_STORE_JOURNAL_JOURNAL_CHECK_H

#include "store/journal/journal_types.h"

/* J1, J3: `bytes` begin with a whole record of this number; *length is its length. */
const char *xta__check_record(const uint8_t *bytes, uint64_t n, uint64_t sequence,
                              uint64_t *length);

/* The handle's state of its journal: J1, J2 and J6 as far as memory shows them. */
const char *xta__check_journal(const xta__journal *journal);

/* All invariants, for all bytes of a journal whose records end at `end`, while nobody is writing
 * and nothing was interrupted. For tests: files of others may violate them and still be read. */
const char *xta__check_journal_file(const uint8_t *file, uint64_t n, uint64_t end);

#endif
