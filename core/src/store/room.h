/* A room of store/: the end of a journal in memory, for a writer that has it to itself.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_ROOM_H
#define XTA_STORE_ROOM_H

#include "base/base.h"
#include "util/os.h"

/* Zeros at the end of a file, reached through a mapping: bytes[at - begin] is the byte at offset
 * `at` of the file, begin <= at < end. None: bytes = NULL, end = 0. */
typedef struct xta__room {
    uint8_t *bytes;
    uint64_t begin;  /* on a page */
    uint64_t mapped; /* bytes from there on; the file may end before */
    uint64_t end;
    uint64_t step; /* by how much it was lengthened last */
    bool refused;  /* this file system cannot give any */
} xta__room;

/* Have room for `n` bytes from offset `from` on, behind which the file holds zeros or ends. False
 * where it cannot be had now: then a write, and its error, are as good as ever. */
bool xta__room_make(xta__room *room, const xta__file *file, uint64_t from, uint64_t n);

/* Have the next pages from `from` on ready to be stored into: after they were written to the disk,
 * the first store into each is a fault again. */
void xta__room_touch(const xta__room *room, uint64_t from);

/* Forget the room. The file stays as it is. */
void xta__room_drop(xta__room *room);

#endif
