/* Room at the end of a journal: the file is lengthened ahead, in steps, and its end is mapped, so
 * that a record is appended by storing it.
 *
 * A store into a file must not find the disk full, for that would be a signal. So the space of a
 * step is reserved first, and then written with zeros: what is written lies in the page cache with
 * its space, and storing there costs a tenth of a store into reserved space that was never written.
 * Readers pass over the zeros, since no record has type 0; the writer that ends cuts them off, and
 * after one that was killed the next one does.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/reserved_tail.h"

#include <string.h>

#define FIRST_STEP_BYTES ((uint64_t)64 << 10)
#define MOST_STEP_BYTES  ((uint64_t)1 << 20)
#define WINDOW_BYTES \
    ((uint64_t)64 << 20) /* of addresses; what lies beyond the file costs nothing */

/* The file gets zeros from `old` to `end`. */
static bool lengthen(xta__room *room, const xta__file *file, uint64_t old, uint64_t end)
{
    xta_error ignored = {0};
    bool done = false;

    if (!xta__file_length_is_allowed(end) ||
        xta__file_reserve(file, old, end - old, &done, &ignored) != XTA_OK) {
        return false;
    }
    room->refused = !done;
    return done && xta__file_write_zeros(file, old, end - old, &ignored) == XTA_OK;
}

/* The window reaches beyond the end of the file: as the file grows, more of it becomes valid. */
static bool map_until(xta__room *room, const xta__file *file, uint64_t from, uint64_t end)
{
    if (room->bytes != NULL && end <= room->begin + room->mapped) {
        return true;
    }
    uint64_t begin = from / xta__page_bytes() * xta__page_bytes();
    uint64_t bytes = end - begin > WINDOW_BYTES ? end - begin : WINDOW_BYTES;
    uint8_t *address = xta__file_map(file, begin, bytes, true);
    if (address == NULL) {
        return false;
    }
    xta__file_unmap(room->bytes, room->mapped);
    room->bytes = address;
    room->begin = begin;
    room->mapped = bytes;
    return true;
}

/* Store a zero into each page from `begin` to `end`, which hold nothing but zeros. */
static void touch(const xta__room *room, uint64_t begin, uint64_t end)
{
    uint64_t page = xta__page_bytes();

    for (uint64_t at = begin; at < end; at = at / page * page + page) {
        *(volatile uint8_t *)(room->bytes + (at - room->begin)) = 0;
    }
}

void xta__room_touch(const xta__room *room, uint64_t from)
{
    uint64_t end = from + 2 * xta__page_bytes();

    if (room->bytes != NULL) {
        touch(room, from, end < room->end ? end : room->end);
    }
}

bool xta__room_make(xta__room *room, const xta__file *file, uint64_t from, uint64_t n)
{
    uint64_t page = xta__page_bytes();
    uint64_t step = 2 * room->step;
    uint64_t old = room->end > from ? room->end : from;

    room->refused = room->refused || !xta__file_rewrites_in_place(file);
    if (room->refused) {
        return false;
    }
    step = step < FIRST_STEP_BYTES ? FIRST_STEP_BYTES : step;
    step = step > MOST_STEP_BYTES ? MOST_STEP_BYTES : step;
    uint64_t end = (from + n + step + page - 1) / page * page;
    if (!lengthen(room, file, old, end)) {
        return false;
    }
    if (!map_until(room, file, from, end)) {
        xta__room_drop(room);
        room->refused = true;
        return false;
    }
    // The first store into a page is a fault, which had better happen here than in an extension.
    touch(room, old, end);
    room->end = end;
    room->step = step;
    return true;
}

void xta__room_drop(xta__room *room)
{
    bool refused = room->refused;

    xta__file_unmap(room->bytes, room->mapped);
    memset(room, 0, sizeof *room);
    room->refused = refused;
}
