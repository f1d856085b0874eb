/* Values of options: numbers, coordinates, boxes, sizes, and the names of orders and policies.
 * Every error names the option, the text, and what would be right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kit/errors.h"

/* Parse a decimal number of `length` characters, sign allowed; false if it is invalid or exceeds 64
 * bits. */
static bool consume_int(const char *text, size_t length, int64_t *value)
{
    char digits[32];
    char *end;

    if (length == 0 || length >= sizeof digits || strchr(" \t\n\v\f\r", text[0]) != NULL) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    errno = 0;
    long long parsed = strtoll(digits, &end, 10);
    if (*end != '\0' || errno != 0) {
        return false;
    }
    *value = parsed;
    return true;
}

xta_status cli_parse_int(const char *text, const char *what, int64_t *value, cli_error *err)
{
    if (!consume_int(text, strlen(text), value)) {
        return cli_usage(err, "%s: \"%s\" is not a whole number", what, text);
    }
    return XTA_OK;
}

xta_status cli_parse_real(const char *text, const char *what, double *value, cli_error *err)
{
    char *end;
    double parsed = strtod(text, &end);

    if (end == text || *end != '\0') {
        return cli_usage(err, "%s: \"%s\" is not a number", what, text);
    }
    *value = parsed;
    return XTA_OK;
}

xta_status cli_parse_coords(const char *text, const char *what, int64_t coord[], int *n,
                            cli_error *err)
{
    const char *at = text;
    int count = 0;

    for (;;) {
        size_t length = strcspn(at, ",");
        if (count == XTA_MAX_NDIM) {
            return cli_usage(err, "%s: \"%s\" has more than %d numbers", what, text, XTA_MAX_NDIM);
        }
        if (!consume_int(at, length, &coord[count])) {
            return cli_usage(err, "%s: \"%.*s\" in \"%s\" is not a whole number; want a,b,c", what,
                             (int)length, at, text);
        }
        count++;
        if (at[length] == '\0') {
            break;
        }
        at += length + 1;
    }
    *n = count;
    return XTA_OK;
}

xta_status cli_parse_coords_of(const char *text, const char *what, int ndim, int64_t coord[],
                               cli_error *err)
{
    int n = 0;
    xta_status status = cli_parse_coords(text, what, coord, &n, err);

    if (status == XTA_OK && n != ndim) {
        return cli_usage(err, "%s: \"%s\" has %d numbers; the array has %d axes, give one for each",
                         what, text, n, ndim);
    }
    return status;
}

/* Find the unit after a size: binary and decimal units are different numbers. */
static bool find_unit(const char *text, uint64_t *unit_bytes)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"", 1},
                 {"B", 1},
                 {"KiB", UINT64_C(1) << 10},
                 {"MiB", UINT64_C(1) << 20},
                 {"GiB", UINT64_C(1) << 30},
                 {"TiB", UINT64_C(1) << 40},
                 {"kB", 1000},
                 {"MB", 1000000},
                 {"GB", UINT64_C(1000000000)},
                 {"TB", UINT64_C(1000000000000)}};

    for (size_t k = 0; k < CLI_COUNT(units); k++) {
        if (strcmp(text, units[k].name) == 0) {
            *unit_bytes = units[k].bytes;
            return true;
        }
    }
    return false;
}

/* Parse whole bytes: a fraction of a byte is dropped. Six digits after the point keep the product
 * of fraction and unit within 64 bits. */
static bool consume_bytes(const char *text, uint64_t *bytes)
{
    size_t n_digits = strspn(text, "0123456789");
    const char *rest = text + n_digits;
    uint64_t fraction = 0, scale = 1, unit_bytes;
    int64_t whole;

    if (!consume_int(text, n_digits, &whole)) {
        return false;
    }
    if (*rest == '.') {
        size_t n_behind = strspn(rest + 1, "0123456789");
        if (n_behind == 0 || n_behind > 6) {
            return false;
        }
        for (size_t k = 1; k <= n_behind; k++) {
            fraction = 10 * fraction + (uint64_t)(rest[k] - '0');
            scale *= 10;
        }
        rest += 1 + n_behind;
    }
    if (!find_unit(rest, &unit_bytes) || (scale > 1 && unit_bytes == 1) ||
        (uint64_t)whole > INT64_MAX / unit_bytes - 1) {
        return false;
    }
    *bytes = (uint64_t)whole * unit_bytes + fraction * unit_bytes / scale;
    return true;
}

xta_status cli_parse_bytes(const char *text, const char *what, uint64_t *bytes, cli_error *err)
{
    if (!consume_bytes(text, bytes)) {
        return cli_usage(err,
                         "%s: \"%s\" is not a size; want a number and nothing, KiB, MiB, GiB, or "
                         "kB, MB, GB, as in 64MiB or 1.5GB",
                         what, text);
    }
    return XTA_OK;
}

/* Parse one axis of a box from `length` characters. */
static bool parse_interval(const char *text, size_t length, int64_t *lo, int64_t *hi)
{
    const char *colon = memchr(text, ':', length);

    if (length == 0) {
        return false;
    }
    if (colon == NULL) {
        if (!consume_int(text, length, lo) || *lo == INT64_MAX) {
            return false;
        }
        *hi = *lo + 1;
        return true;
    }
    size_t before = (size_t)(colon - text);
    size_t behind = length - before - 1;
    return (before == 0 || consume_int(text, before, lo)) &&
           (behind == 0 || consume_int(colon + 1, behind, hi));
}

xta_status cli_parse_box(const char *text, const xta_box *bounds, xta_box *box, cli_error *err)
{
    xta_box found = *bounds;
    const char *at = text;
    int axis = 0;

    for (;; axis++) {
        size_t length = strcspn(at, ",");
        if (axis < bounds->ndim) {
            if (!parse_interval(at, length, &found.lo[axis], &found.hi[axis])) {
                return cli_usage(err,
                                 "--box: axis %d: \"%.*s\" is no interval; want lo:hi, lo:, :hi, "
                                 ": or one coordinate",
                                 axis, (int)length, at);
            }
            if (found.lo[axis] > found.hi[axis]) {
                return cli_usage(err, "--box: axis %d: %.*s ends before it begins", axis,
                                 (int)length, at);
            }
        }
        if (at[length] == '\0') {
            break;
        }
        at += length + 1;
    }
    if (axis + 1 != bounds->ndim) {
        return cli_usage(err,
                         "--box: \"%s\" has %d intervals; the array has %d axes, give one for "
                         "each (\":\" is the whole axis)",
                         text, axis + 1, bounds->ndim);
    }
    *box = found;
    return XTA_OK;
}

static const char *const order_names[] = {
    [XTA_ROW] = "row", [XTA_COLUMN] = "column", [XTA_MORTON] = "morton", [XTA_HILBERT] = "hilbert"};

static const char *const policy_names[] = {[XTA_EXACT] = "exact",
                                           [XTA_LINEAR] = "linear",
                                           [XTA_EXPONENTIAL] = "exponential",
                                           [XTA_CUBICAL] = "cubical",
                                           [XTA_SHELL] = "shell"};

const char *cli_order_name(xta_order order)
{
    return (unsigned)order < CLI_COUNT(order_names) ? order_names[order] : "?";
}

const char *cli_policy_name(xta_policy policy)
{
    return (unsigned)policy < CLI_COUNT(policy_names) ? policy_names[policy] : "?";
}

xta_status cli_parse_order_value(const char *text, const char *what, void *value, cli_error *err)
{
    for (size_t k = 0; k < CLI_COUNT(order_names); k++) {
        if (strcmp(text, order_names[k]) == 0) {
            *(xta_order *)value = (xta_order)k;
            return XTA_OK;
        }
    }
    return cli_usage(err, "%s: \"%s\" is no order; want row, column, morton or hilbert", what,
                     text);
}

xta_status cli_parse_policy_value(const char *text, const char *what, void *value, cli_error *err)
{
    cli_growth_policy *growth = value;
    size_t length = strcspn(text, ":");

    for (size_t k = 0; k < CLI_COUNT(policy_names); k++) {
        bool counts = k == XTA_LINEAR || k == XTA_EXPONENTIAL;
        int64_t n = 0;
        if (strlen(policy_names[k]) != length || strncmp(text, policy_names[k], length) != 0) {
            continue;
        }
        if (text[length] == ':' &&
            (!counts || !consume_int(text + length + 1, strlen(text) - length - 1, &n) || n < 1 ||
             n > UINT32_MAX)) {
            break;
        }
        growth->policy = (xta_policy)k;
        growth->amount = (uint32_t)n;
        return XTA_OK;
    }
    return cli_usage(err,
                     "%s: \"%s\" is no policy; want exact, linear:N, exponential:N, cubical or "
                     "shell",
                     what, text);
}

xta_status cli_parse_type(const char *text, xta_type *type, size_t *cell_bytes, cli_error *err)
{
    xta_status status = xta_type_parse(text, type, cell_bytes, &err->error);

    err->usage = err->usage || status != XTA_OK;
    return status;
}

xta_status cli_parse_type_value(const char *text, const char *what, void *value, cli_error *err)
{
    cli_cell_type *cell = value;

    (void)what;
    return cli_parse_type(text, &cell->type, &cell->cell_bytes, err);
}

xta_status cli_parse_coords_value(const char *text, const char *what, void *value, cli_error *err)
{
    cli_coords *coords = value;

    return cli_parse_coords(text, what, coords->at, &coords->n, err);
}
