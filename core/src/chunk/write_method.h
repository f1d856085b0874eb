/* A private header of chunk/: how cells get from memory into a file.
 *
 * The choice is arithmetic on what is asked and what is known of the place; it touches nothing, and
 * stands in one function, so that it can be printed and tested
 * (docs/decisions/0022-io-path.md).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CHUNK_WRITE_METHOD_H
#define XTA_CHUNK_WRITE_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/* Rows from here on are copied by a call as fast as by a loop. */
#define XTA__LONG_ROW_BYTES 4096

typedef enum xta__method {
    XTA__BY_STREAM, /* whole chunks, by large calls in the order of the file */
    XTA__BY_ROWS,   /* a call for each run of cells that lie together */
    XTA__IN_PLACE,  /* stores through the mapping where all blocks are there already, else rows */
    XTA__IN_PLACE_RESERVED, /* the same, and blocks that are missing are reserved first */
    XTA__BY_CACHE           /* through the chunk cache, or memory that holds the chunks */
} xta__method;

/* What a chunk store knows of a range that is to be changed. */
typedef struct xta__range_facts {
    bool rows;    /* it can be written by calls; false: only through a pin */
    bool ready;   /* stores in place have been prepared */
    bool settled; /* a whole chunk, of whole 2 MiB, has large pages in memory, as far as is known */
    uint32_t operations; /* that wrote into these 2 MiB by small calls since the last sync */
    uint32_t again;      /* of them those that hit only pages which had been written before */
} xta__range_facts;

/* Part of a chunk, or all of it. */
typedef struct xta__method_ask {
    bool whole;
    bool fresh; /* the chunk has just been made by a growth, and others will fill the rest of it */
    uint64_t slot_bytes; /* from one chunk to the next; only where `fresh` */
    uint64_t n_rows;     /* runs of cells that lie together */
    uint64_t row_bytes;  /* of each */
    uint64_t span;       /* bytes from the first cell to the end of the last one */
    xta__range_facts facts;
} xta__method_ask;

xta__method xta__choose_method(const xta__method_ask *ask);

/* Whether a part whose method is in place goes by calls nevertheless, because its pages have turned
 * out to be small: `n_pages` of them would have a fault each. */
bool xta__calls_cost_less(const xta__method_ask *ask, uint64_t n_pages);

/* "stream", "rows", "in place", "in place, reserved", "cache". */
const char *xta__method_name(xta__method method);

#endif
