/* Filters of Zarr: bytes into bytes.
 *
 * Streams do not always say how long they are decoded, so the buffer grows with what comes out,
 * never beyond the limit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/filters.h"

#include <blosc.h>
#include <lz4.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "util/crc32c.h"

const char xta__zarr_no_memory[] = "out of memory";
static const char too_long[] = "it holds more cells than its chunk has";

/* A buffer that doubles. */
typedef struct output {
    uint8_t *bytes;
    size_t n, capacity, limit;
} output;

/* Make the buffer larger if it is full. One byte more than the limit shows that it is exceeded. */
static const char *reserve(output *out)
{
    if (out->n < out->capacity) {
        return NULL;
    }
    if (out->capacity > out->limit) {
        return too_long;
    }
    size_t more = out->capacity == 0 ? 65536 : 2 * out->capacity;
    more = more > out->limit ? out->limit + 1 : more;
    uint8_t *bytes = realloc(out->bytes, more);
    if (bytes == NULL) {
        return xta__zarr_no_memory;
    }
    out->bytes = bytes;
    out->capacity = more;
    return NULL;
}

static const char *inflate_all(const uint8_t *bytes, size_t n, output *out)
{
    static const char damaged[] = "its zlib stream is damaged";
    const char *wrong = NULL;
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)n};
    int code = n <= UINT32_MAX && inflateInit2(&stream, 15 + 32) == Z_OK ? Z_OK : Z_MEM_ERROR;

    if (code != Z_OK) {
        return xta__zarr_no_memory;
    }
    while (wrong == NULL && code != Z_STREAM_END) {
        wrong = reserve(out);
        if (wrong != NULL) {
            break;
        }
        size_t free_bytes = out->capacity - out->n;
        free_bytes = free_bytes > UINT32_MAX ? UINT32_MAX : free_bytes;
        stream.next_out = out->bytes + out->n;
        stream.avail_out = (uInt)free_bytes;
        code = inflate(&stream, Z_NO_FLUSH);
        out->n += free_bytes - stream.avail_out;
        bool member = code == Z_STREAM_END && stream.avail_in > 18 && stream.next_in[0] == 0x1f;
        if (member) {
            code = inflateReset(&stream); // gzip files may have several members
        }
        wrong = code != Z_OK && code != Z_STREAM_END ? damaged : NULL;
    }
    inflateEnd(&stream);
    return wrong;
}

static const char *unzstd(const uint8_t *bytes, size_t n, output *out)
{
    const char *wrong = NULL;
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {bytes, n, 0};
    size_t left = 1;

    if (stream == NULL) {
        return xta__zarr_no_memory;
    }
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 27);
    while (wrong == NULL && (in.pos < in.size || left > 0)) {
        wrong = reserve(out);
        if (wrong != NULL) {
            break;
        }
        ZSTD_outBuffer to = {out->bytes, out->capacity, out->n};
        size_t consumed = in.pos;
        left = ZSTD_decompressStream(stream, &to, &in);
        bool stuck = consumed == in.pos && to.pos == out->n && left > 0;
        out->n = to.pos;
        wrong = ZSTD_isError(left) || stuck ? "its Zstandard frame is damaged" : NULL;
    }
    ZSTD_freeDStream(stream);
    return wrong;
}

static const char *unblosc(const uint8_t *bytes, size_t n, output *out)
{
    static const char damaged[] = "its Blosc buffer is damaged";
    size_t length = 0;

    if (n < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(bytes, n, &length) != 0) {
        return damaged;
    }
    if (length > out->limit) {
        return too_long;
    }
    out->bytes = malloc(length + 1);
    if (out->bytes == NULL) {
        return xta__zarr_no_memory;
    }
    out->n = length;
    return length > 0 && blosc_decompress_ctx(bytes, out->bytes, length, 1) != (int)length ? damaged
                                                                                           : NULL;
}

/* Four bytes of length, little-endian, and an LZ4 block. */
static const char *unlz4(const uint8_t *bytes, size_t n, output *out)
{
    static const char damaged[] = "its LZ4 block is damaged";

    if (n < 4 || n > LZ4_MAX_INPUT_SIZE) {
        return damaged;
    }
    size_t length =
        bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (length > out->limit || length > LZ4_MAX_INPUT_SIZE) {
        return too_long;
    }
    out->bytes = malloc(length + 1);
    if (out->bytes == NULL) {
        return xta__zarr_no_memory;
    }
    out->n = length;
    int got =
        LZ4_decompress_safe((const char *)bytes + 4, (char *)out->bytes, (int)n - 4, (int)length);
    return got != (int)length ? damaged : NULL;
}

static const char *copy(const uint8_t *bytes, size_t n, output *out)
{
    if (n > out->limit) {
        return too_long;
    }
    out->bytes = malloc(n + 1);
    if (out->bytes == NULL) {
        return xta__zarr_no_memory;
    }
    memcpy(out->bytes, bytes, n);
    out->n = n;
    return NULL;
}

static const char *check_crc(const uint8_t *bytes, size_t n, output *out)
{
    if (n < 4) {
        return "it is too short for its checksum";
    }
    const uint8_t *sum = bytes + n - 4;
    uint32_t stored =
        sum[0] | (uint32_t)sum[1] << 8 | (uint32_t)sum[2] << 16 | (uint32_t)sum[3] << 24;
    if (xta__crc32c(0, bytes, n - 4) != stored) {
        return "its checksum is wrong";
    }
    return copy(bytes, n - 4, out);
}

/* Byte k of all elements lies together; a rest that is no element is as it was. */
static const char *unshuffle(const uint8_t *bytes, size_t n, size_t element, output *out)
{
    const char *wrong = copy(bytes, n, out);
    size_t count = n / element;

    for (size_t k = 0; k < element && wrong == NULL; k++) {
        for (size_t i = 0; i < count; i++) {
            out->bytes[i * element + k] = bytes[k * count + i];
        }
    }
    return wrong;
}

const char *xta__zarr_unfilter(const zarr_filter *filter, const uint8_t *bytes, size_t n,
                               size_t limit, uint8_t **out, size_t *n_out)
{
    output to = {.limit = limit};
    const char *wrong = NULL;

    switch (filter->kind) {
    case ZARR_DEFLATE:
        wrong = inflate_all(bytes, n, &to);
        break;
    case ZARR_ZSTD:
        wrong = unzstd(bytes, n, &to);
        break;
    case ZARR_BLOSC:
        wrong = unblosc(bytes, n, &to);
        break;
    case ZARR_LZ4:
        wrong = unlz4(bytes, n, &to);
        break;
    case ZARR_CRC32C:
        wrong = check_crc(bytes, n, &to);
        break;
    case ZARR_SHUFFLE:
        wrong = unshuffle(bytes, n, filter->element_bytes, &to);
        break;
    }
    if (wrong == NULL && to.n > limit) {
        wrong = too_long;
    }
    if (wrong != NULL) {
        free(to.bytes);
        return wrong;
    }
    *out = to.bytes;
    *n_out = to.n;
    return NULL;
}
