/* Unfinished work: beginning, ending and resuming it. The contracts of the public calls are in
 * <xta/work.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_WORK_H
#define XTA_ARRAY_CHANGE_WORK_H

#include <xta/work.h>

#include "array/state/open_array.h"

/* Append the record that work has ended, durably; the locks are held. */
xta_status xta__work_end_locked(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err);

#endif
