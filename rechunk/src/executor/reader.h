/* Private header: the reading half of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_READER_H
#define XTA_EXECUTOR_READER_H

#include "executor/run_state.h"

/* Read the next operation, or some that join it, none at or behind read number `until`. *end: there
 * is none. */
xta_status xta__read_some(xta__run *run, uint64_t until, bool *end, xta_error *err);

/* The reading thread. */
void *xta__reader_main(void *user_run);

#endif
