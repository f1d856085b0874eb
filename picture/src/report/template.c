/* A text with marks that are filled in. A section is read once for each time that it is shown;
 * nothing is kept.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/template.h"

#include <string.h>

static const char *find(const char *at, const char *end, const char *word, size_t n)
{
    for (; (size_t)(end - at) >= n; at++) {
        at = memchr(at, word[0], (size_t)(end - at) - n + 1);
        if (at == NULL) {
            return NULL;
        }
        if (memcmp(at, word, n) == 0) {
            return at;
        }
    }
    return NULL;
}

static bool has_name(const template_mark *mark, const char *name)
{
    return strlen(name) == mark->name_bytes && memcmp(mark->name, name, mark->name_bytes) == 0;
}

bool xta__template_is_value(const template_mark *mark, const char *name)
{
    return mark->inner == NULL && has_name(mark, name);
}

bool xta__template_is_section(const template_mark *mark, const char *name)
{
    return mark->inner != NULL && has_name(mark, name);
}

/* The end of a mark that is [from, to), with its line if it is alone on it. */
static const char *end_of_line(const char *text, const char *from, const char *to, const char *end)
{
    bool alone = (from == text || from[-1] == '\n') && to < end && *to == '\n';

    return alone ? to + 1 : to;
}

/* Find the end of the section whose mark was read up to `at`. Returns where the text goes on;
 * NULL: it has no end. */
static const char *read_section(const char *text, const char *at, const char *end,
                                template_mark *mark)
{
    mark->inner = at;
    for (;;) {
        const char *closing = find(at, end, "{{/", 3);
        const char *after;
        if (closing == NULL) {
            return NULL;
        }
        at = closing + 3;
        after = at + mark->name_bytes;
        if ((size_t)(end - at) >= mark->name_bytes + 2 &&
            memcmp(at, mark->name, mark->name_bytes) == 0 && memcmp(after, "}}", 2) == 0) {
            mark->inner_bytes = (size_t)(closing - mark->inner);
            return end_of_line(text, closing, after + 2, end);
        }
    }
}

/* Add what the mark at `opening` stands for. Returns where the text goes on; NULL: it is none. */
static const char *fill_mark(xta__text *out, const char *text, const char *opening, const char *end,
                             template_fill *fill, const void *context)
{
    const char *closing = find(opening, end, "}}", 2);
    const char *after = closing != NULL ? closing + 2 : NULL;
    template_mark mark = {.name = opening + 2};

    if (closing == NULL) {
        return NULL;
    }
    if (*mark.name == '!') {
        return end_of_line(text, opening, after, end);
    }
    mark.name_bytes = (size_t)(closing - mark.name);
    if (*mark.name == '#') {
        mark.name++;
        mark.name_bytes--;
        after = read_section(text, end_of_line(text, opening, after, end), end, &mark);
    }
    return after != NULL && fill(out, &mark, context) ? after : NULL;
}

void xta__template_render(xta__text *out, const char *text, size_t n, template_fill *fill,
                          const void *context)
{
    const char *at = text, *end = text + n;

    while (at < end) {
        const char *opening = find(at, end, "{{", 2);
        const char *after;
        if (opening == NULL) {
            break;
        }
        xta__text_add(out, at, (size_t)(opening - at));
        after = fill_mark(out, text, opening, end, fill, context);
        if (after == NULL) {
            xta__text_add(out, opening, 2);
            after = opening + 2;
        }
        at = after;
    }
    xta__text_add(out, at, (size_t)(end - at));
}

void xta__template_render_inner(xta__text *out, const template_mark *mark, template_fill *fill,
                                const void *context)
{
    xta__template_render(out, mark->inner, mark->inner_bytes, fill, context);
}
