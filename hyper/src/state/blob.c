/* Numbers as bytes: little-endian, whatever the machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "state/blob.h"

#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

void xta__blob_put(blob *b, const void *data, size_t n_bytes)
{
    if (b->failed || n_bytes == 0) {
        return;
    }
    if (n_bytes > SIZE_MAX - b->n || !XTA__RESERVE(b->bytes, b->capacity, b->n + n_bytes)) {
        b->failed = true;
        return;
    }
    memcpy(b->bytes + b->n, data, n_bytes);
    b->n += n_bytes;
}

void xta__blob_u64(blob *b, uint64_t value)
{
    unsigned char bytes[8];

    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)(value >> 8 * k);
    }
    xta__blob_put(b, bytes, sizeof bytes);
}

void xta__blob_i64(blob *b, int64_t value)
{
    xta__blob_u64(b, (uint64_t)value);
}

void xta__blob_f64s(blob *b, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        xta__blob_u64(b, bits);
    }
}

void xta__blob_clear(blob *b)
{
    free(b->bytes);
    *b = (blob){0};
}

void xta__blob_get(blob_reader *r, void *data, size_t n_bytes)
{
    if (r->failed || n_bytes > r->n - r->at) {
        r->failed = true;
        if (n_bytes > 0) {
            memset(data, 0, n_bytes);
        }
        return;
    }
    if (n_bytes > 0) {
        memcpy(data, r->bytes + r->at, n_bytes);
        r->at += n_bytes;
    }
}

uint64_t xta__blob_get_u64(blob_reader *r)
{
    unsigned char bytes[8];
    uint64_t value = 0;

    xta__blob_get(r, bytes, sizeof bytes);
    for (int k = 0; k < 8; k++) {
        value |= (uint64_t)bytes[k] << 8 * k;
    }
    return value;
}

int64_t xta__blob_get_i64(blob_reader *r)
{
    uint64_t bits = xta__blob_get_u64(r);
    int64_t value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

void xta__blob_get_f64s(blob_reader *r, double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits = xta__blob_get_u64(r);
        memcpy(&values[k], &bits, sizeof bits);
    }
}
