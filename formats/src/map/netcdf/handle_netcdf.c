/* A variable of a file that the program has opened, with all that is known of it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/netcdf/handle_netcdf.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/origin.h"
#include "map/attributes.h"
#include "netcdf/library.h"
#include "netcdf/variable.h"
#include "util/try.h"

char *xta__mapping_netcdf_path(int group)
{
    size_t n = 0;
    if (nc_inq_path(group, &n, NULL) != NC_NOERR) {
        return NULL;
    }
    char *path = calloc(n + 1, 1);
    if (path != NULL && nc_inq_path(group, NULL, path) != NC_NOERR) {
        free(path);
        path = NULL;
    }
    return path;
}

char *xta__mapping_netcdf_name(int group, const char *name)
{
    size_t n = 0;
    size_t more = name != NULL ? strlen(name) + 1 : 0;
    if (nc_inq_grpname_full(group, &n, NULL) != NC_NOERR) {
        n = 0; // a classic file has its root alone
    }
    char *path = calloc(n + more + 2, 1);
    if (path == NULL) {
        return NULL;
    }
    if (n == 0 || nc_inq_grpname_full(group, NULL, path) != NC_NOERR) {
        strcpy(path, "/");
    }
    if (name != NULL) {
        strcat(strcat(path, strcmp(path, "/") == 0 ? "" : "/"), name);
    }
    return path;
}

void xta__mapping_netcdf_free(netcdf_source *source)
{
    if (source != NULL) {
        free(source->path);
        free(source);
    }
}

/* "file.nc:/group/variable"; NULL: out of memory. */
static char *label_of(int group, const char *variable)
{
    char *path = xta__mapping_netcdf_path(group);
    char *name = xta__mapping_netcdf_name(group, variable);
    char *label = NULL;
    if (path != NULL && name != NULL) {
        size_t n = strlen(path) + strlen(name) + 2;
        label = calloc(n, 1);
        if (label != NULL) {
            snprintf(label, n, "%s:%s", path, name);
        }
    }
    free(path);
    free(name);
    return label;
}

/* Under the lock. A variable without _FillValue has the fill value of its type: new cells get that,
 * as those of the other variables along the dimension do. */
static xta_status default_fill(const netcdf_source *source, bridge_description *what,
                               xta_error *err)
{
    int no_fill = 0;
    if (what->fill != NULL) {
        return XTA_OK;
    }
    what->fill = calloc(1, what->cell_bytes);
    if (what->fill == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    if (nc_inq_var_fill(source->group, source->variable, &no_fill, what->fill) != NC_NOERR) {
        memset(what->fill, 0, what->cell_bytes); // an enumeration may have none
    }
    return XTA_OK;
}

/* Under the lock. */
static xta_status describe(netcdf_source *source, bridge_description *what, int64_t origin[],
                           xta_error *err)
{
    xta_status status = XTA_OK;
    char name[NC_MAX_NAME + 1];
    int parent = 0;
    int code = nc_inq_varname(source->group, source->variable, name);
    if (code != NC_NOERR) {
        return xta_error_set(err, XTA_EARG, 0,
                             "ncid %d, varid %d: NetCDF says: %s; give those of an open file, from "
                             "nc_open and nc_inq_varid",
                             source->group, source->variable, nc_strerror(code));
    }
    source->path = label_of(source->group, name);
    if (source->path == NULL) {
        return xta__bridge_no_memory("NetCDF", err);
    }
    source->root = source->group;
    while (nc_inq_grp_parent(source->root, &parent) == NC_NOERR) {
        source->root = parent;
    }
    XTA_TRY(xta__netcdf_describe(source, what, err));
    if (source->ndim == 0) {
        status =
            xta_error_set(err, XTA_EUNSUPPORTED, 0,
                          "%s: is a scalar, which has no dimension that could grow", source->path);
        goto done;
    }
    XTA_TRY(default_fill(source, what, err));
    XTA_TRY(xta__origin_read(what, BRIDGE_ORIGIN_LISTS, origin, source->path, err));
done:
    return status;
}

xta_status xta__mapping_open_netcdf(int group, int variable, bridge_description *what,
                                    int64_t origin[], netcdf_source **out, xta_error *err)
{
    *out = NULL;
    netcdf_source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        return xta__bridge_no_memory("NetCDF", err);
    }
    source->group = group;
    source->variable = variable;
    xta__netcdf_lock();
    xta_status status = describe(source, what, origin, err);
    xta__netcdf_unlock();
    if (status != XTA_OK) {
        xta__mapping_netcdf_free(source);
        return status;
    }
    *out = source;
    return XTA_OK;
}
