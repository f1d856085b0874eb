/* Private header: preparing a pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_REDUCE_PLAN_H
#define XTA_REDUCE_PLAN_H

#include "pass/pass_state.h"

/* Check axes and regions, and allocate all tables. */
xta_status xta__pass_begin(xta__pass *pass);

#endif
