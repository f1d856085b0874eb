/* A replacement of the files of an array that was begun but not completed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_FINISH_REPLACEMENT_H
#define XTA_ARRAY_HANDLE_FINISH_REPLACEMENT_H

#include "store/store.h"

/* "x.rechunk.xmd" for "x.xmd": the name under which the new pair of files is made. NULL: out of
 * memory. */
char *xta__sibling_path(const char *path);

/* Remove a file of such a pair, or of one left behind, if it exists. */
xta_status xta__remove_if_there(const char *path, xta_error *err);

/* "x.xmd.next": what the journal of the new array is called between the two renames. NULL: out of
 * memory. */
char *xta__next_journal_path(const char *journal_file);

/* Whether a replacement was begun but not completed. */
bool xta__replacement_waits(const char *journal_file);

/* Complete it. Only for writers. */
xta_status xta__replacement_finish(xta__path journal, xta__path data, const xta__lock *locking,
                                   xta_error *err);

/* Where the files of the new array are until then, for readers. Freed by the caller. */
xta_status xta__replacement_paths(const char *journal_file, const char *data_file, char **next,
                                  char **data, xta_error *err);

/* The renames that are left once the new journal has the name x.xmd.next. The old journal is
 * locked. */
xta_status xta__replacement_finish_steps(const char *journal_file, const char *data_file,
                                         xta_error *err);

#endif
