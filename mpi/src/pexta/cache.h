/* The session cache: the chunks of an open array that reads of sections touch most ([CXA] 10.2), as
 * this process has read them. Decision 33 says how it stays coherent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PEXTA_CACHE_H
#define XTA_PEXTA_CACHE_H

#include "pexta/session.h"

typedef struct xta__cache xta__cache;

/* An empty cache of at most `max_bytes` bytes of cells; NULL if there is no memory. */
xta__cache *xta__cache_new(uint64_t max_bytes);

/* NULL is allowed in these two. `box`: the cells that change; NULL: all. */
void xta__cache_free(xta__cache *cache);
void xta__cache_drop(xta__cache *cache, const xta_box *box);

/* A write begins: no cache of its array keeps cells of before, whichever handle it belongs to. */
void xta__cache_written(const xta__move *write);

/* Whether reads of a move go through the cache of its array: blocking ones of a section. */
bool xta__cache_serves(const xta__move *move, const xta__request *request);

/* Read a box of the array, row-major: chunks in the cache from there, others from the file. Chunks
 * that have been touched often enough are read whole and kept, unless a write is in progress. */
xta_status xta__cache_read(xta__disk *disk, const xta_box *box, void *cells, xta_error *err);

#endif
