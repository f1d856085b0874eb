/* The lock that says whether a piece of unfinished work is live, and the record of the work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_WORK_LOCK_H
#define XTA_ARRAY_STATE_WORK_LOCK_H

#include <xta/work.h>

#include "base/base.h"
#include "store/store.h"

/* The caller's plan in the form of this release. XTA_EARG: see xta_options_read. */
xta_status xta__work_plan_copy(xta_work_plan *plan, const xta_work_plan *given, xta_error *err);

/* The record of work that is about to begin. */
void xta__work_describe(const xta_work_plan *plan, bool created, const xta_box *before,
                        const xta_box *after, const uint8_t id[XTA__UUID_BYTES],
                        xta__work_record *record);

/* Create a piece of work and acquire its lock; xta_work_abandon releases it. XTA_EBUSY: another
 * process holds the lock. */
xta_status xta__work_new(xta__path data, const uint8_t id[XTA__UUID_BYTES], struct xta_work **out,
                         xta_error *err);

/* The same for an array whose data file already exists but whose journal does not. */
xta_status xta__work_of_new_array(xta__path data, const xta__work_record *record,
                                  struct xta_work **out, xta_error *err);

/* Whether the process that does a piece of work is still running. `data`: the data file, open for
 * reading. */
xta_status xta__work_is_live(const xta__file *data, const uint8_t id[XTA__UUID_BYTES], bool *live,
                             xta_error *err);

/* "an import", "an append": for messages. */
const char *xta__work_verb_name(uint32_t verb);

/* Copy as much of a text as fits in `capacity` bytes with the terminating zero, never part of a
 * character. */
void xta__copy_text(char *to, size_t capacity, const char *from);

#endif
