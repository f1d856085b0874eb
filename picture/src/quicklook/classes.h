/* Maps of classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_QUICKLOOK_CLASSES_H
#define XTA_PICTURE_QUICKLOOK_CLASSES_H

#include <xta/array.h>
#include <xta/picture.h>

#include "util/text.h"

/* As xta_picture_classes, but if `to` is not NULL the file goes to memory, and `path` only says
 * which kind of file it is. */
xta_status xta__picture_classes_to(xta_array *array, const xta_classes_options *options,
                                   const char *path, xta__text *to, xta_error *err);

#endif
