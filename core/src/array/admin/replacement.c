/* A new array beside the old one, from the lock to the commit that change/replace.c describes.
 *
 * The handle that holds the structural lock is not the one that is read: the lock includes that
 * handle's mutex, which a reading thread may need.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/replacement.h"

#include <stdlib.h>
#include <string.h>

#include "array/admin/create_like.h"
#include "array/change/replace.h"
#include "array/handle/change_lock.h"
#include "array/handle/finish_replacement.h"
#include "array/handle/open.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "util/os.h"

struct xta_replacement {
    xta_array *locked; /* holds the lock the whole time */
    bool has_lock;
    xta_array *old;   /* the same array, to be read */
    xta_array *fresh; /* its successor */
    char *sibling;    /* path of the successor's journal */
    char *data;       /* and of its data file */
    char *notes;
    uint64_t stamp; /* when the old cells were changed last */
    bool made;      /* there are files of the successor */
};

/* ---- begin ---- */

static xta_status make_paths(xta_replacement *r, xta_error *err)
{
    r->sibling = xta__sibling_path(r->locked->journal_file);
    r->data = xta__sibling_path(r->locked->data_file);
    if (r->sibling != NULL) {
        size_t n = strlen(r->sibling) - strlen(".xmd");
        r->notes = malloc(n + sizeof ".notes");
        if (r->notes != NULL) {
            memcpy(r->notes, r->sibling, n);
            memcpy(r->notes + n, ".notes", sizeof ".notes");
        }
    }
    return r->sibling != NULL && r->data != NULL && r->notes != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to repartition",
                           r->locked->journal_path);
}

/* Lock, record the current version of the cells, and open for reading. */
static xta_status replacement_open(xta_replacement *r, const char *path, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &r->locked, err));
    XTA_TRY(xta__change_begin(r->locked, err));
    r->has_lock = true;
    XTA_TRY(xta__check_replaceable(r->locked, true, err));
    XTA_TRY(make_paths(r, err));
    xta__remove_leftovers(r->locked->journal_file);
    xta__remove_leftovers(r->sibling);
    // Stores through mappings from here on change the file's time again.
    XTA_TRY(r->locked->chunk_store->ops->sync(r->locked->chunk_store, err));
    XTA_TRY(xta__file_changed_at(xta__chunks_file(r->locked->chunk_store), &r->stamp, err));
    options.writable = false;
    XTA_TRY(xta__array_open_again(r->locked, &options, &r->old, err));

done:
    return status;
}

xta_status xta_replacement_begin(const char *path, xta_replacement **replacement, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_replacement *r = xta__calloc(1, sizeof *r);

    xta__clear(err);
    *replacement = NULL;
    if (r == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to repartition", path);
    }
    XTA_TRY(replacement_open(r, path, err));
    *replacement = r;
    r = NULL;

done:
    xta_replacement_end(r, false);
    return status;
}

xta_array *xta_replacement_old(const xta_replacement *replacement)
{
    return replacement->old;
}

const char *xta_replacement_notes_path(const xta_replacement *replacement)
{
    return replacement->notes;
}

uint64_t xta_replacement_stamp(const xta_replacement *replacement)
{
    return replacement->stamp;
}

/* ---- the successor ---- */

static void close_successor(xta_replacement *r)
{
    if (r->fresh != NULL) {
        xta_array_close(r->fresh, NULL);
        r->fresh = NULL;
    }
}

/* Remove what an earlier replacement may have left. The journal goes first: without it there is no
 * array. */
static xta_status remove_successor(const xta_replacement *r, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__remove_if_there(r->sibling, err));
    XTA_TRY(xta__remove_if_there(r->data, err));
    XTA_TRY(xta__remove_if_there(r->notes, err));

done:
    return status;
}

xta_status xta_replacement_create(xta_replacement *r, const xta_create_options *changes,
                                  xta_array **fresh, xta_error *err)
{
    xta_status status = XTA_OK;
    // Nobody sees it before it is complete, so no mark of unfinished work is needed.
    xta_work *none = NULL;

    xta__clear(err);
    *fresh = NULL;
    close_successor(r);
    XTA_TRY(remove_successor(r, err));
    const xta__like how = {.changes = changes, .replaced = r->old};
    XTA_TRY(xta__array_create_like(r->old, r->sibling, &how, &r->fresh, &none, err));
    r->made = true;
    *fresh = r->fresh;

done:
    return status;
}

xta_status xta__replacement_create_from(xta_replacement *r, xta_array *source, xta__like how,
                                        xta_array **fresh, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_work *none = NULL;

    *fresh = NULL;
    close_successor(r);
    XTA_TRY(remove_successor(r, err));
    how.replaced = r->old;
    XTA_TRY(xta__array_create_like(source, r->sibling, &how, &r->fresh, &none, err));
    r->made = true;
    *fresh = r->fresh;

done:
    return status;
}

/* Whether the array that an earlier replacement left matches this request. */
static bool is_wanted(const xta_array *array, const xta_replacement *r,
                      const xta_create_options *changes)
{
    const xta__structure *s = array->state.structure, *old = r->old->state.structure;
    xta_order order = changes != NULL ? changes->order : r->old->state.constants.order;
    bool same = s->ndim == old->ndim && order == array->state.constants.order;

    for (int a = 0; same && a < s->ndim; a++) {
        int64_t chunk = changes != NULL && changes->chunk != NULL     ? changes->chunk[a]
                        : changes != NULL && changes->chunk_bytes > 0 ? s->axis[a].chunk
                                                                      : old->axis[a].chunk;
        same = s->axis[a].chunk == chunk;
    }
    const xta_box bounds = xta_array_bounds(array), old_bounds = xta_array_bounds(r->old);
    return same && xta_box_equal(&bounds, &old_bounds);
}

xta_status xta_replacement_resume(xta_replacement *r, const xta_create_options *changes,
                                  xta_array **fresh, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    xta__clear(err);
    *fresh = NULL;
    close_successor(r);
    options.writable = true;
    if (!xta__path_exists(r->notes) || !xta__path_exists(r->sibling) ||
        xta_array_open(r->sibling, &options, &r->fresh, NULL) != XTA_OK) {
        return XTA_OK;
    }
    if (!is_wanted(r->fresh, r, changes)) {
        close_successor(r);
        return XTA_OK;
    }
    r->made = true;
    // Those of the old array may have changed since.
    XTA_TRY(xta__file_keep_access(xta__chunks_file(r->fresh->chunk_store),
                                  xta__chunks_file(r->old->chunk_store), err));
    XTA_TRY(xta__file_keep_access(&r->fresh->journal.file, &r->old->journal.file, err));
    *fresh = r->fresh;

done:
    return status;
}

/* ---- commit, end ---- */

xta_status xta_replacement_commit(xta_replacement *r, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t stamp = 0;
    xta_array *fresh = r->fresh;

    xta__clear(err);
    if (fresh == NULL) {
        return xta__fail(err, XTA_ESTATE, 0, "%s: there is no new array to replace it by",
                         r->locked->path);
    }
    r->fresh = NULL;
    XTA_TRY(xta_array_close(fresh, err));
    XTA_TRY(xta__file_changed_at(xta__chunks_file(r->locked->chunk_store), &stamp, err));
    if (stamp != r->stamp) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: cells were written while it was repartitioned; nothing has been "
                          "replaced: see to it that nobody writes, and run again",
                          r->locked->data_path));
    }
    XTA_TRY(xta__replace_by_sibling(r->locked, err));
    r->made = false;

done:
    return status;
}

void xta_replacement_end(xta_replacement *r, bool keep)
{
    if (r == NULL) {
        return;
    }
    close_successor(r);
    if (r->old != NULL) {
        xta_array_close(r->old, NULL);
    }
    // A replacement that has been committed must not be undone.
    if (r->made && !keep && !xta__replacement_waits(r->locked->journal_file)) {
        xta_status ignored = remove_successor(r, NULL);
        (void)ignored;
    }
    if (r->has_lock) {
        xta__change_end(r->locked);
        // The journal of this handle may be the old one: nothing is left to sync.
        xta__break(r->locked);
    }
    if (r->locked != NULL) {
        xta_array_close(r->locked, NULL);
    }
    free(r->sibling);
    free(r->data);
    free(r->notes);
    free(r);
}
