/* An array of layout 0 gets a header: cells, attributes, addresses and steps stay the same; and
 * whatever call fails and whenever power is lost, the path has the old array or the new one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define MOST_STEPS 24

static test_story story;
static xta_error err;

/* What must be the same before and after. */
typedef struct picture {
    xta_box bounds;
    uint64_t n_steps, n_chunks;
    uint8_t uuid[16];
    xta_layout layout;
    xta_box at_step[MOST_STEPS];
    uint8_t *cells;
    size_t n_cells;
    uint64_t address; /* of the chunk of the first cell */
} picture;

static void clear(picture *p)
{
    free(p->cells);
    *p = (picture){.cells = NULL};
}

static void take_picture(const char *path, bool writable, picture *p)
{
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    xta_attribute title;
    uint64_t n = 0;

    o.writable = writable;
    o.access = XTA_ACCESS_CACHED;
    STORY_OK(&story, xta_array_open(path, &o, &array, &err), err);
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    *p = (picture){.bounds = info.bounds,
                   .n_steps = info.n_steps,
                   .n_chunks = info.n_chunks,
                   .layout = info.layout};
    memcpy(p->uuid, info.uuid, sizeof p->uuid);
    STORY_OK(&story, xta_box_cells(&p->bounds, &n), err);
    p->n_cells = (size_t)n;
    p->cells = malloc(p->n_cells + 1);
    STORY_CHECK(&story, p->cells != NULL, "no memory");
    STORY_OK(&story, xta_array_read(array, &p->bounds, NULL, p->cells, &err), err);
    if (n > 0) {
        xta_location place;
        STORY_OK(&story, xta_array_locate(array, p->bounds.lo, &place, &err), err);
        p->address = place.address;
    }
    STORY_OK(&story, xta_attribute_get(array, XTA_ON_ARRAY, "title", &title, &err), err);
    STORY_CHECK(&story, strcmp(title.values, "kept") == 0, "the attribute is '%s'",
                (const char *)title.values);
    STORY_OK(&story, xta_array_close(array, &err), err);
    o.writable = false;
    o.at_step = true;
    for (o.step = 0; o.step <= p->n_steps && o.step < MOST_STEPS; o.step++) {
        STORY_OK(&story, xta_array_open(path, &o, &array, &err), err);
        p->at_step[o.step] = xta_array_bounds(array);
        STORY_OK(&story, xta_array_close(array, &err), err);
    }
}

static void compare(const picture *a, const picture *b)
{
    STORY_CHECK(&story, xta_box_equal(&a->bounds, &b->bounds), "other bounds");
    STORY_CHECK(&story, a->n_steps == b->n_steps && a->n_chunks == b->n_chunks, "steps, chunks");
    STORY_CHECK(&story, a->n_cells == b->n_cells && memcmp(a->cells, b->cells, a->n_cells) == 0,
                "cells differ");
    STORY_CHECK(&story, a->address == b->address, "another address");
    for (uint64_t k = 0; k <= a->n_steps && k < MOST_STEPS; k++) {
        STORY_CHECK(&story, xta_box_equal(&a->at_step[k], &b->at_step[k]), "step %d differs",
                    (int)k);
    }
}

/* Growths on all sides, shrinks, scattered cells. */
static void make_array(const char *path, test_random *dice)
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    const int64_t bounds[2] = {5, 4}, chunk[2] = {2, 3};
    uint8_t fill = 3;
    xta_array *array = NULL;

    o.chunk = chunk;
    o.fill = &fill;
    o.layout = XTA_HEADERLESS;
    o.access = XTA_ACCESS_CACHED;
    o.alignment_bytes = (uint64_t)test_random_in(dice, 0, 1) * 40;
    STORY_OK(&story, xta_array_create(path, XTA_U8, 2, bounds, &o, &array, &err), err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "kept", &err), err);
    for (int64_t n = test_random_in(dice, 2, 12); n > 0; n--) {
        xta_box box = xta_array_bounds(array);
        xta_growth growth = {(int)test_random_in(dice, 0, 1), (xta_side)test_random_in(dice, 0, 1),
                             test_random_in(dice, 1, 3)};
        int64_t length = box.hi[growth.axis] - box.lo[growth.axis];
        if (test_random_in(dice, 0, 3) == 0 && growth.by < length) {
            STORY_OK(&story, xta_array_shrink(array, &growth, 1, NULL, &err), err);
        } else {
            STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
        }
        box = xta_array_bounds(array);
        int64_t cell[2] = {test_random_in(dice, box.lo[0], box.hi[0] - 1),
                           test_random_in(dice, box.lo[1], box.hi[1] - 1)};
        uint8_t value = (uint8_t)test_random_in(dice, 0, 255);
        STORY_OK(&story, xta_array_put(array, cell, &value, &err), err);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void check_new(const char *path, const picture *before)
{
    picture after;
    bool again = true;

    take_picture(path, true, &after);
    compare(before, &after);
    STORY_CHECK(&story, after.layout == XTA_DIRECT, "no header");
    STORY_CHECK(&story, memcmp(before->uuid, after.uuid, 16) != 0, "the UUID is the old one");
    STORY_OK(&story, xta_upgrade(path, &again, &err), err);
    STORY_CHECK(&story, !again, "upgraded twice");
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    clear(&after);
}

static void random_histories(const test_folder *folder, test_random *dice, int n)
{
    char path[TEST_PATH_BYTES];
    picture before;
    bool upgraded = false;

    for (int k = 0; k < n; k++) {
        test_story_add(&story, "history %d", k);
        test_folder_join(folder, "a", path);
        make_array(path, dice);
        take_picture(path, false, &before);
        STORY_OK(&story, xta_upgrade(path, &upgraded, &err), err);
        STORY_CHECK(&story, upgraded, "nothing was done");
        check_new(path, &before);
        clear(&before);
        test_pair_remove(path);
    }
}

/* The n-th call fails: the array is in its old state or, from the rename on, in its new one. */
static bool fail_call(const char *path, uint64_t n, test_random *dice)
{
    picture before, after;

    test_story_add(&story, "call %d fails", (int)n);
    make_array(path, dice);
    take_picture(path, false, &before);
    faulty_os_start();
    faulty_os_fail_at(n, EIO, true);
    xta_status status = xta_upgrade(path, NULL, &err);
    bool happened = faulty_os_happened();
    faulty_os_stop();
    take_picture(path, true, &after);
    compare(&before, &after);
    STORY_CHECK(&story, status != XTA_OK || after.layout == XTA_DIRECT, "success without effect");
    clear(&after);
    STORY_OK(&story, xta_upgrade(path, NULL, &err), err);
    check_new(path, &before);
    clear(&before);
    test_pair_remove(path);
    return happened;
}

static bool lose_power(const char *path, uint64_t n, test_random *dice)
{
    picture before, after;

    test_story_add(&story, "power is lost at call %d", (int)n);
    make_array(path, dice);
    take_picture(path, false, &before);
    faulty_os_start();
    faulty_os_cut_at(n);
    xta_status status = xta_upgrade(path, NULL, &err);
    bool happened = faulty_os_happened();
    faulty_os_restart(dice);
    faulty_os_stop();
    take_picture(path, false, &after);
    compare(&before, &after);
    STORY_CHECK(&story, happened || status != XTA_OK || after.layout == XTA_DIRECT,
                "what was done is lost");
    clear(&after);
    STORY_OK(&story, xta_upgrade(path, NULL, &err), err);
    check_new(path, &before);
    clear(&before);
    test_pair_remove(path);
    return happened;
}

int main(void)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    uint64_t seed = test_seed("test_upgrade", 181), n = 1;
    test_random dice = test_random_make(seed, 0);

    test_folder_make_fast(&folder);
    test_story_begin(&story, "test_upgrade", seed, 0);
    random_histories(&folder, &dice, (int)test_scale(100));
    test_folder_join(&folder, "b", path);
    while (fail_call(path, n, &dice)) {
        n++;
    }
    uint64_t failed = n - 1;
    for (n = 1; lose_power(path, n, &dice);) {
        n++;
    }
    STORY_CHECK(&story, failed > 10 && n > 10, "only %d and %d calls", (int)failed, (int)n - 1);
    printf("upgrade: 100 histories, %d calls failed, power lost at %d\n", (int)failed, (int)n - 1);
    test_folder_remove(&folder);
    return 0;
}
