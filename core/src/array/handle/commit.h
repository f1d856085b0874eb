/* Appending one record to the journal of an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_COMMIT_H
#define XTA_ARRAY_HANDLE_COMMIT_H

#include "array/state/open_array.h"

/* Append a record. The locks are held. Does nothing for an array in memory. */
xta_status xta__commit(xta_array *array, unsigned type, const xta__bytes *payload, xta_error *err);

/* Append the record that a piece of work has ended, and remove the work from the list. */
xta_status xta__commit_work_end(xta_array *array, const uint8_t id[XTA__UUID_BYTES],
                                bool taken_back, xta_error *err);

#endif
