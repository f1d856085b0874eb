/* The progress of a run: finished blocks, their resume log, and reports to the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/progress.h"

#include "util/try.h"

#define NOTIFY_SECONDS 0.05
#define SYNC_SECONDS   15.0

static xta_status sync_target(xta__run *run, xta_error *err)
{
    xta_status status = XTA_OK;

    if (run->to->calls->sync != NULL) {
        xta__enter_grid(run);
        status = run->to->calls->sync(run->to->self, err);
        xta__leave_grid(run);
    }
    return status == XTA_OK ? xta__resume_log_synced(&run->resume_log, err) : status;
}

/* All cells of a block have been passed to the target. */
static xta_status finish_block(xta__run *run, const int64_t block[], xta_error *err)
{
    xta_status status = XTA_OK;

    if (run->to->calls->finish != NULL) {
        xta__enter_grid(run);
        status = run->to->calls->finish(run->to->self, block, err);
        xta__leave_grid(run);
    }
    run->progress.blocks_done += status == XTA_OK;
    if (status == XTA_OK && run->logging) {
        status = xta__resume_log_add(&run->resume_log, xta__cut_number(&run->to_cuts, block), err);
    }
    if (status == XTA_OK && run->logging && xta__seconds() - run->synced > SYNC_SECONDS) {
        status = sync_target(run, err);
        run->synced = xta__seconds();
    }
    return status;
}

xta_status xta__count_written(xta__run *run, const int64_t block[], const xta_box *piece,
                              xta_error *err)
{
    uint64_t number = xta__cut_number(&run->to_cuts, block), n = xta__box_count(piece);
    xta_box box;

    xta__cut_box(&run->to_cuts, block, &box);
    uint64_t all = xta__box_count(&box);
    if (n < all) {
        uint64_t *sum = xta__block_map_at(&run->unfinished, number, true);
        if (sum == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for the table of blocks",
                             run->to->name);
        }
        *sum += n;
        if (*sum < all) {
            return XTA_OK;
        }
        xta__block_map_remove(&run->unfinished, number);
    }
    return finish_block(run, block, err);
}

xta_status xta__notify_progress(xta__run *run, bool now, xta_error *err)
{
    if (run->options.report == NULL) {
        return XTA_OK;
    }
    double seconds = xta__seconds();
    if (!now && seconds - run->notified < NOTIFY_SECONDS) {
        return XTA_OK;
    }
    run->notified = seconds;
    run->progress.seconds = seconds - run->begun;
    pthread_mutex_lock(&run->lock);
    run->progress.bytes_read = run->bytes_read;
    pthread_mutex_unlock(&run->lock);
    return run->options.report(run->options.user, &run->progress) == 0
               ? XTA_OK
               : xta__fail(err, XTA_ECANCELLED, 0, "%s: stopped on request", run->to->name);
}
