/* Adding a dataset to an existing HDF5 file.
 *
 * Scales of axes are shared where name, length and values agree: those beside the new dataset, and
 * those of the groups around it. A scale beside it that disagrees is refused before anything is
 * created. A dataset is replaced by deleting its link; the file may keep its bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/add_dataset.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/coordinates.h"
#include "description/description.h"
#include "description/spread_attributes.h"
#include "hdf5/base/library.h"
#include "hdf5/create.h"
#include "hdf5/dataset.h"
#include "hdf5/names.h"
#include "hdf5/read_attributes.h"
#include "hdf5/write_attributes.h"
#include "util/try.h"

#define PATH_BYTES 600

static const char *name_of(const bridge_description *what)
{
    const char *name = what->variable;
    while (name[0] == '/') {
        name++;
    }
    return name[0] != '\0' ? name : "array";
}

/* ---- what is there ---- */

static bool is_group(const hdf5_file *f, const char *path)
{
    H5O_info_t info;
    bool is = H5Oget_info_by_name2(f->file, path, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
              info.type == H5O_TYPE_GROUP;
    H5Eclear2(H5E_DEFAULT);
    return is;
}

/* Follow a path link by link. `*there`: whether all of it exists. A link into another file is
 * refused, since the dataset must be written to this one. */
static xta_status find_link(const hdf5_file *f, const char *name, bool *there, H5L_info_t *last,
                            xta_error *err)
{
    char path[PATH_BYTES];
    *there = false;
    if (strlen(name) >= sizeof path) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the name %.40s... is too long", f->path, name);
    }
    for (const char *end = name; *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        snprintf(path, sizeof path, "%.*s", (int)(end - name), name);
        if (H5Lexists(f->file, path, H5P_DEFAULT) <= 0 ||
            H5Lget_info(f->file, path, last, H5P_DEFAULT) < 0) {
            H5Eclear2(H5E_DEFAULT);
            return XTA_OK;
        }
        if (*end == '\0') {
            break;
        }
        if (last->type != H5L_TYPE_HARD && last->type != H5L_TYPE_SOFT) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: %s is a link into another file; export to that file, or "
                                 "under another name",
                                 f->path, path);
        }
        if (!is_group(f, path)) {
            return xta_error_set(err, XTA_EEXIST, 0,
                                 "%s: %s is not a group, so nothing can lie in it; export under "
                                 "another name (FILE:NAME)",
                                 f->path, path);
        }
    }
    *there = true;
    return XTA_OK;
}

static xta_status refuse_name(const hdf5_file *f, const char *name, const char *what,
                              xta_error *err)
{
    return xta_error_set(err, XTA_EEXIST, 0,
                         "%s: %s is %s already and cannot be replaced; export under another name "
                         "(FILE:NAME)",
                         f->path, name, what);
}

/* Detach a dataset from its scales, which list those that use them. */
static bool detach_scales(hid_t dataset)
{
    bool good = true;
    hid_t space = H5Dget_space(dataset);
    int ndim = H5Sget_simple_extent_ndims(space);
    H5Sclose(space);
    for (int axis = 0; axis < ndim && good; axis++) {
        for (int n = H5DSget_num_scales(dataset, (unsigned)axis); n > 0 && good; n--) {
            hid_t scale = -1;
            good = H5DSiterate_scales(dataset, (unsigned)axis, NULL, xta__hdf5_open_scale,
                                      &scale) >= 0 &&
                   scale >= 0 && H5DSdetach_scale(dataset, scale, (unsigned)axis) >= 0;
            if (scale >= 0) {
                H5Dclose(scale);
            }
        }
    }
    return good;
}

/* Free the name: check that nothing has it, or that what has it may be replaced. */
static xta_status free_name(const hdf5_file *f, const char *name, xta_overwrite overwrite,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    H5L_info_t link;
    bool there = false;
    XTA_TRY(find_link(f, name, &there, &link, err));
    if (!there) {
        return XTA_OK;
    }
    if (overwrite != XTA_OVERWRITE_SAME) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: has %s already; --replace replaces it, or name another one "
                             "(FILE:NAME)",
                             f->path, name);
    }
    hid_t dataset = link.type == H5L_TYPE_HARD ? H5Dopen2(f->file, name, H5P_DEFAULT) : -1;
    if (link.type == H5L_TYPE_HARD && dataset < 0) {
        return refuse_name(f, name, "a group", err);
    }
    if (dataset >= 0 && H5DSis_scale(dataset) > 0) {
        status = refuse_name(f, name, "a scale of other datasets", err);
    } else if (dataset >= 0 && !detach_scales(dataset)) {
        status = xta__hdf5_failed(f->path, "cannot loose the dataset from its scales", err);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    if (status == XTA_OK && H5Ldelete(f->file, name, H5P_DEFAULT) < 0) {
        status = xta__hdf5_failed(f->path, "cannot replace the dataset", err);
    }
done:
    return status;
}

/* ---- scales ---- */

/* A scale that may be usable for an axis. */
typedef struct candidate {
    const char *path;
    bool beside; /* it lies in the group of the dataset */
    hid_t dataset;
    hsize_t length; /* HSIZE_UNDEF: it does not have exactly one axis */
    bool scale;
    bool hollow; /* NetCDF's placeholder for a dimension without coordinates */
} candidate;

static void read_candidate(const hdf5_file *f, candidate *c)
{
    static const char mark[] = "This is a netCDF dimension but not a netCDF variable";
    char name[sizeof mark] = "";
    H5L_info_t link;
    bool here = H5Lexists(f->file, c->path, H5P_DEFAULT) > 0 &&
                H5Lget_info(f->file, c->path, &link, H5P_DEFAULT) >= 0 &&
                link.type == H5L_TYPE_HARD; // other links may lead to another file
    c->dataset = here ? H5Dopen2(f->file, c->path, H5P_DEFAULT) : -1;
    c->length = HSIZE_UNDEF;
    if (c->dataset >= 0) {
        hid_t space = H5Dget_space(c->dataset);
        if (H5Sget_simple_extent_ndims(space) == 1) {
            H5Sget_simple_extent_dims(space, &c->length, NULL);
        }
        H5Sclose(space);
        c->scale = H5DSis_scale(c->dataset) > 0;
        c->hollow = c->scale && H5DSget_scale_name(c->dataset, name, sizeof name) > 0 &&
                    strcmp(name, mark) == 0;
    }
    H5Eclear2(H5E_DEFAULT);
}

static xta_status lengths_differ(const hdf5_file *f, const candidate *c,
                                 const bridge_description *what, int axis, xta_error *err)
{
    if (c->length == HSIZE_UNDEF) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: has another dataset %s, where the coordinates of the array "
                             "belong; rename the axis with xta attr, or leave coordinates out "
                             "with --no-coordinates",
                             f->path, c->path);
    }
    return xta_error_set(err, XTA_EBOX, 0,
                         "%s: dimension %s has length %llu in the file and %lld in the array; "
                         "rename the axis with xta attr, or export to another file or group",
                         f->path, c->path, (unsigned long long)c->length,
                         (long long)what->bounds[axis]);
}

/* Compare units and calendar, which determine the meaning of the numbers. */
static xta_status match_texts(const hdf5_file *f, const candidate *c, int axis,
                              const bridge_description *in_file, const bridge_description *what,
                              xta_error *err)
{
    static const char *const names[] = {"units", "calendar", NULL};
    for (int k = 0; names[k] != NULL; k++) {
        const char *theirs = xta__description_text(in_file, axis, names[k]);
        const char *ours = xta__description_text(what, axis, names[k]);
        if (theirs != NULL && ours != NULL && strcmp(theirs, ours) != 0) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: %s of %s are \"%s\" in the file and \"%s\" in the array; "
                                 "export to another file or group",
                                 f->path, names[k], c->path, theirs, ours);
        }
    }
    return XTA_OK;
}

/* Whether the scale has the coordinates of the axis. */
static xta_status match_values(const hdf5_file *f, const candidate *c, int axis,
                               const bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description in_file;
    bridge_attribute ours = *xta__hdf5_scale_values(what, axis);
    int64_t lo = what->lo[axis];
    int64_t hi = lo + what->bounds[axis];
    xta__description_init(&in_file);
    ours.values = xta__spread_cut(&ours, NULL, &lo, &hi, &ours.count);
    bool good = ours.values != NULL && xta__hdf5_read_scale(c->dataset, c->length, axis, &in_file);
    const bridge_attribute *theirs = good ? xta__description_find(&in_file, axis, H5_VALUES) : NULL;
    if (!good) {
        status = xta__bridge_no_memory(f->path, err);
    } else if (theirs == NULL) {
        status = xta_error_set(err, XTA_EEXIST, 0,
                               "%s: has a dataset %s already, which cannot be compared with the "
                               "coordinates of the array; export to another file or group",
                               f->path, c->path);
    } else {
        status = xta__coordinates_match(f->path, c->path, theirs, &ours, err);
    }
    if (status == XTA_OK) {
        status = match_texts(f, c, axis, &in_file, what, err);
    }
    free(ours.values);
    xta__description_clear(&in_file);
    return status;
}

/* Whether the candidate can be used for the axis; an error if it has the place of our scale but
 * differs. */
static xta_status try_candidate(const hdf5_file *f, const candidate *c, int axis,
                                const bridge_description *what, bool no_coordinates, bool *serves,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    bool labelled = xta__hdf5_scale_values(what, axis) != NULL;
    bool fits = c->length == (hsize_t)what->bounds[axis];
    *serves = false;
    if (c->dataset < 0 || (!c->scale && (!c->beside || !labelled))) {
        return XTA_OK;
    }
    if (!fits) {
        return c->beside ? lengths_differ(f, c, what, axis, err) : XTA_OK;
    }
    if (labelled && !c->hollow) {
        status = match_values(f, c, axis, what, c->beside ? err : NULL);
        *serves = status == XTA_OK;
        return c->beside ? status : XTA_OK;
    }
    if (labelled != !c->hollow && !no_coordinates) {
        return !c->beside
                   ? XTA_OK
                   : xta_error_set(err, XTA_EBOX, 0,
                                   "%s: its dimension %s has %s, the array has %s; %s with "
                                   "--no-coordinates, or export to another file or group",
                                   f->path, c->path, labelled ? "no coordinates" : "coordinates",
                                   labelled ? "some" : "none",
                                   labelled ? "leave them out" : "accept those of the file");
    }
    *serves = c->beside;
    return XTA_OK;
}

/* Look for a scale of the axis beside the dataset, then in the groups around it. */
static xta_status find_scale(hdf5_file *f, const bridge_description *what, int axis,
                             bool no_coordinates, xta_error *err)
{
    char path[2 * PATH_BYTES];
    char name[300];
    const char *variable = name_of(what);
    const char *slash = strrchr(variable, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - variable) : 0;
    bool beside = true;
    xta__hdf5_scale_name(what, axis, name, sizeof name);
    for (;; beside = false) {
        bool serves = false;
        candidate c = {.path = path, .beside = beside};
        snprintf(path, sizeof path, "%.*s%s", (int)folder, variable, name);
        if (strcmp(path, variable) != 0) {
            read_candidate(f, &c);
            xta_status status = try_candidate(f, &c, axis, what, no_coordinates, &serves, err);
            if (c.dataset >= 0) {
                H5Dclose(c.dataset);
            }
            if (status == XTA_OK && serves) {
                f->shared[axis] = xta__bridge_copy(path);
                status = f->shared[axis] != NULL ? XTA_OK : xta__bridge_no_memory(f->path, err);
            }
            if (status != XTA_OK || serves) {
                return status;
            }
        }
        if (folder == 0) {
            return XTA_OK;
        }
        folder--;
        while (folder > 0 && variable[folder - 1] != '/') {
            folder--;
        }
    }
}

/* ---- the file ---- */

static xta_status add_to_file(hdf5_file *f, const xta_export_options *options,
                              const bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    f->file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (f->file < 0) {
        status =
            xta__hdf5_failed(f->path, "a dataset cannot be added (--force replaces the file)", err);
        status = err != NULL ? (err->status = XTA_EFORMAT) : status;
        goto done;
    }
    XTA_TRY(free_name(f, name_of(what), options->overwrite, err));
    for (int axis = 0; axis < what->ndim; axis++) {
        XTA_TRY(find_scale(f, what, axis, options->no_coordinates, err));
    }
    XTA_TRY(xta__hdf5_make_dataset(f, what, false, false, err));
done:
    return status;
}

xta_status xta__hdf5_add(const char *path, const xta_export_options *options,
                         bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    hdf5_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    f->path = xta__bridge_copy(path);
    xta__hdf5_enter();
    status =
        f->path != NULL ? add_to_file(f, options, what, err) : xta__bridge_no_memory(path, err);
    xta__hdf5_leave();
    if (status != XTA_OK) {
        xta__hdf5_close(f);
        return status;
    }
    *state = f;
    return XTA_OK;
}
