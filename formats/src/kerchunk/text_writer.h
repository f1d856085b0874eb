/* A long text on its way to a sink, some kilobytes at a time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_KERCHUNK_TEXT_WRITER_H
#define XTA_FORMATS_KERCHUNK_TEXT_WRITER_H

#include <xta/zarr.h>

enum { TEXT_WRITER_BYTES = 1 << 16 };

/* After a failure nothing more is written: one test at the end suffices. */
typedef struct text_writer {
    xta_text_sink *sink;
    void *user;
    xta_error *err;
    xta_status status;
    size_t n;
    char bytes[TEXT_WRITER_BYTES];
} text_writer;

void xta__writer_add_bytes(text_writer *w, const char *bytes, size_t n);
void xta__writer_add_string(text_writer *w, const char *string);
void xta__writer_add_number(text_writer *w, uint64_t number);
/* What is left. Returns the status of everything. */
xta_status xta__writer_end(text_writer *w);

#endif
