/* Another chunk shape or order for an array, in its place: a pair of files beside it, then the
 * replacement that array/replace.c describes.
 *
 * The handle that holds the structural lock is not the one that is read: the lock includes that
 * handle's mutex, which the reading thread may want.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "repartition/repartition.h"

#include <stdlib.h>
#include <string.h>

#include "array/array.h"
#include "util/os.h"

typedef struct in_place {
    xta_array *locked; /* holds the lock from begin to end */
    bool begun;
    xta_array *old;   /* the same, to be read */
    xta_array *fresh; /* its successor */
    char *sibling;    /* path of the successor's journal */
    char *data;       /* and of its data file */
    char *notes;
    uint64_t stamp; /* when the old cells were changed last */
    bool made;      /* there are files of the successor */
} in_place;

static xta_status make_paths(in_place *p, xta_error *err)
{
    p->sibling = xta__sibling_path(p->locked->journal_file);
    p->data = xta__sibling_path(p->locked->data_file);
    if (p->sibling != NULL) {
        size_t n = strlen(p->sibling) - strlen(".xmd");
        p->notes = malloc(n + sizeof ".notes");
        if (p->notes != NULL) {
            memcpy(p->notes, p->sibling, n);
            memcpy(p->notes + n, ".notes", sizeof ".notes");
        }
    }
    return p->sibling != NULL && p->data != NULL && p->notes != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to repartition",
                           p->locked->journal_path);
}

/* Lock, look at what the cells are now, open for reading. */
static xta_status begin(in_place *p, const char *path, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &p->locked, err));
    XTA_TRY(xta__change_begin(p->locked, err));
    p->begun = true;
    XTA_TRY(xta__check_replaceable(p->locked, true, err));
    XTA_TRY(make_paths(p, err));
    xta__remove_leftovers(p->locked->journal_file);
    xta__remove_leftovers(p->sibling);
    // What is stored through mappings from here on changes the time of the file once more.
    XTA_TRY(p->locked->holder->ops->sync(p->locked->holder, err));
    XTA_TRY(xta__file_changed_at(xta__chunks_file(p->locked->holder), &p->stamp, err));
    options.writable = false;
    XTA_TRY(xta__array_open_again(p->locked, &options, &p->old, err));

done:
    return status;
}

static xta_status remove_if_there(const char *path, xta_error *err)
{
    return xta__path_exists(path) ? xta__path_remove(path, err) : XTA_OK;
}

/* What an earlier run may have left. The journal goes first: then there is no array. */
static xta_status remove_sibling(const in_place *p, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(remove_if_there(p->sibling, err));
    XTA_TRY(remove_if_there(p->data, err));
    XTA_TRY(remove_if_there(p->notes, err));

done:
    return status;
}

/* Whether the array that an earlier run left is what is wanted now. */
static bool is_wanted(const xta_array *array, const in_place *p, const xta_create_options *changes)
{
    const xta__structure *s = array->state.structure, *old = p->old->state.structure;
    xta_order order = changes != NULL ? changes->order : p->old->state.constants.order;
    bool same = s->ndim == old->ndim && order == array->state.constants.order;

    for (int a = 0; same && a < s->ndim; a++) {
        int64_t chunk = changes != NULL && changes->chunk != NULL     ? changes->chunk[a]
                        : changes != NULL && changes->chunk_bytes > 0 ? s->axis[a].chunk
                                                                      : old->axis[a].chunk;
        same = s->axis[a].chunk == chunk;
    }
    const xta_box bounds = xta_array_bounds(array), old_bounds = xta_array_bounds(p->old);
    return same && xta_box_equal(&bounds, &old_bounds);
}

/* Open what an earlier run left, if it can be gone on with; else make it new. */
static xta_status make_successor(in_place *p, const xta_create_options *changes, bool *resume,
                                 xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.writable = true;
    *resume = *resume && xta__path_exists(p->notes) && xta__path_exists(p->sibling) &&
              xta_array_open(p->sibling, &options, &p->fresh, NULL) == XTA_OK;
    if (*resume && !is_wanted(p->fresh, p, changes)) {
        xta_array_close(p->fresh, NULL);
        p->fresh = NULL;
        *resume = false;
    }
    if (!*resume) {
        XTA_TRY(remove_sibling(p, err));
        // Nobody sees it before it is whole, so no mark of unfinished work is needed.
        xta_work *none = NULL;
        XTA_TRY(
            xta__array_create_like(p->old, p->sibling, changes, true, NULL, &p->fresh, &none, err));
    }
    p->made = true;
    if (*resume) {
        // The old one's may have been changed since.
        XTA_TRY(xta__file_keep_access(xta__chunks_file(p->fresh->holder),
                                      xta__chunks_file(p->old->holder), err));
        XTA_TRY(xta__file_keep_access(&p->fresh->journal.file, &p->old->journal.file, err));
    }

done:
    return status;
}

/* All cells. */
static xta_status fill_successor(in_place *p, const xta_repartition_options *options,
                                 xta_repartition_report *report, xta_error *err)
{
    xta_blocks from = {.calls = NULL}, to = {.calls = NULL};
    xta_status status = XTA_OK, closed;

    XTA_TRY(xta_blocks_of_array(p->old, &from, err));
    XTA_TRY(xta_blocks_into_array(p->fresh, &to, err));
    XTA_TRY(xta__repartition_run(&from, &to, options, xta__crc32c(0, &p->stamp, sizeof p->stamp),
                                 report, err));

done:
    // Of the source nothing can be lost.
    closed = xta_blocks_close(&from, true, NULL);
    (void)closed;
    closed = xta_blocks_close(&to, status == XTA_OK, status == XTA_OK ? err : NULL);
    return status == XTA_OK ? closed : status;
}

static xta_status replace(in_place *p, xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t stamp = 0;
    xta_array *fresh = p->fresh;

    p->fresh = NULL;
    XTA_TRY(xta_array_close(fresh, err));
    XTA_TRY(xta__file_changed_at(xta__chunks_file(p->locked->holder), &stamp, err));
    if (stamp != p->stamp) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: cells were written while it was repartitioned; nothing has been "
                          "replaced: see to it that nobody writes, and run again",
                          p->locked->data_path));
    }
    XTA_TRY(xta__replace_by_sibling(p->locked, err));
    p->made = false;

done:
    return status;
}

static void end(in_place *p, bool keep)
{
    if (p->fresh != NULL) {
        xta_array_close(p->fresh, NULL);
    }
    if (p->old != NULL) {
        xta_array_close(p->old, NULL);
    }
    // A replacement that has been committed is not to be undone.
    if (p->made && !keep && !xta__replacement_waits(p->locked->journal_file)) {
        xta_status ignored = remove_sibling(p, NULL);
        (void)ignored;
    }
    if (p->begun) {
        xta__change_end(p->locked);
        // The journal of this handle may be the old one: nothing is left to sync.
        xta__break(p->locked);
    }
    if (p->locked != NULL) {
        xta_array_close(p->locked, NULL);
    }
    free(p->sibling);
    free(p->data);
    free(p->notes);
}

xta_status xta_array_rechunk(const char *path, const xta_create_options *changes,
                             const xta_repartition_options *options, xta_repartition_report *report,
                             xta_error *err)
{
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_status status = XTA_OK;
    in_place p = {.locked = NULL};

    xta__clear(err);
    XTA_TRY(xta_options_take(&o, sizeof o, options, "xta_repartition_options", err));
    o.first_component = o.n_components = 0;
    XTA_TRY(begin(&p, path, err));
    XTA_TRY(make_successor(&p, changes, &o.resume, err));
    o.resume_path = p.notes;
    status = fill_successor(&p, &o, report, err);
    if (status == XTA_ESTATE && o.resume) {
        // The notes are of other cells: begin again.
        xta_array_close(p.fresh, NULL);
        p.fresh = NULL;
        o.resume = false;
        xta__clear(err);
        XTA_TRY(make_successor(&p, changes, &o.resume, err));
        status = fill_successor(&p, &o, report, err);
    }
    XTA_TRY(status);
    XTA_TRY(replace(&p, err));

done:
    end(&p, status == XTA_ECANCELLED || status == XTA_ENOSPC);
    return status;
}
