/* Data sets whose writer is killed at any instant: the next one opens it, no dimension differs
 * between members, and a member is there as a whole or not at all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <xta/xta.h>

#include "open_set.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_KILLS = 40, N_DIMENSIONS = 3, N_MEMBERS = 4 };

static const char *const dimension_names[N_DIMENSIONS] = {"time", "y", "x"};
static const char *const member_names[N_MEMBERS] = {"a", "b", "c", "d"};

typedef struct rig {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    xta_error err;
} rig;

/* Random changes until the parent ends this process. */
static _Noreturn void work(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);

    for (;;) {
        const char *member = member_names[test_random_in(&r->random, 0, N_MEMBERS - 1)];
        int first = (int)test_random_in(&r->random, 0, N_DIMENSIONS - 1);
        const char *names[2] = {dimension_names[first],
                                dimension_names[(first + 1) % N_DIMENSIONS]};
        const xta_dimension_growth growth = {
            names[0], test_random_chance(&r->random, 50) ? XTA_FRONT : XTA_BACK, 1};
        xta_status status = XTA_OK;
        switch (test_random_in(&r->random, 0, 4)) {
        case 0:
            status = xta_dataset_add_member(set, member, XTA_I16, 2, names, NULL, NULL, &r->err);
            status = status == XTA_EEXIST ? XTA_OK : status;
            break;
        case 1:
            status = xta_dataset_remove_member(set, member, &r->err);
            status = status == XTA_ENOENT ? XTA_OK : status;
            break;
        case 2:
            status = xta_dataset_set_text(set, names[0], "note", member, &r->err);
            break;
        default:
            status = xta_dataset_extend(set, &growth, 1, &r->err);
            break;
        }
        STORY_CHECK(&r->story, status == XTA_OK, "%s", r->err.text);
    }
}

/* Everything can be opened, and the dimensions of all members agree. */
static void check(rig *r)
{
    xta_dataset *set = test_open_set(&r->story, r->path);
    size_t n = 0;

    STORY_OK(&r->story, xta_dataset_dimension_count(set, &n, &r->err), r->err);
    STORY_CHECK(&r->story, n == N_DIMENSIONS, "%zu dimensions", n);
    for (size_t k = 0; k < xta_dataset_member_count(set); k++) {
        const char *name = xta_dataset_member_name(set, k);
        xta_array *array = NULL;
        char path[TEST_PATH_BYTES + 8];
        STORY_OK(&r->story, xta_dataset_member(set, name, &array, &r->err), r->err);
        snprintf(path, sizeof path, "%s/%s", r->path, name);
        STORY_OK(&r->story, xta_check(path, NULL, NULL, &r->err), r->err);
    }
    // A change works, too: each member can be made or removed.
    for (int k = 0; k < N_MEMBERS; k++) {
        const char *names[1] = {dimension_names[0]};
        xta_status status =
            xta_dataset_add_member(set, member_names[k], XTA_I8, 1, names, NULL, NULL, &r->err);
        STORY_CHECK(&r->story, status == XTA_OK || status == XTA_EEXIST, "%s", r->err.text);
    }
    STORY_OK(&r->story, xta_dataset_close(set, &r->err), r->err);
}

static void kill_once(rig *r)
{
    struct timespec pause = {0, test_random_in(&r->random, 1, 30) * 1000000};
    int how = 0;

    pid_t child = fork();
    STORY_CHECK(&r->story, child >= 0, "fork failed");
    if (child == 0) {
        work(r);
    }
    nanosleep(&pause, NULL);
    STORY_CHECK(&r->story, kill(child, SIGKILL) == 0, "kill failed");
    STORY_CHECK(&r->story, waitpid(child, &how, 0) == child && WIFSIGNALED(how),
                "the child ended by itself");
    check(r);
}

int main(void)
{
    static rig r;
    test_folder folder;
    uint64_t seed = test_seed("test_dataset_kill", 20261125);
    xta_dataset *set = NULL;

    test_folder_make(&folder);
    test_folder_join(&folder, "set", r.path);
    test_story_begin(&r.story, "test_dataset_kill", seed, 0);
    STORY_OK(&r.story, xta_dataset_create(r.path, NULL, &set, &r.err), r.err);
    for (int d = 0; d < N_DIMENSIONS; d++) {
        const xta_dimension dimension = {.name = dimension_names[d], .lo = -2 * d, .hi = 3};
        STORY_OK(&r.story, xta_dataset_set_dimension(set, &dimension, &r.err), r.err);
    }
    STORY_OK(&r.story, xta_dataset_close(set, &r.err), r.err);
    for (uint64_t k = 0; k < test_scale(N_KILLS); k++) {
        r.random = test_random_make(seed, k);
        test_story_begin(&r.story, "test_dataset_kill", seed, k);
        kill_once(&r);
    }
    test_folder_remove(&folder);
    return 0;
}
