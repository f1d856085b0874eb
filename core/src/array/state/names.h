/* Whether a name, a text or an attribute may be stored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_NAMES_H
#define XTA_ARRAY_STATE_NAMES_H

#include <xta/attribute.h>

#include "store/store.h"

/* Text is UTF-8 without terminal control characters; `lines`: it may have line breaks. `array` and
 * `what` say in messages whose text it is. */
xta_status xta__check_text(const char *array, const char *what, const char *text, size_t n,
                           bool lines, xta_error *err);

/* The same for a name, which has `least` to 255 bytes. */
xta_status xta__check_name(const char *array, const char *what, const char *name, size_t least,
                           xta_error *err);

/* The same for an attribute of `owner`, which is named in messages. *cell_bytes: of one value. */
xta_status xta__check_attribute(const char *owner, const xta_attribute *a, size_t *cell_bytes,
                                xta_error *err);

#endif
