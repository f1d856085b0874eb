/* A replacement of the files of an array that was begun and not ended.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_FINISH_REPLACEMENT_H
#define XTA_ARRAY_HANDLE_FINISH_REPLACEMENT_H

#include "store/store.h"

/* "x.rechunk.xmd" for "x.xmd": where the new pair of a replacement is made. NULL without memory. */
char *xta__sibling_path(const char *path);

/* Where the journal of the new array waits for its name. NULL without memory. */
char *xta__next_journal_path(const char *journal_file);

/* Whether a replacement was begun and not ended; and ending it. */
bool xta__replacement_waits(const char *journal_file);
xta_status xta__replacement_finish(xta__path journal, xta__path data, const xta__lock *locking,
                                   xta_error *err);

/* The files of the new array before that, for who only reads; freed by the caller. */
xta_status xta__replacement_paths(const char *journal_file, const char *data_file, char **next,
                                  char **data, xta_error *err);

/* What is left to be done once the new journal has that name. The old journal is locked. */
xta_status xta__replacement_finish_steps(const char *journal_file, const char *data_file,
                                         xta_error *err);

#endif
