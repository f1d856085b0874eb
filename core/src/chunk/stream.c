/* Streaming stores: see stream.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/stream.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>

static void stream_line(uint8_t *to, const uint8_t *from)
{
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)from);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(from + 16));
    __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(from + 32));
    __m128i d = _mm_loadu_si128((const __m128i *)(const void *)(from + 48));

    _mm_stream_si128((__m128i *)(void *)to, a);
    _mm_stream_si128((__m128i *)(void *)(to + 16), b);
    _mm_stream_si128((__m128i *)(void *)(to + 32), c);
    _mm_stream_si128((__m128i *)(void *)(to + 48), d);
}

/* The first bytes of a piece: they complete the pending line, or start a new one. Returns how
 * many. */
static size_t stream_head(xta__stream *s, uint8_t *to, const uint8_t *from, size_t n)
{
    size_t head = (size_t)(-(uintptr_t)to) % XTA__LINE_BYTES;

    head = head < n ? head : n;
    if (s->n > 0 && to != s->end) {
        xta__stream_flush(s);
    }
    if (s->n == 0) {
        memcpy(to, from, head);
        return head;
    }
    memcpy(s->line + s->n, from, head);
    s->n += head;
    s->end += head;
    if (s->n == XTA__LINE_BYTES) {
        stream_line(s->end - XTA__LINE_BYTES, s->line);
        s->n = 0;
    }
    return head;
}

void xta__stream_piece(xta__stream *s, uint8_t *to, const uint8_t *from, size_t n, bool continues)
{
    bool alone = !continues && (s->n == 0 || to != s->end);

    if (alone && n < XTA__STREAM_ALONE) {
        xta__stream_flush(s);
        memcpy(to, from, n);
        return;
    }
    size_t done = stream_head(s, to, from, n);
    for (; n - done >= XTA__LINE_BYTES; done += XTA__LINE_BYTES) {
        stream_line(to + done, from + done);
    }
    if (!continues) {
        xta__stream_flush(s);
        memcpy(to + done, from + done, n - done);
    } else if (done < n) {
        memcpy(s->line, from + done, n - done);
        s->n = n - done;
        s->end = to + n;
    }
}

void xta__stream_flush(xta__stream *s)
{
    if (s->n > 0) {
        memcpy(s->end - s->n, s->line, s->n);
        s->n = 0;
    }
}

void xta__stream_fence(void)
{
    _mm_sfence();
}

#else

void xta__stream_piece(xta__stream *s, uint8_t *to, const uint8_t *from, size_t n, bool continues)
{
    (void)s;
    (void)continues;
    memcpy(to, from, n);
}

void xta__stream_flush(xta__stream *s)
{
    (void)s;
}

void xta__stream_fence(void)
{
}

#endif
