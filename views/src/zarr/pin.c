/* Pins of data sets: `time=-3:120,lat=0:180`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/pin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

#define MOST ((int64_t)1 << 62)

bool xta__pin_write(xta__text *out, const xta_zarr *zarr)
{
    xta_zarr_bounds b;

    for (size_t k = 0; xta_zarr_bounds_at(zarr, k, &b); k++) {
        if (b.dimension[0] == '\0' || strpbrk(b.dimension, ",=@/\\") != NULL) {
            return false;
        }
        xta__text_printf(out, "%s%s=%" PRId64 ":%" PRId64, k > 0 ? "," : "", b.dimension, b.lo,
                         b.hi);
    }
    if (out->n == 0) {
        xta__text_add_string(out, "empty"); // no dimension at all
    }
    return true;
}

/* A number up to `end`, without blanks or a plus sign. */
static bool read_number(const char *text, char end, int64_t *value)
{
    char *stop = NULL;
    const char *digits = text + (*text == '-');

    if (*digits < '0' || *digits > '9') {
        return false;
    }
    errno = 0;
    *value = strtoll(text, &stop, 10);
    return errno == 0 && *stop == end && *value >= -MOST && *value <= MOST;
}

/* NAME=LO:HI, which is cut up. */
static bool read_item(char *item, xta_zarr_bounds *b)
{
    char *equals = strchr(item, '=');
    char *colon = equals != NULL ? strchr(equals, ':') : NULL;

    if (colon == NULL || equals == item) {
        return false;
    }
    *equals = '\0';
    b->dimension = item;
    return read_number(equals + 1, ':', &b->lo) && read_number(colon + 1, '\0', &b->hi) &&
           b->lo <= b->hi;
}

xta_status xta__pin_read(const char *pin, view_bounds *out)
{
    memset(out, 0, sizeof *out);
    out->text = xta__string("%s", pin);
    if (out->text == NULL || !XTA__RESERVE(out->bounds, out->capacity, 1)) {
        return XTA_ENOMEM;
    }
    if (strcmp(pin, "empty") == 0) {
        return XTA_OK;
    }
    for (char *item = out->text; item != NULL;) {
        char *comma = strchr(item, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!XTA__RESERVE(out->bounds, out->capacity, out->n + 1)) {
            return XTA_ENOMEM;
        }
        if (!read_item(item, &out->bounds[out->n++])) {
            return XTA_EARG;
        }
        item = comma != NULL ? comma + 1 : NULL;
    }
    return XTA_OK;
}

void xta__pin_clear(view_bounds *bounds)
{
    free(bounds->text);
    free(bounds->bounds);
    memset(bounds, 0, sizeof *bounds);
}

bool xta__pin_read_step(const char *pin, uint64_t *step)
{
    int64_t value = 0;

    if (!read_number(pin, '\0', &value) || value < 0 || pin[0] == '-' ||
        (pin[0] == '0' && pin[1] != '\0')) {
        return false;
    }
    *step = (uint64_t)value;
    return true;
}
