/* A new NetCDF file with one variable: choosing the kind of file, and creating it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "netcdf/create.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/local_path.h"
#include "description/description.h"
#include "netcdf/define.h"
#include "netcdf/library.h"
#include "netcdf/names.h"
#include "netcdf/target.h"
#include "util/try.h"

static const struct {
    const char *option;
    const char *kind; /* in the words of ncdump -k */
    int mode;
} kinds[] = {
    {"netcdf-4", "netCDF-4", NC_NETCDF4},
    {"netcdf-4-classic", "netCDF-4 classic model", NC_NETCDF4 | NC_CLASSIC_MODEL},
    {"netcdf-classic", "classic", 0},
    {"netcdf-64bit", "64-bit offset", NC_64BIT_OFFSET},
    {"netcdf-cdf5", "cdf5", NC_64BIT_DATA},
};

#define N_KINDS (sizeof kinds / sizeof kinds[0])

bool xta__netcdf_accepts(const char *format, const char *suffix)
{
    (void)suffix;
    for (size_t k = 0; format != NULL && k < N_KINDS; k++) {
        if (strcasecmp(kinds[k].option, format) == 0) {
            return true;
        }
    }
    return false;
}

bool xta__netcdf_find_kind(const char *name, int *mode)
{
    for (size_t k = 0; name != NULL && k < N_KINDS; k++) {
        if (strcmp(kinds[k].kind, name) == 0 || strcasecmp(kinds[k].option, name) == 0) {
            *mode = kinds[k].mode;
            return true;
        }
    }
    return false;
}

bool xta__netcdf_is_classic_mode(int mode)
{
    return mode != NC_NETCDF4 && mode != NC_64BIT_DATA;
}

/* The kind of file: the requested one, the source's if it can hold the cells, or NetCDF-4. */
static xta_status choose_kind(netcdf_target *target, const xta_export_options *options, int *mode,
                              xta_error *err)
{
    const bridge_description *what = target->what;
    nc_type type = xta__netcdf_from_xta(what->type);
    const char *kept = xta__description_text(what, XTA_ON_ARRAY, NC_FORMAT);
    bool asked = false;
    bool grouped = strchr(what->variable, '/') != NULL;
    *mode = NC_NETCDF4;
    for (size_t k = 0; k < N_KINDS; k++) {
        if (kept != NULL && !asked && strcmp(kept, kinds[k].kind) == 0) {
            *mode = kinds[k].mode;
        }
        if (options->format != NULL && strcasecmp(options->format, kinds[k].option) == 0) {
            *mode = kinds[k].mode;
            asked = true;
        }
    }
    if (asked && grouped && *mode != NC_NETCDF4 && options->variable != NULL) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: %s has no groups, so there is no place for %s; use netcdf-4",
                             target->path, options->format, what->variable);
    }
    if (!asked && grouped) {
        *mode = NC_NETCDF4;
    }
    if (xta__netcdf_is_classic_mode(*mode) && !xta__netcdf_is_classic_type(type)) {
        if (asked) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: %s has no cells of type %s; use netcdf-4 or netcdf-cdf5",
                                 target->path, options->format, xta_type_name(what->type));
        }
        *mode = NC_NETCDF4;
    }
    target->classic_model = xta__netcdf_is_classic_mode(*mode);
    target->has_storage = (*mode & NC_NETCDF4) != 0;
    target->has_strings = *mode == NC_NETCDF4;
    return XTA_OK;
}

xta_status xta__netcdf_create(const char *path, const xta_export_options *options,
                              bridge_description *what, void **state, xta_error *err)
{
    xta_status status = XTA_OK;
    int mode = 0;
    netcdf_target *target = NULL;
    XTA_TRY(xta__netcdf_new_target(path, what, &target, err));
    XTA_TRY(xta__netcdf_check_type(target, err));
    XTA_TRY(choose_kind(target, options, &mode, err));
    xta__netcdf_lock();
    char *local = xta__local_path(path); // the path is a file's name, not an address
    int code = local != NULL ? nc_create(local, NC_CLOBBER | mode, &target->file) : NC_ENOMEM;
    free(local);
    if (code == NC_NOERR) {
        status = xta__netcdf_enter_group(target, err);
    } else {
        target->file = -1;
    }
    if (code == NC_NOERR && status == XTA_OK) {
        xta__netcdf_list(target);
        code = xta__netcdf_define(target);
    }
    xta__netcdf_unlock();
    XTA_TRY(status);
    XTA_TRY(xta__netcdf_status(code, path, "cannot create it", err));
    target->cells = target->variables[0].id;
    target->what = NULL;
    *state = target;
    target = NULL;
done:
    if (target != NULL) {
        xta__netcdf_abandon(target);
    }
    return status;
}
