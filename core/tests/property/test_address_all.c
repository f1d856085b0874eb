/* Every address of 10,000 random histories, against the oracle that assigns them one by one.
 *
 * A history: 1 to 6 axes, chunks of 1 to 4 cells, any growth policy; growth at the back and at
 * the front, of several axes in one step, shrinking, new axes, axes of length 0. The same history
 * is carried out on a memory array or a file (which is closed and opened again), and, in chunks, on
 * bare mappings whose search structure is the table, the O2-tree, or a table that is replaced by a
 * tree during the history.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mapping/mapping.h"
#include "oracle/address.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define MAX_CHUNKS    800
#define ONE_FILE_IN   8
#define CHECK_PERCENT 4

typedef struct history {
    test_story story;
    test_random random;
    oracle_address oracle;
    xta_array *array;
    char path[TEST_PATH_BYTES]; /* "" for a memory array */
    xta_create_options options;
} history;

/* ---- comparing an array with the oracle ---- */

static void check_chunk(const history *h, const xta_chunk *chunk, uint64_t address)
{
    const oracle_address *oracle = &h->oracle;
    const int64_t *coord = oracle_address_at(oracle, address);

    STORY_CHECK(&h->story, chunk->address == address, "chunk %lld says it is %lld",
                (long long)address, (long long)chunk->address);
    STORY_CHECK(&h->story, chunk->chunk.ndim == oracle->ndim && chunk->cells.ndim == oracle->ndim,
                "chunk %lld: number of axes", (long long)address);
    bool outside = false;
    xta_box cells = {.ndim = oracle->ndim};
    for (int axis = 0; axis < oracle->ndim; axis++) {
        STORY_CHECK(&h->story,
                    chunk->chunk.lo[axis] == coord[axis] &&
                        chunk->chunk.hi[axis] == coord[axis] + 1,
                    "chunk %lld axis %d: %lld:%lld instead of %lld", (long long)address, axis,
                    (long long)chunk->chunk.lo[axis], (long long)chunk->chunk.hi[axis],
                    (long long)coord[axis]);
        int64_t lo = coord[axis] * oracle->chunk[axis];
        int64_t hi = lo + oracle->chunk[axis];
        cells.lo[axis] = lo > oracle->bounds.lo[axis] ? lo : oracle->bounds.lo[axis];
        cells.hi[axis] = hi < oracle->bounds.hi[axis] ? hi : oracle->bounds.hi[axis];
        outside = outside || cells.lo[axis] >= cells.hi[axis];
    }
    STORY_CHECK(&h->story, outside == xta_box_empty(&chunk->cells), "chunk %lld: empty or not",
                (long long)address);
    STORY_CHECK(&h->story, outside || xta_box_equal(&cells, &chunk->cells),
                "chunk %lld: not its cells", (long long)address);
}

static void check_addresses(history *h)
{
    const oracle_address *oracle = &h->oracle;
    xta_error err;

    for (uint64_t q = 0; q < oracle->n_chunks; q++) {
        uint64_t address = UINT64_MAX;
        const int64_t *coord = oracle_address_at(oracle, q);
        STORY_OK(&h->story, xta_array_chunk_address(h->array, coord, &address, &err), err);
        STORY_CHECK(&h->story, address == q, "F* gives %lld instead of %lld", (long long)address,
                    (long long)q);
        xta_chunk chunk;
        STORY_OK(&h->story, xta_array_chunk_at(h->array, q, &chunk, &err), err);
        check_chunk(h, &chunk, q);
    }
    xta_chunk chunk;
    STORY_FAILS(&h->story, xta_array_chunk_at(h->array, oracle->n_chunks, &chunk, &err), XTA_EBOX,
                err);
    int64_t coord[XTA_MAX_NDIM];
    int axis = (int)test_random_in(&h->random, 0, oracle->ndim - 1);
    memcpy(coord, oracle->allocated.lo, sizeof(coord));
    coord[axis] = test_random_chance(&h->random, 50) ? oracle->allocated.hi[axis]
                                                     : oracle->allocated.lo[axis] - 1;
    uint64_t address;
    STORY_FAILS(&h->story, xta_array_chunk_address(h->array, coord, &address, &err), XTA_EBOX, err);
}

typedef struct walk {
    history *h;
    const xta_box *box; /* cells; NULL: all chunks */
    uint64_t next;      /* the first address not assigned yet */
    uint64_t stop_at;   /* end the iteration there */
} walk;

static bool meets(const walk *w, uint64_t address)
{
    const oracle_address *oracle = &w->h->oracle;
    const int64_t *coord = oracle_address_at(oracle, address);

    for (int axis = 0; w->box != NULL && axis < oracle->ndim; axis++) {
        int64_t lo = coord[axis] * oracle->chunk[axis];
        if (w->box->lo[axis] >= w->box->hi[axis] || lo >= w->box->hi[axis] ||
            lo + oracle->chunk[axis] <= w->box->lo[axis]) {
            return false;
        }
    }
    return true;
}

/* Skip the addresses outside the iteration. */
static void to_next_meeting(walk *w)
{
    while (w->next < w->h->oracle.n_chunks && !meets(w, w->next)) {
        w->next++;
    }
}

static int take_chunk(void *user, const xta_chunk *chunk)
{
    walk *w = user;
    to_next_meeting(w);
    STORY_CHECK(&w->h->story, w->next < w->h->oracle.n_chunks, "the walk goes on too long");
    check_chunk(w->h, chunk, w->next);
    return w->next++ == w->stop_at;
}

static void check_walks(history *h)
{
    const oracle_address *oracle = &h->oracle;
    xta_error err;
    walk all = {.h = h, .stop_at = UINT64_MAX};

    STORY_OK(&h->story, xta_array_each_chunk(h->array, NULL, take_chunk, &all, &err), err);
    STORY_CHECK(&h->story, all.next == oracle->n_chunks, "the walk ends too early");

    xta_box box = {.ndim = oracle->ndim};
    for (int axis = 0; axis < oracle->ndim; axis++) {
        int64_t lo = oracle->bounds.lo[axis];
        int64_t hi = oracle->bounds.hi[axis];
        box.lo[axis] = test_random_in(&h->random, lo, hi);
        box.hi[axis] = test_random_in(&h->random, box.lo[axis], hi);
    }
    walk part = {.h = h, .box = &box, .stop_at = UINT64_MAX};
    STORY_OK(&h->story, xta_array_each_chunk(h->array, &box, take_chunk, &part, &err), err);
    to_next_meeting(&part);
    STORY_CHECK(&h->story, part.next == oracle->n_chunks, "the walk of a box ends too early");

    if (oracle->n_chunks > 1) {
        walk cut = {.h = h};
        cut.stop_at = (uint64_t)test_random_in(&h->random, 0, (int64_t)oracle->n_chunks - 1);
        STORY_FAILS(&h->story, xta_array_each_chunk(h->array, NULL, take_chunk, &cut, &err),
                    XTA_ECANCELLED, err);
        STORY_CHECK(&h->story, cut.next == cut.stop_at + 1, "the walk did not end when told to");
    }
}

/* The chunks of a segment, in the order given by its description. */
static void check_segment(const history *h, const xta_segment *segment)
{
    const xta_box *box = &segment->chunks;
    int64_t coord[XTA_MAX_NDIM];
    int order[XTA_MAX_NDIM]; // axes, slowest first
    bool front = !segment->initial && segment->side == XTA_FRONT;
    int n = 0;

    if (!segment->initial) {
        order[n++] = segment->axis;
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        if (segment->initial || axis != segment->axis) {
            order[n++] = axis;
        }
    }
    for (uint64_t k = 0; k < segment->n_chunks; k++) {
        uint64_t rest = k;
        for (int i = n - 1; i >= 0; i--) {
            int axis = order[i];
            uint64_t length = (uint64_t)(box->hi[axis] - box->lo[axis]);
            int64_t at = (int64_t)(rest % length);
            coord[axis] = front && i == 0 ? box->hi[axis] - 1 - at : box->lo[axis] + at;
            rest /= length;
        }
        STORY_CHECK(&h->story, rest == 0, "a segment has more chunks than its box");
        STORY_CHECK(&h->story,
                    memcmp(coord, oracle_address_at(&h->oracle, segment->base + k),
                           (size_t)n * sizeof(int64_t)) == 0,
                    "segment at %lld: chunk %lld lies elsewhere", (long long)segment->base,
                    (long long)(segment->base + k));
    }
}

/* How many segments there can be: one for each run of growths of one axis and side. */
static uint64_t most_segments(const oracle_address *oracle)
{
    uint64_t n = 1;
    const oracle_event *last = NULL;
    for (size_t i = 0; i < oracle->n_events; i++) {
        const oracle_event *event = &oracle->events[i];
        if (event->add_axis) {
            last = NULL;
        } else if (event->n_chunks != 0) {
            n += last == NULL || last->axis != event->axis || last->side != event->side;
            last = event;
        }
    }
    return n;
}

static void check_segments(history *h)
{
    xta_error err;
    xta_array_info info;
    uint64_t next = 0;

    STORY_OK(&h->story, xta_array_inquire(h->array, &info, &err), err);
    STORY_CHECK(&h->story, info.n_chunks == h->oracle.n_chunks, "%lld chunks instead of %lld",
                (long long)info.n_chunks, (long long)h->oracle.n_chunks);
    STORY_CHECK(&h->story, xta_box_equal(&info.allocated, &h->oracle.allocated),
                "not the allocated box");
    STORY_CHECK(&h->story, xta_box_equal(&info.bounds, &h->oracle.bounds), "not the bounds");
    STORY_CHECK(&h->story, info.moved_bytes == 0, "bytes were moved");
    STORY_CHECK(&h->story, info.n_segments <= most_segments(&h->oracle),
                "%lld segments: growth that was not interrupted made new ones",
                (long long)info.n_segments);
    for (uint64_t k = 0; k < info.n_segments; k++) {
        xta_segment segment;
        STORY_OK(&h->story, xta_array_segment(h->array, k, &segment, &err), err);
        STORY_CHECK(&h->story, segment.base == next, "segment %lld begins at %lld", (long long)k,
                    (long long)segment.base);
        check_segment(h, &segment);
        next += segment.n_chunks;
    }
    STORY_CHECK(&h->story, next == info.n_chunks, "the segments cover %lld chunks",
                (long long)next);
    xta_segment segment;
    STORY_FAILS(&h->story, xta_array_segment(h->array, info.n_segments, &segment, &err), XTA_EARG,
                err);
}

static void check_all(history *h)
{
    check_segments(h);
    check_addresses(h);
    check_walks(h);
}

/* ---- the same history on bare mappings ---- */

static void coord_limits(int64_t limit[])
{
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        limit[axis] = XTA__COORD_LIMIT / 4;
    }
}

static void grow_and_undo(xta__mapping *mapping, const xta__chunk_growth *growth,
                          const int64_t limit[], const test_story *story)
{
    xta__mapping_mark mark;

    STORY_CHECK(story, xta__mapping_reserve(mapping, growth, 1, limit, XTA__OFFSET_LIMIT) == XTA_OK,
                "a mapping cannot grow");
    xta__mapping_mark_here(mapping, &mark);
    xta__mapping_grow(mapping, growth);
    STORY_CHECK(story, xta__mapping_undo(mapping, &mark), "a growth cannot be taken back");
}

static void replay(const oracle_address *oracle, uint64_t table_limit, xta__mapping *mapping,
                   const test_story *story)
{
    int64_t limit[XTA_MAX_NDIM];
    int64_t zero[XTA_MAX_NDIM] = {0};
    coord_limits(limit);
    STORY_CHECK(story,
                xta__mapping_init(mapping, oracle->first_ndim, zero, oracle->first, table_limit) ==
                    XTA_OK,
                "a mapping cannot begin");
    for (size_t i = 0; i < oracle->n_events; i++) {
        const oracle_event *event = &oracle->events[i];
        if (event->add_axis) {
            xta__mapping wider;
            STORY_CHECK(story, xta__mapping_add_axis(mapping, event->axis, &wider) == XTA_OK,
                        "a mapping cannot take an axis");
            xta__mapping_clear(mapping);
            *mapping = wider;
            continue;
        }
        xta__chunk_growth growth = {event->axis, event->side, event->n};
        if (i % 3 == 0) { // A different growth comes first, and is undone.
            xta__chunk_growth other = {(int)(i % (size_t)mapping->ndim), (xta_side)(i / 3 % 2), 2};
            grow_and_undo(mapping, &other, limit, story);
        }
        STORY_CHECK(story,
                    xta__mapping_reserve(mapping, &growth, 1, limit, XTA__OFFSET_LIMIT) == XTA_OK,
                    "a mapping cannot grow");
        xta__mapping_grow(mapping, &growth);
    }
}

static void compare_mapping(const history *h, xta__mapping *mapping, const char *which)
{
    STORY_CHECK(&h->story, mapping->n_chunks == h->oracle.n_chunks, "%s: number of chunks", which);
    for (uint64_t q = 0; q < mapping->n_chunks; q++) {
        const int64_t *coord = oracle_address_at(&h->oracle, q);
        int64_t back[XTA_MAX_NDIM];
        uint64_t address = xta__mapping_address(mapping, coord);
        STORY_CHECK(&h->story, address == q, "%s: F* gives %lld instead of %lld", which,
                    (long long)address, (long long)q);
        xta__mapping_inverse(mapping, q, back);
        STORY_CHECK(&h->story, memcmp(back, coord, (size_t)mapping->ndim * sizeof(int64_t)) == 0,
                    "%s: wrong inverse of %lld", which, (long long)q);
    }
}

/* A mapping grown step by step, and one made from its records, as a checkpoint does. */
static void check_mapping(const history *h, uint64_t table_limit)
{
    xta__mapping mapping;
    xta__mapping again;
    xta_box first;
    int64_t limit[XTA_MAX_NDIM];
    char which[64];

    snprintf(which, sizeof(which), "mapping with tables up to %llu",
             (unsigned long long)table_limit);
    replay(&h->oracle, table_limit, &mapping, &h->story);
    compare_mapping(h, &mapping, which);
    coord_limits(limit);
    xta__mapping_first_box(&mapping, &first);
    STORY_CHECK(&h->story,
                xta__mapping_import(&again, &first, mapping.n_chunks, mapping.n_records,
                                    mapping.records, limit, XTA__OFFSET_LIMIT,
                                    table_limit) == XTA_OK,
                "%s: its records are refused", which);
    snprintf(which, sizeof(which), "mapping imported, tables up to %llu",
             (unsigned long long)table_limit);
    compare_mapping(h, &again, which);
    xta__mapping_clear(&again);
    xta__mapping_clear(&mapping);
}

/* ---- carrying out a history ---- */

static void random_growth(history *h, xta_growth *growth, int64_t most)
{
    growth->axis = (int)test_random_in(&h->random, 0, h->oracle.ndim - 1);
    growth->side = test_random_chance(&h->random, 50) ? XTA_BACK : XTA_FRONT;
    growth->by = test_random_in(&h->random, 0, most);
}

static const char *name_of(xta_side side)
{
    return side == XTA_BACK ? "back" : "front";
}

static void step_extend(history *h)
{
    xta_growth growths[3];
    int n = 0;
    int wanted = (int)test_random_in(&h->random, 1, 3);

    for (int i = 0; i < wanted; i++) {
        xta_growth *growth = &growths[n];
        random_growth(h, growth, test_random_chance(&h->random, 10) ? 20 : 4);
        uint64_t more = oracle_address_would_adjoin(&h->oracle, growth);
        if (more <= MAX_CHUNKS && h->oracle.n_chunks + more <= MAX_CHUNKS) {
            oracle_address_extend(&h->oracle, growth);
            test_story_add(&h->story, "%s axis %d %s by %lld", n == 0 ? "extend" : "  and",
                           growth->axis, name_of(growth->side), (long long)growth->by);
            n++;
        }
    }
    if (n > 0) {
        xta_error err;
        xta_box after;
        STORY_OK(&h->story, xta_array_extend(h->array, growths, n, &after, &err), err);
        STORY_CHECK(&h->story, xta_box_equal(&after, &h->oracle.bounds), "`after` is wrong");
    }
}

static void step_shrink(history *h)
{
    xta_growth growth;
    xta_error err;
    const xta_box *bounds = &h->oracle.bounds;

    random_growth(h, &growth, 6);
    int64_t length = bounds->hi[growth.axis] - bounds->lo[growth.axis];
    growth.by = growth.by < length ? growth.by : length;
    test_story_add(&h->story, "shrink axis %d %s by %lld", growth.axis, name_of(growth.side),
                   (long long)growth.by);
    oracle_address_shrink(&h->oracle, &growth);
    STORY_OK(&h->story, xta_array_shrink(h->array, &growth, 1, NULL, &err), err);
}

static void step_add_axis(history *h)
{
    xta_error err;
    int position = (int)test_random_in(&h->random, 0, h->oracle.ndim);
    test_story_add(&h->story, "add axis at %d", position);
    oracle_address_add_axis(&h->oracle, position);
    STORY_OK(&h->story, xta_array_add_axis(h->array, position, NULL, &err), err);
}

static void reopen(history *h)
{
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    if (h->path[0] == '\0') {
        return;
    }
    options.writable = true;
    test_story_add(&h->story, "close, open");
    STORY_OK(&h->story, xta_array_close(h->array, &err), err);
    if (test_random_chance(&h->random, 20)) {
        test_story_add(&h->story, "compact");
        STORY_OK(&h->story, xta_compact(h->path, NULL, NULL, &err), err);
    }
    STORY_OK(&h->story, xta_array_open(h->path, &options, &h->array, &err), err);
}

static void begin(history *h, const test_folder *folder)
{
    int64_t chunk[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM];
    int ndim = (int)test_random_in(&h->random, 1, 6);
    int most = ndim < 3 ? 8 : 3;
    xta_error err;

    h->options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    h->options.chunk = chunk;
    h->options.policy = (xta_policy)test_random_in(&h->random, XTA_EXACT, XTA_SHELL);
    h->options.policy_amount = (uint32_t)test_random_in(&h->random, 2, 4);
    test_story_add(&h->story, "%d axes, policy %d:%u, %s", ndim, (int)h->options.policy,
                   (unsigned)h->options.policy_amount, h->path[0] ? "a file" : "in memory");
    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = test_random_in(&h->random, 1, 4);
        bounds[axis] = test_random_in(&h->random, test_random_chance(&h->random, 8) ? 0 : 1, most);
        test_story_add(&h->story, "  axis %d: %lld cells, chunks of %lld", axis,
                       (long long)bounds[axis], (long long)chunk[axis]);
    }
    oracle_address_init(&h->oracle, ndim, chunk, bounds, h->options.policy,
                        h->options.policy_amount);
    if (h->path[0] != '\0') {
        test_folder_join(folder, "a", h->path);
        STORY_OK(&h->story,
                 xta_array_create(h->path, XTA_U8, ndim, bounds, &h->options, &h->array, &err),
                 err);
    } else {
        STORY_OK(&h->story, xta_array_new(XTA_U8, ndim, bounds, &h->options, &h->array, &err), err);
    }
}

static void live(history *h, const test_folder *folder)
{
    int n_steps = (int)test_random_in(&h->random, 0, 24);
    xta_error err;

    begin(h, folder);
    for (int i = 0; i < n_steps; i++) {
        int kind = (int)test_random_in(&h->random, 0, 99);
        if (kind < 4 && h->oracle.ndim < 6) {
            step_add_axis(h);
        } else if (kind < 18) {
            step_shrink(h);
        } else if (kind < 21) {
            reopen(h);
        } else {
            step_extend(h);
        }
        if (test_random_chance(&h->random, CHECK_PERCENT)) {
            check_all(h);
        }
    }
    check_all(h);
    if (h->path[0] != '\0') {
        reopen(h);
        check_all(h);
    }
    STORY_OK(&h->story, xta_array_close(h->array, &err), err);
    if (h->path[0] != '\0') {
        STORY_OK(&h->story, xta_array_delete(h->path, &err), err);
    }
    check_mapping(h, 0);
    check_mapping(h, UINT64_MAX / 2);
    check_mapping(h, (uint64_t)test_random_in(&h->random, 1, 6));
    oracle_address_clear(&h->oracle);
}

int main(void)
{
    static history h;
    test_folder folder;
    uint64_t seed = test_seed("test_address_all", 20240229);
    uint64_t n = test_scale(10000);
    const char *only = getenv("XTA_PART");

    test_folder_make_fast(&folder);
    uint64_t first = only != NULL ? strtoull(only, NULL, 0) : 0;
    n = only != NULL ? first + 1 : n;
    for (uint64_t part = first; part < n; part++) {
        test_story_begin(&h.story, "test_address_all", seed, part);
        h.random = test_random_make(seed, part);
        h.path[0] = part % ONE_FILE_IN == 0 ? 'a' : '\0';
        h.path[1] = '\0';
        live(&h, &folder);
    }
    test_folder_remove(&folder);
    printf("test_address_all: %llu histories agree\n", (unsigned long long)(n - first));
    return 0;
}
