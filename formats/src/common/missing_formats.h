/* What this build was made without: which library would know a format, and how to get it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_MISSING_FORMATS_H
#define XTA_FORMATS_COMMON_MISSING_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this build was made without the library that knows a format; and, if so, the end of a
 * message that names it and what to do, else an empty text. The format is the one called `name`,
 * or, if that is NULL, the one with `suffix`; no suffix (NULL) asks whether it would be a grid of
 * blocks. Returns `text`. */
#define XTA__MISSING_FORMAT_BYTES 128

bool xta__format_is_missing(const char *name, const char *suffix);
const char *xta__missing_format_text(const char *name, const char *suffix, char *text,
                                     size_t capacity);

#endif
