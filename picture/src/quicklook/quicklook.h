/* Quicklooks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_QUICKLOOK_H
#define XTA_PICTURE_QUICKLOOK_QUICKLOOK_H

#include <xta/array.h>
#include <xta/picture.h>

#include "quicklook/quicklook_state.h"
#include "util/text.h"

/* Check the options of a quicklook whose array and path are set, and choose all but the cells. */
xta_status xta__picture_settle(picture_quicklook *q, const xta_quicklook_options *options,
                               xta_error *err);

/* As xta_picture_quicklook, but if `to` is not NULL the file goes to memory, and `path` only says
 * which kind of file it is. */
xta_status xta__picture_quicklook_to(xta_array *array, const xta_quicklook_options *options,
                                     const char *path, xta__text *to, xta_error *err);

#endif
