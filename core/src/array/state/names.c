/* Whether an attribute may be stored: names and texts are UTF-8 without control characters, values
 * have a type and a length within the limits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/text.h"

/* Text must be UTF-8 and must not contain terminal control characters. `what`: whose text it is. */
xta_status xta__check_text(const char *array, const char *what, const char *text, size_t n,
                           bool lines, xta_error *err)
{
    size_t good = xta__clean_bytes(text, n, lines);

    if (good == n) {
        return XTA_OK;
    }
    unsigned byte = (unsigned char)text[good];
    if (xta__is_control((unsigned char)byte, lines)) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: %s: byte %zu (0x%02x) is a control character; take it out%s", array,
                         what, good, byte, lines ? " (tabs and ends of lines may stay)" : "");
    }
    return xta__fail(err, XTA_EARG, 0,
                     "%s: %s: byte %zu (0x%02x) is not UTF-8; convert the text, from Latin-1, say",
                     array, what, good, byte);
}

xta_status xta__check_name(const char *array, const char *what, const char *name, size_t least,
                           xta_error *err)
{
    size_t n = name != NULL ? strlen(name) : 0;

    if (n < least || n > XTA__MAX_NAME_BYTES) {
        return xta__fail(err, XTA_EARG, 0, "%s: %s has %zu to %d bytes, not %zu", array, what,
                         least, XTA__MAX_NAME_BYTES, n);
    }
    return xta__check_text(array, what, name != NULL ? name : "", n, false, err);
}

xta_status xta__check_attribute(const char *owner, const xta_attribute *a, size_t *cell_bytes,
                                xta_error *err)
{
    uint64_t bytes = 0;

    xta_status status = xta__check_name(owner, "the name of an attribute", a->name, 1, err);
    if (status != XTA_OK) {
        return status;
    }
    *cell_bytes = a->type == XTA_BYTES ? a->cell_bytes : xta_type_bytes(a->type);
    if ((!xta__is_cell_type((unsigned)a->type) && a->type != XTA_TEXT) || *cell_bytes < 1 ||
        *cell_bytes > 65535) {
        return xta__fail(err, XTA_EARG, 0, "%s: attribute '%s': type %d is no type of values",
                         owner, a->name, (int)a->type);
    }
    if (!xta__mul_u64(a->count, *cell_bytes, &bytes) || bytes > XTA__MAX_ATTRIBUTE_BYTES) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: attribute '%s': %zu values; at most %" PRIu64 " bytes", owner,
                         a->name, a->count, XTA__MAX_ATTRIBUTE_BYTES);
    }
    if (a->type == XTA_TEXT) {
        char what[XTA__MAX_NAME_BYTES + 16];
        snprintf(what, sizeof what, "attribute '%s'", a->name);
        return xta__check_text(owner, what, a->values, a->count, true, err);
    }
    return XTA_OK;
}
