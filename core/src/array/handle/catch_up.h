/* Applying to the state what other processes have written to the journal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_CATCH_UP_H
#define XTA_ARRAY_HANDLE_CATCH_UP_H

#include "array/state/open_array.h"

/* Apply the records that others have appended to the state. The lock of the array is held. */
xta_status xta__catch_up(xta_array *array, bool *changed, xta_error *err);

/* Update the rest of the handle after reading has changed the state. `n_before`: how many chunks it
 * had before. */
xta_status xta__adopt_growth(xta_array *array, uint64_t n_before, xta_error *err);

/* The error of changing an array whose journal has records of a type that this library does not
 * know. */
xta_status xta__refuse_unknown(xta_array *array, xta_error *err);

#endif
