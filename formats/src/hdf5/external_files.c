/* HDF5: data in files other than the one that was opened.
 *
 * There are three ways: a link to an object of another file, a dataset whose cells are in other
 * files ("external storage"), and a dataset that is composed of others ("virtual"). The library
 * follows all of them by itself: a link when a name is resolved, the sources of a virtual dataset
 * when its bounds are queried. So links are caught by a callback, and the creation properties of a
 * dataset are checked before anything else is queried.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/external_files.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

#include "hdf5/dataset.h"

void xta__hdf5_note_external(hdf5_external *found, const char *file)
{
    snprintf(found->file, sizeof found->file, "%s", file);
    found->any = true;
}

/* The first file of external storage, or of a virtual dataset's sources; "." is the file itself. */
static void find_in_storage(hid_t properties, hdf5_external *found)
{
    char file[HDF5_EXTERNAL_BYTES] = "";
    if (H5Pget_external_count(properties) > 0) {
        off_t offset = 0;
        hsize_t bytes = 0;
        H5Pget_external(properties, 0, sizeof file - 1, file, &offset, &bytes);
        xta__hdf5_note_external(found, file);
    }
    size_t n = 0;
    if (H5Pget_layout(properties) != H5D_VIRTUAL || H5Pget_virtual_count(properties, &n) < 0) {
        return;
    }
    for (size_t k = 0; k < n && !found->any; k++) {
        ssize_t length = H5Pget_virtual_filename(properties, k, file, sizeof file);
        if (length < 0 || strcmp(file, ".") != 0) {
            xta__hdf5_note_external(found, file);
        }
    }
}

void xta__hdf5_find_external(hid_t dataset, hdf5_external *found)
{
    hid_t properties = H5Dget_create_plist(dataset);
    memset(found, 0, sizeof *found);
    if (properties < 0) {
        xta__hdf5_note_external(found, "one that cannot be told");
        return;
    }
    find_in_storage(properties, found);
    H5Pclose(properties);
}

/* Called when the library follows a link to another file; a negative result stops it. */
static herr_t refuse_link(const char *parent, const char *group, const char *file,
                          const char *object, unsigned *flags, hid_t access, void *user)
{
    (void)parent;
    (void)group;
    (void)object;
    (void)flags;
    (void)access;
    xta__hdf5_note_external(user, file);
    return -1;
}

void xta__hdf5_follow_no_links(hid_t access, hdf5_external *found)
{
    memset(found, 0, sizeof *found);
    H5Pset_elink_cb(access, refuse_link, found);
}

static herr_t find_in_scale(hid_t dataset, unsigned axis, hid_t scale, void *user)
{
    hdf5_external *found = user;
    (void)dataset;
    (void)axis;
    if (!found->any) {
        xta__hdf5_find_external(scale, found);
    }
    return 0;
}

xta_status xta__hdf5_check_scales(const hdf5_file *f, xta_error *err)
{
    hdf5_external found = {.any = false};
    for (int axis = 0; axis < f->ndim && H5DSis_scale(f->dataset) <= 0; axis++) {
        if (H5DSget_num_scales(f->dataset, (unsigned)axis) > 0) {
            H5DSiterate_scales(f->dataset, (unsigned)axis, NULL, find_in_scale, &found);
        }
    }
    return found.any ? xta__hdf5_refuse_external(f->path, "scale of an axis", &found, err) : XTA_OK;
}

xta_status xta__hdf5_refuse_external(const char *path, const char *name, const hdf5_external *found,
                                     xta_error *err)
{
    H5Eclear2(H5E_DEFAULT);
    return xta_error_set(err, XTA_EACCESS, 0,
                         "%s: what '%s' names is not in it but in another file, %s; if you trust "
                         "that, say so (--trust)",
                         path, name, found->file);
}
