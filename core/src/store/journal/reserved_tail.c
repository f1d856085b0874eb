/* Space reserved at the end of a journal: the file is lengthened in advance, in steps, and its end
 * is mapped, so that a record is appended by storing it.
 *
 * Definition: append n bytes. Naive version: one write, which is a system call and about a thousand
 * instructions for a record of a hundred bytes. Improvement: an exclusive writer stores the record
 * into pages that already exist.
 *
 * A store into a mapped file must not find the disk full, since that would raise a signal. So the
 * space of a step is reserved first, and then filled with zeros: pages that were written are in the
 * page cache and have disk space, and storing there costs a tenth of a store into reserved space
 * that was never written. Readers skip the zeros, since no record has type 0; the writer truncates
 * them when it closes, and if it was killed, the next writer does.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/reserved_tail.h"

#include <string.h>

#define FIRST_STEP_BYTES ((uint64_t)64 << 10)
#define MOST_STEP_BYTES  ((uint64_t)1 << 20)
#define WINDOW_BYTES \
    ((uint64_t)64 << 20) /* of addresses; addresses beyond the end of the file cost nothing */

/* Write zeros to the file from `old` to `end`. */
static bool lengthen_file(xta__reserved_tail *tail, const xta__file *file, uint64_t old,
                          uint64_t end)
{
    xta_error ignored = {0};
    bool done = false;

    if (!xta__file_length_is_allowed(end) ||
        xta__file_reserve(file, old, end - old, &done, &ignored) != XTA_OK) {
        return false;
    }
    tail->refused = !done;
    return done && xta__file_write_zeros(file, old, end - old, &ignored) == XTA_OK;
}

/* The window extends beyond the end of the file: as the file grows, more of it becomes valid. */
static bool map_tail(xta__reserved_tail *tail, const xta__file *file, uint64_t from, uint64_t end)
{
    if (tail->bytes != NULL && end <= tail->begin + tail->mapped) {
        return true;
    }
    uint64_t begin = from / xta__page_bytes() * xta__page_bytes();
    uint64_t bytes = end - begin > WINDOW_BYTES ? end - begin : WINDOW_BYTES;
    uint8_t *address = xta__file_map(file, begin, bytes, true);
    if (address == NULL) {
        return false;
    }
    xta__file_unmap(tail->bytes, tail->mapped);
    tail->bytes = address;
    tail->begin = begin;
    tail->mapped = bytes;
    return true;
}

/* Store a zero into each page from `begin` to `end`, which hold only zeros. */
static void touch_pages(const xta__reserved_tail *tail, uint64_t begin, uint64_t end)
{
    uint64_t page = xta__page_bytes();

    for (uint64_t at = begin; at < end; at = at / page * page + page) {
        *(volatile uint8_t *)(tail->bytes + (at - tail->begin)) = 0;
    }
}

void xta__tail_touch(const xta__reserved_tail *tail, uint64_t from)
{
    uint64_t end = from + 2 * xta__page_bytes();

    if (tail->bytes != NULL) {
        touch_pages(tail, from, end < tail->end ? end : tail->end);
    }
}

bool xta__tail_reserve(xta__reserved_tail *tail, const xta__file *file, uint64_t from, uint64_t n)
{
    uint64_t page = xta__page_bytes();
    uint64_t step = 2 * tail->step;
    uint64_t old = tail->end > from ? tail->end : from;

    tail->refused = tail->refused || !xta__file_rewrites_in_place(file);
    if (tail->refused) {
        return false;
    }
    step = step < FIRST_STEP_BYTES ? FIRST_STEP_BYTES : step;
    step = step > MOST_STEP_BYTES ? MOST_STEP_BYTES : step;
    uint64_t end = (from + n + step + page - 1) / page * page;
    if (!lengthen_file(tail, file, old, end)) {
        return false;
    }
    if (!map_tail(tail, file, from, end)) {
        xta__tail_drop(tail);
        tail->refused = true;
        return false;
    }
    // The first store into a page causes a fault, which should happen here and not in an extension.
    touch_pages(tail, old, end);
    tail->end = end;
    tail->step = step;
    return true;
}

void xta__tail_drop(xta__reserved_tail *tail)
{
    bool refused = tail->refused;

    xta__file_unmap(tail->bytes, tail->mapped);
    memset(tail, 0, sizeof *tail);
    tail->refused = refused;
}
