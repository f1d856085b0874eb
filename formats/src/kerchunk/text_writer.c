/* A long text on its way to a sink.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kerchunk/text_writer.h"

#include <string.h>

static void flush(text_writer *w)
{
    if (w->status == XTA_OK && w->n > 0) {
        w->status = w->sink(w->user, w->bytes, w->n, w->err);
    }
    w->n = 0;
}

void xta__writer_add_bytes(text_writer *w, const char *bytes, size_t n)
{
    while (n > 0 && w->status == XTA_OK) {
        size_t fits = sizeof w->bytes - w->n < n ? sizeof w->bytes - w->n : n;
        memcpy(w->bytes + w->n, bytes, fits);
        w->n += fits;
        bytes += fits;
        n -= fits;
        if (w->n == sizeof w->bytes) {
            flush(w);
        }
    }
}

void xta__writer_add_string(text_writer *w, const char *string)
{
    xta__writer_add_bytes(w, string, strlen(string));
}

/* printf would take as long as all the rest of a reference. */
void xta__writer_add_number(text_writer *w, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    xta__writer_add_bytes(w, digits + at, sizeof digits - at);
}

xta_status xta__writer_end(text_writer *w)
{
    flush(w);
    return w->status;
}
