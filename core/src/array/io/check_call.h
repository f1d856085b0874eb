/* Whether the box and the options of a call are valid for an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CHECK_CALL_H
#define XTA_ARRAY_IO_CHECK_CALL_H

#include "array/state/open_array.h"

#define XTA__MOST_THREADS 1024 /* that a call may ask for */

/* XTA_EBOX: the box leaves the bounds. */
XTA_PRIVATE_API xta_status xta__check_box(xta_array *array, const xta_box *box,
                                          const xta_box *bounds, xta_error *err);

/* Make *options those of this release: options of another one are converted into *own. */
XTA_PRIVATE_API xta_status xta__read_io_options(const xta_io_options **options, xta_io_options *own,
                                                xta_error *err);

/* Whether options of this release are valid. XTA_EARG, XTA_ETYPE. */
XTA_PRIVATE_API xta_status xta__check_options(const xta_array *array, int ndim,
                                              const xta_io_options *options, xta_error *err);

/* All three, against the bounds of the array: what reads and writes check. */
xta_status xta__check_call(xta_array *array, const xta_box *box, const xta_io_options **options,
                           xta_io_options *own, xta_error *err);

#endif
