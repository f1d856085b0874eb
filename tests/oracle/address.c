/* The oracle of addresses: one dictionary entry for each chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "oracle/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The oracle cannot work without memory. */
static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

int64_t oracle_floor_div(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    if (rest < 0) {
        rest += b;
    }
    return (a - rest) / b;
}

/* The first chunk coordinate at or after all cells below `hi`. */
static int64_t chunks_up_to(int64_t hi, int64_t chunk)
{
    return -oracle_floor_div(-hi, chunk);
}

/* ---- the dictionary ---- */

static uint64_t hash_of(const oracle_address *oracle, const int64_t coord[])
{
    uint64_t hash = UINT64_C(1469598103934665603);
    for (int axis = 0; axis < oracle->ndim; axis++) {
        hash = (hash ^ (uint64_t)coord[axis]) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t slot_of(const oracle_address *oracle, const int64_t coord[])
{
    uint64_t slot = hash_of(oracle, coord) % oracle->n_slots;
    size_t bytes = (size_t)oracle->ndim * sizeof(int64_t);
    while (oracle->slots[slot] != 0 &&
           memcmp(oracle_address_at(oracle, oracle->slots[slot] - 1), coord, bytes) != 0) {
        slot = (slot + 1) % oracle->n_slots;
    }
    return slot;
}

static void rebuild_dictionary(oracle_address *oracle, uint64_t n_slots)
{
    free(oracle->slots);
    oracle->n_slots = n_slots;
    oracle->slots = must(calloc(n_slots, sizeof(uint64_t)));
    for (uint64_t address = 0; address < oracle->n_chunks; address++) {
        oracle->slots[slot_of(oracle, oracle_address_at(oracle, address))] = address + 1;
    }
}

/* Give the next address to the chunk at `coord`, which must not have one. */
static void hand_out(oracle_address *oracle, const int64_t coord[])
{
    if (2 * oracle->n_chunks >= oracle->n_slots) {
        rebuild_dictionary(oracle, 4 * oracle->n_slots);
    }
    if (oracle->n_chunks == oracle->capacity) {
        oracle->capacity = 2 * oracle->capacity + 64;
        size_t bytes = oracle->capacity * (size_t)oracle->ndim * sizeof(int64_t);
        oracle->coords = must(realloc(oracle->coords, bytes));
    }
    uint64_t slot = slot_of(oracle, coord);
    if (oracle->slots[slot] != 0) {
        fputs("oracle: a chunk was to get two addresses\n", stderr);
        abort();
    }
    memcpy(oracle->coords + oracle->n_chunks * (uint64_t)oracle->ndim, coord,
           (size_t)oracle->ndim * sizeof(int64_t));
    oracle->slots[slot] = ++oracle->n_chunks;
}

bool oracle_address_find(const oracle_address *oracle, const int64_t coord[], uint64_t *address)
{
    uint64_t slot = slot_of(oracle, coord);
    if (oracle->slots[slot] == 0) {
        return false;
    }
    *address = oracle->slots[slot] - 1;
    return true;
}

const int64_t *oracle_address_at(const oracle_address *oracle, uint64_t address)
{
    return oracle->coords + address * (uint64_t)oracle->ndim;
}

/* ---- adjoining ---- */

/* Assign addresses to all chunks of `box`, row-major. */
static void hand_out_box(oracle_address *oracle, const xta_box *box)
{
    int64_t coord[XTA_MAX_NDIM];
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] >= box->hi[axis]) {
            return;
        }
        coord[axis] = box->lo[axis];
    }
    for (;;) {
        hand_out(oracle, coord);
        int axis = box->ndim - 1;
        while (axis >= 0 && ++coord[axis] == box->hi[axis]) {
            coord[axis] = box->lo[axis];
            axis--;
        }
        if (axis < 0) {
            return;
        }
    }
}

static void note_event(oracle_address *oracle, oracle_event event)
{
    if (oracle->n_events == oracle->events_capacity) {
        oracle->events_capacity = 2 * oracle->events_capacity + 16;
        oracle->events =
            must(realloc(oracle->events, oracle->events_capacity * sizeof(oracle->events[0])));
    }
    oracle->events[oracle->n_events++] = event;
}

/* The only operation: `n` slabs one after the other, each row-major in the other axes. */
static void adjoin(oracle_address *oracle, int axis, xta_side side, uint64_t n)
{
    if (n == 0) {
        return;
    }
    oracle_event event = {.axis = axis, .side = side, .n = n, .base = oracle->n_chunks};
    for (uint64_t k = 0; k < n; k++) {
        int64_t at = side == XTA_BACK ? oracle->allocated.hi[axis] : oracle->allocated.lo[axis] - 1;
        xta_box slab = oracle->allocated;
        slab.lo[axis] = at;
        slab.hi[axis] = at + 1;
        hand_out_box(oracle, &slab);
        if (side == XTA_BACK) {
            oracle->allocated.hi[axis]++;
        } else {
            oracle->allocated.lo[axis]--;
        }
    }
    event.n_chunks = oracle->n_chunks - event.base;
    note_event(oracle, event);
}

static uint64_t length(const xta_box *box, int axis)
{
    return (uint64_t)(box->hi[axis] - box->lo[axis]);
}

/* How many chunks the policy adjoins if `need` are needed: the table of decision 0003, line by
 * line. */
static uint64_t by_policy(const oracle_address *oracle, uint64_t len, uint64_t need)
{
    uint64_t amount = oracle->amount != 0 ? oracle->amount : 2;
    uint64_t n = need;

    if (oracle->policy == XTA_LINEAR) {
        while (n % amount != 0) {
            n++;
        }
    } else if (oracle->policy == XTA_EXPONENTIAL) {
        uint64_t target = len > 1 ? len : 1;
        while (target < len + need) {
            target *= amount;
        }
        n = target - len;
    }
    return n;
}

/* Chunks that the bounds reach beyond the allocated box on one side. */
static uint64_t needed(const oracle_address *oracle, const xta_box *bounds, int axis, xta_side side)
{
    int64_t chunk = oracle->chunk[axis];
    int64_t need = side == XTA_BACK
                       ? chunks_up_to(bounds->hi[axis], chunk) - oracle->allocated.hi[axis]
                       : oracle->allocated.lo[axis] - oracle_floor_div(bounds->lo[axis], chunk);
    return need > 0 ? (uint64_t)need : 0;
}

static void grow_bounds(xta_box *bounds, const xta_growth *growth)
{
    if (growth->side == XTA_BACK) {
        bounds->hi[growth->axis] += growth->by;
    } else {
        bounds->lo[growth->axis] -= growth->by;
    }
}

void oracle_address_extend(oracle_address *oracle, const xta_growth *growth)
{
    int axis = growth->axis;
    grow_bounds(&oracle->bounds, growth);
    uint64_t need = needed(oracle, &oracle->bounds, axis, growth->side);
    if (need == 0) {
        return;
    }
    uint64_t len = length(&oracle->allocated, axis);
    adjoin(oracle, axis, growth->side, by_policy(oracle, len, need));
    for (int other = 0; oracle->policy == XTA_CUBICAL && other < oracle->ndim; other++) {
        uint64_t wanted = length(&oracle->allocated, axis);
        uint64_t has = length(&oracle->allocated, other);
        if (has < wanted) {
            adjoin(oracle, other, XTA_BACK, wanted - has);
        }
    }
}

uint64_t oracle_address_would_adjoin(const oracle_address *oracle, const xta_growth *growth)
{
    xta_box bounds = oracle->bounds;
    grow_bounds(&bounds, growth);
    uint64_t need = needed(oracle, &bounds, growth->axis, growth->side);
    if (need == 0) {
        return 0;
    }
    uint64_t len = length(&oracle->allocated, growth->axis);
    uint64_t grown = len + by_policy(oracle, len, need);
    uint64_t total = 1;
    for (int axis = 0; axis < oracle->ndim; axis++) {
        uint64_t has = axis == growth->axis ? grown : length(&oracle->allocated, axis);
        bool follows = oracle->policy == XTA_CUBICAL && has < grown;
        total *= follows ? grown : has;
    }
    return total - oracle->n_chunks;
}

void oracle_address_shrink(oracle_address *oracle, const xta_growth *growth)
{
    if (growth->side == XTA_BACK) {
        oracle->bounds.hi[growth->axis] -= growth->by;
    } else {
        oracle->bounds.lo[growth->axis] += growth->by;
    }
}

/* ---- life ---- */

static void first_by_shells(oracle_address *oracle, const xta_box *box)
{
    int64_t longest = 0;
    for (int axis = 0; axis < box->ndim; axis++) {
        longest = box->hi[axis] > longest ? box->hi[axis] : longest;
        oracle->allocated.hi[axis] = 1;
        oracle->first[axis] = 1;
    }
    hand_out_box(oracle, &oracle->allocated);
    for (int64_t shell = 1; shell < longest; shell++) {
        for (int axis = 0; axis < box->ndim; axis++) {
            if (box->hi[axis] > shell) {
                adjoin(oracle, axis, XTA_BACK, 1);
            }
        }
    }
}

void oracle_address_init(oracle_address *oracle, int ndim, const int64_t chunk[],
                         const int64_t bounds[], xta_policy policy, uint32_t amount)
{
    bool empty = false;
    xta_box box = {.ndim = ndim};

    memset(oracle, 0, sizeof(*oracle));
    oracle->ndim = oracle->first_ndim = ndim;
    oracle->policy = policy;
    oracle->amount = amount;
    oracle->bounds.ndim = oracle->allocated.ndim = ndim;
    for (int axis = 0; axis < ndim; axis++) {
        oracle->chunk[axis] = chunk[axis];
        oracle->bounds.hi[axis] = bounds[axis];
        box.hi[axis] = chunks_up_to(bounds[axis], chunk[axis]);
        empty = empty || box.hi[axis] == 0;
    }
    rebuild_dictionary(oracle, 64);
    if (policy == XTA_SHELL && !empty) {
        first_by_shells(oracle, &box);
    } else {
        oracle->allocated = box;
        memcpy(oracle->first, box.hi, sizeof(oracle->first));
        hand_out_box(oracle, &box);
    }
}

void oracle_address_clear(oracle_address *oracle)
{
    free(oracle->coords);
    free(oracle->slots);
    free(oracle->events);
    memset(oracle, 0, sizeof(*oracle));
}

static void insert(int64_t *values, int n, int position, int64_t value)
{
    memmove(values + position + 1, values + position, (size_t)(n - position) * sizeof(*values));
    values[position] = value;
}

static void insert_axis(xta_box *box, int position)
{
    insert(box->lo, box->ndim, position, 0);
    insert(box->hi, box->ndim, position, 1);
    box->ndim++;
}

void oracle_address_add_axis(oracle_address *oracle, int position)
{
    int ndim = oracle->ndim;
    size_t n = (size_t)oracle->n_chunks;
    int64_t *coords = must(calloc(n + 64, (size_t)(ndim + 1) * sizeof(int64_t)));

    for (size_t q = 0; q < n; q++) {
        int64_t *coord = coords + q * (size_t)(ndim + 1);
        memcpy(coord, oracle_address_at(oracle, q), (size_t)ndim * sizeof(int64_t));
        insert(coord, ndim, position, 0);
    }
    free(oracle->coords);
    oracle->coords = coords;
    oracle->capacity = n + 64;
    insert(oracle->chunk, ndim, position, 1);
    insert_axis(&oracle->bounds, position);
    insert_axis(&oracle->allocated, position);
    oracle->ndim = ndim + 1;
    rebuild_dictionary(oracle, oracle->n_slots);
    note_event(oracle, (oracle_event){.add_axis = true, .axis = position, .base = n});
}
