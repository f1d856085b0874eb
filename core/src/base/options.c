/* Structs with a struct_size: one rule for all of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/options.h>

#include <string.h>

#include "base/base.h"

/* How much longer a struct of a later release may be. A struct that claims more was never
 * initialised, and must not be read. */
enum { MOST_MORE = 4096 };

static xta_status refuse(const char *name, size_t size, const char *why, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0, "struct_size %zu of an %s: %s", size, name, why);
}

xta_status xta_options_read(void *known, size_t known_bytes, const void *given, const char *name,
                            xta_error *err)
{
    size_t size = 0;

    if (given == NULL) {
        return XTA_OK;
    }
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || (size > known_bytes && size - known_bytes > MOST_MORE)) {
        return refuse(name, size, "begin with the initialiser of its header", err);
    }
    for (size_t k = known_bytes; k < size; k++) {
        if (((const uint8_t *)given)[k] != 0) {
            return refuse(name, size,
                          "it sets members that this release does not know; leave them zero, or "
                          "use a newer library",
                          err);
        }
    }
    size_t n = size < known_bytes ? size : known_bytes;
    memcpy(known, given, n);
    memset((uint8_t *)known + n, 0, known_bytes - n);
    memcpy(known, &known_bytes, sizeof known_bytes);
    return XTA_OK;
}
