/* Listing the arrays of a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/admin/list.h"

#include <string.h>

#include "util/os.h"
#include "util/text.h"

#define SUFFIX_BYTES 4 /* ".xmd" */

/* Whether an entry is the journal of a data set, which has no data file beside it. */
static bool is_of_dataset(const xta__folder_entry *names, size_t n, size_t k)
{
    bool is = strcmp(names[k].name, "dataset.xmd") == 0;

    for (size_t later = k + 1; later < n && is; later++) {
        is = strcmp(names[later].name, "dataset.xta") != 0;
    }
    return is;
}

/* Whether a file is the journal of an array. A file named just ".xmd" has no name to list. */
static bool is_journal(const char *name)
{
    return strlen(name) > SUFFIX_BYTES &&
           (xta__ends_with(name, ".xmd") || xta__ends_with(name, ".pma"));
}

xta_status xta_dataset_list(const char *folder,
                            int (*each)(void *user, const xta_dataset_entry *entry), void *user,
                            xta_error *err)
{
    xta__folder_entry *names = NULL;
    size_t n = 0;

    xta__clear(err);
    xta_status status = xta__folder_list(folder, &names, &n, err);
    for (size_t k = 0; k < n && status == XTA_OK; k++) {
        bool array = !names[k].folder && is_journal(names[k].name) && !is_of_dataset(names, n, k);
        if (!array && !names[k].folder) {
            continue;
        }
        if (array) {
            names[k].name[strlen(names[k].name) - SUFFIX_BYTES] = '\0';
        }
        xta_dataset_entry entry = {.array = array, .name = names[k].name};
        if (each(user, &entry) != 0) {
            status = xta__fail(err, XTA_ECANCELLED, 0, "%s: the listing was ended", folder);
        }
    }
    xta__folder_entries_free(names, n);
    return status;
}
