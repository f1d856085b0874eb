/* Streaming stores: large targets are written past the caches, in whole cache lines.
 *
 * A line that is stored in parts is read from memory first, and a line that is streamed in parts
 * goes to memory in parts, which is slower still. So the end of a piece that leaves a line
 * unfinished waits for the piece that goes on there: rows that follow each other in the target make
 * one stream, wherever they come from and however they are cut.
 *
 * Without streaming stores in the processor these are memcpy.
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

/* `continues`: the next piece is expected to go on where this one ends, so up to a line's bytes may
 * not be in the target before it or xta__stream_flush. Else all of it is, and a short piece that is
 * alone is no stream. */
void xta__stream_piece(xta__stream *s, uint8_t *to, const uint8_t *from, size_t n, bool continues);

/* All pieces are in the target for this thread. */
void xta__stream_flush(xta__stream *s);

/* And will be seen by others in the order in which this thread goes on. */
void xta__stream_fence(void);

#endif
