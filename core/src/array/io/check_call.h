/* Whether the box and the options of a call make sense for an array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_CHECK_CALL_H
#define XTA_ARRAY_IO_CHECK_CALL_H

#include "array/state/open_array.h"

#define XTA__MOST_THREADS 1024

/* Check options, once they are of this release, and box against bounds. */
xta_status xta__check_box(xta_array *array, const xta_box *box, const xta_box *bounds,
                          xta_error *err);
xta_status xta__take_io_options(const xta_io_options **options, xta_io_options *own,
                                xta_error *err);
xta_status xta__check_options(const xta_array *array, int ndim, const xta_io_options *options,
                              xta_error *err);

/* What reads and writes check of a box and of options, which are taken into *own where they are of
 * another release. */
xta_status xta__check_call(xta_array *array, const xta_box *box, const xta_io_options **options,
                           xta_io_options *own, xta_error *err);

#endif
