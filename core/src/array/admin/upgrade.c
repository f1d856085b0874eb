/* Giving an array of layout 0 a data file with a header, in place.
 *
 * The new pair has the same records except CREATE and CHECKPOINT, which say where chunk 0 lies, and
 * the same chunks, all shifted by the data offset: bounds, addresses, attributes and history are
 * unchanged. It has its own UUID, since files of the old array and of the new one do not belong
 * together. It is made beside the old pair and replaces it by the renames of replace.c, so that a
 * kill leaves one or the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/admin/upgrade.h"

#include <stdlib.h>
#include <string.h>

#include "array/change/replace.h"
#include "array/handle/change_lock.h"
#include "array/handle/finish_replacement.h"
#include "array/io/cell.h"
#include "array/io/fill.h"
#include "array/state/open_array.h"
#include "util/vector.h"

enum { COPY_BYTES = 1 << 20 };

/* All records of a journal, in the form that the new journal will have. */
typedef struct record_list {
    xta__new_record *records;
    size_t n, capacity;
    uint64_t first_sequence;
    uint64_t data_offset;
} record_list;

static void list_clear(record_list *list)
{
    for (size_t k = 0; k < list->n; k++) {
        xta__bytes_clear(&list->records[k].payload);
    }
    free(list->records);
    *list = (record_list){0};
}

static void set_layout(xta__constants *constants, uint64_t data_offset)
{
    constants->layout = XTA_DIRECT;
    constants->data_offset = data_offset;
}

static xta_status encode_upgraded(const xta__record *record, uint64_t data_offset, xta__bytes *out,
                                  const char **why)
{
    xta_status status = XTA_OK;

    if (record->type == XTA__RECORD_CREATE) {
        xta__create_record create;
        status = xta__decode_create(record, &create, why);
        if (status == XTA_OK) {
            set_layout(&create.constants, data_offset);
            xta__encode_create(&create, out);
            free(create.constants.fill);
        }
    } else if (record->type == XTA__RECORD_CHECKPOINT) {
        xta__checkpoint_record checkpoint;
        status = xta__decode_checkpoint(record, &checkpoint, why);
        if (status == XTA_OK) {
            set_layout(&checkpoint.constants, data_offset);
            xta__encode_checkpoint(&checkpoint, out);
            free(checkpoint.constants.fill);
            free(checkpoint.records);
        }
    } else {
        xta__bytes_add(out, record->payload, record->payload_bytes);
    }
    return status;
}

/* An xta__journal_apply. */
static xta_status collect_record(void *user, const xta__record *record, const char **why)
{
    record_list *list = user;

    *why = "no memory for the records";
    if (!XTA__RESERVE(list->records, list->capacity, list->n + 1)) {
        return XTA_ENOMEM;
    }
    if (list->n == 0) {
        list->first_sequence = record->sequence;
    }
    xta__new_record *upgraded = &list->records[list->n];
    *upgraded = (xta__new_record){.type = record->type};
    xta_status status = encode_upgraded(record, list->data_offset, &upgraded->payload, why);
    if (status != XTA_OK || upgraded->payload.failed) {
        xta__bytes_clear(&upgraded->payload);
        return status != XTA_OK ? status : XTA_ENOMEM;
    }
    list->n++;
    return XTA_OK;
}

static xta_status copy_extent(const xta__file *from, const xta__file *to, uint64_t begin,
                              uint64_t end, uint8_t *buffer, xta_error *err)
{
    xta_status status = XTA_OK;

    while (begin < end) {
        size_t n = end - begin < COPY_BYTES ? (size_t)(end - begin) : COPY_BYTES, got = 0;
        XTA_TRY(xta__file_read_at(from, begin, buffer, n, &got, err));
        if (got == 0) {
            break;
        }
        XTA_TRY(xta__file_write_at(to, begin, buffer, got, err));
        begin += got;
    }

done:
    return status;
}

/* Copy every extent of slots that holds data to the same place relative to the new data offset. */
static xta_status copy_slots(const xta__file *from, const xta__file *to, uint64_t bytes,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    uint64_t at = 0, begin = 0, end = 0;
    uint8_t *buffer = malloc(COPY_BYTES);

    if (buffer == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to copy cells", from->path);
    }
    while (at < bytes) {
        XTA_TRY(xta__file_next_data(from, at, bytes, &begin, &end, err));
        XTA_TRY(copy_extent(from, to, begin, end, buffer, err));
        at = end;
    }

done:
    free(buffer);
    return status;
}

/* The data file of the new pair, complete and durable. */
static xta_status make_data(xta_array *array, const char *path, const uint8_t uuid[XTA__UUID_BYTES],
                            const xta__constants *constants, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file file = XTA__FILE_CLOSED;
    uint64_t bytes = array->chunk_store->n_chunks * array->chunk_store->slot_bytes;

    XTA_TRY(xta__file_open(path, XTA__FILE_CREATE_PRIVATE, &file, err));
    XTA_TRY(xta__file_keep_access(&file, xta__chunks_file(array->chunk_store), err));
    XTA_TRY(xta__data_header_write(&file, uuid, constants, err));
    XTA_TRY(xta__file_truncate(&file, bytes, err));
    XTA_TRY(copy_slots(xta__chunks_file(array->chunk_store), &file, bytes, err));
    XTA_TRY(xta__file_sync(&file, err));

done:
    xta__file_close(&file);
    return status;
}

static xta_status make_journal(xta_array *array, const char *path,
                               const uint8_t uuid[XTA__UUID_BYTES], uint64_t data_offset,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    record_list list = {.data_offset = data_offset};
    xta__journal old = {.file = XTA__FILE_CLOSED};

    XTA_TRY(xta__journal_open(xta__journal_of(array), false, false, &old, err));
    XTA_TRY(xta__journal_read(&old, collect_record, &list, err));
    XTA_TRY(xta__journal_create(&xta__array_journal, (xta__path){path, array->journal_path}, uuid,
                                list.first_sequence, list.records, list.n, false,
                                &array->journal.file, err));

done:
    xta__journal_close(&old);
    list_clear(&list);
    return status;
}

/* The new pair beside the old one. The locks are held. */
static xta_status make_pair(xta_array *array, const char *journal, const char *data, xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t uuid[XTA__UUID_BYTES];
    xta__constants constants = array->state.constants;

    set_layout(&constants,
               xta__choose_data_offset(constants.slot_bytes, constants.alignment_bytes));
    if (constants.data_offset == 0) {
        return xta__fail(err, XTA_EOVERFLOW, 0,
                         "%s: its alignment leaves no place for a header; repartition it instead",
                         array->path);
    }
    XTA_TRY(xta__random_uuid(uuid, err));
    XTA_TRY(xta__remove_if_there(journal, err));
    XTA_TRY(xta__remove_if_there(data, err));
    XTA_TRY(make_data(array, data, uuid, &constants, err));
    XTA_TRY(make_journal(array, journal, uuid, constants.data_offset, err));

done:
    return status;
}

static xta_status upgrade_locked(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;
    char *journal = xta__sibling_path(array->journal_file);
    char *data = xta__sibling_path(array->data_file);

    if (journal == NULL || data == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to upgrade it", array->path));
    }
    XTA_TRY(xta__check_replaceable(array, true, err));
    // The marks in the new journal say that nothing is stored outside the bounds.
    if (!xta__journal_same_boot(&array->journal)) {
        XTA_TRY(xta__scrub_outside(array, err));
    }
    XTA_TRY(array->chunk_store->ops->sync(array->chunk_store, err));
    status = make_pair(array, journal, data, err);
    if (status == XTA_OK) {
        status = xta__replace_by_sibling(array, err);
    }
    if (status != XTA_OK && !xta__replacement_waits(array->journal_file)) {
        xta_error ignored = {0};
        (void)!xta__remove_if_there(journal, &ignored);
        (void)!xta__remove_if_there(data, &ignored);
    }

done:
    free(journal);
    free(data);
    return status;
}

xta_status xta_upgrade(const char *path, bool *upgraded, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    bool needed = false;

    options.writable = true;
    XTA_TRY(xta_array_open(path, &options, &array, err));
    XTA_TRY(xta__change_begin(array, err));
    needed = array->state.constants.layout == XTA_HEADERLESS;
    if (needed) {
        status = upgrade_locked(array, err);
    }
    xta__change_end(array);
    XTA_TRY(status);
    if (upgraded != NULL) {
        *upgraded = needed;
    }

done:
    if (array != NULL) {
        if (needed) {
            // The files of this handle are the old ones.
            xta__break(array);
        }
        (void)!xta_array_close(array, NULL);
    }
    return status;
}
