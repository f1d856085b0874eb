/* Cells that are texts.
 *
 * UTF-32: NumPy's `<U`, with zeros behind a text that is shorter. Any length: `vlen-utf8` of
 * numcodecs, a number of texts and then each with its length in front, all in 32 bits,
 * little-endian.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/texts.h"

#include <string.h>

#include "util/text.h"

static uint32_t get_u32(const uint8_t *at, bool big_endian)
{
    return big_endian
               ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* UTF-8 of a code point; its bytes, 0: there is no such code point. */
static size_t put_utf8(uint32_t code, uint8_t out[4])
{
    if (code >= 0x110000 || (code >= 0xd800 && code < 0xe000)) {
        return 0;
    }
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n - 1; k > 0; k--) {
        out[k] = (uint8_t)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (uint8_t)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | code);
    return n;
}

/* A piece of text number k that begins `at` bytes after the text. False: the cell is too short. */
static bool put(const zarr_text_cells *cells, uint64_t k, size_t at, const uint8_t *piece, size_t n)
{
    if (cells->out == NULL) {
        *cells->longest = *cells->longest > at + n ? *cells->longest : at + n;
        return true;
    }
    if (at + n > cells->cell_bytes) {
        return false;
    }
    memcpy(cells->out + k * cells->cell_bytes + at, piece, n);
    return true;
}

static const char changed[] = "a text of it has become longer meanwhile";

static const char *decode_utf32(const zarr_text_form *form, uint64_t k, const uint8_t *bytes,
                                const zarr_text_cells *cells)
{
    uint8_t piece[4];
    size_t at = 0, length = form->code_points;

    while (length > 0 && get_u32(bytes + 4 * (length - 1), form->big_endian) == 0) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        size_t n = put_utf8(get_u32(bytes + 4 * i, form->big_endian), piece);
        if (n == 0) {
            return "a text of it is no Unicode";
        }
        if (!put(cells, k, at, piece, n)) {
            return changed;
        }
        at += n;
    }
    return NULL;
}

static bool is_utf8(const uint8_t *bytes, size_t n)
{
    size_t length = 1;

    for (size_t k = 0; k < n && length > 0; k += length) {
        length = xta__utf8_length(bytes + k, n - k);
    }
    return length > 0;
}

static const char *decode_any_length(uint64_t n, const uint8_t *bytes, size_t n_bytes,
                                     const zarr_text_cells *cells)
{
    static const char wrong[] = "it does not have as many texts as cells, or not whole ones";
    size_t at = 4;

    if (n_bytes < 4 || get_u32(bytes, false) != n) {
        return wrong;
    }
    for (uint64_t k = 0; k < n; k++) {
        if (n_bytes - at < 4) {
            return wrong;
        }
        size_t length = get_u32(bytes + at, false);
        at += 4;
        if (length > n_bytes - at) {
            return wrong;
        }
        if (!is_utf8(bytes + at, length)) {
            return "a text of it is no UTF-8";
        }
        if (!put(cells, k, 0, bytes + at, length)) {
            return changed;
        }
        at += length;
    }
    return at == n_bytes ? NULL : wrong;
}

const char *xta__zarr_decode_texts(const zarr_text_form *form, uint64_t n, const uint8_t *bytes,
                                   size_t n_bytes, const zarr_text_cells *cells)
{
    const char *wrong = NULL;
    size_t raw = 4 * form->code_points;

    if (cells->out != NULL) {
        memset(cells->out, 0, (size_t)n * cells->cell_bytes);
    }
    if (form->kind == ZARR_ANY_LENGTH) {
        return decode_any_length(n, bytes, n_bytes, cells);
    }
    if (n_bytes != n * raw) {
        return "it does not have as many bytes as its cells";
    }
    for (uint64_t k = 0; k < n && wrong == NULL; k++) {
        wrong = decode_utf32(form, k, bytes + k * raw, cells);
    }
    return wrong;
}
