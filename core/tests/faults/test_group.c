/* Several arrays grow in one step: all of them, or none, whatever happens.
 *
 * A fleet of arrays shares axis 0. It grows only together, with cells in some of the arrays or
 * without, so after every kill, loss of power and failing call all lengths on axis 0 are equal, and
 * each row has all of its cells (fleet.h). Meanwhile single arrays grow on axis 1, are synced
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

#include <xta/append.h>

#include "faults/fleet.h"
#include "support/faulty_os.h"
#include "support/peer.h"
#include "util/os.h"

/* ---- one step of a script ---- */

typedef enum step_kind { TOGETHER, REFUSED, ALONE, SYNC, COMPACT } step_kind;

static step_kind next_step(test_random *random)
{
    int64_t k = test_random_in(random, 0, 10);

    return k < 6 ? TOGETHER : k < 7 ? REFUSED : k < 9 ? ALONE : k < 10 ? SYNC : COMPACT;
}

/* A growth that had to be refused. */
static xta_status refused(xta_status status, xta_error *err)
{
    return status == XTA_ECANCELLED ? XTA_OK
           : status == XTA_OK       ? xta_error_set(err, XTA_ESTATE, 0, "nobody has refused")
                                    : status;
}

static xta_status do_step(const fleet *f, test_random *random, step_kind kind, xta_array *arrays[],
                          xta_error *err)
{
    int k = (int)test_random_in(random, 0, f->n - 1);
    xta_growth one = {.axis = 1, .side = XTA_BACK, .by = 1};

    switch (kind) {
    case TOGETHER:
        return fleet_grow(f, random, arrays, true, false, err);
    case REFUSED:
        return refused(fleet_grow(f, random, arrays, true, true, err), err);
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
    xta_array *arrays[FLEET_MOST] = {NULL};
    xta_error err;
    int64_t least = f->length, most = f->length;
    uint64_t n = (uint64_t)test_random_in(&f->random, 1, 160);

    test_story_add(&f->story, "power is lost at call %llu", (unsigned long long)n);
    faulty_os_start();
    faulty_os_cut_at(n);
    xta_status status = fleet_open(f, true, arrays, &err);
    while (status == XTA_OK && !faulty_os_happened()) {
        step_kind kind = next_step(&f->random);
        test_story_add(&f->story, "step %d", (int)kind);
        most += kind == TOGETHER;
        status = do_step(f, &f->random, kind, arrays, &err);
        // A growth together is durable.
        least += kind == TOGETHER && status == XTA_OK && !faulty_os_happened();
    }
    STORY_CHECK(&f->story, status == XTA_OK || faulty_os_happened(), "failed by itself: %s",
                err.text);
    fleet_close(f, arrays);
    faulty_os_restart(&f->random);
    faulty_os_cut_at(0);
    for (int k = 0; k < f->n && test_random_chance(&f->random, 50); k++) {
        // Not a growth: the search for cells that the loss of power kept must still come.
        STORY_OK(&f->story, xta_compact(f->path[k], NULL, NULL, &err), err);
    }
    // Before the real system returns, in which it is as if it had not been started again.
    fleet_judge(f, least, most);
    faulty_os_stop();
}

static void fail_once(fleet *f)
{
    xta_array *arrays[FLEET_MOST] = {NULL};
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
            STORY_CHECK(&f->story, fleet_length(arrays[i]) == length, "%s has %lld, not %lld",
                        f->path[i], (long long)fleet_length(arrays[i]), (long long)length);
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
    xta_array *arrays[FLEET_MOST] = {NULL};
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

/* Rows that were new when array k was refreshed, and the masks found in it at once. */
typedef struct sight {
    int64_t row[32];
    int mask[32];
    int n;
} sight;

static void inspect_rows(const fleet *f, int k, xta_array *array, int64_t lo, int64_t hi, sight *s)
{
    for (int64_t row = lo; row < hi && s->n < 32; row++) {
        s->row[s->n] = row;
        s->mask[s->n++] = fleet_mask(f, k, array, row);
    }
}

/* Refresh array k first, then the others: none lacks a growth that array k has, nor its cells.
 * *rows: those seen so far. */
static void watch_once(const fleet *f, xta_array *arrays[], int k, xta_box *rows)
{
    xta_error err;
    sight s = {.n = 0};

    STORY_OK(&f->story, xta_array_refresh(arrays[k], NULL, &err), err);
    xta_box now = xta_array_bounds(arrays[k]);
    STORY_CHECK(&f->story, now.lo[0] <= rows->lo[0] && now.hi[0] >= rows->hi[0],
                "%s has %lld after %lld were seen", f->path[k], (long long)fleet_length(arrays[k]),
                (long long)(rows->hi[0] - rows->lo[0]));
    inspect_rows(f, k, arrays[k], now.lo[0], rows->lo[0], &s);
    inspect_rows(f, k, arrays[k], rows->hi[0], now.hi[0], &s);
    for (int i = 0; i < f->n; i++) {
        if (i != k) {
            STORY_OK(&f->story, xta_array_refresh(arrays[i], NULL, &err), err);
        }
        xta_box other = xta_array_bounds(arrays[i]);
        STORY_CHECK(&f->story, other.lo[0] <= now.lo[0] && other.hi[0] >= now.hi[0],
                    "%s lacks a growth that %s has", f->path[i], f->path[k]);
    }
    fleet_check_rows(f, arrays, now.lo[0], rows->lo[0]);
    fleet_check_rows(f, arrays, rows->hi[0], now.hi[0]);
    for (int i = 0; i < s.n; i++) {
        STORY_CHECK(&f->story, fleet_mask(f, k, arrays[k], s.row[i]) == s.mask[i],
                    "%s: row %lld was seen without its cells", f->path[k], (long long)s.row[i]);
    }
    rows->lo[0] = now.lo[0];
    rows->hi[0] = now.hi[0];
}

static void watch(fleet *f)
{
    int tube[2];
    xta_array *arrays[FLEET_MOST] = {NULL};
    xta_error err;
    const uint64_t attempts = test_scale(400);

    STORY_CHECK(&f->story, pipe(tube) == 0, "no pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(tube[0]);
        go_on(f, test_random_make(f->random.state, 2), tube[1]);
    }
    close(tube[1]);
    STORY_OK(&f->story, fleet_open(f, false, arrays, &err), err);
    xta_box rows = xta_array_bounds(arrays[0]);
    for (uint64_t attempt = 0; attempt < attempts; attempt++) {
        watch_once(f, arrays, (int)test_random_in(&f->random, 0, f->n - 1), &rows);
    }
    fleet_close(f, arrays);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(tube[0]);
    fleet_judge(f, rows.hi[0] - rows.lo[0], INT64_MAX);
}

/* One of several writers, each of which passes the arrays in a different order. */
static _Noreturn void grow_often(const fleet *f, int writer, int times)
{
    test_random random = test_random_make(f->random.state, (uint64_t)writer);
    xta_array *arrays[FLEET_MOST] = {NULL};
    xta_error err = {0};

    xta_status status = fleet_open(f, true, arrays, &err);
    for (int k = 0; k < times && status == XTA_OK; k++) {
        if (test_random_chance(&random, 20)) {
            status = refused(fleet_grow(f, &random, arrays, false, true, &err), &err);
        }
        if (status == XTA_OK) {
            status = fleet_grow(f, &random, arrays, false, false, &err);
        }
    }
    fleet_close(f, arrays);
    if (status != XTA_OK) {
        fprintf(stderr, "a writer: %s\n", err.text);
    }
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
    xta_array *arrays[FLEET_MOST] = {NULL}, *again = NULL, *memory = NULL;
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
    STORY_CHECK(&f->story, fleet_length(memory) == 3 && fleet_length(arrays[0]) == f->length,
                "a refused growth has changed an array");
    // One file and one in memory: an ordinary record, and both have grown.
    STORY_OK(&f->story, xta_arrays_extend(wanted, 2, NULL, &err), err);
    STORY_CHECK(&f->story, fleet_length(memory) == 4 && fleet_length(arrays[0]) == f->length + 1,
                "a file and a memory array did not grow together");
    STORY_OK(&f->story, xta_array_close(memory, &err), err);
    STORY_OK(&f->story, xta_array_close(again, &err), err);
    fleet_close(f, arrays);
}

/* The history lists a growth of several arrays like any other, and an array opens as of the step
 * before it. */
static void report(fleet *f)
{
    xta_array *arrays[FLEET_MOST] = {NULL}, *old = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array_info info;
    xta_error err;

    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    for (int k = 0; k < 3; k++) {
        STORY_OK(&f->story, fleet_grow(f, &f->random, arrays, true, false, &err), err);
    }
    for (int k = 0; k < f->n; k++) {
        STORY_OK(&f->story, xta_array_inquire(arrays[k], &info, &err), err);
        options.at_step = true;
        options.step = info.n_steps - 1;
        STORY_OK(&f->story, xta_array_open(f->path[k], &options, &old, &err), err);
        STORY_CHECK(&f->story, fleet_length(old) == fleet_length(arrays[k]) - 1,
                    "not the step before");
        STORY_OK(&f->story, xta_array_close(old, &err), err);
    }
    fleet_close(f, arrays);
}

/* ---- what it costs ---- */

static int n_syncs;

static int count_sync(int fd)
{
    (void)fd;
    n_syncs++;
    return 0;
}

static uint64_t journal_bytes(xta_array *array)
{
    xta_array_info info;
    xta_error err;

    return xta_array_inquire(array, &info, &err) == XTA_OK ? info.journal_bytes : 0;
}

/* The bytes of the journals and the syncs of one row that all arrays bring; the figures expected
 * are in docs/decisions/0035-data-sets.md and 0015-several-arrays.md. */
static void cost(fleet *f)
{
    xta_array *arrays[FLEET_MOST] = {NULL};
    xta_append_member members[FLEET_MOST];
    const xta_growth rows = {.axis = 0, .side = XTA_BACK, .by = 2}; // they need new chunks
    static const uint16_t cells[6] = {0};
    xta__os_calls calls = *xta__os();
    xta_error err;
    uint64_t before = 0, sum = 0;

    STORY_OK(&f->story, fleet_open(f, true, arrays, &err), err);
    for (int k = 0; k < f->n; k++) {
        members[k] = (xta_append_member){
            .array = arrays[k], .growths = &rows, .n_growths = 1, .cells = cells};
        before += journal_bytes(arrays[k]);
    }
    calls.sync = count_sync;
    n_syncs = 0;
    xta__os_replace(&calls);
    xta_status status = xta_arrays_append(members, f->n, NULL, &err);
    xta__os_replace(NULL);
    STORY_OK(&f->story, status, err);
    for (int k = 0; k < f->n; k++) {
        sum += journal_bytes(arrays[k]);
    }
    sum -= before;
    printf("test_group: rows for %d arrays: %llu bytes of journals, %llu each; %d syncs\n", f->n,
           (unsigned long long)sum, (unsigned long long)sum / (unsigned)f->n, n_syncs);
    STORY_CHECK(&f->story, sum > 0 && sum <= 260 * (uint64_t)f->n, "more than 260 bytes each");
    STORY_CHECK(&f->story, n_syncs == 3 * f->n - 1, "not three syncs each, less one");
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
    run(&f, seed, "cost", cost, 3, 1);
    run(&f, seed, "failing calls", fail_once, test_scale(100), 3);
    run(&f, seed, "power lost", lose_power, test_scale(60), 5);
    run(&f, seed, "killed", kill_once, test_scale(12), 5);
    run(&f, seed, "watched", watch, 2, 2);
    run(&f, seed, "crowd", crowd, 3, 1);
    test_folder_remove(&f.folder);
    return 0;
}
