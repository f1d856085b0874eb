/* Quicklooks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_QUICKLOOK_H
#define XTA_PICTURE_QUICKLOOK_QUICKLOOK_H

#include <xta/array.h>
#include <xta/picture.h>

#include "util/text.h"

/* As xta_picture_quicklook, with the file going to memory if `to` is not NULL; `path` then only says which kind it is. */
xta_status xta__picture_quicklook_to(xta_array *array, const xta_quicklook_options *options,
                                     const char *path, xta__text *to, xta_error *err);

#endif
