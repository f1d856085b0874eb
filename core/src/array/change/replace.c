/* Putting a new pair of files in the place of an old one, all or nothing.
 *
 * Two files cannot be renamed at once. So one rename is the commit, and whoever opens the array
 * next can do what follows it:
 *
 *   1. The new pair lies beside the old one (x.rechunk.xmd, x.rechunk.xta), complete and durable.
 *   2. The old journal, which is locked, gets a SUPERSEDED record, durably: handles that others
 *      have open will find that another array has replaced theirs.
 *   3. x.rechunk.xmd becomes x.xmd.next. Before this step, the old array is valid and the new pair
 *      is leftovers. From here on the new array is valid: whoever opens x sees x.xmd.next, acquires
 *      the lock, and does what is left of
 *   4. x.rechunk.xta becomes x.xta, if it is still there.
 *   5. x.xmd.next becomes x.xmd.
 *
 * Whoever opens x for reading uses x.xmd.next, and x.rechunk.xta if it is there, as they are.
 *
 * Each step is durable before the next. Somebody who opened the old journal before step 2 and the
 * data file after step 4 would have two files that do not belong together. So after opening both,
 * the journal is checked once more: its name must still lead to it, and there must be no
 * x.xmd.next.
 *
 * Steps 4 and 5 are in handle/finish_replacement.c, since opening an array may have to do them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/replace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/announced_growth.h"
#include "array/handle/finish_replacement.h"
#include "array/handle/paths.h"

/* The new pair has another UUID, and lacks the COMMITs that other arrays may still have to look
 * up. */
static xta_status refuse_leader(xta_array *array, xta_error *err)
{
    xta__bytes *commits = NULL;
    size_t n = 0;

    xta_status status = xta__group_unsettled(array, &commits, &n, err);
    if (status == XTA_OK && n > 0) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: a growth together with other arrays was cut off by a kill, and "
                           "they may still have to look here; repartition into a new array instead",
                           array->path);
    }
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&commits[k]);
    }
    free(commits);
    return status;
}

/* Whether `name` is the journal's name followed by a mark and so many digits. */
static bool is_marked(const char *name, const char *journal, const char *mark, size_t n_digits)
{
    size_t n = strlen(journal), m = strlen(mark);

    return strncmp(name, journal, n) == 0 && strncmp(name + n, mark, m) == 0 &&
           strlen(name + n) == m + n_digits && strspn(name + n + m, "0123456789abcdef") == n_digits;
}

/* Whether the file at which ranks meet was left behind: its maker holds its lock as long as it
 * lives. */
static bool is_abandoned(const char *path)
{
    xta__file file = XTA__FILE_CLOSED;
    xta_error ignored = {0};
    bool got = false;
    bool asked = xta__file_open(path, XTA__FILE_WRITE, &file, &ignored) == XTA_OK &&
                 xta__file_try_lock(&file, false, &got, &ignored) == XTA_OK;

    xta__file_close(&file);
    return asked && got;
}

void xta__remove_leftovers(const char *journal_file)
{
    const char *slash = strrchr(journal_file, '/');
    char *folder = slash != NULL ? xta__strdup(journal_file) : NULL;
    xta__folder_entry *names = NULL;
    xta_error ignored = {0};
    size_t n = 0;

    if (folder == NULL) {
        return;
    }
    // A file that cannot be removed does no harm.
    folder[slash - journal_file + 1] = '\0';
    (void)!xta__folder_list(folder, &names, &n, &ignored);
    for (size_t k = 0; k < n; k++) {
        char *path = NULL;
        // Left by a killed process: a file at which ranks meet (parallel/handle/same_files.c), a
        // temporary lock file, or a partly written journal.
        bool meeting = is_marked(names[k].name, slash + 1, ".meet-", 16);
        bool lock = is_marked(names[k].name, slash + 1, ".lock-", 32);
        if (meeting || lock || is_marked(names[k].name, slash + 1, ".new-", 8)) {
            path = malloc(strlen(folder) + strlen(names[k].name) + 1);
        }
        if (path != NULL) {
            strcpy(path, folder);
            strcat(path, names[k].name);
        }
        if (path != NULL && (!meeting || is_abandoned(path)) &&
            (!lock || xta__lock_file_is_abandoned(path))) {
            (void)!xta__path_remove(path, &ignored);
        }
        free(path);
    }
    xta__folder_entries_free(names, n);
    free(folder);
}

static xta_status refuse_names(const xta__file *file, xta_error *err)
{
    uint64_t n = 0;
    xta_status status = xta__file_names(file, &n, err);

    if (status == XTA_OK && n > 1) {
        status = xta__fail(err, XTA_EACCESS, 0,
                           "%s: the file has %" PRIu64 " names (hard links), and under the others "
                           "the old one would live on; remove them, or make copies of them",
                           file->path, n);
    }
    return status;
}

xta_status xta__check_replaceable(xta_array *array, bool data, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(refuse_names(&array->journal.file, err));
    if (data) {
        XTA_TRY(refuse_names(xta__chunks_file(array->chunk_store), err));
    }
    if (data && xta__pair_is_split(array->journal_file, array->data_file)) {
        XTA_TRY(xta__fail(err, XTA_EACCESS, 0,
                          "%s: links have put its data file (%s) away from its journal (%s); "
                          "repartition into a new array instead",
                          array->path, array->data_file, array->journal_file));
    }

done:
    return status;
}

xta_status xta__replace_by_sibling(xta_array *array, xta_error *err)
{
    const xta__bytes nothing = {0};
    xta__journal *journal = &array->journal;
    uint64_t end = journal->end;
    bool marked = false, committed = false;
    xta_status status = XTA_OK;
    char *next = xta__next_journal_path(array->journal_file),
         *sibling = xta__sibling_path(array->journal_file);

    if (next == NULL || sibling == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to replace it", array->path));
    }
    XTA_TRY(refuse_leader(array, err));
    if (array->state.works.n > 0) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: unfinished work fills this array; end it or undo it first",
                          array->path));
    }
    XTA_TRY(xta__path_sync_folder(array->journal_file, err));
    XTA_TRY(xta__journal_append(journal, XTA__RECORD_SUPERSEDED, &nothing, err));
    marked = true;
    XTA_TRY(xta__file_sync(&journal->file, err));
    XTA_TRY(xta__path_rename(sibling, next, true, err));
    committed = journal->moved = true;
    XTA_TRY(xta__path_sync_folder(next, err));
    XTA_TRY(xta__replacement_finish_steps(array->journal_file, array->data_file, err));

done:
    if (status != XTA_OK && marked && !committed) {
        // If the record stays, it means nothing as long as the path names this file.
        xta__journal_undo(journal, end);
    }
    free(next);
    free(sibling);
    return status;
}
