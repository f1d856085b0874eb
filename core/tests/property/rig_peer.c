/* The second process and the array under test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

void rig_publish(rig *r)
{
    xta_error err;
    STORY_OK(&r->story, xta_array_sync(r->array, &err), err);
}

static peer_answer ask(rig *r, const peer_request *request, uint8_t **bytes)
{
    peer_answer answer = peer_ask(&r->peer, request, bytes);
    STORY_CHECK(&r->story, answer.status == XTA_OK, "the second process: request %d: %s: %s",
                (int)request->verb, xta_status_name(answer.status), answer.err.text);
    return answer;
}

void rig_peer_close(rig *r)
{
    peer_request request = {.verb = PEER_CLOSE};
    if (r->peer_open) {
        test_story_add(&r->story, "second process: close");
        ask(r, &request, NULL);
        r->peer_open = false;
    }
}

/* Open the array in the second process, with the current bounds. */
static void bring_up(rig *r, bool writable)
{
    peer_request request = {.verb = PEER_REFRESH};

    if (r->peer_open && (writable && !r->peer_writable)) {
        rig_peer_close(r);
    }
    if (!r->peer_open) {
        request.verb = PEER_OPEN;
        request.writable = writable || test_random_chance(&r->random, 50);
        request.access = (xta_access)test_random_in(&r->random, XTA_ACCESS_AUTO, XTA_ACCESS_CACHED);
        request.cache_bytes = (uint64_t)test_random_in(&r->random, 1, 20000);
        memcpy(request.path, r->path, sizeof(request.path));
        r->peer_writable = request.writable;
        r->peer_open = true;
        test_story_add(&r->story, "second process: open %s, access %d",
                       request.writable ? "writable" : "read-only", (int)request.access);
    } else {
        peer_request inquiry = {.verb = PEER_BOUNDS};
        peer_answer seen = ask(r, &inquiry, NULL);
        STORY_CHECK(&r->story, xta_box_equal(&seen.bounds, &r->peer_bounds),
                    "the second process saw other bounds before it refreshed");
        test_story_add(&r->story, "second process: refresh");
    }
    peer_answer answer = ask(r, &request, NULL);
    STORY_CHECK(&r->story, xta_box_equal(&answer.bounds, &r->model.bounds),
                "the second process does not see the bounds");
    r->peer_bounds = answer.bounds;
}

static void peer_compare(rig *r, const xta_box *box)
{
    peer_request request = {.verb = PEER_READ, .box = *box};
    uint8_t *bytes = NULL;
    uint8_t expected[64];
    int64_t coord[XTA_MAX_NDIM];

    ask(r, &request, &bytes);
    if (!xta_box_empty(box)) {
        const uint8_t *cell = bytes;
        memcpy(coord, box->lo, sizeof(coord));
        do {
            oracle_encode(r->type, r->cell_bytes, *oracle_cells_at(&r->model, coord), expected);
            STORY_CHECK(&r->story, memcmp(cell, expected, r->cell_bytes) == 0,
                        "the second process reads a wrong cell, %zu bytes on",
                        (size_t)(cell - bytes));
            cell += r->cell_bytes;
        } while (oracle_next(box, NULL, coord));
    }
    free(bytes);
}

void rig_peer_inspect(rig *r)
{
    if (r->path[0] == '\0') {
        return;
    }
    rig_publish(r);
    bring_up(r, false);
    xta_box box = test_random_chance(&r->random, 30) ? r->model.bounds : rig_random_box(r, 8);
    peer_compare(r, &box);
}

static void peer_fill(rig *r, const xta_box *box)
{
    peer_request request = {.verb = PEER_FILL, .box = *box};
    uint16_t code = rig_random_code(r, r->type);
    int64_t coord[XTA_MAX_NDIM];

    oracle_encode(r->type, r->cell_bytes, code, request.cell);
    ask(r, &request, NULL);
    if (!xta_box_empty(box)) {
        memcpy(coord, box->lo, sizeof(coord));
        do {
            *oracle_cells_at(&r->model, coord) = code;
        } while (oracle_next(box, NULL, coord));
    }
}

void rig_peer_write(rig *r)
{
    xta_error err;

    if (r->path[0] == '\0') {
        return;
    }
    rig_publish(r);
    bring_up(r, true);
    xta_box box = rig_random_box(r, 8);
    test_story_add(&r->story, "second process: fill a box");
    peer_fill(r, &box);
    STORY_OK(&r->story, xta_array_refresh(r->array, NULL, &err), err);
    rig_compare(r, r->array);
}

/* Both processes write, in boxes that do not overlap but may share chunks, before either knows of
 * the other's changes. */
void rig_peer_both_write(rig *r)
{
    xta_error err;
    uint8_t cell[64];
    xta_box mine = r->model.bounds;
    xta_box theirs = r->model.bounds;
    int axis = (int)test_random_in(&r->random, 0, mine.ndim - 1);

    if (r->path[0] == '\0' || xta_box_empty(&mine)) {
        return;
    }
    rig_publish(r);
    bring_up(r, true);
    int64_t cut = test_random_in(&r->random, mine.lo[axis], mine.hi[axis]);
    mine.hi[axis] = cut;
    theirs.lo[axis] = cut;
    test_story_add(&r->story, "both processes fill, cut at %lld of axis %d", (long long)cut, axis);
    uint16_t code = rig_random_code(r, r->type);
    oracle_encode(r->type, r->cell_bytes, code, cell);
    STORY_OK(&r->story, xta_array_fill(r->array, &mine, cell, &err), err);
    if (!xta_box_empty(&mine)) {
        int64_t coord[XTA_MAX_NDIM];
        memcpy(coord, mine.lo, sizeof(coord));
        do {
            *oracle_cells_at(&r->model, coord) = code;
        } while (oracle_next(&mine, NULL, coord));
    }
    peer_fill(r, &theirs);
    rig_publish(r);
    STORY_OK(&r->story, xta_array_refresh(r->array, NULL, &err), err);
    rig_compare(r, r->array);
    peer_request request = {.verb = PEER_REFRESH};
    ask(r, &request, NULL);
    peer_compare(r, &r->model.bounds);
}

void rig_peer_refused(rig *r)
{
    peer_request request = {.verb = PEER_EXTEND, .growth = {0, XTA_BACK, 1}};

    rig_publish(r);
    bring_up(r, true);
    test_story_add(&r->story, "second process: extend, which is refused");
    peer_answer answer = peer_ask(&r->peer, &request, NULL);
    STORY_CHECK(&r->story, answer.status == XTA_EBUSY, "beside an exclusive writer: %s: %s",
                xta_status_name(answer.status), answer.err.text);
    STORY_CHECK(&r->story, xta_box_equal(&answer.bounds, &r->model.bounds),
                "a refused extension changed the bounds");
    peer_compare(r, &r->model.bounds);
}

/* The second process changes the structure; the first learns of it by refresh, or by its own
 * next step. */
void rig_peer_structure(rig *r)
{
    xta_error err;
    peer_request request = {.verb = PEER_SHRINK};

    if (r->path[0] == '\0') {
        return;
    }
    if (r->exclusive) {
        if (test_random_chance(&r->random, 10)) { // The call waits a while before it fails.
            rig_peer_refused(r);
        }
        return;
    }
    rig_publish(r);
    bring_up(r, true);
    request.growth.axis = (int)test_random_in(&r->random, 0, r->model.bounds.ndim - 1);
    request.growth.side = test_random_chance(&r->random, 50) ? XTA_BACK : XTA_FRONT;
    int axis = request.growth.axis;
    int64_t length = r->model.bounds.hi[axis] - r->model.bounds.lo[axis];
    request.growth.by = length / 3;
    test_story_add(&r->story, "second process: shrink axis %d side %d by %lld", axis,
                   (int)request.growth.side, (long long)request.growth.by);
    ask(r, &request, NULL);
    xta_box seen = xta_array_bounds(r->array);
    STORY_CHECK(&r->story, xta_box_equal(&seen, &r->model.bounds),
                "bounds changed without a refresh");
    oracle_cells_shrink(&r->model, &request.growth);
    if (request.growth.by == 0 || test_random_chance(&r->random, 50)) {
        STORY_OK(&r->story, xta_array_refresh(r->array, NULL, &err), err);
        rig_step_taken(r, -1, request.growth.by > 0);
    } else {
        rig_step_unseen(r);
        rig_shrink(r); // This reads the earlier changes of the other process.
        ask(r, &(peer_request){.verb = PEER_REFRESH}, NULL);
    }
    request.verb = PEER_EXTEND;
    test_story_add(&r->story, "second process: extend likewise");
    ask(r, &request, NULL);
    oracle_cells_extend(&r->model, &request.growth);
    bool changed = false;
    STORY_OK(&r->story, xta_array_refresh(r->array, &changed, &err), err);
    STORY_CHECK(&r->story, changed || request.growth.by == 0, "refresh noticed nothing");
    rig_step_taken(r, -1, request.growth.by > 0);
    rig_compare(r, r->array);
    r->peer_bounds = r->model.bounds;
}
