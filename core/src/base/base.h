/* The door of base/: status and error text, checked arithmetic, element types, crc32c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BASE_BASE_H
#define XTA_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/box.h>
#include <xta/options.h>
#include <xta/status.h>
#include <xta/type.h>

/* Coordinates lie strictly between -XTA__COORD_LIMIT and XTA__COORD_LIMIT, addresses and offsets
 * below XTA__OFFSET_LIMIT, so that sums and differences of two of them never overflow. */
#define XTA__COORD_LIMIT  ((int64_t)1 << 62)
#define XTA__OFFSET_LIMIT ((uint64_t)1 << 62)

/* The largest folio of a page cache: one store may make all of it dirty, and one fault may map all
 * of it. In this unit it is known whether a file may be stored into. */
#define XTA__UNIT_SHIFT 21
#define XTA__HUGE_BYTES ((uint64_t)1 << XTA__UNIT_SHIFT)

/* Twice a word, for products. */
__extension__ typedef unsigned __int128 xta__u128;

/* Go to the label `done` unless the call went well. The only macro with a jump: a function that
 * uses it has one `xta_status status` and one exit. */
#define XTA_TRY(call)           \
    do {                        \
        status = (call);        \
        if (status != XTA_OK) { \
            goto done;          \
        }                       \
    } while (0)

/* For functions that few calls come to: what leads to them is kept out of the way of the others. */
#define XTA__COLD __attribute__((cold))

/* And for those of the shortest ways, which then lie side by side. */
#define XTA__HOT __attribute__((hot))

/* The level that detects a failure writes the text, once: if `err` already holds a failure it
 * stays. */
XTA__COLD xta_status xta__fail(xta_error *err, xta_status status, int os_errno, const char *format,
                               ...) XTA_PRINTF(4, 5);

/* Every public call clears the caller's error first. */
void xta__clear(xta_error *err);

/* Checked arithmetic: false, and *out untouched, where the result leaves 64 bits. */
bool xta__add_u64(uint64_t a, uint64_t b, uint64_t *out);
bool xta__mul_u64(uint64_t a, uint64_t b, uint64_t *out);
bool xta__add_i64(int64_t a, int64_t b, int64_t *out);

/* floor(a / b) towards minus infinity and the non-negative remainder, b > 0. */
static inline int64_t xta__floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - ((a % b) < 0);
}

static inline int64_t xta__floor_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/* n items of `bytes` each, zeroed; NULL where that cannot be had or overflows. Frees with
 * free(). */
void *xta__calloc(size_t n, size_t bytes);

/* realloc with a checked product; the old block stays valid on failure. */
void *xta__realloc_array(void *old, size_t n, size_t bytes);

/* A copy of a string, freed with free(); NULL where memory cannot be had. */
char *xta__strdup(const char *text);

/* CRC-32C (Castagnoli) of `n` bytes, continuing from `crc` (0 to begin). */
uint32_t xta__crc32c(uint32_t crc, const void *bytes, size_t n);

/* Files are little-endian. A constant, so that what only a big-endian machine does costs others
 * nothing. */
#define XTA__BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Little-endian fields of files. */
static inline uint16_t xta__get_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static inline uint32_t xta__get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t xta__get_u64(const uint8_t *p)
{
    return (uint64_t)xta__get_u32(p) | (uint64_t)xta__get_u32(p + 4) << 32;
}

static inline void xta__put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void xta__put_u32(uint8_t *p, uint32_t v)
{
    xta__put_u16(p, (uint16_t)v);
    xta__put_u16(p + 2, (uint16_t)(v >> 16));
}

static inline void xta__put_u64(uint8_t *p, uint64_t v)
{
    xta__put_u32(p, (uint32_t)v);
    xta__put_u32(p + 4, (uint32_t)(v >> 32));
}

/* Whether a value of an enum from a file or a caller is an element type of arrays. */
bool xta__is_cell_type(unsigned type);

/* Bytes of one number inside a cell: what a big-endian host swaps. 1 for bytes and text. */
size_t xta__type_unit(xta_type type);

/* A box as "0:4,-2:3", for messages. `text` holds `capacity` bytes; cut if too small. Returns
 * text. */
const char *xta__box_text(const xta_box *box, char *text, size_t capacity);

/* `n` coordinates as "1,2,-3", for messages. Returns text. */
const char *xta__coord_text(const int64_t coord[], int n, char *text, size_t capacity);

#endif
