/* The oracle of addresses: assigns them chunk by chunk, as the definition says, and remembers each.
 *
 * There is no formula here. A growth walks over the new chunks in the order of the definition
 * (DESIGN, section 2; docs/decisions/0003-growth-policies.md) and writes down `coordinate -> next
 * address` in a dictionary. It is slow and large, but easily seen to be right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_ORACLE_ADDRESS_H
#define XTA_TESTS_ORACLE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

/* One growth in chunks, as it was carried out: policies are already applied. */
typedef struct oracle_event {
    bool add_axis; /* then only `axis` counts: where the new axis was inserted */
    int axis;
    xta_side side;
    uint64_t n;        /* chunks along the axis */
    uint64_t base;     /* addresses assigned before it */
    uint64_t n_chunks; /* addresses assigned by it, may be 0 */
} oracle_event;

typedef struct oracle_address {
    int ndim;
    int64_t chunk[XTA_MAX_NDIM];
    xta_policy policy;
    uint32_t amount;
    xta_box bounds;              /* cells */
    xta_box allocated;           /* chunks */
    int64_t first[XTA_MAX_NDIM]; /* the box of the first allocation, before any event */
    int first_ndim;

    uint64_t n_chunks;
    uint64_t capacity;
    int64_t *coords; /* ndim for each address */
    uint64_t *slots; /* the dictionary: address + 1, or 0 where empty */
    uint64_t n_slots;

    oracle_event *events;
    size_t n_events, events_capacity;
} oracle_address;

/* A new array: `bounds` cells on each axis, from 0. */
void oracle_address_init(oracle_address *oracle, int ndim, const int64_t chunk[],
                         const int64_t bounds[], xta_policy policy, uint32_t amount);

void oracle_address_clear(oracle_address *oracle);

/* Grow and shrink, in cells. */
void oracle_address_extend(oracle_address *oracle, const xta_growth *growth);
void oracle_address_shrink(oracle_address *oracle, const xta_growth *growth);

/* A new axis of one cell and one chunk, coordinate 0, before axis `position`. */
void oracle_address_add_axis(oracle_address *oracle, int position);

/* How many chunks `growth` would adjoin in all, so that a test can stay small. */
uint64_t oracle_address_would_adjoin(const oracle_address *oracle, const xta_growth *growth);

/* The address of a chunk; false if it has none. */
bool oracle_address_find(const oracle_address *oracle, const int64_t coord[], uint64_t *address);

/* The chunk at an address < n_chunks: ndim coordinates, borrowed until the next change. */
const int64_t *oracle_address_at(const oracle_address *oracle, uint64_t address);

/* floor(a / b) for b > 0, by counting remainders rather than trusting division of negatives. */
int64_t oracle_floor_div(int64_t a, int64_t b);

#endif
