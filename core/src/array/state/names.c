/* Whether a name or a text of an attribute may be stored: UTF-8 without control characters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/state/names.h"

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
