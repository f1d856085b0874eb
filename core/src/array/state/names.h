/* Whether a name or a text may be stored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_STATE_NAMES_H
#define XTA_ARRAY_STATE_NAMES_H

#include "store/store.h"

/* Names are UTF-8 of `least` to 255 bytes without control characters. `array` and `what` say in
 * messages whose name it is. */
xta_status xta__check_text(const char *array, const char *what, const char *text, size_t n,
                           bool lines, xta_error *err);
xta_status xta__check_name(const char *array, const char *what, const char *name, size_t least,
                           xta_error *err);

#endif
