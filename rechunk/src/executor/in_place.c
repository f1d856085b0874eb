/* Changing the chunk shape or order of an array in place: <xta/replacement.h> makes a new array
 * beside it and puts it in place. The cells are moved here, or the rest of them if an earlier run
 * was stopped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/repartition.h>

#include <xta/options.h>
#include <xta/replacement.h>

#include "executor/run.h"
#include "util/crc32c.h"
#include "util/try.h"

/* Move all cells. */
static xta_status fill_successor(xta_replacement *r, xta_array *fresh,
                                 const xta_repartition_options *options,
                                 xta_repartition_report *report, xta_error *err)
{
    xta_blocks from = {.calls = NULL}, to = {.calls = NULL};
    uint64_t stamp = xta_replacement_stamp(r);
    xta_status status = XTA_OK, closed;

    XTA_TRY(xta_blocks_of_array(xta_replacement_old(r), &from, err));
    XTA_TRY(xta_blocks_into_array(fresh, &to, err));
    XTA_TRY(xta__repartition_run(&from, &to, options, xta__crc32c(0, &stamp, sizeof stamp), report,
                                 err));

done:
    // The source was only read, so closing it cannot lose anything.
    closed = xta_blocks_close(&from, true, NULL);
    (void)closed;
    closed = xta_blocks_close(&to, status == XTA_OK, status == XTA_OK ? err : NULL);
    return status == XTA_OK ? closed : status;
}

xta_status xta_array_rechunk(const char *path, const xta_create_options *changes,
                             const xta_repartition_options *options, xta_repartition_report *report,
                             xta_error *err)
{
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_status status = XTA_OK;
    xta_replacement *r = NULL;
    xta_array *fresh = NULL;

    xta__clear(err);
    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_repartition_options", err));
    o.first_component = o.n_components = 0;
    XTA_TRY(xta_replacement_begin(path, &r, err));
    o.resume_path = xta_replacement_notes_path(r);
    if (o.resume) {
        XTA_TRY(xta_replacement_resume(r, changes, &fresh, err));
        o.resume = fresh != NULL;
    }
    if (!o.resume) {
        XTA_TRY(xta_replacement_create(r, changes, &fresh, err));
    }
    status = fill_successor(r, fresh, &o, report, err);
    if (status == XTA_ESTATE && o.resume) {
        // The resume log belongs to other cells: start again.
        o.resume = false;
        XTA_TRY(xta_replacement_create(r, changes, &fresh, err));
        status = fill_successor(r, fresh, &o, report, err);
    }
    XTA_TRY(status);
    XTA_TRY(xta_replacement_commit(r, err));

done:
    xta_replacement_end(r, status == XTA_ECANCELLED || status == XTA_ENOSPC);
    return status;
}
