/* What is kept between runs, as bytes: little-endian, one number after the other, whatever the
 * machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_STATE_BLOB_H
#define XTA_HYPER_STATE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer of bytes that grows, in the form they have in a state file. */
typedef struct blob {
    unsigned char *bytes;
    size_t n, capacity;
    bool failed; /* out of memory: whatever is added later is dropped */
} blob;
void xta__blob_put(blob *b, const void *data, size_t n_bytes);
void xta__blob_u64(blob *b, uint64_t value);
void xta__blob_i64(blob *b, int64_t value);
void xta__blob_f64s(blob *b, const double *values, size_t n);
void xta__blob_clear(blob *b);
/* Reading the bytes again, never beyond the end: then `failed` is set and zeros are returned. */
typedef struct blob_reader {
    const unsigned char *bytes;
    size_t n, at;
    bool failed;
} blob_reader;
void xta__blob_get(blob_reader *r, void *data, size_t n_bytes);
uint64_t xta__blob_get_u64(blob_reader *r);
int64_t xta__blob_get_i64(blob_reader *r);
void xta__blob_get_f64s(blob_reader *r, double *values, size_t n);

#endif
