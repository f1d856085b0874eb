/* An open data set: what all calls begin with, and names of its files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/open_dataset.h"

#include "util/text.h"

char *xta__dataset_file(const xta_dataset *set, const char *name, const char *suffix)
{
    return xta__string("%s/%s%s", set->folder, name, suffix);
}

char *xta__dataset_path_of(const xta_dataset *set, const char *name)
{
    return xta__string("%s/%s", set->path, name);
}

xta_status xta__dataset_no_memory(const xta_dataset *set, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the data set", set->path);
}

xta_status xta__dataset_begin(const xta_dataset *set, xta_error *err)
{
    if (set->broken) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: an earlier failure left the handle unusable; close the data set and "
                         "open it again",
                         set->path);
    }
    return XTA_OK;
}
