/* Whether an HDF5 file refers to other files. The whole file is searched, to protect libraries that
 * follow links and cannot be stopped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/self_contained.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "hdf5/base/library.h"
#include "hdf5/external_files.h"

typedef struct scan {
    hdf5_external found;
    char name[HDF5_EXTERNAL_BYTES];
} scan;

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
    scan *s = user;
    if (info->type != H5L_TYPE_EXTERNAL) {
        return 0;
    }
    char *value = malloc(info->u.val_size + 1);
    const char *file = NULL;
    const char *object = NULL;
    unsigned flags = 0;
    bool known = value != NULL &&
                 H5Lget_val(group, name, value, info->u.val_size, H5P_DEFAULT) >= 0 &&
                 H5Lunpack_elink_val(value, info->u.val_size, &flags, &file, &object) >= 0;
    xta__hdf5_note_external(&s->found, known ? file : "one that cannot be told");
    snprintf(s->name, sizeof s->name, "%s", name);
    free(value);
    return 1;
}

static herr_t visit_object(hid_t group, const char *name, const H5O_info_t *info, void *user)
{
    scan *s = user;
    hid_t dataset =
        info->type == H5O_TYPE_DATASET ? H5Dopen2(group, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (dataset >= 0) {
        xta__hdf5_find_external(dataset, &s->found);
        snprintf(s->name, sizeof s->name, "%s", name);
        H5Dclose(dataset);
    }
    return s->found.any ? 1 : 0;
}

xta_status xta__hdf5_check_self_contained(const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    scan s = {.found = {.any = false}};
    xta__hdf5_enter();
    hid_t file = H5Fis_hdf5(path) > 0 ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (file >= 0) {
        herr_t links = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, visit_link, &s);
        herr_t objects = s.found.any ? 0
                                     : H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visit_object, &s,
                                                 H5O_INFO_BASIC);
        if (s.found.any) {
            status = xta__hdf5_refuse_external(path, s.name, &s.found, err);
        } else if (links < 0 || objects < 0) {
            status = xta__hdf5_failed(path, "cannot list what is in it", err);
        }
        H5Fclose(file);
    }
    H5Eclear2(H5E_DEFAULT);
    xta__hdf5_leave();
    return status;
}
