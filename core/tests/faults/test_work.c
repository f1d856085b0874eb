/* Unfinished work: visible to every handle until it is ended, live as long as its process is alive,
 * resumed or undone after that, whenever the process is killed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

static test_story story;
static test_folder folder;
static xta_error err;
static const int64_t bounds[2] = {6, 8}, chunk[2] = {2, 3};

typedef struct seen {
    int n, n_live;
    xta_unfinished last;
    char source[64];
} seen;

static int record_unfinished(void *user, const xta_unfinished *work)
{
    seen *s = user;

    s->n++;
    s->n_live += work->live;
    s->last = *work;
    snprintf(s->source, sizeof s->source, "%s", work->source);
    return 0;
}

static seen unfinished_of(xta_array *array)
{
    seen s = {.n = 0};

    STORY_OK(&story, xta_array_unfinished(array, record_unfinished, &s, &err), err);
    return s;
}

static xta_array *open_array(const char *path, bool writable)
{
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    o.writable = writable;
    STORY_OK(&story, xta_array_open(path, &o, &array, &err), err);
    return array;
}

static void close_array(xta_array *array)
{
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static xta_array *make_array(const char *name, char path[TEST_PATH_BYTES])
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    uint16_t value = 7;

    test_folder_join(&folder, name, path);
    test_pair_remove(path);
    o.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_U16, 2, bounds, &o, &array, &err), err);
    xta_box all = xta_array_bounds(array);
    STORY_OK(&story, xta_array_fill(array, &all, &value, &err), err);
    STORY_OK(&story, xta_array_sync(array, &err), err);
    return array;
}

/* How many cells of a box have a value. */
static int count(xta_array *array, const xta_box *box, uint16_t value)
{
    uint16_t cells[4096];
    uint64_t n = 0;
    int found = 0;

    STORY_OK(&story, xta_box_cells(box, &n), err);
    STORY_OK(&story, xta_array_read(array, box, NULL, cells, &err), err);
    for (uint64_t k = 0; k < n; k++) {
        found += cells[k] == value;
    }
    return found;
}

static xta_growth rows = {0, XTA_BACK, 4};

static xta_work_plan append_plan(void)
{
    xta_work_plan plan = XTA_WORK_PLAN_INIT;

    plan.verb = XTA_WORK_APPEND;
    plan.source = "april.nc";
    plan.growths = &rows;
    plan.n_growths = 1;
    return plan;
}

/* From beginning to end in one process. */
static void whole(void)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make_array("whole", path), *reader = open_array(path, false);
    xta_work_plan plan = append_plan();
    xta_work *work = NULL, *other = NULL;
    xta_box box;
    bool changed = false;
    uint16_t value = 9;

    test_story_add(&story, "whole");
    STORY_OK(&story, xta_work_begin(array, &plan, &box, &work, &err), err);
    STORY_CHECK(&story, box.lo[0] == 6 && box.hi[0] == 10 && box.lo[1] == 0 && box.hi[1] == 8,
                "another box");
    STORY_CHECK(&story, unfinished_of(reader).n == 0, "seen before refresh");
    STORY_OK(&story, xta_array_refresh(reader, &changed, &err), err);
    seen s = unfinished_of(reader);
    STORY_CHECK(&story, s.n == 1 && s.n_live == 1 && s.last.verb == XTA_WORK_APPEND, "n %d", s.n);
    STORY_CHECK(&story, strcmp(s.source, "april.nc") == 0, "source %s", s.source);
    STORY_CHECK(&story, s.last.before.hi[0] == 6 && !s.last.created_array, "before");
    STORY_CHECK(&story, memcmp(s.last.id, xta_work_id(work), 16) == 0, "id");
    STORY_OK(&story, xta_array_check_finished(reader, &err), err);
    STORY_FAILS(&story, xta_work_undo(path, s.last.id, true, NULL, &err), XTA_EBUSY, err);
    STORY_FAILS(&story, xta_work_resume(array, s.last.id, &other, &err), XTA_EBUSY, err);
    STORY_OK(&story, xta_array_fill(array, &box, &value, &err), err);
    STORY_OK(&story, xta_work_end(array, work, &err), err);
    STORY_OK(&story, xta_array_refresh(reader, &changed, &err), err);
    STORY_CHECK(&story, unfinished_of(reader).n == 0 && unfinished_of(array).n == 0, "still there");
    STORY_FAILS(&story, xta_work_resume(array, s.last.id, &other, &err), XTA_ENOENT, err);
    STORY_CHECK(&story, count(reader, &box, 9) == 32, "cells");
    close_array(reader);
    close_array(array);
}

/* F-115: an announcement cut off before its growth. The next change undoes it, and no other growth
 * is mistaken for that growth. */
static void announced_only(void)
{
    char path[TEST_PATH_BYTES], journal[TEST_PATH_BYTES + 4];
    xta_array *array = make_array("announced", path);
    xta_work_plan plan = append_plan();
    xta_work *work = NULL;
    xta_box after, rows_of = {.ndim = 2, .lo = {6, 0}, .hi = {10, 8}};
    uint16_t cells[32];
    uint8_t id[16];
    size_t before = 0, n = 0;
    uint32_t payload = 0;

    test_story_add(&story, "announced only");
    snprintf(journal, sizeof journal, "%s.xmd", path);
    free(test_file_read(journal, &before));
    STORY_OK(&story, xta_work_begin(array, &plan, NULL, &work, &err), err);
    memcpy(id, xta_work_id(work), sizeof id);
    uint8_t *bytes = test_file_read(journal, &n);
    STORY_CHECK(&story, bytes != NULL && n > before + 24, "no record");
    memcpy(&payload, bytes + before, sizeof payload);
    size_t end = before + 24 + (payload + 7U) / 8 * 8;
    STORY_CHECK(&story, end < n, "no growth behind the announcement");
    xta_work_abandon(work);
    close_array(array);
    test_file_write(journal, bytes, end);
    free(bytes);

    array = open_array(path, false);
    after = xta_array_bounds(array);
    STORY_CHECK(&story, after.hi[0] == 6 && unfinished_of(array).n == 0, "told, or grown");
    STORY_OK(&story, xta_array_check_finished(array, &err), err);
    close_array(array);
    array = open_array(path, true);
    for (int k = 0; k < 32; k++) {
        cells[k] = 5;
    }
    STORY_OK(&story, xta_array_append(array, &rows, NULL, cells, &after, &err), err);
    STORY_CHECK(&story, unfinished_of(array).n == 0, "the growth of another was taken for its own");
    STORY_FAILS(&story, xta_work_resume(array, id, &work, &err), XTA_ENOENT, err);
    STORY_CHECK(&story, count(array, &rows_of, 5) == 32, "cells");
    close_array(array);
    array = open_array(path, false);
    STORY_CHECK(&story, unfinished_of(array).n == 0 && count(array, &rows_of, 5) == 32,
                "opened again");
    close_array(array);
}

/* The lock: one at a time, released, and none for arrays in memory. */
static void locks(void)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make_array("locks", path), *other = open_array(path, true), *memory = NULL;
    xta_lock *one = NULL, *two = NULL;

    test_story_add(&story, "locks");
    STORY_OK(&story, xta_array_lock(array, 0, &one, &err), err);
    STORY_FAILS(&story, xta_array_lock(other, 10, &two, &err), XTA_EBUSY, err);
    STORY_CHECK(&story, two == NULL, "a lock in spite of it");
    xta_lock_release(one);
    STORY_OK(&story, xta_array_lock(other, 0, &two, &err), err);
    xta_lock_release(two);
    xta_lock_release(NULL);
    STORY_OK(&story, xta_array_new(XTA_U16, 2, bounds, NULL, &memory, &err), err);
    STORY_FAILS(&story, xta_array_lock(memory, 0, &one, &err), XTA_EUNSUPPORTED, err);
    close_array(memory);
    close_array(other);
    close_array(array);
}

/* A handle opened as of an earlier step reports the work that is unfinished now; arrays created
 * like others; the only work of a verb. */
static void steps_and_likes(void)
{
    char path[TEST_PATH_BYTES], like[TEST_PATH_BYTES];
    xta_array *array = make_array("steps", path), *copy = NULL;
    xta_work_plan plan = append_plan();
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_work *work = NULL, *again = NULL;

    test_story_add(&story, "steps and likes");
    STORY_OK(&story, xta_work_begin(array, &plan, NULL, &work, &err), err);
    STORY_OK(&story, xta_work_end(array, work, &err), err);
    o.at_step = true;
    STORY_OK(&story, xta_array_open(path, &o, &copy, &err), err);
    STORY_CHECK(&story, unfinished_of(copy).n == 0, "work that has ended is told as of step 0");
    close_array(copy);

    test_folder_join(&folder, "like", like);
    STORY_OK(&story, xta_work_create_like(array, like, NULL, XTA_WORK_RECHUNK, &copy, &work, &err),
             err);
    seen s = unfinished_of(copy);
    STORY_CHECK(&story, s.n == 1 && s.last.created_array && s.last.box.hi[0] == 10, "like");
    STORY_FAILS(&story, xta_work_resume_any(copy, XTA_WORK_RECHUNK, &again, &err), XTA_EBUSY, err);
    STORY_OK(&story, xta_work_resume_any(copy, XTA_WORK_APPEND, &again, &err), err);
    STORY_CHECK(&story, again == NULL, "work of another verb");
    xta_work_abandon(work);
    STORY_OK(&story, xta_work_resume_any(copy, XTA_WORK_RECHUNK, &again, &err), err);
    STORY_CHECK(&story, again != NULL, "none to resume");
    STORY_OK(&story, xta_work_end(copy, again, &err), err);
    plan.n_growths = 0;
    plan.growths = NULL;
    STORY_OK(&story, xta_work_begin(copy, &plan, NULL, &work, &err), err);
    STORY_OK(&story, xta_work_begin(copy, &plan, NULL, &again, &err), err);
    xta_work_abandon(work);
    xta_work_abandon(again);
    STORY_FAILS(&story, xta_work_resume_any(copy, XTA_WORK_APPEND, &again, &err), XTA_EARG, err);
    close_array(copy);
    close_array(array);
}

/* Two pieces of work at once; one is abandoned. */
static void two_at_once(void)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make_array("two", path), *second = open_array(path, true);
    xta_work_plan plan = append_plan();
    xta_work *one = NULL, *two = NULL;
    xta_box first, next;
    uint8_t id[16];
    xta_undo_result result;

    test_story_add(&story, "two at once");
    STORY_OK(&story, xta_work_begin(array, &plan, &first, &one, &err), err);
    STORY_OK(&story, xta_work_begin(second, &plan, &next, &two, &err), err);
    STORY_CHECK(&story, next.lo[0] == first.hi[0] && next.hi[0] == 14, "slabs overlap");
    memcpy(id, xta_work_id(one), sizeof id);
    xta_work_abandon(one);
    seen s = unfinished_of(second);
    STORY_CHECK(&story, s.n == 2 && s.n_live == 1, "%d pieces, %d live", s.n, s.n_live);
    STORY_FAILS(&story, xta_array_check_finished(second, &err), XTA_EUNFINISHED, err);
    STORY_CHECK(&story, strstr(err.text, "april.nc") != NULL, "%s", err.text);
    STORY_OK(&story, xta_work_end(second, two, &err), err);
    close_array(array);
    // Its slab is not the outermost any more: the bounds stay.
    STORY_OK(&story, xta_work_undo(path, id, false, &result, &err), err);
    STORY_CHECK(&story, result == XTA_UNDO_FILLED, "result %d", (int)result);
    close_array(second);
    array = open_array(path, false);
    xta_box now = xta_array_bounds(array);
    STORY_CHECK(&story, now.hi[0] == 14 && unfinished_of(array).n == 0, "bounds %d",
                (int)now.hi[0]);
    close_array(array);
}

/* Work over existing cells: they are lost only on request. New axes and compactions in between. */
static void inside(void)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make_array("inside", path);
    xta_box box = xta_box_make(2, (int64_t[]){1, 1}, (int64_t[]){3, 5});
    xta_work_plan plan = XTA_WORK_PLAN_INIT;
    xta_work *work = NULL;
    xta_undo_result result;
    uint8_t id[16];

    test_story_add(&story, "inside");
    plan.box = &box;
    STORY_OK(&story, xta_work_begin(array, &plan, NULL, &work, &err), err);
    memcpy(id, xta_work_id(work), sizeof id);
    xta_work_abandon(work);
    STORY_OK(&story, xta_array_add_axis(array, 1, NULL, &err), err);
    close_array(array);
    STORY_OK(&story, xta_compact(path, NULL, NULL, &err), err);
    array = open_array(path, false);
    seen s = unfinished_of(array);
    STORY_CHECK(&story,
                s.n == 1 && s.last.box.ndim == 3 && s.last.box.lo[1] == 0 &&
                    s.last.box.hi[1] == 1 && s.last.box.hi[2] == 5,
                "the box after an axis was put in");
    close_array(array);
    STORY_FAILS(&story, xta_work_undo(path, id, false, NULL, &err), XTA_ESTATE, err);
    STORY_OK(&story, xta_work_undo(path, id, true, &result, &err), err);
    STORY_CHECK(&story, result == XTA_UNDO_FILLED, "result %d", (int)result);
    array = open_array(path, false);
    STORY_CHECK(&story, count(array, &s.last.box, 0) == 8, "not filled");
    xta_box all = xta_array_bounds(array);
    STORY_CHECK(&story, count(array, &all, 7) == 40, "others were touched");
    close_array(array);
}

static void refusals(void)
{
    char path[TEST_PATH_BYTES];
    xta_array *array = make_array("refused", path), *reader = open_array(path, false);
    xta_array *memory = NULL;
    xta_work_plan plan = append_plan();
    xta_work *work = NULL;
    xta_box box = xta_box_make(2, (int64_t[]){0, 0}, (int64_t[]){11, 8});
    xta_growth wrong = {5, XTA_BACK, 1};
    uint8_t none[16] = {0};

    test_story_add(&story, "refusals");
    STORY_FAILS(&story, xta_work_begin(reader, &plan, NULL, &work, &err), XTA_EACCESS, err);
    plan.box = &box;
    STORY_FAILS(&story, xta_work_begin(array, &plan, NULL, &work, &err), XTA_EBOX, err);
    plan.box = NULL;
    plan.growths = &wrong;
    STORY_FAILS(&story, xta_work_begin(array, &plan, NULL, &work, &err), XTA_EARG, err);
    wrong = (xta_growth){0, XTA_FRONT, INT64_MAX};
    STORY_FAILS(&story, xta_work_begin(array, &plan, NULL, &work, &err), XTA_EOVERFLOW, err);
    STORY_CHECK(&story, work == NULL && unfinished_of(array).n == 0, "something began");
    STORY_FAILS(&story, xta_work_undo(path, none, true, NULL, &err), XTA_ENOENT, err);
    STORY_OK(&story, xta_array_new(XTA_U8, 2, bounds, NULL, &memory, &err), err);
    STORY_FAILS(&story, xta_work_begin(memory, &plan, NULL, &work, &err), XTA_EUNSUPPORTED, err);
    close_array(memory);
    test_folder_join(&folder, "never", path);
    STORY_FAILS(&story,
                xta_work_create_array(path, XTA_U8, 2, bounds, NULL, &plan, &memory, &work, &err),
                XTA_EBOX, err);
    xta_box after = xta_array_bounds(array);
    STORY_CHECK(&story, after.hi[0] == 6, "the bounds have changed");
    close_array(reader);
    close_array(array);
}

/* ---- kills ---- */

static void nap(int64_t us)
{
    struct timespec rest = {.tv_nsec = (long)us * 1000};

    nanosleep(&rest, NULL);
}

/* The work of the process that is killed: a new array, or one more slab. */
/* `begun`: gets a byte when the work has been announced. */
static void child(const char *path, bool create, int begun)
{
    xta_work_plan plan = append_plan();
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_work *work = NULL;
    xta_box box;
    uint16_t value = 9;

    o.chunk = chunk;
    if (create) {
        plan = (xta_work_plan)XTA_WORK_PLAN_INIT;
        plan.verb = XTA_WORK_IMPORT;
        STORY_OK(&story,
                 xta_work_create_array(path, XTA_U16, 2, bounds, &o, &plan, &array, &work, &err),
                 err);
        box = xta_array_bounds(array);
    } else {
        array = open_array(path, true);
        STORY_OK(&story, xta_work_begin(array, &plan, &box, &work, &err), err);
    }
    STORY_CHECK(&story, write(begun, "", 1) == 1, "the parent is gone");
    // Row by row, and often, so that most kills fall in between.
    for (int k = 0; k < (create ? 400 : 3000); k++) {
        xta_box row = box;
        row.lo[0] = box.lo[0] + k % (box.hi[0] - box.lo[0]);
        row.hi[0] = row.lo[0] + 1;
        STORY_OK(&story, xta_array_fill(array, &row, &value, &err), err);
    }
    STORY_OK(&story, xta_work_end(array, work, &err), err);
    close_array(array);
}

/* What is left of a slab: nothing, all of it, or a mark. */
static int judge_append(const char *path, bool resume)
{
    xta_array *array = open_array(path, true);
    seen s = unfinished_of(array);
    xta_box now = xta_array_bounds(array);
    xta_work *work = NULL;
    uint16_t value = 9;

    STORY_CHECK(&story, s.n <= 1 && s.n_live == 0, "%d pieces, %d live", s.n, s.n_live);
    if (s.n == 0) {
        xta_box slab = now;
        slab.lo[0] = 6;
        STORY_CHECK(&story, now.hi[0] == 6 || count(array, &slab, 9) == 32, "not whole, no mark");
        close_array(array);
        return 0;
    }
    STORY_FAILS(&story, xta_array_check_finished(array, &err), XTA_EUNFINISHED, err);
    if (resume && now.hi[0] == 10) {
        STORY_OK(&story, xta_work_resume(array, s.last.id, &work, &err), err);
        STORY_OK(&story, xta_array_fill(array, &s.last.box, &value, &err), err);
        STORY_OK(&story, xta_work_end(array, work, &err), err);
        STORY_CHECK(&story, unfinished_of(array).n == 0 && count(array, &s.last.box, 9) == 32,
                    "resumed");
        close_array(array);
        return 1;
    }
    close_array(array);
    STORY_OK(&story, xta_work_undo(path, s.last.id, false, NULL, &err), err);
    array = open_array(path, false);
    now = xta_array_bounds(array);
    STORY_CHECK(&story, now.hi[0] == 6 && unfinished_of(array).n == 0, "not undone");
    STORY_CHECK(&story, count(array, &now, 7) == 48, "cells of before are lost");
    close_array(array);
    return 1;
}

static int judge_creation(const char *path)
{
    xta_array *array = NULL;

    if (xta_array_open(path, NULL, &array, &err) != XTA_OK) {
        STORY_CHECK(&story, err.status == XTA_ENOENT, "%s", err.text);
        return 0;
    }
    seen s = unfinished_of(array);
    xta_box all = xta_array_bounds(array);
    STORY_CHECK(&story, s.n == 1 || count(array, &all, 9) == 48, "half-filled, and no mark");
    close_array(array);
    if (s.n == 1) {
        xta_undo_result result;
        STORY_CHECK(&story, s.last.created_array && s.n_live == 0, "created, live");
        STORY_OK(&story, xta_work_undo(path, s.last.id, false, &result, &err), err);
        STORY_CHECK(&story, result == XTA_UNDO_DELETED, "result %d", (int)result);
        STORY_FAILS(&story, xta_array_open(path, NULL, &array, &err), XTA_ENOENT, err);
    }
    return s.n;
}

static void kills(test_random *dice, int n)
{
    char path[TEST_PATH_BYTES];
    int marked[2] = {0, 0};
    int64_t longest[2] = {2000, 2000};

    for (int k = 0; k < n; k++) {
        bool create = k % 2 == 0;
        test_story_add(&story, "kill %d", k);
        close_array(make_array("killed", path));
        if (create) {
            test_pair_remove(path);
        }
        int begun[2];
        STORY_CHECK(&story, pipe(begun) == 0, "pipe");
        pid_t pid = fork();
        if (pid == 0) {
            child(path, create, begun[1]);
            _exit(0);
        }
        STORY_CHECK(&story, pid > 0, "fork");
        close(begun[1]);
        // Half of them at any time, half of them after the work has begun.
        char byte;
        if (k / 2 % 2 == 0) {
            (void)!read(begun[0], &byte, 1);
        }
        nap(test_random_in(dice, 0, longest[create]));
        kill(pid, SIGKILL);
        int status = 0;
        waitpid(pid, &status, 0);
        close(begun[0]);
        STORY_CHECK(&story, WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : status == 0,
                    "status %d", status);
        int found = create ? judge_creation(path) : judge_append(path, k % 8 == 1);
        marked[create] += found;
        // The time that the child needs depends on the machine: wait longer if it was killed before
        // it began, and less if it had ended.
        longest[create] += !WIFSIGNALED(status) ? -longest[create] / 4
                           : found == 0         ? longest[create] / 4
                                                : 0;
        test_pair_remove(path);
    }
    printf("killed %d times; %d creations and %d appends were left with their mark\n", n, marked[1],
           marked[0]);
    STORY_CHECK(&story, n < 100 || (marked[0] > 0 && marked[1] > 0), "no kill hit the work");
}

int main(void)
{
    uint64_t seed = test_seed("test_work", 182);
    test_random dice = test_random_make(seed, 0);

    test_folder_make_fast(&folder);
    test_story_begin(&story, "test_work", seed, 0);
    whole();
    announced_only();
    locks();
    steps_and_likes();
    two_at_once();
    inside();
    refusals();
    kills(&dice, (int)test_scale(200));
    test_folder_remove(&folder);
    return 0;
}
