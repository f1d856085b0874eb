/* The life of an array: create, open, make durable, close, delete.
 *
 * Rank 0 does to the files whatever is done once; the others open them after that. What must be the
 * same on all ranks, names, type and bounds, comes from rank 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/pexta.h>

#include <ga.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "pexta/disk.h"
#include "pexta/ga.h"
#include "pexta/requests.h"
#include "pexta/session.h"
#include "pexta/layout/shape.h"
#include "pexta/types.h"
#include "util/text.h"

#define TYPE_ATTRIBUTE "pexta_type"
#define NAME_ATTRIBUTE "pexta_name"

/* What rank 0 sends to the others about an array. */
typedef struct shared_facts {
    int type, ndim;
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM];
    char name[PEXTA_NAME_BYTES];
    char filename[PEXTA_FILENAME_BYTES];
    char path[PEXTA_FILENAME_BYTES + 8];
} shared_facts;

static xta_access access_of_files(void)
{
    return xta__pexta.apart ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
}

/* ---- new handles ---- */

/* The others open what rank 0 has opened. Collective; gives an agreed status. */
static xta_status introduce(xta__disk *disk, xta_status status, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    shared_facts *t = xta__calloc(1, sizeof *t);

    if (t == NULL && status == XTA_OK) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for an array's names");
    }
    status = xta_agree(xta__pexta.comm, status, err);
    if (status == XTA_OK) {
        t->type = disk->type;
        memcpy(t->name, disk->name, sizeof t->name);
        memcpy(t->filename, disk->filename, sizeof t->filename);
        memcpy(t->path, disk->path, sizeof t->path);
        MPI_Bcast(t, (int)sizeof *t, MPI_BYTE, 0, xta__pexta.comm);
        disk->type = t->type;
        memcpy(disk->name, t->name, sizeof t->name);
        memcpy(disk->filename, t->filename, sizeof t->filename);
        memcpy(disk->path, t->path, sizeof t->path);
        options.writable = disk->mode != PEXTA_R;
        options.access = access_of_files();
        if (disk->array == NULL) {
            status = xta_array_open(disk->path, &options, &disk->array, err);
        }
        status = xta__share_bounds(disk, status, err);
    }
    free(t);
    return status;
}

/* Give an array a number and put it into the list or, after a failure, free it. */
static int enlist_or_free(xta__disk *disk, xta_status status, int *p_a)
{
    xta__disk **at = &xta__pexta.disks;

    if (status == XTA_OK) {
        while (*at != NULL) {
            at = &(*at)->next;
        }
        *at = disk;
        disk->handle = ++xta__pexta.last_handle;
        *p_a = disk->handle;
        xta__clear(&xta__pexta.last);
    } else if (disk != NULL) {
        xta_array_close(disk->array, NULL);
        free(disk);
    }
    return (int)status;
}

/* Whether a file name can be used, and the handle given back; rank 0's name counts. */
static xta_status check_names(const char *call, const char *filename, const int *p_a,
                              xta_error *err)
{
    if (p_a == NULL) {
        return xta__fail(err, XTA_EARG, 0, "%s: p_a is NULL; it takes the handle", call);
    }
    if (xta__pexta.rank != 0) {
        return XTA_OK;
    }
    if (filename == NULL || filename[0] == '\0') {
        return xta__fail(err, XTA_EARG, 0, "%s: rank 0 gives no file name", call);
    }
    if (strlen(filename) >= PEXTA_FILENAME_BYTES) {
        return xta__fail(err, XTA_EARG, 0, "%s: a file name of %zu bytes; at most %d are taken",
                         call, strlen(filename), PEXTA_FILENAME_BYTES - 1);
    }
    return XTA_OK;
}

static xta__disk *new_disk(const char *filename, const char *name, int mode, xta_status *status,
                           xta_error *err)
{
    xta__disk *disk = xta__calloc(1, sizeof *disk);

    if (disk == NULL) {
        *status = xta__fail(err, XTA_ENOMEM, 0, "no memory for an open array");
    } else if (*status == XTA_OK) {
        disk->mode = mode;
        snprintf(disk->filename, sizeof disk->filename, "%s", filename != NULL ? filename : "");
        snprintf(disk->name, sizeof disk->name, "%s", name != NULL ? name : "");
    }
    return disk;
}

/* Whether a name ends with the suffix, and has something before it. */
static bool has_suffix(const char *name, const char *suffix)
{
    return xta__ends_with(name, suffix) && strlen(name) > strlen(suffix);
}

/* The path with `suffix` in place of one of ours, if there is one. */
static void set_path(xta__disk *disk, const char *suffix)
{
    static const char *const ours[] = {".pma", ".pta", ".xmd", ".xta"};
    size_t n = strlen(disk->filename);

    for (int k = 0; k < 4; k++) {
        if (has_suffix(disk->filename, ours[k])) {
            n -= strlen(ours[k]);
            break;
        }
    }
    snprintf(disk->path, sizeof disk->path, "%.*s%s", (int)n, disk->filename, suffix);
}

/* ---- create ---- */

static xta_status check_create(int type, int ndim, const int64_t dims[], int mode, int g_a,
                               xta_error *err)
{
    xta__ga ga;
    xta_status status = XTA_OK;

    if (xta__cells_of_ga(type) == XTA_TYPE_SAME) {
        return xta__fail(
            err, XTA_ETYPE, 0,
            "PEXTA_Create64: type %d; give C_CHAR, C_INT, C_LONG, C_LONGLONG, C_FLOAT, "
            "C_DBL, C_SCPL or C_DCPL",
            type);
    }
    if (ndim < 1 || ndim > PEXTA_MAX_NDIM || dims == NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "PEXTA_Create64: %d axes; give 1 to %d and their lengths", ndim,
                         PEXTA_MAX_NDIM);
    }
    if (mode != PEXTA_RW && mode != PEXTA_W) {
        return xta__fail(err, mode == PEXTA_R ? XTA_EACCESS : XTA_EARG, 0,
                         "PEXTA_Create64: mode %d; a new array is PEXTA_RW (%d) or PEXTA_W (%d)",
                         mode, PEXTA_RW, PEXTA_W);
    }
    if (g_a != PEXTA_NO_GA) {
        status = xta__ga_inquire(g_a, &ga, err);
        if (status == XTA_OK && ga.ndim != ndim) {
            status = xta__fail(err, XTA_EARG, 0,
                               "PEXTA_Create64: the array has %d axes, global array %d has %d",
                               ndim, g_a, ga.ndim);
        }
    }
    return status;
}

/* Rank 0: delete the array that the new one replaces. First the new one is made under another name,
 * so that no array is lost to one that cannot be created. */
static xta_status remove_replaced(xta__disk *disk, xta_type cells, int ndim, const int64_t dims[],
                                  const xta_create_options *options, xta_error *err)
{
    char *trial = NULL;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    set_path(disk, ".pma");
    if (access(disk->path, F_OK) == 0) {
        trial = xta__string("%.*s.try-%ld.pma", (int)strlen(disk->path) - 4, disk->path,
                            (long)getpid());
        if (trial == NULL) {
            XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a path", disk->path));
        }
        XTA_TRY(xta_array_create(trial, cells, ndim, dims, options, &array, err));
        XTA_TRY(xta_array_close(array, err));
        XTA_TRY(xta_array_delete(trial, err));
    }
    set_path(disk, ".pta");
    if (xta_array_delete(disk->path, NULL) == XTA_ENOENT) {
        // Files that an interrupted deletion may have left.
        remove(disk->path);
    }
    set_path(disk, ".pma");

done:
    free(trial);
    return status;
}

/* Rank 0: the files. */
static xta_status create_files(xta__disk *disk, int type, int ndim, const int64_t dims[],
                               const int64_t reqdims[], int g_a, xta_error *err)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t chunk[PEXTA_MAX_NDIM], request[PEXTA_MAX_NDIM], block[PEXTA_MAX_NDIM] = {0};
    xta_type cells = xta__cells_of_ga(type);
    xta__ga ga;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < ndim; axis++) {
        request[axis] = reqdims != NULL ? reqdims[axis] : -1;
    }
    if (g_a != PEXTA_NO_GA) {
        XTA_TRY(xta__ga_inquire(g_a, &ga, err));
        xta__ga_block_lengths(&ga, block);
    }
    if (xta__request_chunk(xta_type_bytes(cells), ndim, dims, request, block, chunk)) {
        options.chunk = chunk;
    }
    options.access = access_of_files();
    disk->type = type;
    XTA_TRY(remove_replaced(disk, cells, ndim, dims, &options, err));
    XTA_TRY(xta_array_create(disk->path, cells, ndim, dims, &options, &disk->array, err));
    XTA_TRY(xta_attribute_set_text(disk->array, XTA_ON_ARRAY, TYPE_ATTRIBUTE,
                                   xta__ga_type_name(type), err));
    if (disk->name[0] != '\0') {
        XTA_TRY(xta_attribute_set_text(disk->array, XTA_ON_ARRAY, NAME_ATTRIBUTE, disk->name, err));
    }

done:
    return status;
}

int PEXTA_Create64(int type, int ndim, const int64_t dims[], const char *name, const char *filename,
                   int mode, const int64_t reqdims[], int g_a, int *p_a)
{
    xta__arguments arguments = {0};
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;

    if (p_a != NULL) {
        *p_a = 0;
    }
    xta__arguments_add(&arguments, "type", type);
    xta__arguments_add(&arguments, "ndim", ndim);
    xta__arguments_add(&arguments, "mode", mode);
    xta__arguments_add(&arguments, "g_a", g_a);
    int n = ndim >= 1 && ndim <= PEXTA_MAX_NDIM ? ndim : 0;
    xta__arguments_add_all(&arguments, "dims", n, dims);
    xta__arguments_add_all(&arguments, "reqdims", n, reqdims);
    status = xta__enter("PEXTA_Create64", &arguments);
    if (status != XTA_OK) {
        return (int)status;
    }
    status = check_names("PEXTA_Create64", filename, p_a, err);
    if (status == XTA_OK) {
        status = check_create(type, ndim, dims, mode, g_a, err);
    }
    xta__disk *disk = new_disk(filename, name, mode, &status, err);
    status = xta_agree(xta__pexta.comm, status, err);
    if (status == XTA_OK) {
        if (xta__pexta.rank == 0) {
            status = create_files(disk, type, ndim, dims, reqdims, g_a, err);
        }
        status = introduce(disk, status, err);
    }
    return enlist_or_free(disk, status, p_a);
}

/* ---- open ---- */

/* Rank 0: open the files and read what they hold. */
static xta_status open_files(xta__disk *disk, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    bool other = has_suffix(disk->filename, ".xmd") || has_suffix(disk->filename, ".xta");
    xta_attribute attribute;
    xta_status status = XTA_ENOENT;

    options.writable = disk->mode != PEXTA_R;
    options.access = access_of_files();
    if (!other) {
        set_path(disk, ".pma");
        status = xta_array_open(disk->path, &options, &disk->array, err);
    }
    if (status == XTA_ENOENT) {
        xta__disk with_suffix = *disk;
        xta_array *array = NULL;
        set_path(&with_suffix, ".xmd");
        xta_status as_other =
            xta_array_open(with_suffix.path, &options, &array, other ? err : NULL);
        if (as_other == XTA_OK || other) {
            status = as_other;
            disk->array = array;
            set_path(disk, ".xmd");
        }
    }
    XTA_TRY(status);
    disk->type = xta__ga_type_of(xta_array_type(disk->array));
    if (xta_attribute_get(disk->array, XTA_ON_ARRAY, TYPE_ATTRIBUTE, &attribute, NULL) == XTA_OK &&
        attribute.type == XTA_TEXT) {
        int type = xta__ga_type_named(attribute.values);
        bool fits = type != 0 && xta__cells_of_ga(type) == xta_array_type(disk->array);
        disk->type = fits ? type : disk->type;
    }
    if (disk->type == 0) {
        XTA_TRY(xta__fail(err, XTA_ETYPE, 0, "%s: no type of Global Arrays has cells like %s",
                          disk->path, xta_type_name(xta_array_type(disk->array))));
    }
    if (xta_attribute_get(disk->array, XTA_ON_ARRAY, NAME_ATTRIBUTE, &attribute, NULL) == XTA_OK &&
        attribute.type == XTA_TEXT) {
        snprintf(disk->name, sizeof disk->name, "%s", (const char *)attribute.values);
    }

done:
    return status;
}

int PEXTA_Open(const char *filename, int mode, int *p_a)
{
    xta__arguments arguments = {0};
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;

    if (p_a != NULL) {
        *p_a = 0;
    }
    xta__arguments_add(&arguments, "mode", mode);
    status = xta__enter("PEXTA_Open", &arguments);
    if (status != XTA_OK) {
        return (int)status;
    }
    status = check_names("PEXTA_Open", filename, p_a, err);
    if (status == XTA_OK && mode != PEXTA_R && mode != PEXTA_W && mode != PEXTA_RW) {
        status = xta__fail(err, XTA_EARG, 0,
                           "PEXTA_Open: mode %d; give PEXTA_R (%d), PEXTA_W (%d) or PEXTA_RW (%d)",
                           mode, PEXTA_R, PEXTA_W, PEXTA_RW);
    }
    xta__disk *disk = new_disk(filename, NULL, mode, &status, err);
    status = xta_agree(xta__pexta.comm, status, err);
    if (status == XTA_OK) {
        if (xta__pexta.rank == 0) {
            status = open_files(disk, err);
        }
        status = introduce(disk, status, err);
    }
    return enlist_or_free(disk, status, p_a);
}

/* ---- close and delete ---- */

int PEXTA_Close(int p_a)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;
    xta__disk *disk = xta__enter_with("PEXTA_Close", p_a, &status);

    if (disk == NULL) {
        return (int)status;
    }
    status = xta__complete_all(disk, err);
    return xta__leave(xta__close_disk(disk, status, err));
}

int PEXTA_Delete(int p_a)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;
    xta__disk *disk = xta__enter_with("PEXTA_Delete", p_a, &status);

    if (disk == NULL) {
        return (int)status;
    }
    // Earlier failures do not matter for files that are to be deleted.
    (void)xta__complete_all(disk, NULL);
    if (xta__pexta.rank == 0) {
        status = xta_array_delete(disk->path, err);
    }
    (void)xta__close_disk(disk, XTA_OK, NULL);
    return xta__leave(status);
}

int PEXTA_Sync(int p_a)
{
    xta_error *err = &xta__pexta.last;
    xta_status status = XTA_OK;
    xta__disk *disk = xta__enter_with("PEXTA_Sync", p_a, &status);

    if (disk == NULL) {
        return (int)status;
    }
    status = xta__complete_all(disk, err);
    if (status == XTA_OK) {
        status = xta_array_sync(disk->array, err);
    }
    return xta__leave(status);
}
