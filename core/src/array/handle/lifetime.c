/* The memory of a handle from creation to close, and its chunk store.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "array/handle/lifetime.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "array/handle/fork.h"
#include "array/handle/write_guard.h"
#include "array/io/box/slabs.h"
#include "array/io/cell.h"
#include "array/state/replay.h"

xta_array *xta__new_array(void)
{
    xta_array *array = xta__calloc(1, sizeof *array);

    if (array != NULL) {
        array->journal.file.fd = -1;
        array->state.table_limit = XTA__TABLE_LIMIT;
        array->threads = xta__threads_wanted();
        atomic_init(&array->fresh_from, UINT64_MAX);
        // Recursive: an append holds it and computes addresses, which may need it.
        pthread_mutexattr_t recursive;
        pthread_mutexattr_init(&recursive);
        pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&array->lock, &recursive);
        pthread_mutexattr_destroy(&recursive);
    }
    return array;
}

void xta__free_array(xta_array *array)
{
    if (array == NULL) {
        return;
    }
    bool inherited = atomic_load_explicit(&array->inherited, memory_order_relaxed);

    xta__handle_leave(array);
    if (array->chunk_store != NULL && !(inherited && array->replica)) {
        // Chunks behind MPI are closed by all ranks together, and a child process is not one of
        // them.
        array->chunk_store->ops->free(array->chunk_store);
    }
    xta__guard_free(array);
    free(array->step);
    free(atomic_load_explicit(&array->staging, memory_order_relaxed));
    xta__journal_close(&array->journal);
    xta__state_clear(&array->state);
    pthread_mutex_destroy(&array->lock);
    free(array->path);
    free(array->journal_path);
    free(array->data_path);
    free(array->journal_file);
    free(array->data_file);
    free(array);
}

void xta__adopt_state(xta_array *array)
{
    const uint8_t *fill = array->state.constants.fill;
    bool zero = true;

    array->cell_bytes = array->state.constants.cell_bytes;
    for (uint32_t k = 0; k < array->cell_bytes; k++) {
        zero = zero && fill[k] == 0;
    }
    size_t unit = xta__type_unit(array->state.constants.type);
    bool same = zero && (!XTA__BIG_ENDIAN || unit == 1);
    for (int k = 0; k < 2; k++) {
        array->coding[k] = (xta__coding){.mask = zero ? NULL : fill,
                                         .cell_bytes = array->cell_bytes,
                                         .unit = unit,
                                         .storing = k == 1};
    }
    array->decode = same ? NULL : &array->coding[0];
    array->encode = same ? NULL : &array->coding[1];
    atomic_store_explicit(&array->structure, array->state.structure, memory_order_release);
}

/* The data file is too short. If the journal had been made durable with these slots, cells are
 * lost. Otherwise power was lost between a growth and the next sync, and the disk kept the record
 * but not the new length: nobody synced cells there, so the missing slots are holes. */
static xta_status mend_length(xta_array *array, const xta__file *file, uint64_t bytes, bool alone,
                              bool *mapped, xta_error *err)
{
    uint64_t slot = array->state.constants.slot_bytes;
    uint64_t n = array->state.structure->mapping.n_chunks;

    if (bytes < array->state.durable_chunks * slot || bytes >= n * slot) {
        return xta__fail(err, XTA_ECORRUPT, 0,
                         "%s: offset %" PRIu64 ": the file ends, but the journal gives it %" PRIu64
                         " chunks of %" PRIu64 " bytes; restore it from a copy",
                         array->data_path, file->origin + bytes, n, slot);
    }
    if (alone) {
        return xta__file_truncate(file, n * slot, err);
    }
    // Touching a mapping beyond the end raises a signal; the cache reads zeros there.
    *mapped = false;
    return XTA_OK;
}

xta_status xta__make_chunk_store(xta_array *array, bool alone, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    uint64_t slot = array->state.constants.slot_bytes, chunk = array->state.chunk_bytes;
    uint64_t n = array->state.structure->mapping.n_chunks, bytes = 0;
    bool mapped = array->access != XTA_ACCESS_CACHED;

    if (!xta__path_exists(array->data_file)) {
        return xta__fail(err, XTA_ENOENT, 0,
                         "%s: the data file is missing, its journal %s is there; restore it",
                         array->data_path, array->journal_path);
    }
    XTA_TRY(xta__data_file_open(xta__data_of(array),
                                array->writable ? XTA__FILE_WRITE : XTA__FILE_READ,
                                array->journal.uuid, &array->state.constants, &file, err));
    XTA_TRY(xta__file_sizes(&file, &bytes, NULL, err));
    if (bytes < n * slot) {
        XTA_TRY(mend_length(array, &file, bytes, alone, &mapped, err));
    }
    if (mapped && array->access == XTA_ACCESS_AUTO &&
        (slot > XTA__MOST_MAPPED_SLOT || !xta__file_mapping_is_safe(&file, array->writable))) {
        mapped = false;
    }
    if (alone && bytes > n * slot) {
        // Data after the last slot belongs to no committed step: new slots must start as holes.
        uint64_t begin = 0, end = 0;
        XTA_TRY(xta__file_next_data(&file, n * slot, bytes, &begin, &end, err));
        if (begin < bytes) {
            XTA_TRY(xta__data_file_empty(&file, false, n * slot, bytes - n * slot, err));
        }
    }
    XTA_TRY(mapped
                ? xta__mapped_chunks_new(&file, slot, chunk, n, array->writable,
                                         &array->chunk_store, err)
                : xta__cached_chunks_new(&file, slot, chunk, array->cell_bytes, n, array->writable,
                                         array->cache_bytes, &array->chunk_store, err));
    xta__select_accessors(array, array->state.structure);

done:
    xta__file_close(&file);
    return status;
}
