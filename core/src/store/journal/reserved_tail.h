/* Space reserved at the end of a journal, for an exclusive writer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_RESERVED_TAIL_H
#define XTA_STORE_JOURNAL_RESERVED_TAIL_H

#include "base/base.h"
#include "util/os.h"

/* Zeros at the end of a file, accessed through a mapping: bytes[at - begin] is the byte at offset
 * `at` of the file, begin <= at < end. None: bytes = NULL, end = 0. */
typedef struct xta__reserved_tail {
    uint8_t *bytes;
    uint64_t begin;  /* on a page boundary */
    uint64_t mapped; /* bytes from there on; the file may end before */
    uint64_t end;
    uint64_t step; /* by how much the file was last lengthened */
    bool refused;  /* this file system cannot reserve any */
} xta__reserved_tail;

/* Reserve space for `n` bytes from offset `from` on, from where the file holds only zeros, if
 * anything. False if that is not possible now: the caller writes instead, and gets the error if
 * there is one. */
bool xta__tail_reserve(xta__reserved_tail *tail, const xta__file *file, uint64_t from, uint64_t n);

/* Prepare the next pages from `from` on for stores: after pages were written to the disk, the first
 * store into each causes a page fault again. */
void xta__tail_touch(const xta__reserved_tail *tail, uint64_t from);

/* Unmap it. The file is unchanged. */
void xta__tail_drop(xta__reserved_tail *tail);

#endif
