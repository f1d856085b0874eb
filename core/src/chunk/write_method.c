/* The choice of a method, and where its limits come from (docs/decisions/0022-io-path.md).
 *
 * A system call costs about a microsecond, and only the pages it touches are later written to the
 * disk. A store through a mapping costs nothing once its page is mapped and dirty; the first store
 * to a page costs a fault, which may map 2 MiB and make all of it dirty, and needs an allocated
 * block for each byte of it. So scattered cells are written by calls, and places that are written
 * repeatedly are written in place.
 *
 * A whole chunk that is written by calls is first gathered and then copied into its pages. If the
 * pages already exist, it is gathered directly into them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/write_method.h"

#include <stddef.h>

#include "base/base.h"

#define FEW_ROWS        16  /* calls for each 2 MiB that cost less than making them dirty */
#define SPARSE_ROWS     64  /* calls for each 2 MiB that cost less than their disk space */
#define ROWS_OF_A_FAULT 2   /* calls that cost as much as a fault of a small page: 2 to 3 us */
#define MANY_OPERATIONS 192 /* 2 MiB are 11 KiB for each of them */

/* Whether a place is written repeatedly: at least twice, and by every fourth operation. Some
 * scattered operations hit the same page by chance: of n in 512 pages, a share of n / 1024 or
 * less. */
static bool is_repeated(const xta__range_facts *facts)
{
    return facts->again >= 2 && facts->again >= facts->operations / 4;
}

xta__method xta__choose_method(const xta__method_ask *ask)
{
    const xta__range_facts *facts = &ask->facts;

    if (!facts->rows) {
        return XTA__BY_CACHE;
    }
    if (ask->whole) {
        return facts->settled ? XTA__IN_PLACE : XTA__BY_STREAM;
    }
    if (facts->ready) {
        return XTA__IN_PLACE;
    }
    if (ask->row_bytes >= XTA__LONG_ROW_BYTES) {
        // If a unit has several chunks, one frame of a stream would wait for the allocation of
        // space for many later ones.
        bool large = ask->slot_bytes >= XTA__HUGE_BYTES;
        return ask->fresh && large ? XTA__IN_PLACE_RESERVED : XTA__BY_ROWS;
    }
    bool many = facts->operations >= MANY_OPERATIONS;
    uint64_t n_units = ask->span > XTA__HUGE_BYTES ? (ask->span - 1) / XTA__HUGE_BYTES + 1 : 1;
    if (ask->n_rows <= FEW_ROWS * n_units && !is_repeated(facts) && !many) {
        return XTA__BY_ROWS;
    }
    return many || ask->n_rows > SPARSE_ROWS * n_units ? XTA__IN_PLACE_RESERVED : XTA__IN_PLACE;
}

bool xta__calls_cost_less(const xta__method_ask *ask, uint64_t n_pages)
{
    bool repeated = ask->facts.again > 0 || ask->facts.operations >= MANY_OPERATIONS;

    return !repeated && ask->n_rows <= ROWS_OF_A_FAULT * n_pages;
}

const char *xta__method_name(xta__method method)
{
    static const char *const names[] = {"stream", "rows", "in place", "in place, reserved",
                                        "cache"};

    return (size_t)method < sizeof names / sizeof names[0] ? names[method] : "?";
}
