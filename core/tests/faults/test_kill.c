/* SIGKILL at random moments, 200 times.
 *
 * A child carries out a random script on an array and reports through a pipe which steps have
 * ended. The parent follows the script on a model, kills the child, and checks that the array
 * opens, its structure is the one after the last reported step or after the step then in progress,
 * each cell holds a value that it had at the last sync or was given since, cells of appended slabs
 * are complete, and xta_check reports nothing fatal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/peer.h"
#include "trail.h"

#define ROUNDS_OF_AN_ARRAY 8

/* ---- the child ---- */

static _Noreturn void follow(const life *l, test_random script, xta_access access, bool exclusive,
                             int out)
{
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    oracle_cells model = script_copy(&l->model);

    options.writable = true;
    options.exclusive_writer = exclusive;
    options.access = access;
    options.cache_bytes = 500;
    xta_status status = xta_array_open(l->path, &options, &array, &err);
    for (uint32_t k = 0; status == XTA_OK && k < TRAIL_MAX_STEPS; k++) {
        script_step step = script_next(&script, &model);
        script_model(&step, &model);
        status = script_array(&step, array, &err);
        if (status == XTA_OK && !test_write_all(out, &k, sizeof(k))) {
            break;
        }
    }
    if (status != XTA_OK) { // A failure is reported as an impossible step number.
        uint32_t failed = UINT32_MAX;
        test_write_all(out, &failed, sizeof(failed));
        test_write_all(out, &err, sizeof(err));
    }
    pause();
    _exit(0);
}

/* ---- the parent ---- */

/* Let the child run for a while, kill it, and return how many steps it reported. */
static uint32_t kill_later(life *l, pid_t child, int in)
{
    uint32_t wanted = (uint32_t)test_random_in(&l->random, 0, 60);
    uint32_t told = 0;
    uint32_t k = 0;

    while (told < wanted && test_read_all(in, &k, sizeof(k)) && k != UINT32_MAX) {
        told = k + 1;
    }
    usleep((useconds_t)test_random_in(&l->random, 0, 400));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (k != UINT32_MAX && test_read_all(in, &k, sizeof(k))) {
        told = k != UINT32_MAX ? k + 1 : told;
    }
    if (k == UINT32_MAX) {
        xta_error err = {0};
        test_read_all(in, &err, sizeof(err));
        STORY_CHECK(&l->story, false, "step %u failed in the child: %s", told, err.text);
    }
    close(in);
    return told;
}

static void round_of_killing(life *l, uint64_t round)
{
    static trail t;
    int tube[2];
    test_random script = test_random_make(test_random_u64(&l->random), round);
    xta_access access = (xta_access)test_random_in(&l->random, XTA_ACCESS_AUTO, XTA_ACCESS_CACHED);

    bool exclusive = test_random_chance(&l->random, 50);

    test_story_add(&l->story, "round %llu, access %d, %s", (unsigned long long)round, (int)access,
                   exclusive ? "exclusive writer" : "shared");
    STORY_CHECK(&l->story, pipe(tube) == 0, "no pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(tube[0]);
        follow(l, script, access, exclusive, tube[1]);
    }
    close(tube[1]);
    uint32_t told = kill_later(l, child, tube[0]);
    trail_retrace(l, script, told, &t);
    trail_judge(l, &t, false);
    trail_clear(&t);
}

/* Killed while creating: the array exists or does not exist, and if not it can be created
 * immediately. */
static void kill_creation(life *l)
{
    static const int64_t bounds[] = {5, 4};
    xta_array *array = NULL;
    xta_error err;

    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < 1000; k++) {
            if (xta_array_create(l->path, XTA_U8, 2, bounds, NULL, &array, &err) != XTA_OK ||
                xta_array_close(array, &err) != XTA_OK ||
                xta_array_delete(l->path, &err) != XTA_OK) {
                fprintf(stderr, "creating: %s\n", err.text);
                _exit(1);
            }
        }
        pause();
    }
    usleep((useconds_t)test_random_in(&l->random, 100, 3000));
    kill(child, SIGKILL);
    int end = 0;
    waitpid(child, &end, 0);
    STORY_CHECK(&l->story, WIFSIGNALED(end), "creating and deleting failed in the child");
    xta_status status = xta_array_open(l->path, NULL, &array, &err);
    if (status == XTA_OK) {
        STORY_OK(&l->story, xta_array_close(array, &err), err);
        STORY_OK(&l->story, xta_check(l->path, life_finding, l, &err), err);
        STORY_OK(&l->story, xta_array_delete(l->path, &err), err);
    } else {
        STORY_CHECK(&l->story, status == XTA_ENOENT, "after a killed creation: %s: %s",
                    xta_status_name(status), err.text);
    }
    STORY_OK(&l->story, xta_array_create(l->path, XTA_U8, 2, bounds, NULL, &array, &err), err);
    STORY_OK(&l->story, xta_array_close(array, &err), err);
    STORY_OK(&l->story, xta_array_delete(l->path, &err), err);
}

int main(void)
{
    static life l;
    test_folder folder;
    uint64_t seed = test_seed("test_kill", 20240304);
    uint64_t n = test_scale(200);
    const char *only = getenv("XTA_PART");
    uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0;

    test_folder_make(&folder);
    test_folder_join(&folder, "a", l.path);
    for (uint64_t round = 0; round < n; part++) {
        test_story_begin(&l.story, "test_kill", seed, part);
        l.random = test_random_make(seed, part);
        kill_creation(&l);
        life_begin(&l);
        for (int i = 0; i < ROUNDS_OF_AN_ARRAY; i++) {
            round_of_killing(&l, round++);
        }
        oracle_cells_clear(&l.model);
        test_pair_remove(l.path);
    }
    test_folder_remove(&folder);
    printf("test_kill: killed %llu times, nothing wrong\n", (unsigned long long)n);
    return 0;
}
