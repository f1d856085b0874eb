/* A picture as a data: URI; three bytes become four letters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/data_uri.h"

static void add_base64(xta__text *out, const xta__text *bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = (const unsigned char *)bytes->bytes;
    size_t n = bytes->n;

    for (size_t k = 0; k < n; k += 3) {
        unsigned long three = (unsigned long)at[k] << 16;
        three |= k + 1 < n ? (unsigned long)at[k + 1] << 8 : 0;
        three |= k + 2 < n ? at[k + 2] : 0;
        char four[4];
        for (int j = 0; j < 4; j++) {
            four[j] = letters[three >> (18 - 6 * j) & 63];
        }
        four[3] = k + 2 < n ? four[3] : '=';
        four[2] = k + 1 < n ? four[2] : '=';
        xta__text_add(out, four, 4);
    }
}

const char *xta__picture_media_type(bool svg)
{
    return svg ? "image/svg+xml" : "image/png";
}

void xta__add_data_uri(xta__text *out, bool svg, const xta__text *file)
{
    xta__text_printf(out, "data:%s;base64,", xta__picture_media_type(svg));
    add_base64(out, file);
}
