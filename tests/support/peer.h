/* A second process that opens arrays and carries out requests; these and the answers go through two
 * pipes.
 *
 * It is forked before the test does anything else. Every request is answered, so the actions of the
 * two processes have one order, known to the test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PEER_H
#define XTA_TESTS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

#include "support/folder.h"

typedef enum peer_verb {
    PEER_OPEN, /* path, writable, access, cache_bytes */
    PEER_CLOSE,
    PEER_REFRESH,
    PEER_BOUNDS,
    PEER_READ,   /* box; the answer is followed by its cells, row-major */
    PEER_FILL,   /* box, cell; then a sync */
    PEER_EXTEND, /* growth */
    PEER_SHRINK, /* growth */
    PEER_NOTE,   /* sets the attribute "peer" of the array to the text in `path` */
    PEER_END
} peer_verb;

typedef struct peer_request {
    peer_verb verb;
    char path[TEST_PATH_BYTES];
    bool writable;
    xta_access access;
    uint64_t cache_bytes;
    xta_box box;
    xta_growth growth;
    uint8_t cell[64];
} peer_request;

typedef struct peer_answer {
    xta_status status;
    xta_error err;
    xta_box bounds;   /* after the request, if an array is open */
    uint64_t n_bytes; /* bytes that follow the answer */
} peer_answer;

typedef struct peer {
    int to, from;
    int pid;
} peer;

void peer_start(peer *p);

/* Send a request and wait for the answer. The bytes after it go to *bytes (for the caller to free)
 * unless that is NULL. */
peer_answer peer_ask(peer *p, const peer_request *request, uint8_t **bytes);

/* End the process and wait for it. */
void peer_stop(peer *p);

/* Read or write all of it; false at the end of the file or on error. */
bool test_read_all(int fd, void *bytes, size_t n);
bool test_write_all(int fd, const void *bytes, size_t n);

#endif
