/* Private header: the progress of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_PROGRESS_H
#define XTA_EXECUTOR_PROGRESS_H

#include "executor/run_state.h"

/* Count the cells of an operation that have been passed to the target. */
xta_status xta__count_written(xta__run *run, const int64_t block[], const xta_box *piece,
                              xta_error *err);

/* Report progress to the caller, at most about twenty times a second; with `now`, in any case.
 * XTA_ECANCELLED: the caller asked to stop. */
xta_status xta__notify_progress(xta__run *run, bool now, xta_error *err);

#endif
