/* Adding an axis: the structure is rebuilt with one more axis, and no address changes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/add_axis.h"

#include <stdlib.h>
#include <string.h>

#include "array/handle/change_lock.h"
#include "array/handle/commit.h"
#include "array/handle/write_guard.h"
#include "array/io/cell.h"
#include "array/state/attributes.h"
#include "array/state/names.h"
#include "array/state/open_array.h"
#include "array/state/structure.h"
#include "array/state/work_list.h"

static xta_status check_axis_name(xta_array *array, const char *name, xta_error *err)
{
    size_t n = strlen(name);
    xta_status status =
        xta__check_name(xta__array_name(array), "the name of an axis", name, 0, err);

    if (status != XTA_OK) {
        return status;
    }
    for (int axis = 0; n > 0 && axis < XTA_MAX_NDIM; axis++) {
        const char *other = array->state.attributes.names[axis];
        if (other != NULL && strcmp(other, name) == 0) {
            return xta__fail(err, XTA_EEXIST, 0, "%s: axis %d has the name '%s' already",
                             xta__array_name(array), axis, name);
        }
    }
    return XTA_OK;
}

static xta_status add_axis(xta_array *array, int position, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__structure *s = array->state.structure, *wider = NULL;
    xta__axis_record record = {.position = position};
    xta__bytes payload = {0};

    if (position < 0 || position > s->ndim) {
        return xta__fail(err, XTA_EARG, 0, "%s: axis position %d: give 0 to %d",
                         xta__array_name(array), position, s->ndim);
    }
    if (s->ndim == XTA_MAX_NDIM) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: the array has %d axes already, the most there can "
                         "be",
                         xta__array_name(array), XTA_MAX_NDIM);
    }
    XTA_TRY(check_axis_name(array, name, err));
    // Entries of the chunk cache have coordinates of the present number of axes, so they are
    // written first.
    XTA_TRY(xta__flush(array, err));
    strcpy(record.name, name);
    if (xta__structure_add_axis(s, &array->state.constants, position, &wider) != XTA_OK) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for another axis",
                          xta__array_name(array)));
    }
    char *copy = name[0] != '\0' ? xta__strdup(name) : NULL;
    if (name[0] != '\0' && copy == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a name", xta__array_name(array)));
    }
    xta__encode_axis(&record, &payload);
    status = xta__commit(array, XTA__RECORD_ADD_AXIS, &payload, err);
    if (status != XTA_OK) {
        free(copy);
        goto done;
    }
    wider->n_steps++;
    wider->retired = s;
    array->state.structure = wider;
    xta__works_add_axis(&array->state.works, position);
    xta__attributes_add_axis(&array->state.attributes, position);
    array->state.attributes.names[position] = copy;
    xta__select_accessors(array, wider);
    atomic_store_explicit(&array->structure, wider, memory_order_release);
    wider = NULL;

done:
    xta__structure_free(wider);
    xta__bytes_clear(&payload);
    return status;
}

xta_status xta_array_add_axis(xta_array *array, int position, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(xta__begin_change(array, "add an axis", err));
    XTA_TRY(xta__change_begin(array, err));
    status = add_axis(array, position, name != NULL ? name : "", err);
    xta__change_end(array);

done:
    return status;
}
