/* What a request is answered with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_ANSWER_H
#define XTA_VIEWS_SERVE_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "serve/request_path.h"
#include "serve/shelf.h"

typedef struct catalogue {
    source **sources;
    size_t n;
    uint64_t memory_bytes; /* the longest text */
} catalogue;

/* Bytes, or a file. */
typedef struct serve_answer {
    int status; /* of HTTP */
    const char *type;
    unsigned char *bytes; /* owned; NULL: a file */
    size_t n;
    int file; /* descriptor, owned; -1: none */
    uint64_t file_bytes;
    char *location; /* owned: where to go; NULL */
    char etag[64];  /* with its quotes; "": none */
    bool ranges;    /* parts of it may be asked for: it is the same from one request to the next */
    bool without_length; /* do not tell its length: clients that ask for that first, and then for as
                            many bytes, would get those of a newer one */
} serve_answer;

/* Answer a request that was parsed. `base`: the address of the server as the client knows it,
 * "http://localhost:8080". Always fills in `*out`, also with errors. */
void xta__answer(const catalogue *all, const request_path *path, const char *base,
                 serve_answer *out);
/* An answer that is an error, with one line of text. */
void xta__answer_error(int status, const char *text, serve_answer *out);
void xta__answer_clear(serve_answer *answer);

/* How many bytes the answer has if it is a chunk; 0: it is none, and small. */
uint64_t xta__answer_bytes(const catalogue *all, const request_path *path);

#endif
