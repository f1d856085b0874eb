/* Several handles of one array, in this process and in a second one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_HANDLES_H
#define XTA_TESTS_HANDLES_H

#include <xta/array.h>

#include "support/folder.h"

#define HANDLES_MAX  4
#define HANDLES_NDIM 3
/* Coordinates lie in [-HANDLES_REACH, HANDLES_REACH). */
#define HANDLES_REACH 8
#define HANDLES_CELLS (16 * 16 * 16)

typedef enum handle_verb {
    HANDLE_OPEN,
    HANDLE_CLOSE,
    HANDLE_REFRESH,
    HANDLE_SYNC,
    HANDLE_BOUNDS,
    HANDLE_READ,
    HANDLE_WRITE, /* every `step`-th row */
    HANDLE_FILL,  /* with the first of the cells */
    HANDLE_EXTEND,
    HANDLE_TOGETHER, /* extend, with another array */
    HANDLE_SHRINK,
    HANDLE_APPEND,
    HANDLE_ADD_AXIS, /* after the last one */
    HANDLE_COMPACT,
    HANDLE_END /* of the process */
} handle_verb;

typedef struct handle_request {
    handle_verb verb;
    int handle; /* 0 .. HANDLES_MAX - 1 */
    bool exclusive;
    xta_access access;
    uint64_t cache_bytes;
    char path[TEST_PATH_BYTES];
    char other[TEST_PATH_BYTES]; /* the array to grow together with */
    xta_box box;
    int64_t step;
    xta_growth growth;
} handle_request;

typedef struct handle_answer {
    xta_status status;
    xta_error err;
    xta_box bounds; /* of the handle, after the request */
} handle_answer;

/* Carry out a request in this process. `cells` is input or output, row-major. */
void handle_do(const handle_request *request, uint16_t cells[], handle_answer *answer);

/* Start the second process; send it a request; end it. */
void handle_peer_start(void);
void handle_peer_do(const handle_request *request, uint16_t cells[], handle_answer *answer);
void handle_peer_stop(void);

#endif
