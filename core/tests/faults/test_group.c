/* Several arrays grow in one step: all of them, or none, whatever happens.
 *
 * A fleet of arrays shares axis 0. It grows only together, so after every kill, loss of power and
 * failing call all lengths on axis 0 are equal. Meanwhile single arrays grow on axis 1, are synced
 * and compacted, so that announcements are found at the end and in the middle of journals, and
 * leaders are replaced by compacted ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/peer.h"
#include "support/random.h"
#include "support/report.h"

#define MOST   4
#define FRONTS 3 /* one growth out of this many is at the front */

typedef struct fleet {
    test_story story;
    test_random random;
    test_folder folder;
    char path[MOST][TEST_PATH_BYTES];
    int n;
    int64_t length; /* on axis 0, as last read */
} fleet;

static void fleet_paths(fleet *f)
{
    // In different folders, so that the relative path from one to another has "..".
    static const char *const names[MOST] = {"a", "b", "deep/c", "deep/d"};
    char deep[TEST_PATH_BYTES], command[TEST_PATH_BYTES + 16];

    test_folder_join(&f->folder, "deep", deep);
    snprintf(command, sizeof command, "mkdir -p %s", deep);
    STORY_CHECK(&f->story, system(command) == 0, "no folder %s", deep);
    for (int k = 0; k < MOST; k++) {
        test_folder_join(&f->folder, names[k], f->path[k]);
    }
}

static void fleet_begin(fleet *f)
{
    static const int64_t bounds[] = {3, 2}, chunk[] = {2, 2};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_error err;

    options.chunk = chunk;
    options.policy = test_random_chance(&f->random, 50) ? XTA_EXACT : XTA_LINEAR;
    f->n = (int)test_random_in(&f->random, 2, MOST);
    f->length = bounds[0];
    for (int k = 0; k < f->n; k++) {
        xta_array *array = NULL;
        STORY_OK(&f->story, xta_array_create(f->path[k], XTA_U8, 2, bounds, &options, &array, &err),
                 err);
        STORY_OK(&f->story, xta_array_close(array, &err), err);
    }
}

static void fleet_end(fleet *f)
{
    for (int k = 0; k < f->n; k++) {
        test_pair_remove(f->path[k]);
    }
}

static xta_status fleet_open(const fleet *f, bool writable, xta_array *arrays[], xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.writable = writable;
    options.access = XTA_ACCESS_CACHED;
    options.cache_bytes = 300;
    for (int k = 0; k < f->n && status == XTA_OK; k++) {
        status = xta_array_open(f->path[k], &options, &arrays[k], err);
    }
    return status;
}

static void fleet_close(const fleet *f, xta_array *arrays[])
{
    for (int k = 0; k < f->n; k++) {
        xta_array_close(arrays[k], NULL);
        arrays[k] = NULL;
    }
}

static int64_t length_of(xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);

    return bounds.hi[0] - bounds.lo[0];
}

static void finding(void *user, const xta_finding *found)
{
    test_story_add(user, "check: %s", found->text);
}

/* All lengths are equal and between `least` and `most`; first for readers, which find journals as
 * they were left, then for writers, and for readers again. */
static void fleet_judge(fleet *f, int64_t least, int64_t most)
{
    xta_array *arrays[MOST] = {NULL};
    xta_error err;
    int64_t length = 0;

    for (int round = 0; round < 3; round++) {
        STORY_OK(&f->story, fleet_open(f, round == 1, arrays, &err), err);
        for (int k = 0; k < f->n; k++) {
            int64_t now = length_of(arrays[k]);
            length = round == 0 && k == 0 ? now : length;
            STORY_CHECK(&f->story, now == length, "round %d: %s has %lld, not %lld", round,
                        f->path[k], (long long)now, (long long)length);
            if (round == 1) {
                // A further change of the array settles the announced growth.
                xta_growth one = {.axis = 1, .side = XTA_BACK, .by = 1};
                STORY_OK(&f->story, xta_array_extend(arrays[k], &one, 1, NULL, &err), err);
                STORY_CHECK(&f->story, length_of(arrays[k]) == length, "%s: settled otherwise",
                            f->path[k]);
            }
        }
        fleet_close(f, arrays);
    }
    STORY_CHECK(&f->story, least <= length && length <= most, "length %lld is not in %lld .. %lld",
                (long long)length, (long long)least, (long long)most);
    f->length = length;
    for (int k = 0; k < f->n; k++) {
        STORY_OK(&f->story, xta_check(f->path[k], finding, &f->story, &err), err);
    }
}

/* ---- one step of a script ---- */

typedef enum step_kind { TOGETHER, ALONE, SYNC, COMPACT } step_kind;

static step_kind next_step(test_random *random)
{
    int64_t k = test_random_in(random, 0, 9);

    return k < 6 ? TOGETHER : k < 8 ? ALONE : k < 9 ? SYNC : COMPACT;
}

static xta_status together(const fleet *f, test_random *random, xta_array *arrays[], xta_error *err)
{
    xta_growth growths[2];
    xta_array_growth wanted[MOST];
    xta_box after[MOST];

    growths[0] = (xta_growth){
        .axis = 0, .side = test_random_in(random, 1, FRONTS) == 1 ? XTA_FRONT : XTA_BACK, .by = 1};
    growths[1] = (xta_growth){.axis = 1, .side = XTA_FRONT, .by = 1};
    int first = (int)test_random_in(random, 0, f->n - 1);
    for (int k = 0; k < f->n; k++) {
        // One array of them grows on another axis as well.
        wanted[k] = (xta_array_growth){
            .array = arrays[(first + k) % f->n], .growths = growths, .n_growths = k == 1 ? 2 : 1};
    }
    xta_status status = xta_arrays_extend(wanted, f->n, after, err);
    for (int k = 0; k < f->n && status == XTA_OK; k++) {
        xta_box bounds = xta_array_bounds(wanted[k].array);
        if (!xta_box_equal(&bounds, &after[k])) {
            abort();
        }
    }
    return status;
}

static xta_status do_step(const fleet *f, test_random *random, step_kind kind, xta_array *arrays[],
                          xta_error *err)
{
    int k = (int)test_random_in(random, 0, f->n - 1);
    xta_growth one = {.axis = 1, .side = XTA_BACK, .by = 1};

    switch (kind) {
    case TOGETHER:
        return together(f, random, arrays, err);
    case ALONE:
        return xta_array_extend(arrays[k], &one, 1, NULL, err);
    case SYNC:
        return xta_array_sync(arrays[k], err);
    default:
        return xta_compact(f->path[k], NULL, NULL, err);
    }
}

/* ---- a call that fails, power that is lost ---- */

static void lose_power(fleet *f)
{
    xta_array *arrays[MOST] = {NULL};
    xta_error err;
    int64_t most = f->length;
    uint64_t n = (uint64_t)test_random_in(&f->random, 1, 120);

    test_story_add(&f->story, "power is lost at call %llu", (unsigned long long)n);
    faulty_os_start();
    faulty_os_cut_at(n);
    xta_status status = fleet_open(f, true, arrays, &err);
    while (status == XTA_OK && !faulty_os_happened()) {
        step_kind kind = next_step(&f->random);
        test_story_add(&f->story, "step %d", (int)kind);
        most += kind == TOGETHER;
        status = do_step(f, &f->random, kind, arrays, &err);
    }
    STORY_CHECK(&f->story, status == XTA_OK || faulty_os_happened(), "failed by itself: %s",
                err.text);
    fleet_close(f, arrays);
    faulty_os_restart(&f->random);
    faulty_os_stop();
    // Changes that were not synced may be lost, in all arrays.
    fleet_judge(f, f->length, most);
}

static void fail_once(fleet *f)
{
    xta_array *arrays[MOST] = {NULL};
    xta_error err;
    uint64_t n = (uint64_t)test_random_in(&f->random, 1, 60);
    int number = test_random_chance(&f->random, 50) ? ENOSPC : EIO;
    int64_t length = f->length;

    test_story_add(&f->story, "call %llu fails with %d", (unsigned long long)n, number);
    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    fleet_close(f, arrays);
    faulty_os_start();
    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    faulty_os_fail_at(n, number, n % 2 == 0);
    for (int k = 0; k < 20; k++) {
        step_kind kind = next_step(&f->random);
        if (kind == COMPACT) {
            continue; // It opens a handle of its own, which is judged elsewhere.
        }
        xta_status status = do_step(f, &f->random, kind, arrays, &err);
        test_story_add(&f->story, "step %d: %s", (int)kind, xta_status_name(status));
        STORY_CHECK(&f->story, status == XTA_OK || faulty_os_happened(), "failed by itself: %s",
                    err.text);
        length += kind == TOGETHER && status == XTA_OK;
        for (int i = 0; i < f->n; i++) {
            STORY_CHECK(&f->story, length_of(arrays[i]) == length, "%s has %lld, not %lld",
                        f->path[i], (long long)length_of(arrays[i]), (long long)length);
        }
    }
    faulty_os_fail_at(0, 0, false);
    fleet_close(f, arrays);
    faulty_os_stop();
    fleet_judge(f, length, length);
}

/* ---- SIGKILL ---- */

static _Noreturn void go_on(const fleet *f, test_random random, int out)
{
    xta_array *arrays[MOST] = {NULL};
    xta_error err;
    uint32_t done = 0;

    xta_status status = fleet_open(f, true, arrays, &err);
    while (status == XTA_OK) {
        step_kind kind = next_step(&random);
        status = do_step(f, &random, kind, arrays, &err);
        done += kind == TOGETHER;
        if (status == XTA_OK && kind == TOGETHER && !test_write_all(out, &done, sizeof done)) {
            break;
        }
    }
    fprintf(stderr, "in the child: %s\n", err.text);
    _exit(1);
}

static void kill_once(fleet *f)
{
    int tube[2];
    uint32_t told = 0, k = 0, wanted = (uint32_t)test_random_in(&f->random, 0, 8);
    test_random random = test_random_make(test_random_u64(&f->random), 1);

    STORY_CHECK(&f->story, pipe(tube) == 0, "no pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(tube[0]);
        go_on(f, random, tube[1]);
    }
    close(tube[1]);
    while (told < wanted && test_read_all(tube[0], &k, sizeof k)) {
        told = k;
    }
    usleep((useconds_t)test_random_in(&f->random, 0, 3000));
    kill(child, SIGKILL);
    int end = 0;
    waitpid(child, &end, 0);
    STORY_CHECK(&f->story, WIFSIGNALED(end), "the child failed");
    while (test_read_all(tube[0], &k, sizeof k)) {
        told = k;
    }
    close(tube[0]);
    fleet_judge(f, f->length + told, f->length + told + 1);
}

/* ---- readers, and several writers at once ---- */

/* A reader that has seen a growth in one array sees it in every other one that it reads later. */
static void watch(fleet *f)
{
    int tube[2];
    xta_array *arrays[MOST] = {NULL};
    xta_error err;
    int64_t seen = f->length;

    STORY_CHECK(&f->story, pipe(tube) == 0, "no pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(tube[0]);
        go_on(f, test_random_make(f->random.state, 2), tube[1]);
    }
    close(tube[1]);
    STORY_OK(&f->story, fleet_open(f, false, arrays, &err), err);
    for (int attempt = 0; attempt < 2000; attempt++) {
        int k = (int)test_random_in(&f->random, 0, f->n - 1);
        STORY_OK(&f->story, xta_array_refresh(arrays[k], NULL, &err), err);
        int64_t now = length_of(arrays[k]);
        STORY_CHECK(&f->story, now >= seen, "%s has %lld after %lld were seen", f->path[k],
                    (long long)now, (long long)seen);
        seen = now;
    }
    fleet_close(f, arrays);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(tube[0]);
    fleet_judge(f, seen, INT64_MAX);
}

/* One of several writers, each of which passes the arrays in a different order. */
static _Noreturn void grow_often(const fleet *f, int writer, int times)
{
    test_random random = test_random_make(f->random.state, (uint64_t)writer);
    const xta_growth one = {.axis = 0, .side = XTA_BACK, .by = 1};
    xta_array *arrays[MOST] = {NULL};
    xta_array_growth wanted[MOST];
    xta_error err = {0};

    xta_status status = fleet_open(f, true, arrays, &err);
    for (int k = 0; k < times && status == XTA_OK; k++) {
        int first = (int)test_random_in(&random, 0, f->n - 1);
        for (int i = 0; i < f->n; i++) {
            wanted[i] = (xta_array_growth){arrays[(first + i) % f->n], &one, 1};
        }
        status = xta_arrays_extend(wanted, f->n, NULL, &err);
    }
    fleet_close(f, arrays);
    _exit(status == XTA_OK ? 0 : 1);
}

static void crowd(fleet *f)
{
    const int writers = 3, each = 20;

    fflush(NULL);
    for (int w = 0; w < writers; w++) {
        if (fork() == 0) {
            grow_often(f, w, each);
        }
    }
    for (int w = 0; w < writers; w++) {
        int end = 0;
        wait(&end);
        STORY_CHECK(&f->story, WIFEXITED(end) && WEXITSTATUS(end) == 0, "a writer failed");
    }
    fleet_judge(f, f->length + writers * each, f->length + writers * each);
}

/* ---- what is refused, memory arrays ---- */

static void refuse(fleet *f)
{
    xta_array *arrays[MOST] = {NULL}, *again = NULL, *memory = NULL;
    static const int64_t bounds[] = {3, 2};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_error err;
    const xta_growth good = {.axis = 0, .side = XTA_BACK, .by = 1};
    const xta_growth bad = {.axis = 2, .side = XTA_BACK, .by = 1};
    const xta_growth large = {.axis = 1, .side = XTA_BACK, .by = (int64_t)1 << 62};

    options.writable = true;
    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    STORY_OK(&f->story, xta_array_open(f->path[0], &options, &again, &err), err);
    STORY_OK(&f->story, xta_array_new(XTA_U8, 2, bounds, NULL, &memory, &err), err);
    xta_array_growth wanted[3] = {{arrays[0], &good, 1}, {arrays[1], &bad, 1}, {memory, &good, 1}};
    STORY_FAILS(&f->story, xta_arrays_extend(wanted, 3, NULL, &err), XTA_EARG, err);
    wanted[1].growths = &large;
    STORY_FAILS(&f->story, xta_arrays_extend(wanted, 3, NULL, &err), XTA_EOVERFLOW, err);
    wanted[1] = (xta_array_growth){again, &good, 1};
    STORY_FAILS(&f->story, xta_arrays_extend(wanted, 3, NULL, &err), XTA_EARG, err);
    wanted[1] = (xta_array_growth){memory, &good, 1};
    STORY_FAILS(&f->story, xta_arrays_extend(wanted, 3, NULL, &err), XTA_EARG, err);
    STORY_FAILS(&f->story, xta_arrays_extend(wanted, 0, NULL, &err), XTA_EARG, err);
    STORY_CHECK(&f->story, length_of(memory) == 3 && length_of(arrays[0]) == f->length,
                "a refused growth has changed an array");
    // One file and one in memory: an ordinary record, and both have grown.
    STORY_OK(&f->story, xta_arrays_extend(wanted, 2, NULL, &err), err);
    STORY_CHECK(&f->story, length_of(memory) == 4 && length_of(arrays[0]) == f->length + 1,
                "a file and a memory array did not grow together");
    STORY_OK(&f->story, xta_array_close(memory, &err), err);
    STORY_OK(&f->story, xta_array_close(again, &err), err);
    fleet_close(f, arrays);
}

/* The history lists a growth of several arrays like any other, and an array opens as of the step
 * before it. */
static void report(fleet *f)
{
    xta_array *arrays[MOST] = {NULL}, *old = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array_info info;
    xta_error err;

    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    for (int k = 0; k < 3; k++) {
        STORY_OK(&f->story, together(f, &f->random, arrays, &err), err);
    }
    for (int k = 0; k < f->n; k++) {
        STORY_OK(&f->story, xta_array_inquire(arrays[k], &info, &err), err);
        options.at_step = true;
        options.step = info.n_steps - 1;
        STORY_OK(&f->story, xta_array_open(f->path[k], &options, &old, &err), err);
        STORY_CHECK(&f->story, length_of(old) == length_of(arrays[k]) - 1, "not the step before");
        STORY_OK(&f->story, xta_array_close(old, &err), err);
    }
    fleet_close(f, arrays);
}

static void run(fleet *f, uint64_t seed, const char *name, void (*what)(fleet *), uint64_t lives,
                int times)
{
    for (uint64_t part = 0; part < lives; part++) {
        test_story_begin(&f->story, name, seed, part);
        f->random = test_random_make(seed, part);
        fleet_begin(f);
        for (int k = 0; k < times; k++) {
            what(f);
        }
        fleet_end(f);
    }
    printf("test_group: %s %llu times\n", name, (unsigned long long)lives * (unsigned)times);
}

int main(void)
{
    static fleet f;
    uint64_t seed = test_seed("test_group", 20261121);

    test_story_begin(&f.story, "test_group", seed, 0);
    test_folder_make_fast(&f.folder);
    fleet_paths(&f);
    run(&f, seed, "refused", refuse, 3, 1);
    run(&f, seed, "told", report, 3, 1);
    run(&f, seed, "failing calls", fail_once, test_scale(150), 3);
    run(&f, seed, "power lost", lose_power, test_scale(100), 5);
    run(&f, seed, "killed", kill_once, test_scale(12), 5);
    run(&f, seed, "watched", watch, 2, 2);
    run(&f, seed, "crowd", crowd, 3, 1);
    test_folder_remove(&f.folder);
    return 0;
}
