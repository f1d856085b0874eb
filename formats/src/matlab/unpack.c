/* The bytes of a compressed variable of a MATLAB file.
 *
 * A compressed element is one zlib stream. It is decompressed from front to back as its bytes are
 * needed; going back starts from the beginning. So a slab costs the decompression of everything
 * since the previous slab, and only the stream itself needs memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "matlab/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "util/try.h"

#define IN_BYTES   65536
#define SKIP_BYTES 65536
/* How many bytes beyond its expected end a stream may have. */
#define SLACK_BYTES 64

typedef struct unpacker {
    z_stream z;
    uint64_t at; /* offset of the element's bytes in the file */
    uint64_t n_packed;
    uint64_t taken; /* how many of them have been consumed */
    uint64_t place; /* offset of the next decompressed byte */
    bool over;
    unsigned char in[IN_BYTES];
    unsigned char skip[SKIP_BYTES];
} unpacker;

/* Read compressed bytes from the underlying file. */
static xta_status packed_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                               xta_error *err)
{
    bridge_dense plain = *file;
    plain.get = NULL;
    return xta__dense_bytes(&plain, offset, bytes, n, err);
}

static xta_status damaged_stream(const bridge_dense *file, const unpacker *u, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0,
                         "%s: its compressed variable at byte %llu is damaged, or ends too early, "
                         "after unpacking %llu bytes of it",
                         file->path, (unsigned long long)u->at, (unsigned long long)u->place);
}

/* Decompress up to `n` more bytes; fewer only at the end of the stream. */
static xta_status unpack_some(const bridge_dense *file, unpacker *u, void *bytes, size_t n,
                              size_t *got, xta_error *err)
{
    xta_status status = XTA_OK;
    u->z.next_out = bytes;
    u->z.avail_out = (uInt)n;
    while (u->z.avail_out > 0 && !u->over) {
        if (u->z.avail_in == 0) {
            uint64_t left = u->n_packed - u->taken;
            size_t more = left < IN_BYTES ? (size_t)left : IN_BYTES;
            XTA_TRY(packed_bytes(file, u->at + u->taken, u->in, more, err));
            u->taken += more;
            u->z.next_in = u->in;
            u->z.avail_in = (uInt)more;
        }
        int code = inflate(&u->z, Z_NO_FLUSH);
        u->over = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END) {
            u->place += n - u->z.avail_out;
            status = damaged_stream(file, u, err);
            goto done;
        }
    }
    u->place += n - u->z.avail_out;
done:
    *got = n - u->z.avail_out;
    return status;
}

static xta_status skip_to(const bridge_dense *file, unpacker *u, uint64_t offset, xta_error *err)
{
    xta_status status = XTA_OK;
    if (offset < u->place) {
        inflateReset(&u->z);
        u->z.avail_in = 0;
        u->taken = 0;
        u->place = 0;
        u->over = false;
    }
    while (u->place < offset && !u->over) {
        uint64_t left = offset - u->place;
        size_t got = 0;
        XTA_TRY(unpack_some(file, u, u->skip, left < SKIP_BYTES ? (size_t)left : SKIP_BYTES, &got,
                            err));
    }
done:
    return status;
}

static xta_status unpacked_bytes(const bridge_dense *file, uint64_t offset, void *bytes, size_t n,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    unpacker *u = file->stream;
    char *at = bytes;
    XTA_TRY(skip_to(file, u, offset, err));
    while (n > 0) {
        size_t piece = n < ((size_t)1 << 30) ? n : (size_t)1 << 30;
        size_t got = 0;
        XTA_TRY(unpack_some(file, u, at, piece, &got, err));
        if (got == 0) {
            status = damaged_stream(file, u, err);
            goto done;
        }
        at += got;
        n -= got;
    }
done:
    return status;
}

xta_status xta__matlab_unpack(bridge_dense *file, uint64_t at, uint64_t n_packed, xta_error *err)
{
    unpacker *u = calloc(1, sizeof *u);
    if (u == NULL || inflateInit(&u->z) != Z_OK) {
        free(u);
        return xta__bridge_no_memory(file->path, err);
    }
    u->at = at;
    u->n_packed = n_packed;
    file->stream = u;
    file->get = unpacked_bytes;
    return XTA_OK;
}

void xta__matlab_unpack_end(bridge_dense *file)
{
    unpacker *u = file->stream;
    if (u != NULL) {
        inflateEnd(&u->z);
        free(u);
    }
    file->stream = NULL;
    file->get = NULL;
}

xta_status xta__matlab_unpack_all(bridge_dense *file, const char *name, uint64_t limit,
                                  uint64_t *n_bytes, xta_error *err)
{
    unpacker *u = file->stream;
    xta_status status = skip_to(file, u, limit + SLACK_BYTES, NULL);
    *n_bytes = u->place;
    if (status == XTA_OK && u->over) { // this includes the checksum after the last byte
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EFORMAT, 0,
                         "%s: variable '%s' is damaged: what is compressed of it cannot be "
                         "unpacked beyond byte %llu",
                         file->path, name, (unsigned long long)u->place);
}
