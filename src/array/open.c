/* Create, open, close: from a path to a state and a holder of chunks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "tune/tune.h"

#define DEFAULT_CACHE_BYTES ((uint64_t)64 << 20)

static char *join(const char *a, size_t n, const char *b)
{
    char *text = malloc(n + strlen(b) + 1);

    if (text != NULL) {
        memcpy(text, a, n);
        strcpy(text + n, b);
    }
    return text;
}

xta_status xta__paths(const char *path, char **base, char **journal, char **data)
{
    static const char *const suffixes[] = {".xmd", ".xta", ".pma", ".pta"};
    size_t n = strlen(path);

    for (size_t k = 0; k < 4; k++) {
        if (n > 4 && strcmp(path + n - 4, suffixes[k]) == 0 && path[n - 5] != '/') {
            n -= 4;
            break;
        }
    }
    *base = join(path, n, "");
    *journal = join(path, n, ".xmd");
    *data = join(path, n, ".xta");
    if (*base == NULL || *journal == NULL || *data == NULL) {
        free(*base);
        free(*journal);
        free(*data);
        *base = *journal = *data = NULL;
        return XTA_ENOMEM;
    }
    if (!xta__path_exists(*journal) && !xta__path_exists(*data)) {
        // The suffixes of the Global Arrays layer, [CXA] 8.4.
        char *pma = join(path, n, ".pma");
        if (pma != NULL && xta__path_exists(pma)) {
            strcpy(*journal + n, ".pma");
            strcpy(*data + n, ".pta");
        }
        free(pma);
    }
    return XTA_OK;
}

const char *xta__array_name(const xta_array *array)
{
    return array->in_memory ? "memory array" : array->path;
}

xta_status xta__begin(xta_array *array, xta_error *err)
{
    xta__clear(err);
    if (atomic_load_explicit(&array->broken, memory_order_relaxed)) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: an earlier failure left this handle unusable; close and open again",
                         xta__array_name(array));
    }
    return XTA_OK;
}

xta_status xta__begin_change(xta_array *array, const char *what, xta_error *err)
{
    xta_status status = xta__begin(array, err);

    if (status == XTA_OK && !array->writable) {
        status = xta__fail(err, XTA_EACCESS, 0, "%s: cannot %s: opened %s; open it writable",
                           xta__array_name(array), what,
                           array->at_step ? "as of an earlier step" : "read-only");
    }
    return status;
}

static xta_array *new_array(void)
{
    xta_array *array = xta__calloc(1, sizeof *array);

    if (array != NULL) {
        array->journal.file.fd = -1;
        array->state.table_limit = XTA__TABLE_LIMIT;
        // Recursive: an append holds it and computes addresses, which may want it.
        pthread_mutexattr_t recursive;
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&array->lock, &recursive);
        pthread_mutexattr_destroy(&recursive);
    }
    return array;
}

static void free_array(xta_array *array)
{
    if (array == NULL) {
        return;
    }
    if (array->holder != NULL) {
        array->holder->ops->free(array->holder);
    }
    xta__journal_close(&array->journal);
    xta__state_clear(&array->state);
    pthread_mutex_destroy(&array->lock);
    free(array->path);
    free(array->journal_path);
    free(array->data_path);
    free(array);
}

/* The state has been made or replaced: what get and put look at follows it. */
static void adopt_state(xta_array *array)
{
    const uint8_t *fill = array->state.constants.fill;
    bool zero = true;

    array->cell_bytes = array->state.constants.cell_bytes;
    for (uint32_t k = 0; k < array->cell_bytes; k++) {
        zero = zero && fill[k] == 0;
    }
    array->mask = zero ? NULL : fill;
    atomic_store_explicit(&array->structure, array->state.structure, memory_order_release);
}

/* ---- create ---- */

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
    if (o->layout != XTA_DIRECT) {
        return xta__fail(err, XTA_EARG, 0, "layout %d: this version has layout direct only",
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
        size_t n = strlen(names[axis]);
        for (size_t k = 0; k < n; k++) {
            if ((unsigned char)names[axis][k] < 0x20 || names[axis][k] == 0x7f) {
                n = SIZE_MAX;
                break;
            }
        }
        if (n > XTA__MAX_NAME_BYTES) {
            return xta__fail(err, XTA_EARG, 0,
                             "axis %d: a name has at most %d bytes and no control characters", axis,
                             XTA__MAX_NAME_BYTES);
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

/* The CREATE record of options whose fields have been checked; its fill is owned. */
static xta_status plan_create(xta_type type, int ndim, const int64_t bounds[],
                              const xta_create_options *o, xta__create_record *record,
                              xta_error *err)
{
    xta__constants *c = &record->constants;
    uint64_t bytes = 0, n_cells = 1, alignment = o->alignment_bytes > 0 ? o->alignment_bytes : 1;

    *c = (xta__constants){
        .type = type,
        .cell_bytes = type == XTA_BYTES ? o->cell_bytes : (uint32_t)xta_type_bytes(type),
        .order = o->order,
        .layout = o->layout,
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
    c->fill = xta__calloc(1, c->cell_bytes);
    if (c->fill == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the fill value");
    }
    if (o->fill != NULL) {
        memcpy(c->fill, o->fill, c->cell_bytes);
    }
    return XTA_OK;
}

static xta_create_options create_options(const xta_create_options *given)
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;

    if (given != NULL) {
        size_t n = given->struct_size < sizeof o ? given->struct_size : sizeof o;
        memcpy(&o, given, n);
    }
    return o;
}

/* Everything of a new array but files and holder. */
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
    array->state.chunk_bytes =
        array->state.structure->grid.n_cells * record->constants.cell_bytes;
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
    array->cache_bytes = o->cache_bytes > 0 ? o->cache_bytes : DEFAULT_CACHE_BYTES;
    adopt_state(array);

done:
    return status;
}

/* The journal of a new array: CREATE and the axis names. */
static xta_status write_first_journal(xta_array *array, const xta__create_record *record,
                                      xta_error *err)
{
    xta_status status = XTA_OK;
    unsigned types[1 + XTA_MAX_NDIM] = {XTA__RECORD_CREATE};
    xta__bytes payloads[1 + XTA_MAX_NDIM] = {{0}};
    size_t n = 1;
    uint8_t uuid[16];

    XTA_TRY(xta__random_uuid(uuid, err));
    xta__encode_create(record, &payloads[0]);
    for (int axis = 0; axis < record->ndim; axis++) {
        if (array->state.attributes.names[axis] != NULL) {
            xta__attribute_record name = {.axis = axis};
            strncpy(name.name, array->state.attributes.names[axis], XTA__MAX_NAME_BYTES);
            types[n] = XTA__RECORD_AXIS_NAME;
            xta__encode_attribute(&name, &payloads[n++]);
        }
    }
    XTA_TRY(xta__journal_create(array->journal_path, uuid, 0, types, payloads, n, false, false,
                                err));

done:
    for (size_t k = 0; k < n; k++) {
        xta__bytes_clear(&payloads[k]);
    }
    return status;
}

/* The data file of a new array. One that is there already is taken only if it holds nothing: the remains
 * of a creation that was killed. */
static xta_status make_data_file(xta_array *array, bool *made, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    uint64_t apparent = 0, real = 0;

    *made = false;
    if (xta__path_exists(array->journal_path)) {
        return xta__fail(err, XTA_EEXIST, 0, "%s: there is an array of this name; delete it or "
                                             "choose another name",
                         array->journal_path);
    }
    if (xta__path_exists(array->data_path)) {
        XTA_TRY(xta__file_open(array->data_path, XTA__FILE_WRITE, &file, err));
        XTA_TRY(xta__file_sizes(&file, &apparent, &real, err));
        if (real > 0) {
            XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                              "%s: a file with data but no journal is in the way; remove it or "
                              "choose another name",
                              array->data_path));
        }
        XTA_TRY(xta__file_truncate(&file, 0, err));
    } else {
        XTA_TRY(xta__file_open(array->data_path, XTA__FILE_CREATE_NEW, &file, err));
        *made = true;
    }
    XTA_TRY(xta__file_truncate(&file,
                               array->state.structure->mapping.n_chunks *
                                   array->state.constants.slot_bytes,
                               err));
    XTA_TRY(xta__file_sync(&file, err));

done:
    xta__file_close(&file);
    return status;
}

/* The data file is too short. If the journal had been made durable with these slots, cells are lost. Else power
 * was lost between a growth and the next sync, and the disk kept the record but not the new length: nobody
 * synced cells there, so the missing slots are holes. */
static xta_status mend_length(xta_array *array, const xta__file *file, uint64_t bytes, bool *mapped,
                              xta_error *err)
{
    uint64_t slot = array->state.constants.slot_bytes;
    uint64_t n = array->state.structure->mapping.n_chunks;

    if (bytes < array->state.durable_chunks * slot || bytes >= n * slot) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %" PRIu64 ": the file ends, but the journal gives it %" PRIu64
                         " chunks of %" PRIu64 " bytes; restore it from a copy",
                         array->data_path, bytes, n, slot);
    }
    if (array->writable) {
        return xta__file_truncate(file, n * slot, err);
    }
    // A mapping beyond the end would be a signal; the cache reads zeros there.
    *mapped = false;
    return XTA_OK;
}

/* Open the data file and put a holder over it. */
static xta_status make_holder(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    uint64_t slot = array->state.constants.slot_bytes, chunk = array->state.chunk_bytes;
    uint64_t n = array->state.structure->mapping.n_chunks, bytes = 0;
    bool mapped = array->access != XTA_ACCESS_CACHED;

    if (!xta__path_exists(array->data_path)) {
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: the data file is missing, its journal %s is there; restore it",
                         array->data_path, array->journal_path);
    }
    XTA_TRY(xta__file_open(array->data_path, array->writable ? XTA__FILE_WRITE : XTA__FILE_READ,
                           &file, err));
    XTA_TRY(xta__file_sizes(&file, &bytes, NULL, err));
    if (bytes < n * slot) {
        XTA_TRY(mend_length(array, &file, bytes, &mapped, err));
    }
    if (mapped && array->access == XTA_ACCESS_AUTO && array->writable &&
        !xta__file_stores_are_safe(&file)) {
        mapped = false;
    }
    if (array->writable && bytes > n * slot) {
        // What lies behind the last slot belongs to no committed step: new slots must begin as holes.
        uint64_t begin = 0, end = 0;
        XTA_TRY(xta__file_next_data(&file, n * slot, bytes, &begin, &end, err));
        if (begin < bytes) {
            XTA_TRY(xta__file_punch(&file, n * slot, bytes - n * slot, err));
        }
    }
    XTA_TRY(mapped ? xta__mapped_chunks_new(&file, slot, chunk, n, array->writable, &array->holder,
                                            err)
                   : xta__cached_chunks_new(&file, slot, chunk, array->cell_bytes, n,
                                            array->writable, array->cache_bytes, &array->holder,
                                            err));

done:
    xta__file_close(&file);
    return status;
}

xta_status xta_array_create(const char *path, xta_type type, int ndim, const int64_t bounds[],
                            const xta_create_options *options, xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options o = create_options(options);
    xta__create_record record = {.ndim = 0};
    xta_array *array = new_array();
    bool made = false;

    xta__clear(err);
    *out = NULL;
    if (array == NULL || xta__paths(path, &array->path, &array->journal_path,
                                    &array->data_path) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to create the array", path));
    }
    XTA_TRY(make_state(array, type, ndim, bounds, &o, &record, err));
    XTA_TRY(make_data_file(array, &made, err));
    status = write_first_journal(array, &record, err);
    if (status == XTA_OK) {
        status = make_holder(array, err);
    }
    if (status == XTA_OK) {
        status = xta__journal_open(array->journal_path, true, false, &array->journal, err);
    }
    if (status == XTA_OK) {
        // The state is there already; reading sets the end of the journal and checks it once more.
        xta__state again = {.table_limit = array->state.table_limit};
        status = xta__journal_read(&array->journal, xta__state_apply, &again, err);
        xta__state_clear(&again);
    }
    if (status != XTA_OK) {
        xta_error ignored = {0};
        if (status != XTA_EEXIST) {
            xta__path_remove(array->journal_path, &ignored);
        }
        if (made && status != XTA_EEXIST) {
            xta__path_remove(array->data_path, &ignored);
        }
        goto done;
    }
    *out = array;

done:
    if (status != XTA_OK) {
        free_array(array);
    }
    return status;
}

xta_status xta_array_new(xta_type type, int ndim, const int64_t bounds[],
                         const xta_create_options *options, xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_create_options o = create_options(options);
    xta__create_record record = {.ndim = 0};
    xta_array *array = new_array();

    xta__clear(err);
    *out = NULL;
    if (array == NULL || (array->path = xta__strdup("")) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "no memory for an array"));
    }
    array->in_memory = true;
    XTA_TRY(make_state(array, type, ndim, bounds, &o, &record, err));
    XTA_TRY(xta__memory_chunks_new(array->state.constants.slot_bytes, array->state.chunk_bytes,
                                   array->state.structure->mapping.n_chunks, &array->holder, err));
    *out = array;

done:
    if (status != XTA_OK) {
        free_array(array);
    }
    return status;
}

/* ---- open ---- */

/* The journal's records into the state, up to the step that was asked for. */
static xta_status replay(xta_array *array, xta_error *err)
{
    xta_error local = {0};
    xta__state *state = &array->state;

    state->synced_bytes = array->journal.synced_bytes;
    xta_status status = xta__journal_read(&array->journal, xta__state_apply, state, &local);
    if (status == XTA_ECANCELLED && state->reached_step) {
        status = XTA_OK;
    }
    if (status != XTA_OK) {
        return xta__fail(err, status, local.os_errno, "%s", local.text);
    }
    if (state->structure == NULL) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %d: no whole record follows the header; restore the file",
                         array->journal_path, XTA__HEADER_BYTES);
    }
    if (state->at_step && state->structure->n_steps != state->step) {
        return xta__fail(err, XTA_ENOENT, 0,
                         state->structure->n_steps < state->step
                             ? "%s: there is no step %" PRIu64 "; the last one is %" PRIu64
                             : "%s: step %" PRIu64 " was compacted away; the first one is %" PRIu64,
                         array->journal_path, state->step, state->structure->n_steps);
    }
    return XTA_OK;
}

/* Open for writing begins by bringing the file in order: a torn tail goes with the next append, and nobody
 * may append while the slots behind the last one are looked at. */
static xta_status open_files(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    bool news = false, locked = false;

    if (!xta__path_exists(array->journal_path)) {
        bool half = xta__path_exists(array->data_path);
        return xta__fail(err, XTA_ENOENT, 0,
                         half ? "%s: the journal is missing, its data file is there; restore it"
                              : "%s: no such array; check the path",
                         half ? array->journal_path : array->path);
    }
    XTA_TRY(xta__journal_open(array->journal_path, array->writable, !array->at_step,
                              &array->journal, err));
    if (array->writable) {
        XTA_TRY(xta__journal_lock(&array->journal, &news, err));
        locked = true;
    }
    XTA_TRY(replay(array, err));
    if (array->journal.moved) {
        XTA_TRY(xta__fail(err, XTA_EIO, 0, "%s: was replaced while it was opened; try again",
                          array->journal_path));
    }
    adopt_state(array);
    XTA_TRY(make_holder(array, err));

done:
    if (locked) {
        xta__journal_unlock(&array->journal);
    }
    return status;
}

xta_status xta_array_open(const char *path, const xta_open_options *options, xta_array **out,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = new_array();

    xta__clear(err);
    *out = NULL;
    if (options != NULL) {
        memcpy(&o, options, options->struct_size < sizeof o ? options->struct_size : sizeof o);
    }
    if (array == NULL || xta__paths(path, &array->path, &array->journal_path,
                                    &array->data_path) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the array", path));
    }
    if (o.at_step && o.writable) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: an earlier step cannot be opened writable", path));
    }
    array->writable = o.writable;
    array->at_step = array->state.at_step = o.at_step;
    array->state.step = o.step;
    array->access = o.access;
    array->cache_bytes = o.cache_bytes > 0 ? o.cache_bytes : DEFAULT_CACHE_BYTES;
    XTA_TRY(open_files(array, err));
    *out = array;

done:
    if (status != XTA_OK) {
        free_array(array);
    }
    return status;
}

/* ---- sync and close ---- */

/* A long journal gets a checkpoint when it is made durable, so that the next opening is short. */
static xta_status add_checkpoint(xta_array *array, uint64_t *offset, xta_error *err)
{
    const uint64_t long_bytes = 256 << 10;
    uint64_t last = array->journal.checkpoint_offset;
    uint64_t tail = array->journal.end - (last > 0 ? last : XTA__HEADER_BYTES);
    xta__bytes payload = {0};
    xta_status status = XTA_OK;

    *offset = 0;
    if (tail < long_bytes) {
        return XTA_OK;
    }
    if (xta__state_checkpoint(&array->state, &payload) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a checkpoint",
                          array->journal_path));
    }
    if (payload.n <= XTA__MAX_PAYLOAD_BYTES && 2 * payload.n < tail) {
        *offset = array->journal.end;
        XTA_TRY(xta__journal_append(&array->journal, XTA__RECORD_CHECKPOINT, &payload, err));
    }

done:
    xta__bytes_clear(&payload);
    return status;
}

static xta_status sync_journal(xta_array *array, bool closing, xta_error *err)
{
    uint64_t checkpoint = 0;
    xta_status status = XTA_OK;

    if (array->journal.synced_bytes >= array->journal.end && !closing) {
        return XTA_OK;
    }
    status = xta__change_begin(array, err);
    if (status != XTA_OK) {
        return status;
    }
    if (closing) {
        status = add_checkpoint(array, &checkpoint, err);
    }
    if (status == XTA_OK) {
        status = xta__journal_sync(&array->journal, checkpoint, err);
    }
    xta__change_end(array);
    return status;
}

static xta_status sync_all(xta_array *array, bool closing, xta_error *err)
{
    if (!array->writable || array->in_memory) {
        return XTA_OK;
    }
    // Cells first: a mark in the journal promises what came before it.
    xta_status status = array->holder->ops->sync(array->holder, err);
    if (status == XTA_OK) {
        status = sync_journal(array, closing, err);
    }
    return status;
}

xta_status xta_array_sync(xta_array *array, xta_error *err)
{
    xta_status status = xta__begin(array, err);

    return status == XTA_OK ? sync_all(array, false, err) : status;
}

xta_status xta_array_close(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    if (array == NULL) {
        return XTA_OK;
    }
    if (!atomic_load_explicit(&array->broken, memory_order_relaxed)) {
        status = sync_all(array, true, err);
    }
    free_array(array);
    return status;
}

xta_status xta_array_delete(const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    char *base = NULL, *journal = NULL, *data = NULL;

    xta__clear(err);
    if (xta__paths(path, &base, &journal, &data) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", path));
    }
    if (!xta__path_exists(journal)) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no such array; check the path", base));
    }
    // The journal goes first: without it there is no array, and a data file alone is refused by name.
    XTA_TRY(xta__path_remove(journal, err));
    if (xta__path_exists(data)) {
        XTA_TRY(xta__path_remove(data, err));
    }

done:
    free(base);
    free(journal);
    free(data);
    return status;
}
