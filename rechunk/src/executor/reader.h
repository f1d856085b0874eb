/* Private header: the reading half of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_READER_H
#define XTA_EXECUTOR_READER_H

#include "executor/run_state.h"

/* Read the next operation, and some that can be joined to it, but only those before read number
 * `until`. *end: there are no more. */
xta_status xta__read_some(xta__run *run, uint64_t until, bool *end, xta_error *err);

/* Main function of the reading thread. */
void *xta__reader_main(void *user_run);

#endif
