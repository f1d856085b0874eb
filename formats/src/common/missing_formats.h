/* Formats that this build lacks: which library would read a format, and how to get it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_MISSING_FORMATS_H
#define XTA_FORMATS_COMMON_MISSING_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

/* xta__format_is_missing: whether this build was made without the library for a format.
 * xta__missing_format_text: the end of a message that names the library and says how to get it,
 * empty if the build has it. The format is the one called `name` or, if there is none, the one with
 * `suffix`; with a NULL suffix, the text is empty unless the format has block grids. Returns
 * `text`. */
#define XTA__MISSING_FORMAT_BYTES 128

bool xta__format_is_missing(const char *name, const char *suffix);
const char *xta__missing_format_text(const char *name, const char *suffix, char *text,
                                     size_t capacity);

#endif
