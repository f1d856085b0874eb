/* Names of block files: from a pattern such as `b/x{c0:05}_{1}.npy` to a name and back.
 *
 * Placeholders are only allowed in the last component of the path, so that all blocks are in one
 * folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "grids/common/name_pattern.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"

#define WIDEST 40

/* Parse a placeholder such as `{0}` or `{c1:05}`; returns what follows it, NULL if it is not
 * one. */
static const char *parse_one(const char *at, blocks_placeholder *p)
{
    char *end;
    memset(p, 0, sizeof *p);
    if (*at++ != '{') {
        return NULL;
    }
    if (*at == 'c') {
        p->coordinate = true;
        at++;
    }
    if (!isdigit((unsigned char)*at)) {
        return NULL;
    }
    long axis = strtol(at, &end, 10);
    at = end;
    if (axis >= XTA_MAX_NDIM) {
        return NULL;
    }
    p->axis = (int)axis;
    if (*at == ':') {
        at++;
        p->zeros = *at == '0';
        if (!isdigit((unsigned char)*at)) {
            return NULL;
        }
        long width = strtol(at, &end, 10);
        at = end;
        if (width > WIDEST) {
            return NULL;
        }
        p->width = (int)width;
    }
    return *at == '}' ? at + 1 : NULL;
}

bool xta__blocks_is_pattern(const char *path)
{
    blocks_placeholder p;
    for (const char *at = strchr(path, '{'); at != NULL; at = strchr(at + 1, '{')) {
        if (parse_one(at, &p) != NULL) {
            return true;
        }
    }
    return false;
}

static xta_status refuse_pattern(const char *path, const char *why, xta_error *err)
{
    return xta_error_set(err, XTA_EARG, 0,
                         "%s: %s; a name of block files is like b/{0}_{1}.npy or "
                         "b/x{c0:05}y{c1:05}.raw, each axis once, from axis 0 on",
                         path, why);
}

/* Whether axes 0 to ndim - 1 each occur once. */
static bool axes_are_complete(const blocks_pattern *pattern)
{
    bool seen[XTA_MAX_NDIM] = {false};
    for (int k = 0; k < pattern->ndim; k++) {
        int axis = pattern->placeholder[k].axis;
        if (axis >= pattern->ndim || seen[axis]) {
            return false;
        }
        seen[axis] = true;
    }
    return pattern->ndim > 0;
}

/* Two numbers with nothing between them would be ambiguous. */
static bool numbers_are_apart(const blocks_pattern *pattern)
{
    for (int k = 1; k < pattern->ndim; k++) {
        const char *between = pattern->literal[k];
        if (between[0] == '\0' || isdigit((unsigned char)between[0])) {
            return false;
        }
    }
    const char *behind = pattern->literal[pattern->ndim];
    return !isdigit((unsigned char)behind[0]);
}

xta_status xta__blocks_pattern_parse(const char *path, blocks_pattern *pattern, xta_error *err)
{
    memset(pattern, 0, sizeof *pattern);
    pattern->text = calloc(strlen(path) + 1, 1);
    if (pattern->text == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    const char *folder_end = strrchr(path, '/');
    char *to = pattern->text;
    pattern->literal[0] = to;
    for (const char *at = path; *at != '\0';) {
        blocks_placeholder p;
        const char *next = parse_one(at, &p);
        if (next == NULL) {
            *to++ = *at++;
            continue;
        }
        if (folder_end != NULL && at < folder_end) {
            return refuse_pattern(path, "a placeholder stands in the name of a folder", err);
        }
        if (pattern->ndim == XTA_MAX_NDIM) {
            return refuse_pattern(path, "there are more than 32 placeholders", err);
        }
        *to++ = '\0';
        pattern->placeholder[pattern->ndim++] = p;
        pattern->literal[pattern->ndim] = to;
        at = next;
    }
    if (!axes_are_complete(pattern)) {
        return refuse_pattern(path, "its placeholders do not name each axis once", err);
    }
    if (!numbers_are_apart(pattern)) {
        return refuse_pattern(path, "nothing but digits stands between two numbers", err);
    }
    return XTA_OK;
}

void xta__blocks_pattern_clear(blocks_pattern *pattern)
{
    free(pattern->text);
    memset(pattern, 0, sizeof *pattern);
}

static int print_number(char *to, size_t capacity, const blocks_placeholder *p, int64_t value)
{
    return p->zeros ? snprintf(to, capacity, "%0*lld", p->width, (long long)value)
                    : snprintf(to, capacity, "%*lld", p->width, (long long)value);
}

char *xta__blocks_pattern_name(const blocks_pattern *pattern, const int64_t block[],
                               const int64_t begin[])
{
    size_t capacity = 1;
    for (int k = 0; k <= pattern->ndim; k++) {
        capacity += strlen(pattern->literal[k]) + WIDEST + 1;
    }
    char *name = malloc(capacity);
    if (name == NULL) {
        return NULL;
    }
    size_t n = 0;
    for (int k = 0; k <= pattern->ndim; k++) {
        n += (size_t)snprintf(name + n, capacity - n, "%s", pattern->literal[k]);
        if (k < pattern->ndim) {
            const blocks_placeholder *p = &pattern->placeholder[k];
            int64_t value = p->coordinate ? begin[p->axis] : block[p->axis];
            n += (size_t)print_number(name + n, capacity - n, p, value);
        }
    }
    return name;
}

bool xta__blocks_pattern_match(const blocks_pattern *pattern, const char *name, int64_t values[])
{
    char again[WIDEST + 24];
    const char *at = name;
    for (int k = 0; k <= pattern->ndim; k++) {
        size_t n = strlen(pattern->literal[k]);
        if (strncmp(at, pattern->literal[k], n) != 0) {
            return false;
        }
        at += n;
        if (k == pattern->ndim) {
            break;
        }
        char *end;
        const blocks_placeholder *p = &pattern->placeholder[k];
        long long value = strtoll(at, &end, 10);
        int m = print_number(again, sizeof again, p, value);
        /* A number must be written exactly as it would be printed: `7` is not `07`. */
        if (end == at || m != end - at || memcmp(at, again, (size_t)m) != 0) {
            return false;
        }
        values[p->axis] = value;
        at = end;
    }
    return *at == '\0';
}
