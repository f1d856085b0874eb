/* What every call on a handle checks first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/handle/handle.h"

xta_status xta__refuse_split(const xta_parallel *p, const char *call, xta_error *err)
{
    return xta__fail(err, XTA_ESTATE, 0, "%s: %s: %s is under way; call xta_parallel_all_end first",
                     p->array->path, call, p->split_call);
}

xta_status xta__meet(xta_parallel *p, const xta__meeting *meeting, xta_error *err)
{
    const char *name = xta__call_name(meeting->call);
    xta__meeting with_step = *meeting;

    if (p->rendezvous.timeout_s > 0) {
        xta_status status = xta__rendezvous_wait(&p->rendezvous, name, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    if (p->broken && with_step.mine == XTA_OK && meeting->call != XTA__CALL_CLOSE) {
        with_step.mine =
            xta__fail(err, XTA_ESTATE, 0,
                      "%s: an earlier failure left this handle unusable; close and open again",
                      p->array->path);
    }
    if (p->split != NULL && with_step.mine == XTA_OK && meeting->call != XTA__CALL_ALL_END) {
        with_step.mine = xta__refuse_split(p, name, err);
    }
    return xta__meet_on(p->comm, &with_step, err);
}
