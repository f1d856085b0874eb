/* Listing the arrays of a folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/admin/list.h"

#include <string.h>

#include "util/os.h"

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);

    return n > m && strcmp(name + n - m, suffix) == 0;
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
        bool array = !names[k].folder &&
                     (has_suffix(names[k].name, ".xmd") || has_suffix(names[k].name, ".pma"));
        if (!array && !names[k].folder) {
            continue;
        }
        if (array) {
            names[k].name[strlen(names[k].name) - 4] = '\0';
        }
        xta_dataset_entry entry = {.array = array, .name = names[k].name};
        if (each(user, &entry) != 0) {
            status = xta__fail(err, XTA_ECANCELLED, 0, "%s: the listing was ended", folder);
        }
    }
    xta__folder_entries_free(names, n);
    return status;
}
