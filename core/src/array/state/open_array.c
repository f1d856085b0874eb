/* The checks at the start of every call on an array: whether its handle may be used, and used for a
 * change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/open_array.h"

const char *xta__array_name(const xta_array *array)
{
    return array->in_memory ? "memory array" : array->path;
}

xta_status xta__begin(xta_array *array, xta_error *err)
{
    xta__clear(err);
    if (atomic_load_explicit(&array->inherited, memory_order_relaxed)) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: this handle belongs to the parent process; open the array again in "
                         "the child",
                         xta__array_name(array));
    }
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

    if (status == XTA_OK && array->replica) {
        status =
            xta__fail(err, XTA_EACCESS, 0,
                      "%s: cannot %s: this is one rank's view of the array; use the calls that "
                      "all ranks make",
                      xta__array_name(array), what);
    }
    if (status == XTA_OK && !array->writable) {
        status = xta__fail(err, XTA_EACCESS, 0, "%s: cannot %s: opened %s; open it writable",
                           xta__array_name(array), what,
                           array->at_step ? "as of an earlier step" : "read-only");
    }
    return status;
}
