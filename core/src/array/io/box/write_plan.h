/* By which methods a box would be written. The contract is in <xta/io_plan.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_WRITE_PLAN_H
#define XTA_ARRAY_IO_BOX_WRITE_PLAN_H

#include <xta/io_plan.h>

#endif
