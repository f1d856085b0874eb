/* A text with marks that are filled in: a small subset of Mustache.
 *
 *   {{name}}                 a value
 *   {{#name}} ... {{/name}}  a section, shown as often as the context has it
 *   {{! ... }}               a remark
 *
 * A mark of a section or a remark that is alone on its line takes the line with it. A section does
 * not contain a section of the same name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_TEMPLATE_H
#define XTA_PICTURE_REPORT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/text.h"

typedef struct template_mark {
    const char *name; /* not ended by a zero */
    size_t name_bytes;
    const char *inner; /* what stands between its marks; NULL: a value */
    size_t inner_bytes;
} template_mark;

/* Add what stands in the place of a mark. False: the context has no such name. */
typedef bool template_fill(xta__text *out, const template_mark *mark, const void *context);

/* Whether a mark is the value, or the section, of that name. */
bool xta__template_is_value(const template_mark *mark, const char *name);
bool xta__template_is_section(const template_mark *mark, const char *name);

/* Add a template with its marks filled; a mark that the context does not have is copied as it is,
 * so that it can be seen. */
void xta__template_render(xta__text *out, const char *text, size_t n, template_fill *fill,
                          const void *context);

/* Add what is between the marks of a section, filled. */
void xta__template_render_inner(xta__text *out, const template_mark *mark, template_fill *fill,
                                const void *context);

#endif
