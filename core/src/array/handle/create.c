/* Creating arrays, in files and in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/create.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/handle/choose_lock.h"
#include "array/handle/exclusive_lock.h"
#include "array/handle/fork.h"
#include "array/handle/lifetime.h"
#include "array/handle/paths.h"
#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/state/attributes.h"
#include "array/state/names.h"
#include "array/state/replay.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"
#include "array/state/work_lock.h"
#include "geometry/grid/chunk_shape.h"
#include "store/chunks/memory_chunks.h"

static xta_status check_create(xta_type type, int ndim, const int64_t bounds[],
                               const xta_create_options *o, xta_error *err)
{
    if (!xta__is_cell_type((unsigned)type)) {
        return xta__fail(err, XTA_EARG, 0,
                         "type %d is no type of cells; take one of bool, i8 ... c128, bytes:N",
                         (int)type);
    }
    if (type == XTA_BYTES && (o->cell_bytes < 1 || o->cell_bytes > 65535)) {
        return xta__fail(err, XTA_EARG, 0, "cell_bytes %u of type bytes: give 1 to 65535",
                         o->cell_bytes);
    }
    if (ndim < 1 || ndim > XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0, "%d axes: an array has 1 to %d", ndim, XTA_MAX_NDIM);
    }
    if ((unsigned)o->order > XTA_HILBERT || (unsigned)o->policy > XTA_SHELL ||
        (unsigned)o->access > XTA_ACCESS_CACHED) {
        return xta__fail(err, XTA_EARG, 0, "order %d, policy %d or access %d is out of range",
                         (int)o->order, (int)o->policy, (int)o->access);
    }
    if ((unsigned)o->layout > XTA_DIRECT) {
        return xta__fail(err, XTA_EARG, 0,
                         "layout %d: there are XTA_HEADERLESS, XTA_DIRECT, and 0 for the newest",
                         (int)o->layout);
    }
    if (o->policy == XTA_EXPONENTIAL && o->policy_amount == 1) {
        return xta__fail(err, XTA_EARG, 0, "policy exponential:1 would not grow; give 2 or more");
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (bounds[axis] < 0 || bounds[axis] >= XTA__COORD_LIMIT) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: bound %" PRId64 ": give 0 to 2^62 - 1 cells", axis,
                             bounds[axis]);
        }
        if (o->chunk != NULL && (o->chunk[axis] < 1 || o->chunk[axis] >= XTA__COORD_LIMIT)) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: chunk length %" PRId64 ": give 1 to 2^62 - 1 cells", axis,
                             o->chunk[axis]);
        }
        if (o->chunk != NULL && xta__order_needs_powers_of_two(o->order) &&
            (o->chunk[axis] & (o->chunk[axis] - 1)) != 0) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: chunk length %" PRId64
                             ": Morton and Hilbert order need a power of two",
                             axis, o->chunk[axis]);
        }
    }
    return XTA_OK;
}

static xta_status check_names(int ndim, const char *const *names, xta_error *err)
{
    for (int axis = 0; names != NULL && axis < ndim; axis++) {
        if (names[axis] == NULL) {
            continue;
        }
        char what[40];
        size_t n = strlen(names[axis]);
        snprintf(what, sizeof what, "axis %d", axis);
        xta_status status = xta__check_name(what, "a name", names[axis], 0, err);
        if (status != XTA_OK) {
            return status;
        }
        for (int other = 0; other < axis; other++) {
            if (names[other] != NULL && n > 0 && strcmp(names[axis], names[other]) == 0) {
                return xta__fail(err, XTA_EARG, 0, "axes %d and %d have the same name '%s'", other,
                                 axis, names[axis]);
            }
        }
    }
    return XTA_OK;
}

/* Make the CREATE record from options whose fields have been checked; the record owns its fill. */
static xta_status plan_create(xta_type type, int ndim, const int64_t bounds[],
                              const xta_create_options *o, xta__create_record *record,
                              xta_error *err)
{
    xta__constants *c = &record->constants;
    uint64_t bytes = 0, n_cells = 1, alignment = o->alignment_bytes > 0 ? o->alignment_bytes : 1;

    *c = (xta__constants){.type = type,
                          .cell_bytes =
                              type == XTA_BYTES ? o->cell_bytes : (uint32_t)xta_type_bytes(type),
                          .order = o->order,
                          .layout = o->layout == XTA_HEADERLESS ? XTA_HEADERLESS : XTA_DIRECT,
                          .policy = o->policy,
                          .policy_amount = o->policy_amount > 0 ? o->policy_amount : 2,
                          .alignment_bytes = alignment};
    record->ndim = ndim;
    if (o->chunk == NULL) {
        xta_status status =
            xta__chunk_shape(c->cell_bytes, ndim, bounds, o->chunk_bytes,
                             xta__order_needs_powers_of_two(o->order), record->chunk);
        if (status != XTA_OK) {
            return xta__fail(err, status, 0, "no chunk shape for these bounds; give one");
        }
    }
    for (int axis = 0; axis < ndim; axis++) {
        record->bounds[axis] = bounds[axis];
        record->chunk[axis] = o->chunk != NULL ? o->chunk[axis] : record->chunk[axis];
        if (!xta__mul_u64(n_cells, (uint64_t)record->chunk[axis], &n_cells)) {
            n_cells = XTA__OFFSET_LIMIT;
        }
    }
    if (n_cells >= XTA__OFFSET_LIMIT || !xta__mul_u64(n_cells, c->cell_bytes, &bytes) ||
        bytes > XTA__MAX_CHUNK_BYTES / 2 || alignment > XTA__MAX_CHUNK_BYTES / 2) {
        return xta__fail(err, XTA_EOVERFLOW, 0,
                         "a chunk of %" PRIu64 " cells passes 2^61 bytes; give a smaller one",
                         n_cells);
    }
    c->slot_bytes = (bytes + alignment - 1) / alignment * alignment;
    if (c->layout == XTA_DIRECT) {
        c->data_offset = xta__choose_data_offset(c->slot_bytes, alignment);
        if (c->data_offset == 0) {
            return xta__fail(err, XTA_EOVERFLOW, 0,
                             "an alignment of %" PRIu64 " bytes passes 2^60 bytes together with "
                             "pages; give a multiple of 4096",
                             alignment);
        }
    }
    c->fill = xta__calloc(1, c->cell_bytes);
    if (c->fill == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the fill value");
    }
    if (o->fill != NULL) {
        memcpy(c->fill, o->fill, c->cell_bytes);
    }
    return XTA_OK;
}

/* Make the state of a new array: everything except files and chunk store. */
static xta_status make_state(xta_array *array, xta_type type, int ndim, const int64_t bounds[],
                             const xta_create_options *o, xta__create_record *record,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    const char *why = "no memory for the structure of the array";

    XTA_TRY(check_create(type, ndim, bounds, o, err));
    XTA_TRY(check_names(ndim, o->names, err));
    XTA_TRY(plan_create(type, ndim, bounds, o, record, err));
    array->state.constants = record->constants;
    status = xta__structure_new(&record->constants, ndim, record->chunk, record->bounds,
                                array->state.table_limit, &array->state.structure, &why);
    if (status != XTA_OK) {
        XTA_TRY(xta__fail(err, status, 0, "%s", why));
    }
    array->state.chunk_bytes = array->state.structure->grid.n_cells * record->constants.cell_bytes;
    for (int axis = 0; o->names != NULL && axis < ndim; axis++) {
        xta__attribute_record name = {.axis = axis};
        strncpy(name.name, o->names[axis] != NULL ? o->names[axis] : "", XTA__MAX_NAME_BYTES);
        if (xta__attributes_apply(&array->state.attributes, XTA__RECORD_AXIS_NAME, &name) !=
            XTA_OK) {
            XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for axis names"));
        }
    }
    array->writable = true;
    array->access = o->access;
    array->cache_bytes = o->cache_bytes > 0 ? o->cache_bytes : XTA__CACHE_BYTES;
    xta__adopt_state(array);

done:
    return status;
}

/* Write the journal of a new array: CREATE, the axis names, and the work that fills it (NULL:
 * none). */
static xta_status write_first_journal(xta_array *array, const xta__create_record *record,
                                      const xta_array *like, const xta__work_record *work,
                                      xta_error *err)
{
    xta_status status = XTA_OK;
    xta__new_record records[2 + XTA_MAX_NDIM] = {{.type = XTA__RECORD_CREATE}};
    size_t n = 1;

    xta__encode_create(record, &records[0].payload);
    for (int axis = 0; axis < record->ndim; axis++) {
        if (array->state.attributes.names[axis] != NULL) {
            xta__attribute_record name = {.axis = axis};
            strncpy(name.name, array->state.attributes.names[axis], XTA__MAX_NAME_BYTES);
            records[n].type = XTA__RECORD_AXIS_NAME;
            xta__encode_attribute(&name, &records[n++].payload);
        }
    }
    if (work != NULL) {
        records[n].type = XTA__RECORD_WORK_BEGIN;
        xta__encode_work(work, &records[n++].payload);
    }
    XTA_TRY(xta__journal_create(&xta__array_journal, xta__journal_of(array), array->journal.uuid, 0,
                                records, n, false, like != NULL ? &like->journal.file : NULL, err));

done:
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&records[k].payload);
    }
    return status;
}

static xta_status refuse_existing(const xta_array *array, xta_error *err)
{
    if (xta__path_exists(array->journal_file)) {
        return xta__fail(err, XTA_EEXIST, 0,
                         "%s: there is an array of this name; delete it or choose another name",
                         array->journal_path);
    }
    return XTA_OK;
}

/* Lock the data file of a new array. *alone is false if another process has locked it. Of two
 * processes with lock files only one gets to this point; those without are excluded if possible. */
static xta_status lock_data_file(const xta_array *array, const xta__file *file, bool *alone,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    bool got = false;
    xta_error ignored = {0};

    *alone = false;
    if (array->locking.by_file) {
        *alone = xta__file_try_lock(file, false, &got, &ignored) != XTA_OK || got;
        return XTA_OK;
    }
    XTA_TRY(xta__file_locks_reach(file, err));
    XTA_TRY(xta__lock_file_refuse(xta__journal_of(array), err));
    XTA_TRY(xta__file_try_lock(file, false, &got, err));
    if (got) {
        XTA_TRY(xta__file_prove_lock(file, alone, err));
    }

done:
    return status;
}

/* Open and lock the data file of an array to be created, so that two processes that create the same
 * name at the same time do not share it. *made: it did not exist before. `like`: see
 * xta__array_create. */
static xta_status claim_data_file(const xta_array *array, const xta_array *like, xta__file *file,
                                  bool *made, xta_error *err)
{
    xta_status status = XTA_OK;
    bool unused = false, alone = false;
    uint64_t n_names = 0;

    XTA_TRY(refuse_existing(array, err));
    *made = !xta__path_exists(array->data_file);
    XTA_TRY(xta__file_open_at(xta__data_of(array),
                              !*made         ? XTA__FILE_WRITE
                              : like != NULL ? XTA__FILE_CREATE_PRIVATE
                                             : XTA__FILE_CREATE_NEW,
                              file, err));
    XTA_TRY(lock_data_file(array, file, &alone, err));
    if (!alone) {
        *made = false;
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                          "%s: another process is making an array of this name; choose another",
                          array->data_path));
    }
    // The previous owner of the lock may have created the array.
    XTA_TRY(refuse_existing(array, err));
    if (!*made) {
        XTA_TRY(xta__data_file_is_unused(file, &unused, err));
        // With another name (hard link) it is the data file of an array that was being renamed.
        XTA_TRY(xta__file_names(file, &n_names, err));
        if (!unused || n_names > 1) {
            XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                              "%s: a file with data but no journal is in the way; remove it or "
                              "choose another name",
                              array->data_path));
        }
        XTA_TRY(xta__file_truncate(file, 0, err));
    }
    if (like != NULL) {
        XTA_TRY(xta__file_keep_access(file, xta__chunks_file(like->chunk_store), err));
    }

done:
    return status;
}

/* Create the data file of a new array, locked until `file` is closed. An existing file is used only
 * if it holds nothing: the remains of a creation that was killed. */
static xta_status make_data_file(xta_array *array, const xta_array *like, xta__file *file,
                                 bool *made, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta__constants *constants = &array->state.constants;

    *made = false;
    XTA_TRY(claim_data_file(array, like, file, made, err));
    XTA_TRY(xta__data_header_write(file, array->journal.uuid, constants, err));
    XTA_TRY(xta__file_truncate(
        file, array->state.structure->mapping.n_chunks * constants->slot_bytes, err));
    XTA_TRY(xta__file_sync(file, err));

done:
    if (status != XTA_OK && *made) {
        xta_error ignored = {0};
        xta__path_remove(array->data_file, &ignored);
    }
    return status;
}

/* Describe the work that fills a new array; acquire its lock before the array is visible. */
static xta_status announce_work(xta_array *array, const xta_work_plan *plan,
                                xta__work_record **record, xta_work **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_box bounds = xta__structure_bounds(array->state.structure), empty = bounds;
    uint8_t id[XTA__UUID_BYTES];

    memset(empty.hi, 0, sizeof empty.hi);
    memset(empty.lo, 0, sizeof empty.lo);
    if (plan->n_growths > 0 || (plan->box != NULL && plan->box->ndim != bounds.ndim)) {
        return xta__fail(err, XTA_EBOX, 0,
                         "%s: the work of a new array has no growths, and a box of its %d axes",
                         array->path, bounds.ndim);
    }
    *record = xta__calloc(1, sizeof **record);
    if (*record == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a piece of work", array->path);
    }
    XTA_TRY(xta__random_uuid(id, err));
    xta__work_describe(plan, true, &empty, &bounds, id, *record);
    XTA_TRY(xta__work_of_new_array(xta__data_of(array), *record, out, err));

done:
    return status;
}

/* Create data file and journal of a new array; on any failure, created files are removed again. */
static xta_status make_files(xta_array *array, const xta__create_record *record,
                             const xta_work_plan *plan, const xta_array *like, xta_work **work,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file data = XTA__FILE_CLOSED;
    xta__work_record *announced = NULL;
    bool made = false;

    if (plan != NULL) {
        XTA_TRY(xta__refuse_by_lock_file(array, "work that fills a new array", err));
    }
    if (array->locking.by_file) {
        XTA_TRY(xta__lock_file_acquire(&array->locking, xta__journal_of(array), NULL, false,
                                       XTA__LOCK_PATIENCE_MS, err));
    }
    XTA_TRY(xta__random_uuid(array->journal.uuid, err));
    XTA_TRY(make_data_file(array, like, &data, &made, err));
    if (plan != NULL) {
        status = announce_work(array, plan, &announced, work, err);
    }
    if (status == XTA_OK) {
        status = write_first_journal(array, record, like, announced, err);
    }
    if (status != XTA_OK && status != XTA_EEXIST && made) {
        xta_error ignored = {0};
        xta__path_remove(array->data_file, &ignored);
    }

done:
    xta__file_close(&data);
    if (array->locking.has_file) {
        xta__lock_file_give(&array->locking, array->journal_file);
    }
    free(announced);
    return status;
}

/* Complete the handle of an array whose files have just been created. */
static xta_status open_new(xta_array *array, bool exclusive_writer, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__make_chunk_store(array, true, err));
    XTA_TRY(xta__journal_open(xta__journal_of(array), true, false, &array->journal, err));
    xta__journal_lock_like(&array->journal, &array->locking);
    if (array->locking.by_file) {
        xta__chunks_of_lock_file(array->chunk_store);
    }
    // The state exists already; reading sets the end of the journal and checks it again.
    xta__state again = {.table_limit = array->state.table_limit};
    status = xta__journal_read(&array->journal, xta__state_apply, &again, err);
    array->state.works = again.works;
    again.works = (xta__works){0};
    xta__state_clear(&again);
    XTA_TRY(status);
    XTA_TRY(xta__guard_new(array, err));
    XTA_TRY(xta__handle_enter(array, err));
    if (exclusive_writer) {
        status = xta__become_exclusive_writer(array, err);
    }

done:
    return status;
}

static xta_status create_array(const char *path, xta_type type, int ndim, const int64_t bounds[],
                               const xta_create_options *options, const xta_work_plan *plan,
                               const xta_array *like, xta_array **out, xta_work **work,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta__create_record record = {.ndim = 0};
    xta_array *array = xta__new_array();

    xta__clear(err);
    *out = NULL;
    if (array == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to create the array", path));
    }
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_create_options", err));
    XTA_TRY(xta__array_find(array, path, err));
    XTA_TRY(xta__choose_lock(xta__array_name(array), o.lock, &array->locking, err));
    XTA_TRY(make_state(array, type, ndim, bounds, &o, &record, err));
    XTA_TRY(make_files(array, &record, plan, like, work, err));
    status = open_new(array, o.exclusive_writer, err);
    if (status != XTA_OK) {
        xta_error ignored = {0};
        xta__path_remove(array->journal_file, &ignored);
        xta__path_remove(array->data_file, &ignored);
        goto done;
    }
    *out = array;

done:
    if (status != XTA_OK) {
        xta__free_array(array);
    }
    return status;
}

xta_status xta__array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                             const xta_create_options *options, const xta_array *like,
                             const xta_work_plan *plan, xta_array **out, xta_work **work,
                             xta_error *err)
{
    xta_work_plan own;

    *out = NULL;
    *work = NULL;
    xta__clear(err);
    xta_status status = plan != NULL ? xta__work_plan_copy(&own, plan, err) : XTA_OK;
    if (status == XTA_OK) {
        status = create_array(path, type, ndim, bounds, options, plan != NULL ? &own : NULL, like,
                              out, work, err);
    }
    if (status != XTA_OK) {
        xta_work_abandon(*work);
        *work = NULL;
    }
    return status;
}

xta_status xta_array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                            const xta_create_options *options, xta_array **out, xta_error *err)
{
    return create_array(path, type, ndim, bounds, options, NULL, NULL, out, NULL, err);
}

xta_status xta_work_create_array(const char *path, xta_type type, int ndim, const int64_t bounds[],
                                 const xta_create_options *options, const xta_work_plan *plan,
                                 xta_array **array, xta_work **out, xta_error *err)
{
    const xta_work_plan defaults = XTA_WORK_PLAN_INIT;

    return xta__array_create(path, type, ndim, bounds, options, NULL,
                             plan != NULL ? plan : &defaults, array, out, err);
}

xta_status xta_array_new(xta_type type, int ndim, const int64_t bounds[],
                         const xta_create_options *options, xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta__create_record record = {.ndim = 0};
    xta_array *array = xta__new_array();

    xta__clear(err);
    *out = NULL;
    if (array == NULL || (array->path = xta__strdup("")) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for an array"));
    }
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_create_options", err));
    array->in_memory = true;
    XTA_TRY(make_state(array, type, ndim, bounds, &o, &record, err));
    XTA_TRY(xta__memory_chunks_new(array->state.constants.slot_bytes, array->state.chunk_bytes,
                                   array->state.structure->mapping.n_chunks, &array->chunk_store,
                                   err));
    xta__select_accessors(array, array->state.structure);
    *out = array;

done:
    if (status != XTA_OK) {
        xta__free_array(array);
    }
    return status;
}
