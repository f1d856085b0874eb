/* Streaming stores: large targets are written past the caches, in whole cache lines.
 *
 * A line that is stored in parts is read from memory first, and a line that is streamed in parts is
 * written to memory in parts, which is slower still. So if a piece ends in the middle of a line,
 * its last bytes wait for the piece that continues there: rows that follow each other in the target
 * make one stream, wherever they come from and however they are cut.
 *
 * If the processor has no streaming stores, these functions are memcpy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_STREAM_H
#define XTA_CHUNK_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XTA__LINE_BYTES   64
#define XTA__STREAM_ALONE 256

typedef struct xta__stream {
    uint8_t *end; /* of the last piece; line[] holds the n bytes before it */
    size_t n;     /* less than a line */
    uint8_t line[XTA__LINE_BYTES];
} xta__stream;

static inline void xta__stream_init(xta__stream *s)
{
    s->n = 0;
}

/* `continues`: the next piece is expected to continue where this one ends, so up to a line of bytes
 * may reach the target only with that piece or with xta__stream_flush. Otherwise all bytes are in
 * the target on return, and a short piece on its own is not streamed. */
void xta__stream_piece(xta__stream *s, uint8_t *to, const uint8_t *from, size_t n, bool continues);

/* Afterwards this thread sees all pieces in the target. */
void xta__stream_flush(xta__stream *s);

/* Afterwards other threads also see them before any later store of this thread. */
void xta__stream_fence(void);

#endif
