/* Private header: the writing half of a run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_WRITER_H
#define XTA_EXECUTOR_WRITER_H

#include "executor/run_state.h"

/* All writes of the plan. */
xta_status xta__write_all(xta__run *run, xta_error *err);

#endif
