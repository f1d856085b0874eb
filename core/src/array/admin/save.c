/* Saving an array in memory to files, and loading one: both have the same structure and so the same
 * addresses, and chunks are copied as they are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/save.h"

#include <stdlib.h>
#include <string.h>

#include "array/handle/paths.h"
#include "array/io/cell.h"
#include "array/state/open_array.h"
#include "array/state/replay.h"
#include "store/chunks/memory_chunks.h"

static bool all_zero(const uint8_t *bytes, size_t n)
{
    return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

/* Every chunk that holds anything, in address order, into a data file. */
static xta_status write_chunks(xta_array *array, const xta__file *file, xta_error *err)
{
    xta__chunk_store *chunk_store = array->chunk_store;
    xta_status status = XTA_OK;

    for (uint64_t q = 0; q < chunk_store->n_chunks; q++) {
        xta__pin pin = {0};
        status = chunk_store->ops->next_used(chunk_store, q, &q, err);
        if (status != XTA_OK || q >= chunk_store->n_chunks) {
            return status;
        }
        status = chunk_store->ops->pin_read(chunk_store, q, &pin, err);
        if (status != XTA_OK) {
            return status;
        }
        if (!all_zero(pin.bytes, (size_t)chunk_store->chunk_bytes)) {
            status = xta__file_write_at(file, q * chunk_store->slot_bytes, pin.bytes,
                                        (size_t)chunk_store->chunk_bytes, err);
        }
        if (chunk_store->ops->unpin != NULL) {
            chunk_store->ops->unpin(chunk_store, &pin);
        }
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

/* The data first, made durable; then the journal, with which the array exists. */
static xta_status save_files(xta_array *array, const xta__pair *pair, bool *made, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    xta__new_record record = {.type = XTA__RECORD_CHECKPOINT};
    uint8_t uuid[16];

    XTA_TRY(xta__random_uuid(uuid, err));
    XTA_TRY(xta__file_open_at((xta__path){pair->data_file, pair->data_path}, XTA__FILE_CREATE_NEW,
                              &file, err));
    *made = true;
    XTA_TRY(xta__data_header_write(&file, uuid, &array->state.constants, err));
    XTA_TRY(xta__file_truncate(&file, array->chunk_store->n_chunks * array->chunk_store->slot_bytes,
                               err));
    XTA_TRY(write_chunks(array, &file, err));
    XTA_TRY(xta__file_sync(&file, err));
    if (xta__state_checkpoint(&array->state, &record.payload) != XTA_OK) {
        XTA_TRY(
            xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a checkpoint", pair->journal_path));
    }
    XTA_TRY(xta__journal_create(&xta__array_journal,
                                (xta__path){pair->journal_file, pair->journal_path}, uuid, 0,
                                &record, 1, false, NULL, err));

done:
    xta__file_close(&file);
    xta__bytes_clear(&record.payload);
    return status;
}

xta_status xta_array_save(xta_array *array, const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__pair pair = {0};
    bool made = false;

    XTA_TRY(xta__begin(array, err));
    XTA_TRY(xta__pair_find(path, &pair, err));
    if (xta__path_exists(pair.journal_file) || xta__path_exists(pair.data_file)) {
        XTA_TRY(xta__fail(err, XTA_EEXIST, 0,
                          "%s: there is an array of this name; delete it or "
                          "choose another name",
                          pair.base));
    }
    pthread_mutex_lock(&array->lock);
    status = save_files(array, &pair, &made, err);
    pthread_mutex_unlock(&array->lock);
    if (status != XTA_OK && made) {
        xta_error ignored = {0};
        xta__path_remove(pair.data_file, &ignored);
    }

done:
    xta__pair_clear(&pair);
    return status;
}

/* Every chunk of a file into the memory chunk store. */
static xta_status read_chunks(xta_array *array, xta__chunk_store *memory, xta_error *err)
{
    xta__file *file = xta__chunks_file(array->chunk_store);
    uint64_t slot = memory->slot_bytes;
    xta_status status = XTA_OK;

    for (uint64_t q = 0; q < memory->n_chunks && status == XTA_OK; q++) {
        xta__pin pin = {0};
        size_t got = 0;
        status = array->chunk_store->ops->next_used(array->chunk_store, q, &q, err);
        if (status != XTA_OK || q >= memory->n_chunks) {
            return status;
        }
        status = memory->ops->pin_write(memory, q, true, &pin, err);
        if (status == XTA_OK) {
            status = xta__file_read_at(file, q * slot, pin.bytes, (size_t)memory->chunk_bytes, &got,
                                       err);
        }
    }
    return status;
}

xta_status xta_array_load(const char *path, xta_array **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    xta__chunk_store *memory = NULL;

    *out = NULL;
    XTA_TRY(xta_array_open(path, NULL, &array, err));
    XTA_TRY(xta__memory_chunks_new(array->chunk_store->slot_bytes, array->chunk_store->chunk_bytes,
                                   array->chunk_store->n_chunks, &memory, err));
    XTA_TRY(read_chunks(array, memory, err));
    // The handle exchanges its chunk store, and so becomes an array in memory.
    array->chunk_store->ops->free(array->chunk_store);
    array->chunk_store = memory;
    memory = NULL;
    xta__journal_close(&array->journal);
    array->in_memory = true;
    array->writable = true;
    // Saved again, it is a new array.
    array->state.constants.layout = XTA_DIRECT;
    array->state.constants.data_offset = xta__choose_data_offset(
        array->state.constants.slot_bytes, array->state.constants.alignment_bytes);
    array->path[0] = '\0';
    xta__select_accessors(array, array->state.structure);
    *out = array;

done:
    if (memory != NULL) {
        memory->ops->free(memory);
    }
    if (status != XTA_OK && array != NULL) {
        xta_array_close(array, NULL);
    }
    return status;
}
