/* Appending one record to the journal of an array: the moment at which a change has happened.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/commit.h"

#include "array/state/work_list.h"

xta_status xta__commit(xta_array *array, unsigned type, const xta__bytes *payload, xta_error *err)
{
    if (array->in_memory) {
        return XTA_OK;
    }
    if (payload->failed) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a record", array->journal_path);
    }
    return xta__journal_append(&array->journal, type, payload, err);
}

xta_status xta__commit_work_end(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err)
{
    xta__bytes payload = {0};

    xta__encode_work_end(id, taken_back, &payload);
    xta_status status = xta__commit(array, XTA__RECORD_WORK_END, &payload, err);
    if (status == XTA_OK) {
        xta__works_remove(&array->state.works, id);
    }
    xta__bytes_clear(&payload);
    return status;
}
