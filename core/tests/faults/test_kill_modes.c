/* SIGKILL in the middle of appends, of shrinks and of compactions: for each of them a run in which
 * nearly all calls are of that kind.
 *
 * A child changes an array and reports each call that has ended through a pipe. The parent lets it
 * finish at least one call, waits for a random time, kills it, and follows the same calls on a
 * model: the bounds are those after the last reported call or after the one then in progress, and
 * every cell has the value that follows from these bounds: appended rows are complete, rows that
 * came back after a shrink are fill. The next child continues with the same array. XTA_SCALE=25
 * makes 1,000 kills of each kind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/peer.h"
#include "support/random.h"
#include "support/report.h"

enum { COLUMNS = 37, MOST_ROWS = 300, MOST_CALLS = 4000, KILLS = 40, KILLS_OF_AN_ARRAY = 10 };

typedef enum call { APPEND, EXTEND, SHRINK, COMPACT, SYNC, CALLS } call;

/* The share of each kind of call, in percent. */
typedef struct mode {
    const char *name;
    int percent[CALLS];
} mode;

static const mode modes[] = {
    {"append", {85, 5, 5, 0, 5}},
    {"shrink", {10, 15, 70, 0, 5}},
    {"compact", {15, 10, 10, 60, 5}},
};

/* Rows [0, n), whose cells are determined by the row number or are fill. */
typedef struct model {
    int n;
    bool filled[MOST_ROWS];
} model;

typedef struct step {
    call what;
    int by;
} step;

static test_folder folder;
static test_story story;
static xta_error err;

static uint32_t value_at(int64_t row, int64_t column)
{
    return (uint32_t)(row * 1000 + column + 1);
}

/* The next call, one that is valid for the model. */
static step next_step(const mode *m, const model *now, test_random *dice)
{
    int64_t ticket = test_random_in(dice, 0, 99);
    step s = {APPEND, (int)test_random_in(dice, 1, 9)};

    while (s.what < SYNC && ticket >= m->percent[s.what]) {
        ticket -= m->percent[s.what];
        s.what = (call)(s.what + 1);
    }
    if ((s.what == APPEND || s.what == EXTEND) && now->n + s.by > MOST_ROWS) {
        s.what = SHRINK;
        s.by = now->n - 5;
    } else if (s.what == SHRINK && now->n <= s.by) {
        s.what = APPEND;
    } else if (s.what == SHRINK) { // less often than growth, so that there are always rows
        s.by = 1 + s.by / 4;
    }
    return s;
}

static void apply(model *m, step s)
{
    if (s.what == APPEND || s.what == EXTEND) {
        for (int k = 0; k < s.by; k++) {
            m->filled[m->n++] = s.what == APPEND;
        }
    } else if (s.what == SHRINK) {
        m->n -= s.by;
    }
}

/* ---- the child ---- */

static xta_status carry_out(xta_array *array, const char *path, step s)
{
    static uint32_t cells[9 * COLUMNS];
    xta_growth growth = {0, XTA_BACK, s.by};
    int64_t first = xta_array_bounds(array).hi[0];

    switch (s.what) {
    case APPEND:
        for (int64_t k = 0; k < (int64_t)s.by * COLUMNS; k++) {
            cells[k] = value_at(first + k / COLUMNS, k % COLUMNS);
        }
        return xta_array_append(array, &growth, NULL, cells, NULL, &err);
    case EXTEND:
        return xta_array_extend(array, &growth, 1, NULL, &err);
    case SHRINK:
        return xta_array_shrink(array, &growth, 1, NULL, &err);
    case COMPACT:
        return xta_compact(path, NULL, NULL, &err);
    default:
        return xta_array_sync(array, &err);
    }
}

static _Noreturn void child(const char *path, const mode *m, model now, test_random dice, int out)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = test_random_chance(&dice, 50) ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    options.cache_bytes = 4096;
    xta_status status = xta_array_open(path, &options, &array, &err);
    for (uint32_t k = 0; status == XTA_OK && k < MOST_CALLS; k++) {
        step s = next_step(m, &now, &dice);
        status = carry_out(array, path, s);
        apply(&now, s);
        if (status == XTA_OK && !test_write_all(out, &k, sizeof k)) {
            break;
        }
    }
    if (status != XTA_OK) {
        uint32_t failed = UINT32_MAX;
        fprintf(stderr, "the child: %s\n", err.text);
        test_write_all(out, &failed, sizeof failed);
    }
    pause();
    _exit(0);
}

/* ---- the parent ---- */

/* How many calls had ended when the child was killed. */
static uint32_t kill_later(pid_t pid, int in, test_random *dice)
{
    uint32_t k = 0, told = 0, wanted = (uint32_t)test_random_in(dice, 1, 40);

    while (told < wanted && test_read_all(in, &k, sizeof k) && k != UINT32_MAX) {
        told = k + 1;
    }
    usleep((useconds_t)test_random_in(dice, 0, 600));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    while (k != UINT32_MAX && test_read_all(in, &k, sizeof k)) {
        told = k != UINT32_MAX ? k + 1 : told;
    }
    STORY_CHECK(&story, k != UINT32_MAX, "call %u failed in the child", told);
    return told;
}

static void judge(const char *path, model *before, step under_way)
{
    static uint32_t cells[MOST_ROWS * COLUMNS];
    xta_array *array = NULL;
    model after = *before;

    apply(&after, under_way);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    xta_box bounds = xta_array_bounds(array);
    STORY_CHECK(&story, bounds.lo[0] == 0 && (bounds.hi[0] == before->n || bounds.hi[0] == after.n),
                "%lld rows, not %d or %d", (long long)bounds.hi[0], before->n, after.n);
    const model *is = bounds.hi[0] == after.n ? &after : before;
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    for (int64_t k = 0; k < (int64_t)is->n * COLUMNS; k++) {
        uint32_t wanted = is->filled[k / COLUMNS] ? value_at(k / COLUMNS, k % COLUMNS) : 0;
        STORY_CHECK(&story, cells[k] == wanted, "cell %lld, %lld is %u, not %u",
                    (long long)(k / COLUMNS), (long long)(k % COLUMNS), cells[k], wanted);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    *before = *is;
}

static void make_array(const char *path, model *now)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int64_t none[2] = {0, COLUMNS}, chunk[2] = {3, 8};
    xta_array *array = NULL;

    test_pair_remove(path);
    *now = (model){0};
    options.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_U32, 2, none, &options, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void kill_in(const mode *m, test_random *dice, uint64_t n)
{
    char path[TEST_PATH_BYTES];
    model now;
    uint64_t calls = 0, cut_short[CALLS] = {0};

    test_folder_join(&folder, m->name, path);
    for (uint64_t k = 0; k < n; k++) {
        int pipes[2];
        test_random script = test_random_make(test_random_u64(dice), 0);
        if (k % KILLS_OF_AN_ARRAY == 0) {
            make_array(path, &now);
        }
        test_story_add(&story, "%s %llu", m->name, (unsigned long long)k);
        STORY_CHECK(&story, pipe(pipes) == 0, "no pipe");
        pid_t pid = fork();
        if (pid == 0) {
            close(pipes[0]);
            child(path, m, now, script, pipes[1]);
        }
        close(pipes[1]);
        uint32_t told = kill_later(pid, pipes[0], dice);
        close(pipes[0]);
        (void)test_random_chance(&script, 50); // the child chose its access mode by it
        for (uint32_t c = 0; c < told; c++) {
            apply(&now, next_step(m, &now, &script));
        }
        step under_way = next_step(m, &now, &script);
        judge(path, &now, under_way);
        calls += told;
        cut_short[under_way.what]++;
    }
    printf("%s: %llu kills after %llu calls; under way were %llu appends, %llu extensions, %llu "
           "shrinks, %llu compactions, %llu syncs\n",
           m->name, (unsigned long long)n, (unsigned long long)calls,
           (unsigned long long)cut_short[APPEND], (unsigned long long)cut_short[EXTEND],
           (unsigned long long)cut_short[SHRINK], (unsigned long long)cut_short[COMPACT],
           (unsigned long long)cut_short[SYNC]);
}

int main(void)
{
    uint64_t seed = test_seed("test_kill_modes", 20261122);
    test_random dice = test_random_make(seed, 0);

    test_folder_make(&folder);
    test_story_begin(&story, "test_kill_modes", seed, 0);
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        kill_in(&modes[k], &dice, test_scale(KILLS));
    }
    test_folder_remove(&folder);
    return 0;
}
