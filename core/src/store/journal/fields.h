/* A private header of journal/: the fields of records, appended to bytes and read from them.
 *
 * A reader past the end returns zeros and records it, so that a decoder tests only once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_FIELDS_H
#define XTA_STORE_JOURNAL_FIELDS_H

#include <string.h>

#include "store/journal/record.h"

static inline void add_u8(xta__bytes *out, unsigned v)
{
    uint8_t byte = (uint8_t)v;
    xta__bytes_add(out, &byte, 1);
}

static inline void add_u16(xta__bytes *out, unsigned v)
{
    uint8_t field[2];
    xta__put_u16(field, (uint16_t)v);
    xta__bytes_add(out, field, sizeof field);
}

static inline void add_u32(xta__bytes *out, uint32_t v)
{
    uint8_t field[4];
    xta__put_u32(field, v);
    xta__bytes_add(out, field, sizeof field);
}

static inline void add_u64(xta__bytes *out, uint64_t v)
{
    uint8_t field[8];
    xta__put_u64(field, v);
    xta__bytes_add(out, field, sizeof field);
}

static inline void add_padding(xta__bytes *out)
{
    static const uint8_t zeros[8];
    xta__bytes_add(out, zeros, (8 - out->n % 8) % 8);
}

/* Reads the fields of a payload, one after the other. */
typedef struct reader {
    const uint8_t *at, *end;
    bool truncated; /* a field lay beyond the end */
} reader;

static inline const uint8_t *read_bytes(reader *in, uint64_t n)
{
    static const uint8_t zeros[16];

    if (in->truncated || n > (uint64_t)(in->end - in->at)) {
        in->truncated = true;
        return n <= sizeof zeros ? zeros : NULL;
    }
    const uint8_t *field = in->at;
    in->at += n;
    return field;
}

static inline unsigned read_u8(reader *in)
{
    return *read_bytes(in, 1);
}

static inline unsigned read_u16(reader *in)
{
    return xta__get_u16(read_bytes(in, 2));
}

static inline uint32_t read_u32(reader *in)
{
    return xta__get_u32(read_bytes(in, 4));
}

static inline uint64_t read_u64(reader *in)
{
    return xta__get_u64(read_bytes(in, 8));
}

static inline void skip_padding(reader *in, const uint8_t *begin)
{
    read_bytes(in, (uint64_t)((8 - (in->at - begin) % 8) % 8));
}

static inline xta_status corrupt(const char **why, const char *text)
{
    *why = text;
    return XTA_ECORRUPT;
}

/* Read a name of n bytes into name[]; refuses control characters, which could manipulate a
 * terminal. */
static inline bool read_name(reader *in, uint64_t n, char name[])
{
    if (n > XTA__MAX_NAME_BYTES) {
        return false;
    }
    const uint8_t *bytes = read_bytes(in, n);
    if (in->truncated) {
        return false;
    }
    memcpy(name, bytes, (size_t)n);
    name[n] = '\0';
    for (uint64_t i = 0; i < n; i++) {
        if (bytes[i] < 0x20 || bytes[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

#endif
