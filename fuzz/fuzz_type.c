/* xta_type_parse and xta_type_convert on arbitrary bytes.
 *
 * The first half of the bytes is a name. Whatever it names must be named again by xta_type_name.
 * The other half are values of some type, converted into another and back: a value that survives
 * both conversions must be the one that went in, since a conversion is exact or refused unless it
 * rounds a float.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <xta/type.h>

static void parse(fuzz_source *source)
{
    char name[64];
    xta_type type = XTA_TYPE_SAME, again = XTA_TYPE_SAME;
    size_t cell_bytes = 0;
    xta_error err;

    fuzz_text(source, name, sizeof name);
    if (xta_type_parse(name, &type, &cell_bytes, &err) != XTA_OK) {
        FUZZ_PROMISE(type == XTA_TYPE_SAME && err.status == XTA_EARG);
        FUZZ_PROMISE(strlen(err.text) > 0 && strchr(err.text, '\n') == NULL);
        return;
    }
    // The bare name "bytes" leaves the length open.
    FUZZ_PROMISE(cell_bytes <= 65535 && (cell_bytes >= 1 || type == XTA_BYTES));
    if (type != XTA_BYTES) {
        FUZZ_PROMISE(xta_type_bytes(type) == cell_bytes);
        FUZZ_PROMISE(xta_type_parse(xta_type_name(type), &again, NULL, NULL) == XTA_OK);
        FUZZ_PROMISE(again == type);
    }
}

static bool is_integer(xta_type type)
{
    return type >= XTA_BOOL && type <= XTA_U64;
}

static void convert(fuzz_source *source)
{
    xta_type from = (xta_type)(1 + fuzz_below(source, 14));
    xta_type to = (xta_type)(1 + fuzz_below(source, 14));
    size_t n = source->left / xta_type_bytes(from), bad = n, bad_again = n;
    // Exact allocations, so that one byte too many is seen.
    uint8_t *in = malloc(n * xta_type_bytes(from) + 1);
    uint8_t *out = malloc(n * xta_type_bytes(to) + 1);
    uint8_t *back = malloc(n * xta_type_bytes(from) + 1);

    FUZZ_PROMISE(in != NULL && out != NULL && back != NULL);
    memcpy(in, source->at, n * xta_type_bytes(from));
    for (size_t k = 0; from == XTA_BOOL && k < n; k++) {
        in[k] &= 1;
    }
    xta_status status = xta_type_convert(from, in, to, out, n, &bad);
    if (status == XTA_ERANGE) {
        FUZZ_PROMISE(bad < n);
        FUZZ_PROMISE(xta_type_convert(from, in, to, out, bad, NULL) == XTA_OK);
        n = bad;
    }
    // A float of as many bits or fewer may have rounded an integer; all else comes back.
    if (status != XTA_ETYPE && is_integer(from) && is_integer(to)) {
        FUZZ_PROMISE(xta_type_convert(to, out, from, back, n, &bad_again) == XTA_OK);
        FUZZ_PROMISE(memcmp(in, back, n * xta_type_bytes(from)) == 0);
    }
    free(in);
    free(out);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data, size};

    parse(&source);
    convert(&source);
    return 0;
}
