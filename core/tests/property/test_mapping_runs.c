/* Long runs: growth by thousands of chunks at a time, which are listed first and entered into
 * tables when many are looked up.
 *
 * A history of one to three axes: growths at either end by few chunks or by very many, some of them
 * undone and replaced by another, and sometimes a new axis. Afterwards, and in between, chunks are
 * looked up at the ends of every growth and at random, in a mapping grown step by step and in one
 * made from its records, and compared with the naive answer: the last slab that holds the chunk,
 * and the chunk's position in it. The limit of the tables makes trees replace some of them while
 * they have unentered runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mapping/check.h"
#include "geometry/mapping/mapping.h"
#include "support/random.h"
#include "support/report.h"

#define MOST_SLABS 64
#define LOOK_UPS   300

/* Chunks allocated together: the first box, or the slab that a growth adds on one side. */
typedef struct slab {
    xta_box box;
    int axis;      /* the slowest in its numbering */
    xta_side side; /* from which chunks are counted */
    uint64_t base;
} slab;

typedef struct history {
    test_story story;
    test_random random;
    slab slabs[MOST_SLABS];
    int n_slabs;
    xta_box box;
    uint64_t n_chunks;
    xta__mapping mapping;
    int64_t limit[XTA_MAX_NDIM];
    uint64_t n_entered;
} history;

/* ---- the naive answer ---- */

static uint64_t cells_of(const xta_box *box)
{
    uint64_t n = 1;
    for (int axis = 0; axis < box->ndim; axis++) {
        n *= (uint64_t)(box->hi[axis] - box->lo[axis]);
    }
    return n;
}

static bool holds(const xta_box *box, const int64_t coord[])
{
    for (int axis = 0; axis < box->ndim; axis++) {
        if (coord[axis] < box->lo[axis] || coord[axis] >= box->hi[axis]) {
            return false;
        }
    }
    return true;
}

static uint64_t wanted_address(const history *h, const int64_t coord[])
{
    int k = h->n_slabs - 1;
    while (!holds(&h->slabs[k].box, coord)) {
        k--;
    }
    const slab *s = &h->slabs[k];
    uint64_t place = s->side == XTA_BACK ? (uint64_t)(coord[s->axis] - s->box.lo[s->axis])
                                         : (uint64_t)(s->box.hi[s->axis] - 1 - coord[s->axis]);
    for (int axis = 0; axis < s->box.ndim; axis++) {
        if (axis != s->axis) {
            place = place * (uint64_t)(s->box.hi[axis] - s->box.lo[axis]) +
                    (uint64_t)(coord[axis] - s->box.lo[axis]);
        }
    }
    return s->base + place;
}

static void note_growth(history *h, const xta__chunk_growth *growth)
{
    slab *s = &h->slabs[h->n_slabs++];
    int axis = growth->axis;
    *s = (slab){.box = h->box, .axis = axis, .side = growth->side, .base = h->n_chunks};
    if (growth->side == XTA_BACK) {
        s->box.lo[axis] = h->box.hi[axis];
        s->box.hi[axis] = h->box.hi[axis] += (int64_t)growth->n;
    } else {
        s->box.hi[axis] = h->box.lo[axis];
        s->box.lo[axis] = h->box.lo[axis] -= (int64_t)growth->n;
    }
    h->n_chunks += cells_of(&s->box);
}

static void note_axis(history *h, int position)
{
    for (int k = -1; k < h->n_slabs; k++) {
        xta_box *box = k < 0 ? &h->box : &h->slabs[k].box;
        for (int axis = box->ndim++; axis > position; axis--) {
            box->lo[axis] = box->lo[axis - 1];
            box->hi[axis] = box->hi[axis - 1];
        }
        box->lo[position] = 0;
        box->hi[position] = 1;
        if (k > 0 && h->slabs[k].axis >= position) {
            h->slabs[k].axis++;
        }
    }
    h->slabs[0].axis = 0;
}

/* ---- comparing ---- */

static void look_up(history *h, xta__mapping *mapping, const char *which, const int64_t coord[])
{
    uint64_t wanted = wanted_address(h, coord), quick = wanted;
    int64_t back[XTA_MAX_NDIM];
    uint64_t address = xta__mapping_address(mapping, coord);

    STORY_CHECK(&h->story, address == wanted, "%s: %lld on axis 0: F* gives %lld instead of %lld",
                which, (long long)coord[0], (long long)address, (long long)wanted);
    (void)!xta__mapping_try_address(mapping, coord, &quick);
    STORY_CHECK(&h->story, quick == wanted, "%s: by tables it is %lld", which, (long long)quick);
    xta__mapping_inverse(mapping, address, back);
    STORY_CHECK(&h->story, memcmp(back, coord, (size_t)mapping->ndim * sizeof back[0]) == 0,
                "%s: wrong inverse of %lld", which, (long long)address);
}

static void compare(history *h, xta__mapping *mapping, const char *which)
{
    int64_t coord[XTA_MAX_NDIM];

    const char *flaw = xta__check_mapping(mapping);

    STORY_CHECK(&h->story, flaw == NULL, "%s: %s", which, flaw);
    STORY_CHECK(&h->story, mapping->n_chunks == h->n_chunks, "%s: %lld chunks", which,
                (long long)mapping->n_chunks);
    for (int k = 0; k < h->n_slabs; k++) {
        for (int corner = 0; corner < 1 << h->box.ndim; corner++) {
            for (int axis = 0; axis < h->box.ndim; axis++) {
                coord[axis] =
                    corner >> axis & 1 ? h->slabs[k].box.hi[axis] - 1 : h->slabs[k].box.lo[axis];
            }
            look_up(h, mapping, which, coord);
        }
    }
    for (int k = 0; k < LOOK_UPS; k++) {
        for (int axis = 0; axis < h->box.ndim; axis++) {
            coord[axis] = test_random_in(&h->random, h->box.lo[axis], h->box.hi[axis] - 1);
        }
        look_up(h, mapping, which, coord);
    }
}

static void compare_import(history *h, uint64_t table_limit)
{
    xta__mapping again;
    xta_box first;

    xta__mapping_first_box(&h->mapping, &first);
    STORY_CHECK(&h->story,
                xta__mapping_import(&again, &first, h->mapping.n_chunks, h->mapping.n_records,
                                    h->mapping.records, h->limit, XTA__OFFSET_LIMIT,
                                    table_limit) == XTA_OK,
                "its records are refused");
    compare(h, &again, "imported");
    xta__mapping_clear(&again);
}

/* ---- growing ---- */

static uint64_t random_length(history *h)
{
    switch (test_random_in(&h->random, 0, 3)) {
    case 0:
        return (uint64_t)test_random_in(&h->random, XTA__LONG_RUN - 2, XTA__LONG_RUN + 2);
    case 1:
        return (uint64_t)test_random_in(&h->random, XTA__LONG_RUN, 5 * XTA__LONG_RUN);
    default:
        return (uint64_t)test_random_in(&h->random, 1, 5);
    }
}

static xta__chunk_growth random_growth(history *h)
{
    xta__chunk_growth growth = {.axis = (int)test_random_in(&h->random, 0, h->box.ndim - 1),
                                .side = test_random_chance(&h->random, 70) ? XTA_BACK : XTA_FRONT,
                                .n = random_length(h)};
    // Often the same growth again, which lengthens a segment.
    const slab *last = &h->slabs[h->n_slabs - 1];
    if (h->n_slabs > 1 && test_random_chance(&h->random, 50)) {
        growth.axis = last->axis;
        growth.side = last->side;
    }
    return growth;
}

static void grow(history *h, const xta__chunk_growth *growth, bool undo)
{
    xta__mapping_mark mark;

    test_story_add(&h->story, "%s axis %d %s by %lld", undo ? "try" : "grow", growth->axis,
                   growth->side == XTA_BACK ? "back" : "front", (long long)growth->n);
    STORY_CHECK(&h->story,
                xta__mapping_reserve(&h->mapping, growth, 1, h->limit, XTA__OFFSET_LIMIT) == XTA_OK,
                "it cannot grow");
    xta__mapping_mark_here(&h->mapping, &mark);
    if (test_random_chance(&h->random, 20)) {
        // A look-up between the two parts of a growth, which may enter runs into tables.
        h->mapping.run_look_ups = XTA__RUN_LOOK_UPS - 1;
        (void)!xta__mapping_address(&h->mapping, h->mapping.lo);
    }
    if (undo ||
        !xta__mapping_grow_within(&h->mapping, growth, h->limit[growth->axis], XTA__OFFSET_LIMIT)) {
        xta__mapping_grow(&h->mapping, growth);
    }
    if (undo) {
        // Some of it is looked up first, which may enter it into the table.
        int64_t coord[XTA_MAX_NDIM];
        memcpy(coord, h->mapping.lo, sizeof coord);
        if (growth->side == XTA_BACK) {
            coord[growth->axis] = h->mapping.hi[growth->axis] - 1;
        }
        h->mapping.run_look_ups = test_random_chance(&h->random, 50) ? XTA__RUN_LOOK_UPS - 1 : 0;
        (void)!xta__mapping_address(&h->mapping, coord);
        STORY_CHECK(&h->story, xta__mapping_undo(&h->mapping, &mark), "it cannot be taken back");
    } else {
        note_growth(h, growth);
    }
}

static void add_axis(history *h)
{
    int position = (int)test_random_in(&h->random, 0, h->box.ndim);
    xta__mapping wider;

    test_story_add(&h->story, "add axis at %d", position);
    STORY_CHECK(&h->story, xta__mapping_add_axis(&h->mapping, position, &wider) == XTA_OK,
                "it cannot take an axis");
    xta__mapping_clear(&h->mapping);
    h->mapping = wider;
    note_axis(h, position);
}

static void live(history *h, uint64_t table_limit)
{
    int64_t zero[XTA_MAX_NDIM] = {0};
    int n_steps = (int)test_random_in(&h->random, 1, 20);

    h->box = (xta_box){.ndim = (int)test_random_in(&h->random, 1, 2)};
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        h->limit[axis] = XTA__COORD_LIMIT / 4;
        h->box.hi[axis] = axis < h->box.ndim ? (int64_t)random_length(h) : 0;
    }
    h->slabs[0] = (slab){.box = h->box};
    h->n_slabs = 1;
    h->n_chunks = cells_of(&h->box);
    test_story_add(&h->story, "%d axes, the first of %lld chunks, tables up to %lld", h->box.ndim,
                   (long long)h->box.hi[0], (long long)table_limit);
    STORY_CHECK(&h->story,
                xta__mapping_init(&h->mapping, h->box.ndim, zero, h->box.hi, table_limit) == XTA_OK,
                "it cannot begin");
    for (int k = 0; k < n_steps; k++) {
        if (test_random_chance(&h->random, 5) && h->box.ndim < 3) {
            add_axis(h);
        }
        if (test_random_chance(&h->random, 30)) {
            xta__chunk_growth other = random_growth(h);
            grow(h, &other, true);
        }
        xta__chunk_growth growth = random_growth(h);
        grow(h, &growth, false);
        if (test_random_chance(&h->random, 15)) {
            compare(h, &h->mapping, "between growths");
        }
        if (test_random_chance(&h->random, 10) &&
            atomic_load(&h->mapping.search_by) == XTA__BY_RUNS) {
            // As if this many had been looked up.
            h->mapping.run_look_ups = XTA__RUN_LOOK_UPS - 1;
            compare(h, &h->mapping, "with runs entered");
            h->n_entered += atomic_load(&h->mapping.search_by) == XTA__BY_TABLES;
        }
    }
    compare(h, &h->mapping, "in the end");
    compare_import(h, table_limit);
    xta__mapping_clear(&h->mapping);
}

int main(void)
{
    static history h;
    uint64_t seed = test_seed("test_mapping_runs", 20261122);
    uint64_t n = test_scale(3000);
    const char *only = getenv("XTA_PART");

    uint64_t first = only != NULL ? strtoull(only, NULL, 0) : 0;
    n = only != NULL ? first + 1 : n;
    for (uint64_t part = first; part < n; part++) {
        test_story_begin(&h.story, "test_mapping_runs", seed, part);
        h.random = test_random_make(seed, part);
        live(&h, part % 3 == 0 ? 6 * XTA__LONG_RUN : XTA__TABLE_LIMIT);
    }
    printf("test_mapping_runs: %llu histories agree, runs were entered %llu times\n",
           (unsigned long long)(n - first), (unsigned long long)h.n_entered);
    return only != NULL || h.n_entered > 0 ? 0 : 1;
}
