/* A replacement of an array's files that was begun but not completed: what a reader opens, and how
 * a writer completes it. The steps are those of change/replace.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/finish_replacement.h"

#include <stdlib.h>
#include <string.h>

#define SUFFIX_BYTES 4 /* ".xmd" */

char *xta__next_journal_path(const char *journal_file)
{
    size_t n = strlen(journal_file);
    char *path = malloc(n + sizeof ".next");

    if (path != NULL) {
        memcpy(path, journal_file, n);
        memcpy(path + n, ".next", sizeof ".next");
    }
    return path;
}

char *xta__sibling_path(const char *path)
{
    size_t n = strlen(path) - SUFFIX_BYTES;
    char *sibling = malloc(strlen(path) + sizeof ".rechunk");

    if (sibling != NULL) {
        memcpy(sibling, path, n);
        memcpy(sibling + n, ".rechunk", sizeof ".rechunk" - 1);
        memcpy(sibling + n + sizeof ".rechunk" - 1, path + n, SUFFIX_BYTES + 1);
    }
    return sibling;
}

xta_status xta__remove_if_there(const char *path, xta_error *err)
{
    return xta__path_exists(path) ? xta__path_remove(path, err) : XTA_OK;
}

bool xta__replacement_waits(const char *journal_file)
{
    char *next = xta__next_journal_path(journal_file);
    bool waits = next != NULL && xta__path_exists(next);

    free(next);
    return waits;
}

/* What a reader opens meanwhile: a reader may not rename. */
xta_status xta__replacement_paths(const char *journal_file, const char *data_file, char **next,
                                  char **data, xta_error *err)
{
    *next = xta__next_journal_path(journal_file);
    *data = xta__sibling_path(data_file);
    if (*data != NULL && !xta__path_exists(*data)) {
        // Step 4 has been done.
        free(*data);
        *data = xta__strdup(data_file);
    }
    return *next != NULL && *data != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open it", journal_file);
}

/* Steps 4 and 5. The old journal is locked. */
xta_status xta__replacement_finish_steps(const char *journal_file, const char *data_file,
                                         xta_error *err)
{
    xta_status status = XTA_OK;
    char *next = xta__next_journal_path(journal_file), *data = xta__sibling_path(data_file);

    if (next == NULL || data == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to put it in place", journal_file));
    }
    if (xta__path_exists(data)) {
        XTA_TRY(xta__path_rename(data, data_file, true, err));
        XTA_TRY(xta__path_sync_folder(data_file, err));
    }
    XTA_TRY(xta__path_rename(next, journal_file, true, err));
    XTA_TRY(xta__path_sync_folder(journal_file, err));

done:
    free(next);
    free(data);
    return status;
}

xta_status xta__replacement_finish(xta__path journal_at, xta__path data_at,
                                   const xta__lock *locking, xta_error *err)
{
    xta__file journal = XTA__FILE_CLOSED;
    xta_status status = XTA_OK;
    xta__lock lock = {.by_file = locking->by_file, .wait_ms = locking->wait_ms};
    bool locked = false;

    XTA_TRY(xta__file_open_at(journal_at, XTA__FILE_WRITE, &journal, err));
    XTA_TRY(xta__lock_acquire(&lock, &journal, data_at, false, XTA__LOCK_PATIENCE_MS, err));
    locked = true;
    // By the time the lock is acquired, the path may name another file, and everything may be done.
    if (xta__file_is_at_path(&journal) && xta__replacement_waits(journal_at.at)) {
        XTA_TRY(xta__replacement_finish_steps(journal_at.at, data_at.at, err));
    }

done:
    if (locked) {
        xta__lock_give(&lock, &journal);
    }
    xta__file_close(&journal);
    return status;
}
