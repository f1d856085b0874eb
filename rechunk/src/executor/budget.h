/* Private header: memory for cells, counted, that never passes a limit.
 *
 * The bytes requested are counted. A buffer that is given back is kept for the next request of the
 * same length, as far as the limit allows, so that a run need not get fresh pages from the system
 * all the time. Not thread-safe: the caller holds a lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_EXECUTOR_BUDGET_H
#define XTA_EXECUTOR_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XTA__LARGE_BYTES ((size_t)256 << 10) /* buffers of at least this many bytes are mapped */

enum { XTA__MOST_KEPT = 64, XTA__MOST_LENGTHS = 16 };

typedef struct xta__kept {
    void *memory;
    size_t bytes; /* as mapped: whole pages */
} xta__kept;

/* Small buffers of one length that were given back, as a linked list. */
typedef struct xta__small {
    size_t bytes;
    void *first;
} xta__small;

typedef struct xta__budget {
    uint64_t limit, used, peak;
    uint64_t kept_bytes;
    int n_kept;
    xta__kept kept[XTA__MOST_KEPT];
    int n_small;
    xta__small small[XTA__MOST_LENGTHS];
} xta__budget;

/* Whether `bytes` more fit in the budget. */
bool xta__budget_fits(const xta__budget *budget, uint64_t bytes);

/* Allocate `bytes`, which must fit in the budget; NULL if the system has no memory. */
void *xta__budget_alloc(xta__budget *budget, size_t bytes);
void xta__budget_give(xta__budget *budget, void *memory, size_t bytes);

/* Bytes from `from` to `to` (whole pages) of a buffer of at least XTA__LARGE_BYTES are no longer
 * needed and from now on do not count. They must be counted again before the buffer is given
 * back. */
void xta__budget_trim(xta__budget *budget, uint8_t *memory, size_t from, size_t to);
void xta__budget_untrim(xta__budget *budget, size_t bytes);

/* Return kept buffers to the system. */
void xta__budget_clear(xta__budget *budget);

#endif
