/* Four handles of one array, mapped, cached and exclusive, in two processes, at random.
 *
 * Each row of cells belongs to one handle, and only that handle writes there (except that an append
 * writes a slab of new cells). The model has for each cell the step that added it, and the values
 * that the file may hold: the last one that certainly reached it, and later ones that its owner has
 * written and may have deferred. These determine what a handle may see:
 *
 *   - its own cells as it wrote them last, always;
 *   - right after a refresh, or, if it is mapped, at any time: cells of others as the file may have
 *     them;
 *   - cells that were removed and came back are fill, whatever writes to them were deferred; what a
 *     handle writes without having seen their removal never appears, unless it is mapped: then it
 *     has written the current cell;
 *   - bounds as of its last refresh, structural step or sync, never others.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "support/random.h"
#include "support/report.h"

enum { MOST_VALUES = 6, STEPS_OF_AN_ARRAY = 300 };

typedef struct cell {
    bool there;
    uint32_t born;                /* the step that added the cell */
    uint16_t values[MOST_VALUES]; /* that the file may hold; the last one is the owner's */
    int n_values;
} cell;

typedef struct hand {
    bool open, in_peer, exclusive;
    xta_access access;
    uint32_t seen; /* step of the world that its structure shows */
    xta_box view;
} hand;

static test_story story;
static test_random rnd;
static test_folder folder;
static char path[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
static cell world[HANDLES_CELLS];
static xta_box bounds; /* of the world */
static uint32_t now;
static uint16_t fill;
static hand hands[HANDLES_MAX];
static uint16_t cells[HANDLES_CELLS];
static bool looked[HANDLES_MAX]; /* since the last compaction */

static int64_t in(int64_t lo, int64_t hi)
{
    return test_random_in(&rnd, lo, hi);
}

/* ---- the model ---- */

static cell *at(const int64_t coord[], int ndim)
{
    int64_t index = 0;

    for (int axis = 0; axis < HANDLES_NDIM; axis++) {
        index = 2 * HANDLES_REACH * index + (axis < ndim ? coord[axis] : 0) + HANDLES_REACH;
    }
    return &world[index];
}

static int owner_of(int64_t row)
{
    return (int)((row + HANDLES_REACH) % HANDLES_MAX);
}

static void become(cell *c, uint16_t value)
{
    c->values[0] = value;
    c->n_values = 1;
}

/* The next coordinate of a box, row-major; false after the last. */
static bool next(const xta_box *box, int64_t step, int64_t coord[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        coord[axis] += axis == 0 ? step : 1;
        if (coord[axis] < box->hi[axis]) {
            return true;
        }
        coord[axis] = box->lo[axis];
    }
    return false;
}

/* The world has new bounds: cells outside them are gone, cells that enter them are new. */
static void change_bounds(const xta_box *to)
{
    int64_t coord[XTA_MAX_NDIM];
    const xta_box all = {
        .ndim = HANDLES_NDIM,
        .lo = {-HANDLES_REACH, -HANDLES_REACH, -HANDLES_REACH},
        .hi = {HANDLES_REACH, HANDLES_REACH, HANDLES_REACH},
    };

    now++;
    memcpy(coord, all.lo, sizeof coord);
    do {
        cell *c = at(coord, HANDLES_NDIM);
        bool inside = true;
        for (int axis = 0; axis < HANDLES_NDIM; axis++) {
            int64_t lo = axis < to->ndim ? to->lo[axis] : 0;
            int64_t hi = axis < to->ndim ? to->hi[axis] : 1;
            inside = inside && coord[axis] >= lo && coord[axis] < hi;
        }
        if (inside && !c->there) {
            c->born = now;
            become(c, fill);
        }
        c->there = inside;
    } while (next(&all, 1, coord));
    bounds = *to;
}

/* All deferred cells of a handle are now in the file. */
static void reached_the_file(int h)
{
    for (int k = 0; k < HANDLES_CELLS; k++) {
        int64_t row = k / (4 * HANDLES_REACH * HANDLES_REACH) - HANDLES_REACH;
        if (owner_of(row) == h && world[k].n_values > 1) {
            become(&world[k], world[k].values[world[k].n_values - 1]);
        }
    }
}

static bool is_mapped(int h)
{
    return hands[h].access == XTA_ACCESS_MAPPED;
}

static void note_write(int h, cell *c, uint16_t value)
{
    if (!c->there) {
        return;
    }
    if (is_mapped(h)) {
        become(c, value);
    } else if (c->born <= hands[h].seen) {
        c->values[c->n_values++] = value;
    }
}

/* ---- asking ---- */

static const char *const verbs[] = {"open",   "close",  "refresh",  "sync",    "bounds",
                                    "read",   "write",  "fill",     "extend",  "extend together",
                                    "shrink", "append", "add axis", "compact", "end"};

static xta_status ask(int h, handle_request *request, handle_answer *answer)
{
    char text[128] = "";
    int n = 0;

    request->handle = h;
    memcpy(request->path, path, sizeof path);
    memcpy(request->other, other, sizeof other);
    for (int axis = 0; axis < request->box.ndim; axis++) {
        n += snprintf(text + n, sizeof text - (size_t)n, " %lld:%lld",
                      (long long)request->box.lo[axis], (long long)request->box.hi[axis]);
    }
    test_story_add(&story, "%d: %s%s axis %d side %d by %lld (access %d, exclusive %d, cache %llu)",
                   h, verbs[request->verb], text, request->growth.axis, (int)request->growth.side,
                   (long long)request->growth.by, (int)hands[h].access, hands[h].exclusive,
                   (unsigned long long)request->cache_bytes);
    if (hands[h].in_peer) {
        handle_peer_do(request, cells, answer);
    } else {
        handle_do(request, cells, answer);
    }
    return answer->status;
}

static void must(int h, handle_request *request)
{
    handle_answer answer;
    xta_status status = ask(h, request, &answer);

    STORY_CHECK(&story, status == XTA_OK, "handle %d: %s: %s: %s", h, verbs[request->verb],
                xta_status_name(status), answer.err.text);
    if (request->verb == HANDLE_SYNC && xta_box_equal(&answer.bounds, &bounds)) {
        return;
    }
    if (request->verb != HANDLE_CLOSE && request->verb != HANDLE_COMPACT) {
        STORY_CHECK(&story, xta_box_equal(&answer.bounds, &hands[h].view),
                    "handle %d has other bounds than it must see", h);
    }
}

static void see(int h)
{
    hands[h].seen = now;
    hands[h].view = bounds;
    looked[h] = true;
}

/* ---- steps ---- */

static void open_hand(int h, bool may_be_exclusive)
{
    handle_request request = {.verb = HANDLE_OPEN, .cache_bytes = (uint64_t)in(1, 4000)};
    bool other_exclusive = false;

    for (int k = 0; k < HANDLES_MAX; k++) {
        other_exclusive = other_exclusive || (hands[k].open && hands[k].exclusive);
    }
    hands[h].access = test_random_chance(&rnd, 65) ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    hands[h].exclusive = may_be_exclusive && !other_exclusive && test_random_chance(&rnd, 25);
    hands[h].in_peer = test_random_chance(&rnd, 40);
    request.access = hands[h].access;
    request.exclusive = hands[h].exclusive;
    see(h);
    must(h, &request);
    hands[h].open = true;
}

static void close_hand(int h)
{
    must(h, &(handle_request){.verb = HANDLE_CLOSE});
    reached_the_file(h);
    hands[h].open = hands[h].exclusive = false;
}

static void reopen(int h)
{
    close_hand(h);
    open_hand(h, true);
}

static void refresh(int h)
{
    see(h);
    must(h, &(handle_request){.verb = HANDLE_REFRESH});
    reached_the_file(h);
}

/* A sync may read the changes of others. */
static void sync_hand(int h)
{
    must(h, &(handle_request){.verb = HANDLE_SYNC});
    reached_the_file(h);
    if (hands[h].seen != now) {
        refresh(h);
    }
}

static bool may_be(const cell *c, uint16_t value)
{
    for (int k = 0; k < c->n_values; k++) {
        if (c->values[k] == value) {
            return true;
        }
    }
    return false;
}

/* Check what handle `h` has read; `fresh`: it keeps no earlier copies. */
static void judge(int h, const xta_box *box, bool fresh)
{
    int64_t coord[XTA_MAX_NDIM];
    const uint16_t *value = cells;

    memcpy(coord, box->lo, sizeof coord);
    do {
        const cell *c = at(coord, box->ndim);
        bool own = owner_of(coord[0]) == h;
        bool known = c->there && c->born <= hands[h].seen;
        if (own && known) {
            STORY_CHECK(&story, *value == c->values[c->n_values - 1],
                        "handle %d reads %u in its own cell %lld,%lld,%lld, not %u", h, *value,
                        (long long)coord[0], box->ndim > 1 ? (long long)coord[1] : 0,
                        box->ndim > 2 ? (long long)coord[2] : 0, c->values[c->n_values - 1]);
        } else if ((known && fresh) || (is_mapped(h) && c->there)) {
            STORY_CHECK(&story, may_be(c, *value),
                        "handle %d reads %u in cell %lld,%lld,%lld, which never was in the file "
                        "(%d values may be, the last one is %u)",
                        h, *value, (long long)coord[0], box->ndim > 1 ? (long long)coord[1] : 0,
                        box->ndim > 2 ? (long long)coord[2] : 0, c->n_values,
                        c->values[c->n_values - 1]);
        }
        value++;
    } while (next(box, 1, coord));
}

static xta_box random_box(int h)
{
    xta_box box = hands[h].view;

    for (int axis = 0; axis < box.ndim; axis++) {
        if (box.hi[axis] > box.lo[axis]) {
            box.lo[axis] = in(box.lo[axis], box.hi[axis] - 1);
            box.hi[axis] = in(box.lo[axis] + 1, box.hi[axis]);
        }
    }
    return box;
}

static void read_some(int h)
{
    xta_box box = random_box(h);

    if (!xta_box_empty(&box)) {
        must(h, &(handle_request){.verb = HANDLE_READ, .box = box});
        judge(h, &box, false);
    }
}

static void inspect(int h)
{
    refresh(h);
    if (!xta_box_empty(&hands[h].view)) {
        must(h, &(handle_request){.verb = HANDLE_READ, .box = hands[h].view});
        judge(h, &hands[h].view, true);
    }
}

/* A box of the handle's own rows, starting with one of them. */
static bool own_box(int h, xta_box *box)
{
    *box = random_box(h);
    while (box->lo[0] < box->hi[0] && owner_of(box->lo[0]) != h) {
        box->lo[0]++;
    }
    return !xta_box_empty(box);
}

/* Make space in the model for one more value of each of the handle's cells. False: the handle had
 * to sync for that, and now has other bounds. */
static bool reserve(int h, const xta_box *box)
{
    uint32_t seen = hands[h].seen;
    int64_t coord[XTA_MAX_NDIM];
    bool full = false;

    memcpy(coord, box->lo, sizeof coord);
    do {
        full = full || at(coord, box->ndim)->n_values == MOST_VALUES;
    } while (next(box, HANDLES_MAX, coord));
    if (full) {
        sync_hand(h);
    }
    return hands[h].seen == seen;
}

static void write_some(int h)
{
    handle_request request = {.verb = HANDLE_WRITE, .step = HANDLES_MAX};
    int64_t coord[XTA_MAX_NDIM];
    size_t n = 0;

    if (!own_box(h, &request.box) || !reserve(h, &request.box)) {
        return;
    }
    memcpy(coord, request.box.lo, sizeof coord);
    do {
        cells[n] = (uint16_t)in(1, 60000);
        note_write(h, at(coord, request.box.ndim), cells[n++]);
    } while (next(&request.box, HANDLES_MAX, coord));
    must(h, &request);
}

static void fill_some(int h)
{
    handle_request request = {.verb = HANDLE_FILL};
    int64_t coord[XTA_MAX_NDIM];

    if (!own_box(h, &request.box)) {
        return;
    }
    request.box.hi[0] = request.box.lo[0] + 1;
    if (!reserve(h, &request.box)) {
        return;
    }
    // Chunks that become fill are freed at once, deferred or not, so only a handle that knows them
    // may fill them.
    bool to_fill = (is_mapped(h) || hands[h].seen == now) && test_random_chance(&rnd, 60);
    cells[0] = to_fill ? fill : (uint16_t)in(1, 60000);
    memcpy(coord, request.box.lo, sizeof coord);
    do {
        note_write(h, at(coord, request.box.ndim), cells[0]);
    } while (next(&request.box, 1, coord));
    must(h, &request);
}

/* Whether this handle may change the structure now. */
static bool may_change(int h)
{
    for (int k = 0; k < HANDLES_MAX; k++) {
        if (k != h && hands[k].open && hands[k].exclusive) {
            return false;
        }
    }
    return true;
}

static bool random_growth(bool shrink, xta_growth *growth)
{
    int axis = (int)in(0, bounds.ndim - 1);
    xta_side side = test_random_chance(&rnd, 60) ? XTA_BACK : XTA_FRONT;
    int64_t slack = shrink             ? bounds.hi[axis] - bounds.lo[axis]
                    : side == XTA_BACK ? HANDLES_REACH - bounds.hi[axis]
                                       : bounds.lo[axis] + HANDLES_REACH;

    if (shrink && !test_random_chance(&rnd, 5)) {
        slack--; // Arrays without cells are rare.
    }
    *growth = (xta_growth){axis, side, in(1, shrink ? 3 : 4)};
    growth->by = growth->by < slack ? growth->by : slack;
    return growth->by > 0;
}

static void change(int h, handle_request *request)
{
    xta_box to = bounds;
    bool shrink = request->verb == HANDLE_SHRINK;
    int axis = request->growth.axis;

    if (request->growth.side == XTA_BACK) {
        to.hi[axis] += shrink ? -request->growth.by : request->growth.by;
    } else {
        to.lo[axis] += shrink ? request->growth.by : -request->growth.by;
    }
    if (hands[h].view.ndim != bounds.ndim) {
        refresh(h); // The handle would not know of the axis.
    }
    change_bounds(&to);
    see(h);
    must(h, request);
}

static void extend(int h)
{
    handle_request request = {.verb = HANDLE_EXTEND};

    if (may_change(h) && random_growth(false, &request.growth)) {
        if (!hands[h].exclusive && test_random_chance(&rnd, 10)) {
            request.verb = HANDLE_TOGETHER;
        }
        change(h, &request);
    }
}

static void shrink(int h)
{
    handle_request request = {.verb = HANDLE_SHRINK};

    if (may_change(h) && random_growth(true, &request.growth)) {
        change(h, &request);
    }
}

/* The slab has the lengths that the handle knows. */
static void append(int h)
{
    handle_request request = {.verb = HANDLE_APPEND};
    int64_t coord[XTA_MAX_NDIM];
    size_t n = 0;

    if (!may_change(h) || !random_growth(false, &request.growth)) {
        return;
    }
    refresh(h);
    xta_box slab = bounds;
    int axis = request.growth.axis;
    if (request.growth.side == XTA_BACK) {
        slab.lo[axis] = bounds.hi[axis];
        slab.hi[axis] = bounds.hi[axis] + request.growth.by;
    } else {
        slab.hi[axis] = bounds.lo[axis];
        slab.lo[axis] = bounds.lo[axis] - request.growth.by;
    }
    for (; n < HANDLES_CELLS; n++) {
        cells[n] = (uint16_t)in(1, 60000);
    }
    change(h, &request);
    n = 0;
    memcpy(coord, slab.lo, sizeof coord);
    do {
        if (!xta_box_empty(&slab)) {
            become(at(coord, slab.ndim), cells[n++]);
        }
    } while (next(&slab, 1, coord));
}

static void add_axis(int h)
{
    xta_box to = bounds;

    if (may_change(h) && bounds.ndim < HANDLES_NDIM) {
        if (hands[h].view.ndim != bounds.ndim) {
            refresh(h); // The handle would insert the axis before one that it does not know.
        }
        to.hi[to.ndim++] = 1;
        change_bounds(&to);
        see(h);
        must(h, &(handle_request){.verb = HANDLE_ADD_AXIS});
    }
}

/* Each handle must refresh between two compactions, or its deferred cells would have to be
 * refused. */
static void compact(int h)
{
    if (!may_change(h) || hands[h].exclusive) {
        return;
    }
    for (int k = 0; k < HANDLES_MAX; k++) {
        if (!looked[k]) {
            refresh(k);
        }
    }
    must(h, &(handle_request){.verb = HANDLE_COMPACT});
    memset(looked, 0, sizeof looked);
}

static const struct {
    int weight;
    void (*take)(int h);
} steps[] = {{300, write_some}, {200, read_some}, {90, inspect}, {60, fill_some},
             {60, sync_hand},   {90, extend},     {90, shrink},  {60, append},
             {3, add_axis},     {25, reopen},     {8, compact},  {20, refresh}};

static void take_random_step(void)
{
    int total = 0;
    size_t k = 0;
    const size_t n = sizeof steps / sizeof steps[0];

    for (size_t i = 0; i < n; i++) {
        total += steps[i].weight;
    }
    int where = (int)in(0, total - 1);
    while (where >= steps[k].weight) {
        where -= steps[k++].weight;
    }
    steps[k].take((int)in(0, HANDLES_MAX - 1));
}

static void begin(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t chunk[HANDLES_NDIM], lengths[HANDLES_NDIM];
    xta_array *array = NULL;
    xta_error err;
    int ndim = (int)in(1, HANDLES_NDIM);
    xta_box first = {.ndim = ndim};

    options.order = (xta_order)in(XTA_ROW, XTA_HILBERT);
    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = options.order < XTA_MORTON ? in(1, 6) : (int64_t)1 << in(0, 3);
        lengths[axis] = first.hi[axis] = in(1, 6);
    }
    fill = test_random_chance(&rnd, 50) ? 0 : 60001;
    options.chunk = chunk;
    options.fill = &fill;
    memset(world, 0, sizeof world);
    memset(hands, 0, sizeof hands);
    now = 0;
    change_bounds(&first);
    STORY_OK(&story, xta_array_create(path, XTA_U16, ndim, lengths, &options, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_create(other, XTA_U8, 1, (const int64_t[]){1}, NULL, &array, &err),
             err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    for (int h = 0; h < HANDLES_MAX; h++) {
        open_hand(h, false);
    }
}

static void end(void)
{
    xta_error err;

    for (int k = 0, h = (int)in(0, HANDLES_MAX - 1); k < HANDLES_MAX; k++) {
        close_hand((h + k) % HANDLES_MAX);
    }
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    for (int h = 0; h < 2; h++) {
        open_hand(h, false);
        inspect(h);
        close_hand(h);
    }
    STORY_OK(&story, xta_array_delete(path, &err), err);
    STORY_OK(&story, xta_array_delete(other, &err), err);
}

int main(void)
{
    uint64_t seed = test_seed("test_array_handles", 20261122);
    uint64_t n = test_scale(100000), done = 0;
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    test_folder_join(&folder, "b", other);
    handle_peer_start();
    do {
        test_story_begin(&story, "test_array_handles", seed, part);
        rnd = test_random_make(seed, part);
        begin();
        for (int k = 0; k < STEPS_OF_AN_ARRAY; k++) {
            take_random_step();
            done++;
        }
        end();
        part++;
    } while (only == NULL && done < n);
    handle_peer_stop();
    test_folder_remove(&folder);
    printf("test_array_handles: %llu steps on %llu arrays, each open %d times, agree\n",
           (unsigned long long)done, (unsigned long long)part, HANDLES_MAX);
    return 0;
}
