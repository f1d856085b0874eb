/* A change of the journal of a data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_CHANGE_H
#define XTA_DATASET_CHANGE_H

#include "dataset/open_dataset.h"

extern const xta__journal_kind xta__dataset_journal;

/* Open the journal, if there is one, and read it. */
xta_status xta__dataset_open_journal(xta_dataset *set, xta_error *err);

/* Read what others have changed. The mutex is held. */
xta_status xta__dataset_catch_up(xta_dataset *set, bool *changed, xta_error *err);

/* Begin a change: the handle is writable, the journal exists, its lock is held and it has been
 * read; the folder has been listed. Ends with xta__dataset_change_end, unless it fails. Holds the
 * mutex of the handle. */
xta_status xta__dataset_change_begin(xta_dataset *set, xta_error *err);
void xta__dataset_change_end(xta_dataset *set);

/* Write a change (entries.h) as one record, and apply it. On failure nothing has changed. Clears
 * the change. */
xta_status xta__dataset_commit(xta_dataset *set, xta__bytes *change, xta_error *err);

#endif
