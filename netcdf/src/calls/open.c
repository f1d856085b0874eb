/* Opening and closing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/codes.h"
#include "calls/path.h"
#include "model/define.h"
#include "model/define_array.h"
#include "model/file.h"
#include "model/refresh.h"
#include "model/snapshot.h"

/* A file in memory, for definitions. Its name must differ from those of all that are open, and is
 * one that no file can have, since ending it would remove that file. */
static int make_shadow(netcdf_file *file)
{
    static unsigned long number;
    char name[64];

    snprintf(name, sizeof name, "/dev/null/xta-definitions-%lu", number++);
    int code = nc_create(name, NC_DISKLESS | NC_NETCDF4, &file->shadow);
    if (code != NC_NOERR) {
        file->shadow = -1;
    }
    return code;
}

/* A folder that has neither arrays nor a `dataset.xmd` is none of ours. */
static bool is_nothing(const netcdf_file *file, const char *path)
{
    return file->set != NULL && !xta_dataset_exists(path) &&
           xta_dataset_member_count(file->set) == 0 && xta_dataset_group_count(file->set) == 0;
}

static int open_file(netcdf_file *file, const char *path, bool single)
{
    xta_error err = {0};
    xta_status status = xta__nc_open_arrays(file, path, single, &err);

    if (status == XTA_OK && is_nothing(file, path)) {
        status = xta_error_set(&err, XTA_EFORMAT, 0,
                               "%s: neither a data set nor a folder with arrays", path);
    }
    int code = xta__nc_code(status, &err);
    if (code == NC_NOERR) {
        code = make_shadow(file);
    }
    if (code == NC_NOERR) {
        code = single ? xta__nc_define_array(file) : xta__nc_define_set(file);
    }
    return code;
}

int xta__nc_open(const char *path, int mode, int basepe, size_t *chunk_size_hint, void *parameters,
                 const struct NC_Dispatch *table, int ncid)
{
    netcdf_file *file = calloc(1, sizeof *file);
    char *local = xta__nc_local_path(path);
    int code = file != NULL && local != NULL ? NC_NOERR : NC_ENOMEM;

    (void)basepe;
    (void)chunk_size_hint;
    (void)parameters;
    if (code == NC_NOERR && (mode & (NC_DISKLESS | NC_INMEMORY | NC_MMAP)) != 0) {
        code = NC_EINVAL;
    }
    if (file != NULL) {
        file->ncid = ncid;
        file->shadow = -1;
        file->writable = (mode & NC_WRITE) != 0;
    }
    if (code == NC_NOERR) {
        code = open_file(file, local, table->model == NC_FORMATX_UDF1);
    }
    if (code == NC_NOERR) {
        code = xta__nc_file_register(file);
    }
    if (code != NC_NOERR && file != NULL) {
        (void)xta__nc_file_free(file, NULL);
    }
    free(local);
    return code;
}

int xta__nc_close(int ncid, void *parameters)
{
    netcdf_file *file = xta__nc_file_find(ncid);
    xta_error err = {0};

    (void)parameters;
    if (file == NULL) {
        return NC_EBADID;
    }
    if (ncid != file->ncid) {
        return NC_EBADGRPID;
    }
    xta__nc_file_forget(file);
    xta_status status = xta__nc_file_free(file, &err);
    return xta__nc_code(status, &err);
}

/* Nothing is pending that could be taken back. */
int xta__nc_abort(int ncid)
{
    return xta__nc_close(ncid, NULL);
}

/* A writer's cells become durable, and a reader sees what others have written: records that have
 * been added since, and positions that are counted from the first cell of today. */
int xta__nc_sync(int ncid)
{
    netcdf_file *file = xta__nc_file_find(ncid);
    xta_error err = {0};
    xta_status status = XTA_OK;

    if (file == NULL) {
        return NC_EBADID;
    }
    if (file->writable && file->array != NULL) {
        status = xta_array_sync(file->array, &err);
    }
    for (size_t k = 0; k < file->n_groups && file->writable && status == XTA_OK; k++) {
        status = file->groups[k].set != NULL ? xta_dataset_sync(file->groups[k].set, &err) : XTA_OK;
    }
    if (status == XTA_OK) {
        status = xta__nc_settle(file, &err);
    }
    if (status == XTA_OK) {
        status = xta__nc_refresh(file, true, &err);
    }
    return xta__nc_code(status, &err);
}

/* There is no define mode: changes of attributes are made at once. */
int xta__nc_redef(int ncid)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    return file == NULL ? NC_EBADID : file->writable ? NC_NOERR : NC_EPERM;
}

int xta__nc_enddef(int ncid, size_t h_minfree, size_t v_align, size_t v_minfree, size_t r_align)
{
    (void)h_minfree;
    (void)v_align;
    (void)v_minfree;
    (void)r_align;
    return xta__nc_file_find(ncid) != NULL ? NC_NOERR : NC_EBADID;
}

/* Cells that nobody wrote are fill values always. */
int xta__nc_set_fill(int ncid, int mode, int *old_mode)
{
    const netcdf_file *file = xta__nc_file_find(ncid);

    if (file == NULL) {
        return NC_EBADID;
    }
    if (!file->writable) {
        return NC_EPERM;
    }
    if (mode != NC_FILL && mode != NC_NOFILL) {
        return NC_EINVAL;
    }
    if (old_mode != NULL) {
        *old_mode = NC_FILL;
    }
    return NC_NOERR;
}
