/* A private header of chunk/: how cells get from memory into a file.
 *
 * The choice is arithmetic on the request and on what is known about the place; it has no side
 * effects, and is one function, so that it can be printed and tested
 * (docs/decisions/0022-io-path.md).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_WRITE_METHOD_H
#define XTA_CHUNK_WRITE_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/* A call copies rows of this length or more as fast as a loop. */
#define XTA__LONG_ROW_BYTES 4096

typedef enum xta__method {
    XTA__BY_STREAM, /* whole chunks, by large calls in file order */
    XTA__BY_ROWS,   /* a call for each run of contiguous cells */
    XTA__IN_PLACE,  /* stores through the mapping if all blocks are already allocated, else rows */
    XTA__IN_PLACE_RESERVED, /* the same, but missing blocks are reserved first */
    XTA__BY_CACHE           /* through the chunk cache, or into chunks in memory */
} xta__method;

/* What a chunk store knows about a range that is to be changed. */
typedef struct xta__range_facts {
    bool rows;  /* it can be written by calls; false: only through a pin */
    bool ready; /* stores in place have been prepared */
    /* a whole chunk, a multiple of 2 MiB, is in memory in large pages, as far as is known */
    bool settled;
    /* operations that wrote into these 2 MiB by small calls since the last sync */
    uint32_t operations;
    uint32_t again; /* those among them that hit only pages that had been written before */
} xta__range_facts;

/* Part of a chunk, or all of it. */
typedef struct xta__method_ask {
    bool whole;
    bool fresh; /* a growth has just created the chunk, and later writes will fill the rest of it */
    uint64_t slot_bytes; /* from one chunk to the next; only if `fresh` */
    uint64_t n_rows;     /* runs of cells that lie together */
    uint64_t row_bytes;  /* of each */
    uint64_t span;       /* bytes from the first cell to the end of the last one */
    xta__range_facts facts;
} xta__method_ask;

xta__method xta__choose_method(const xta__method_ask *ask);

/* Whether to write a part by calls although its method is in place, because its pages have turned
 * out to be small: `n_pages` of them would cause a fault each. */
bool xta__calls_cost_less(const xta__method_ask *ask, uint64_t n_pages);

/* "stream", "rows", "in place", "in place, reserved", "cache". */
const char *xta__method_name(xta__method method);

#endif
