/* Output files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_DRAWING_OUTPUT_H
#define XTA_PICTURE_DRAWING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

#include "util/text.h"

/* Replaces bytes that are not UTF-8, such as in names in an older encoding. */
#define PICTURE_UNKNOWN "\xef\xbf\xbd"

/* Copy a text, with PICTURE_UNKNOWN in place of what is not UTF-8, cut at the end of a character.
 * Cairo refuses to draw text that is not UTF-8. */
void xta__picture_plain(const char *text, char *out, size_t capacity);
/* Add a text to XML: special characters are written as entities, and what is not UTF-8 as
 * PICTURE_UNKNOWN. */
void xta__picture_add_escaped(xta__text *out, const char *text);
/* Number the ids of an SVG in order of appearance: Cairo counts them over the lifetime of the
 * process, but the same picture must give the same file. */
void xta__picture_number_ids(const xta__text *svg, xta__text *out);
/* The kind of a file by its suffix: true for .svg, false for .png. XTA_EARG if it is neither. */
xta_status xta__picture_suffix(const char *path, bool *svg, xta_error *err);
/* Move the bytes to `to`, or if that is NULL write them to `path`. */
xta_status xta__picture_write_output(const char *path, xta__text *bytes, xta__text *to,
                                     xta_error *err);
/* Write the bytes to a new file beside `path` and rename it. */
xta_status xta__picture_replace_file(const char *path, const xta__text *bytes, xta_error *err);

#endif
