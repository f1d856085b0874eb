/* The system fails, or loses power, at a random call, and the array that is left is compared with a
 * model.
 *
 * Failing: one call fails with EIO or ENOSPC. The current step either still succeeds or gives a
 * matching error; in the latter case nothing has changed except, for a write, cells of its box. All
 * later steps succeed.
 *
 * Losing power: files keep what was synced and a random part of later changes. The array opens, as
 * it was at the last sync or at a later step; no synced cell is wrong; and the next round continues
 * with this array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/faulty_os.h"
#include "trail.h"

#define STEPS          30
#define CUTS_OF_A_LIFE 6

/* How the array is opened for a round: shared, or by an exclusive writer, whose journal is
 * mapped. */
typedef struct {
    xta_access access;
    bool exclusive;
} opening;

static xta_array *open_with_cache(life *l, opening how)
{
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = true;
    options.exclusive_writer = how.exclusive;
    options.access = how.access;
    options.cache_bytes = 300;
    STORY_OK(&l->story, xta_array_open(l->path, &options, &array, &err), err);
    return array;
}

/* ---- loss of power ---- */

static void lose_power(life *l)
{
    static trail t;
    xta_error err;
    oracle_cells model = script_copy(&l->model);
    test_random script = test_random_make(test_random_u64(&l->random), 0);
    test_random same = script;
    uint64_t n = (uint64_t)test_random_in(&l->random, 1, 150);
    uint32_t told = 0;
    bool exclusive = test_random_chance(&l->random, 50);

    // An exclusive writer makes fewer calls.
    n = exclusive ? 1 + n / 3 : n;
    test_story_add(&l->story, "power is lost at call %llu, %s", (unsigned long long)n,
                   exclusive ? "exclusive writer" : "shared");
    faulty_os_start();
    xta_array *array = open_with_cache(l, (opening){XTA_ACCESS_CACHED, exclusive});
    faulty_os_cut_at(n);
    while (!faulty_os_happened() && told < TRAIL_MAX_STEPS) {
        script_step step = script_next(&script, &model);
        script_model(&step, &model);
        xta_status status = script_array(&step, array, &err);
        if (faulty_os_happened()) {
            break;
        }
        STORY_CHECK(&l->story, status == XTA_OK, "step %u: %s: %s", told, xta_status_name(status),
                    err.text);
        told++;
    }
    oracle_cells_clear(&model);
    xta_array_close(array, NULL); // It must not crash; its result is ignored.
    faulty_os_restart(&l->random);
    faulty_os_stop();
    trail_retrace(l, same, told, &t);
    trail_judge(l, &t, true);
    trail_clear(&t);
}

static void power(uint64_t seed)
{
    static life l;
    test_folder folder;
    uint64_t n = test_scale(150);
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", l.path);
    for (n = only != NULL ? part + 1 : n; part < n; part++) {
        test_story_begin(&l.story, "test_faulty_os (power)", seed, part);
        l.random = test_random_make(seed, part);
        life_begin(&l);
        for (int i = 0; i < CUTS_OF_A_LIFE; i++) {
            lose_power(&l);
        }
        oracle_cells_clear(&l.model);
        test_pair_remove(l.path);
    }
    test_folder_remove(&folder);
    printf("test_faulty_os: power lost %llu times\n", (unsigned long long)n * CUTS_OF_A_LIFE);
}

/* ---- a call that fails ---- */

static void compare(life *l, xta_array *array, const oracle_cells *model, const script_step *step)
{
    xta_error err;
    oracle_cells has;
    int64_t coord[XTA_MAX_NDIM];
    bool half = step != NULL && step->kind == SCRIPT_WRITE; // Cells of its box are old or new.
    oracle_cells next = script_copy(model);

    if (half) {
        script_model(step, &next);
    }
    STORY_OK(&l->story, script_adopt(array, TRAIL_FILL, &has, &err), err);
    STORY_CHECK(&l->story, xta_box_equal(&has.bounds, &model->bounds),
                "the bounds are not those before the failed step");
    if (oracle_cells_count(&has) > 0) {
        memcpy(coord, has.bounds.lo, sizeof(coord));
        do {
            uint16_t code = *oracle_cells_at(&has, coord);
            STORY_CHECK(
                &l->story,
                code == *oracle_cells_at(model, coord) || code == *oracle_cells_at(&next, coord),
                "cell %lld,%lld holds %u instead of %u", (long long)coord[0], (long long)coord[1],
                (unsigned)code, (unsigned)*oracle_cells_at(model, coord));
        } while (oracle_next(&has.bounds, NULL, coord));
    }
    oracle_cells_clear(&next);
    oracle_cells_clear(&has);
}

/* After a failed sync no later sync succeeds through this handle, nor does its close. */
static void close_after(life *l, xta_array *array, const xta_error *failed)
{
    xta_error err = {0};
    xta_status status = xta_array_close(array, &err);

    STORY_CHECK(&l->story, status == XTA_OK || err.os_errno == failed->os_errno, "close: %s: %s",
                xta_status_name(status), err.text);
}

/* A step failed: check that it changed nothing, and repeat it; or grow without the cells of a
 * failed append, so that remains of it would be detected. If a sync failed, use another handle. */
static xta_array *try_again(life *l, xta_array *array, opening how, xta_status status,
                            const xta_error *failed, script_step step, const oracle_cells *before,
                            oracle_cells *model)
{
    xta_error err;
    bool full = failed->os_errno == ENOSPC;

    test_story_add(&l->story, "failed: %s: %s", xta_status_name(status), failed->text);
    STORY_CHECK(&l->story, faulty_os_happened(), "a step failed by itself");
    STORY_CHECK(&l->story,
                (full && status == XTA_ENOSPC) || (failed->os_errno == EIO && status == XTA_EIO),
                "the status is %s, errno %d", xta_status_name(status), failed->os_errno);
    STORY_CHECK(&l->story, strstr(failed->text, "/a") != NULL, "the text names no file: %s",
                failed->text);
    compare(l, array, before, &step);
    if (step.kind == SCRIPT_APPEND && test_random_chance(&l->random, 70)) {
        step.kind = SCRIPT_EXTEND;
        test_story_add(&l->story, "extend instead");
        oracle_cells_clear(model);
        *model = script_copy(before);
        script_model(&step, model);
    }
    if (strstr(failed->text, "cannot make durable") != NULL) {
        close_after(l, array, failed);
        array = open_with_cache(l, how);
    }
    STORY_OK(&l->story, script_array(&step, array, &err), err);
    return array;
}

/* Returns whether the failure happened. */
static bool live_with_failure(life *l, xta_access access, uint64_t n, int number)
{
    xta_error err;
    test_random script = test_random_make(test_random_u64(&l->random), 0);
    oracle_cells model = script_copy(&l->model);
    opening how = {access, test_random_chance(&l->random, 50)};
    xta_error last = {0};

    test_story_add(&l->story, how.exclusive ? "exclusive writer" : "shared");
    faulty_os_start();
    xta_array *array = open_with_cache(l, how);
    faulty_os_fail_at(n, number, n % 2 == 0);
    for (int k = 0; k < STEPS; k++) {
        script_step step = script_next(&script, &model);
        oracle_cells before = script_copy(&model);
        script_model(&step, &model);
        test_story_add(&l->story, "step %d: kind %d axis %d side %d by %lld", k, (int)step.kind,
                       step.growth.axis, (int)step.growth.side, (long long)step.growth.by);
        xta_status status = script_array(&step, array, &err);
        if (status != XTA_OK) {
            last = err;
            array = try_again(l, array, how, status, &last, step, &before, &model);
        }
        oracle_cells_clear(&before);
    }
    bool happened = faulty_os_happened();
    faulty_os_fail_at(0, 0, false);
    compare(l, array, &model, NULL);
    STORY_OK(&l->story, xta_array_close(array, &err), err);
    faulty_os_stop();
    STORY_OK(&l->story, xta_check(l->path, life_finding, l, &err), err);
    array = open_with_cache(l, (opening){access, false});
    compare(l, array, &model, NULL);
    STORY_OK(&l->story, xta_array_close(array, &err), err);
    oracle_cells_clear(&l->model);
    l->model = model;
    return happened;
}

static void failures(uint64_t seed)
{
    static life l;
    test_folder folder;
    uint64_t n = test_scale(900);
    uint64_t happened = 0;
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", l.path);
    for (n = only != NULL ? part + 1 : n; part < n; part++) {
        xta_access access = part % 3 == 2 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
        int number = part % 2 == 0 ? EIO : ENOSPC;
        test_story_begin(&l.story, "test_faulty_os (failures)", seed, part);
        l.random = test_random_make(seed, 1000000 + part);
        uint64_t at = (uint64_t)test_random_in(&l.random, 1, 200);
        test_story_add(&l.story, "call %llu fails with errno %d, access %d", (unsigned long long)at,
                       number, (int)access);
        faulty_os_share_blocks(part % 6 == 5);
        life_begin(&l);
        happened += live_with_failure(&l, access, at, number);
        oracle_cells_clear(&l.model);
        test_pair_remove(l.path);
    }
    test_folder_remove(&folder);
    printf("test_faulty_os: %llu lives, %llu failures\n", (unsigned long long)n,
           (unsigned long long)happened);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed("test_faulty_os", 20240305);

    if (argc < 2 || strcmp(argv[1], "failures") == 0) {
        failures(seed);
    }
    if (argc < 2 || strcmp(argv[1], "power") == 0) {
        power(seed);
    }
    return 0;
}
