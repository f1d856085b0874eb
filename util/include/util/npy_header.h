/* The header of NumPy's .npy files. Pure: bytes in, a plain value out, and back.
 *
 * A file begins with six bytes of magic, a version, the length of a text, and the text, which is a
 * Python dictionary of exactly three keys. The cells follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_NPY_HEADER_H
#define XTA_UTIL_NPY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/type.h>

#define XTA__NPY_MAGIC "\x93NUMPY"

enum {
    XTA__NPY_MAGIC_BYTES = 6,
    XTA__NPY_PREFIX_BYTES = 12,     /* enough to find the text */
    XTA__NPY_HEADER_CAPACITY = 1024 /* enough for a header of any shape */
};

typedef struct xta__npy_header {
    char descr[32]; /* without byte order: "f8", "S5", "M8[ns]" */
    xta_type type;
    size_t cell_bytes;
    size_t unit_bytes; /* bytes of one number, which a byte swap reverses */
    bool big_endian;
    bool fortran;
    bool compact; /* written without the spaces that let NumPy grow the slowest axis in place */
    int ndim;
    int64_t shape[XTA_MAX_NDIM];
} xta__npy_header;

/* Where the text begins, and its length; 0 if the version is not 1.0, 2.0 or 3.0, or this is not an
 * .npy file. With version 1.0 the last two bytes may be anything. */
size_t xta__npy_text_at(const unsigned char prefix[XTA__NPY_PREFIX_BYTES], size_t *text_bytes);

/* Parse the text, of `n` bytes. XTA_EFORMAT: it is invalid; `*why` is then a static text. */
xta_status xta__npy_parse(const char *text, size_t n, xta__npy_header *header, const char **why);

/* Set the element type and its NumPy name; bytes are NumPy's kind V. */
void xta__npy_set_type(xta__npy_header *header, xta_type type, size_t cell_bytes);

/* Write magic, version 1.0, length and text. Returns the number of bytes, a multiple of 64; 0 if
 * `capacity` is too small. */
size_t xta__npy_format(const xta__npy_header *header, unsigned char *bytes, size_t capacity);

#endif
