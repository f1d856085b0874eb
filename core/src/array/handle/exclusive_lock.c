/* Becoming the exclusive writer: the lock of the array is kept until it is closed.
 *
 * See change/exclusive_writer.c for what this is used for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/exclusive_lock.h"

#include "array/handle/change_lock.h"

/* Capacity is reserved for this many extensions at a time. */
#define EXTENSIONS_AHEAD 1024

/* Whether an interrupted append has left cells in slots that have not been assigned yet. */
static bool find_leftovers(const xta_array *array)
{
    const xta__chunk_store *chunk_store = array->chunk_store;
    const xta__file *file = xta__chunks_file(array->chunk_store);
    uint64_t length = 0, begin = 0, end = 0;
    xta_error ignored = {0};

    return xta__file_sizes(file, &length, NULL, &ignored) != XTA_OK ||
           xta__file_next_data(file, chunk_store->n_chunks * chunk_store->slot_bytes, length,
                               &begin, &end, &ignored) != XTA_OK ||
           begin < length;
}

xta_status xta__become_exclusive_writer(xta_array *array, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__journal_close_lease(&array->journal, xta__data_of(array), err));
    XTA_TRY(xta__change_begin(array, err));
    status = xta__journal_keep_lock(&array->journal, err);
    if (status == XTA_OK) {
        xta__chunks_of_exclusive_writer(array->chunk_store);
        // What cannot be done here is done by the first growth that needs it.
        array->in_order = array->in_order || xta__journal_same_boot(&array->journal);
        xta__mapping_reserve_runs(&array->state.structure->mapping, EXTENSIONS_AHEAD);
        array->has_leftovers = find_leftovers(array);
        array->exclusive_writer = true;
    }
    xta__change_end(array);

done:
    return status;
}
