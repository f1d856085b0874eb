/* Descriptions: what a source holds, or what a destination will hold.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/description.h"

#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/text.h"
#include "util/vector.h"

void xta__description_init(bridge_description *what)
{
    memset(what, 0, sizeof *what);
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        what->slow[axis] = axis;
    }
}

static void clear_attribute(bridge_attribute *a)
{
    free(a->name);
    free(a->values);
    for (int d = 0; d < BRIDGE_SPREAD_NDIM; d++) {
        free(a->own[d]);
    }
}

void xta__description_clear(bridge_description *what)
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(what->name[axis]);
        free(what->unit[axis]);
    }
    for (size_t k = 0; k < what->n_attributes; k++) {
        clear_attribute(&what->attributes[k]);
    }
    free(what->attributes);
    free(what->variable);
    free(what->fill);
    memset(what, 0, sizeof *what);
}

xta_status xta__bridge_no_memory(const char *path, xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory; give a smaller memory limit",
                         path);
}

char *xta__bridge_copy(const char *text)
{
    return xta__strdup(text);
}

static size_t put_replacement(char *out)
{
    memcpy(out, "\357\277\275", 3);
    return 3;
}

/* Convert foreign text to UTF-8; the caller frees it. *count: its bytes, without the final zero.
 * Valid UTF-8 is kept; any other byte is read as Latin-1, which old headers and tapes use. Control
 * characters become U+FFFD, but with `lines` tabs and line ends are kept. NULL: out of memory. */
static char *text_to_utf8(const char *text, size_t n, bool lines, size_t *count)
{
    const unsigned char *from = (const unsigned char *)text;
    bool latin = false;
    char *out = malloc(3 * n + 1);
    size_t length = 1;

    *count = 0;
    if (out == NULL) {
        return NULL;
    }
    for (size_t k = 0; k < n && !latin; k += length) {
        length = xta__utf8_length(from + k, n - k);
        latin = length == 0;
    }
    for (size_t k = 0; k < n; k++) {
        if (xta__is_control(from[k], lines)) {
            *count += put_replacement(out + *count);
        } else if (latin && from[k] >= 0x80) {
            out[(*count)++] = (char)(0xc0 | (from[k] >> 6));
            out[(*count)++] = (char)(0x80 | (from[k] & 0x3f));
        } else {
            out[(*count)++] = (char)from[k];
        }
    }
    out[*count] = '\0';
    return out;
}

char *xta__copy_foreign_name(const char *name)
{
    size_t count = 0;

    return text_to_utf8(name, strlen(name), false, &count);
}

bridge_attribute *xta__description_add(bridge_description *what, int axis, const char *name,
                                       xta_type type, size_t count, const void *values)
{
    size_t cell_bytes = type == XTA_BYTES ? 1 : xta_type_bytes(type);
    bool text = type == XTA_TEXT && values != NULL;
    char *copied_name = xta__copy_foreign_name(name);
    char *copied = text ? text_to_utf8(values, count, true, &count)
                        : calloc(count + 1, cell_bytes); // texts end with a zero byte
    if (copied == NULL || copied_name == NULL ||
        !XTA__RESERVE(what->attributes, what->attributes_capacity, what->n_attributes + 1)) {
        free(copied);
        free(copied_name);
        return NULL;
    }
    if (count > 0 && values != NULL && !text) {
        memcpy(copied, values, count * cell_bytes);
    }
    bridge_attribute *a = &what->attributes[what->n_attributes++];
    memset(a, 0, sizeof *a);
    a->axis = axis;
    a->name = copied_name;
    a->type = type;
    a->cell_bytes = cell_bytes;
    a->count = count;
    a->values = copied;
    return a;
}

bridge_attribute *xta__description_add_text(bridge_description *what, int axis, const char *name,
                                            const char *text)
{
    return xta__description_add(what, axis, name, XTA_TEXT, strlen(text), text);
}

void xta__description_remove(bridge_description *what, int axis, const char *name)
{
    for (size_t k = 0; k < what->n_attributes; k++) {
        bridge_attribute *a = &what->attributes[k];
        if (a->axis == axis && strcmp(a->name, name) == 0) {
            clear_attribute(a);
            memmove(a, a + 1, (what->n_attributes - k - 1) * sizeof *a);
            what->n_attributes--;
            return;
        }
    }
}

void xta__attribute_spread(bridge_attribute *a, int along, int64_t lo, int64_t n)
{
    a->along[a->ndim] = along;
    a->lo[a->ndim] = lo;
    a->hi[a->ndim] = lo + n;
    a->ndim++;
}

const bridge_attribute *xta__description_find(const bridge_description *what, int axis,
                                              const char *name)
{
    for (size_t k = 0; k < what->n_attributes; k++) {
        const bridge_attribute *a = &what->attributes[k];
        if (a->axis == axis && strcmp(a->name, name) == 0) {
            return a;
        }
    }
    return NULL;
}

const char *xta__description_text(const bridge_description *what, int axis, const char *name)
{
    const bridge_attribute *a = xta__description_find(what, axis, name);
    return a != NULL && a->type == XTA_TEXT ? a->values : NULL;
}

double xta__attribute_number(const bridge_attribute *a, size_t k, double otherwise)
{
    double value;
    if (a == NULL || a->type == XTA_TEXT || a->type == XTA_BYTES || k >= a->count) {
        return otherwise;
    }
    const char *at = (const char *)a->values + k * a->cell_bytes;
    return xta_type_convert(a->type, at, XTA_F64, &value, 1, NULL) == XTA_OK ? value : otherwise;
}
