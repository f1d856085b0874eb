/* Opening the files of an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_OPEN_H
#define XTA_ARRAY_HANDLE_OPEN_H

#include "array/state/open_array.h"

/* Open the files of `array` once more. */
XTA_PRIVATE_API xta_status xta__array_open_again(const xta_array *array,
                                                 const xta_open_options *options, xta_array **out,
                                                 xta_error *err);

#endif
