/* A follower that is killed while swaths arrive, that has a full disk, whose state is damaged, that
 * runs beside another one, or that gets a different request than before.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "follow/follow_private.h"
#include "follow/saved_state.h"
#include "property/follow_rig.h"
#include "support/random.h"

static test_story story;
static test_folder folder;

static const int64_t chunk[3] = {7, 16, 3};

static xta_follow_options everything(xta_follow_method method)
{
    xta_follow_options o = XTA_FOLLOW_OPTIONS_INIT;

    o.method = method;
    o.keep = XTA_FOLLOW_BASIS | XTA_FOLLOW_PPI | XTA_FOLLOW_MEI | XTA_FOLLOW_LABELS |
             XTA_FOLLOW_ABUNDANCES;
    o.n_endmembers = 3;
    o.n_skewers = 40;
    return o;
}

static rig_scene a_scene(const char *name, uint64_t seed, int64_t lines)
{
    rig_scene scene = {.seed = seed, .type = XTA_I16, .n_samples = 40, .n_bands = 5};

    scene.n_materials = 4;
    scene.holes = true;
    test_folder_join(&folder, name, scene.path);
    rig_scene_make(&scene, lines, chunk, &story);
    return scene;
}

static void follow_ok(const rig_run *run, xta_follow_report *report)
{
    xta_error err;

    STORY_OK(&story, rig_follow(run, report, &err), err);
}

/* Compare the results with those of a follower that starts from nothing. */
static void judge(const rig_run *run)
{
    char out[TEST_PATH_BYTES];
    test_folder fresh;
    rig_run again = *run;

    test_folder_make_fast(&fresh);
    again.out = test_folder_join(&fresh, "out", out);
    follow_ok(&again, NULL);
    rig_compare(run->out, again.out, &story);
    test_folder_remove(&fresh);
}

/* ---- kills ---- */

static void nap(int64_t microseconds)
{
    const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};

    nanosleep(&time, NULL);
}

/* A process that appends swaths at both ends. */
static pid_t start_plane(const rig_scene *scene, uint64_t seed, int n_swaths)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        test_random random = test_random_make(seed, 1);
        for (int k = 0; k < n_swaths; k++) {
            nap(test_random_in(&random, 2000, 20000));
            rig_scene_append(scene, test_random_in(&random, 1, 9),
                             test_random_chance(&random, 30) ? XTA_FRONT : XTA_BACK, &story);
        }
        _exit(0);
    }
    return child;
}

/* A process that follows until it is killed. If it `contends`, another follower may have the folder
 * at its start. */
static pid_t start_follower(const rig_run *run, bool contends)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        rig_run endless = *run;
        xta_error err;
        endless.n_updates = 1000000;
        xta_status status = rig_follow(&endless, NULL, &err);
        while (contends && status == XTA_EEXIST) {
            nap(1000);
            status = rig_follow(&endless, NULL, &err);
        }
        STORY_OK(&story, status, err);
        _exit(0);
    }
    return child;
}

static void wait_for(pid_t child, int wanted_signal)
{
    int status = 0;

    STORY_CHECK(&story, waitpid(child, &status, 0) == child, "waitpid");
    STORY_CHECK(&story,
                wanted_signal != 0 ? WIFSIGNALED(status) && WTERMSIG(status) == wanted_signal
                                   : WIFEXITED(status) && WEXITSTATUS(status) == 0,
                "a child ended with status %d", status);
}

/* Kill it `n_kills` times, then let it finish. */
static void kills(uint64_t seed, xta_follow_method method, int n_members, int n_kills)
{
    test_random random = test_random_make(seed, method);
    const xta_follow_options options = everything(method);
    char out[TEST_PATH_BYTES], name[32];
    pid_t plane;

    test_story_begin(&story, "hyper follow, killed", seed, method);
    snprintf(name, sizeof name, "killed%d", (int)method);
    const rig_scene scene = a_scene(name, seed + method, 12);
    snprintf(name, sizeof name, "out%d", (int)method);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, name, out);
    run.n_members = n_members;
    plane = start_plane(&scene, seed, n_kills);
    for (int k = 0; k < n_kills; k++) {
        const pid_t follower = start_follower(&run, false);
        nap(test_random_in(&random, 500, 25000));
        kill(follower, SIGKILL);
        wait_for(follower, SIGKILL);
        test_story_add(&story, "killed once more");
    }
    wait_for(plane, 0);
    follow_ok(&run, NULL);
    judge(&run);
    test_pair_remove(scene.path);
}

/* ---- damage ---- */

/* A damaged state is refused, whatever its content, and the files next to it stay. */
static void damage(void)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_NFINDR);
    char out[TEST_PATH_BYTES], path[2 * TEST_PATH_BYTES];
    size_t n = 0;
    xta_error err;
    xta_follow_report report;

    test_story_begin(&story, "hyper follow, damaged", 0, 0);
    const rig_scene scene = a_scene("damaged", 3, 10);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, "out-damaged", out);
    follow_ok(&run, NULL);
    snprintf(path, sizeof path, "%s/follow.state", out);
    uint8_t *good = test_file_read(path, &n), *bad = malloc(n);
    STORY_CHECK(&story, good != NULL && bad != NULL && n > 100, "no state");
    rig_scene_append(&scene, 3, XTA_BACK, &story);
    for (size_t k = 0; k < n; k += 1 + k / 300) {
        xta_status status;
        memcpy(bad, good, n);
        bad[k] ^= (uint8_t)(1 << k % 8);
        test_file_write(path, bad, n);
        status = rig_follow(&run, NULL, &err);
        STORY_CHECK(&story, status == XTA_ECORRUPT || status == XTA_EFORMAT,
                    "byte %zu was changed: %s: %s", k, xta_status_name(status), err.text);
        STORY_CHECK(&story, strstr(err.text, "--again") != NULL, "no remedy: %s", err.text);
        test_file_write(path, good, k);
        status = rig_follow(&run, NULL, &err);
        STORY_CHECK(&story, status == XTA_ECORRUPT || status == XTA_EFORMAT,
                    "cut to %zu bytes: %s: %s", k, xta_status_name(status), err.text);
    }
    test_file_write(path, good, n);
    follow_ok(&run, &report);
    STORY_CHECK(&story, report.lines_new == 3 && !report.from_start, "it did not go on");
    judge(&run);
    // A state that cannot be read can be discarded.
    test_file_write(path, good, n / 2);
    xta_follow_options again = options;
    again.again = true;
    run.options = &again;
    follow_ok(&run, &report);
    STORY_CHECK(&story, report.from_start, "it did not start over");
    run.options = &options;
    judge(&run);
    free(good);
    free(bad);
    test_pair_remove(scene.path);
}

/* ---- an update killed while it rewrote old labels ---- */

/* The state left by such an update, made by hand: it says that labels are not covered. */
static void forget_labels(const rig_run *run)
{
    xta_array *array = NULL;
    xta_scene *scene = NULL;
    xta_follow *f = NULL;
    xta_error err;

    STORY_OK(&story, xta_array_open(run->scene, NULL, &array, &err), err);
    STORY_OK(&story, xta_scene_open(array, NULL, &scene, &err), err);
    STORY_OK(&story, xta_follow_open(scene, run->out, run->options, &f, &err), err);
    STORY_OK(&story, xta__follow_save_unlabelled(f, &err), err);
    xta_follow_close(f);
    xta_scene_close(scene);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void spoil(const char *folder_of_results, const char *name, const void *cell)
{
    char path[2 * TEST_PATH_BYTES];
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    writable.writable = true;
    snprintf(path, sizeof path, "%s/%s", folder_of_results, name);
    STORY_OK(&story, xta_array_open(path, &writable, &array, &err), err);
    const xta_box box = xta_array_bounds(array);
    STORY_OK(&story, xta_array_fill(array, &box, cell, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* Then all labels are written again, even if the endmembers stay and there are no new lines. */
static void unfinished(bool grown)
{
    static const double spectra[2][5] = {{300, 900, 400, 1200, 700}, {1500, 600, 900, 300, 800}};
    xta_follow_options options = everything(XTA_FOLLOW_GIVEN);
    const uint8_t label = 77;
    const float share = 5;
    char out[TEST_PATH_BYTES];
    xta_follow_report report;

    test_story_begin(&story, "hyper follow, not finished", 0, grown);
    options.endmembers = &spectra[0][0];
    options.n_endmembers = 2;
    const rig_scene scene = a_scene("unfinished", 9, 20);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, grown ? "out-grown" : "out-same", out);
    follow_ok(&run, NULL);
    forget_labels(&run);
    spoil(out, "labels", &label);
    spoil(out, "abundances", &share);
    if (grown) {
        rig_scene_append(&scene, 3, XTA_FRONT, &story);
    }
    follow_ok(&run, &report);
    STORY_CHECK(&story, report.changed && !report.from_start, "it did not go on");
    judge(&run);
    test_pair_remove(scene.path);
}

/* ---- two followers; other requests; foreign files ---- */

static void two_followers(void)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_SGA);
    char out[TEST_PATH_BYTES], who[32];
    xta_error err;

    test_story_begin(&story, "hyper follow, two", 0, 0);
    const rig_scene scene = a_scene("two", 4, 10);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, "out-two", out);
    follow_ok(&run, NULL);
    const pid_t first = start_follower(&run, true);
    snprintf(who, sizeof who, "process %ld)", (long)first);
    xta_status status = XTA_OK;
    for (int k = 0; k < 500 && status == XTA_OK; k++) {
        nap(10000);
        status = rig_follow(&run, NULL, &err);
    }
    STORY_CHECK(&story, status == XTA_EEXIST, "%s: %s", xta_status_name(status), err.text);
    STORY_CHECK(&story, strstr(err.text, who) != NULL, "it is not named: %s", err.text);
    kill(first, SIGKILL);
    wait_for(first, SIGKILL);
    follow_ok(&run, NULL);
    judge(&run);
    test_pair_remove(scene.path);
}

static void refuse(rig_run *run, const xta_follow_options *options, const char *what)
{
    xta_error err;

    run->options = options;
    STORY_FAILS(&story, rig_follow(run, NULL, &err), XTA_EARG, err);
    STORY_CHECK(&story, strstr(err.text, what) != NULL && strstr(err.text, "--again") != NULL,
                "not \"%s\": %s", what, err.text);
}

static void other_requests(void)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_NFINDR);
    char out[TEST_PATH_BYTES];
    xta_follow_options o;

    test_story_begin(&story, "hyper follow, asked for something else", 0, 0);
    const rig_scene scene = a_scene("other", 5, 10);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, "out-other", out);
    follow_ok(&run, NULL);
    o = options;
    o.method = XTA_FOLLOW_BY_SGA;
    refuse(&run, &o, "\"method nfindr\", and now \"method sga\"");
    o = options;
    o.n_endmembers = 4;
    refuse(&run, &o, "\"count 3\", and now \"count 4\"");
    o = options;
    o.seed = 9;
    refuse(&run, &o, "\"seed 0\", and now \"seed 9\"");
    o = options;
    o.keep = XTA_FOLLOW_LABELS;
    refuse(&run, &o, "now \"keep endmembers labels\"");
    o = options;
    o.n_skewers = 41;
    refuse(&run, &o, "\"skewers 40\", and now \"skewers 41\"");
    o = options;
    o.unmix = XTA_UCLS;
    refuse(&run, &o, "\"unmix fcls\", and now \"unmix ucls\"");
    run.options = &options;
    judge(&run);
    o.again = true;
    run.options = &o;
    follow_ok(&run, NULL);
    o.again = false;
    judge(&run);
    test_pair_remove(scene.path);
}

static void strangers(void)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_NFINDR);
    char out[TEST_PATH_BYTES], path[2 * TEST_PATH_BYTES];
    xta_error err;
    size_t n = 0;

    test_story_begin(&story, "hyper follow, strangers", 0, 0);
    const rig_scene scene = a_scene("strange", 6, 10);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, "out-strange", out);
    STORY_CHECK(&story, mkdir(out, 0777) == 0, "mkdir");
    snprintf(path, sizeof path, "%s/endmembers.csv", out);
    test_file_write(path, "mine", 4);
    STORY_FAILS(&story, rig_follow(&run, NULL, &err), XTA_EEXIST, err);
    xta_follow_options again = options;
    again.again = true;
    run.options = &again;
    STORY_FAILS(&story, rig_follow(&run, NULL, &err), XTA_EEXIST, err);
    uint8_t *mine = test_file_read(path, &n);
    STORY_CHECK(&story, mine != NULL && n == 4 && memcmp(mine, "mine", 4) == 0, "it was touched");
    free(mine);
    // A path that cannot be a folder.
    run.out = path;
    run.options = &options;
    STORY_CHECK(&story, rig_follow(&run, NULL, &err) != XTA_OK, "a file is no folder");
    run.out = test_folder_join(&folder, "no/such/folder", out);
    STORY_FAILS(&story, rig_follow(&run, NULL, &err), XTA_ENOENT, err);
    test_pair_remove(scene.path);
}

/* ---- what cannot be continued ---- */

static void smaller_scene(void)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_NFINDR);
    const xta_growth less = {0, XTA_BACK, 4}, wider = {1, XTA_FRONT, 3};
    char out[TEST_PATH_BYTES];
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_follow_report report;
    xta_error err;

    test_story_begin(&story, "hyper follow, a smaller scene", 0, 0);
    const rig_scene scene = a_scene("smaller", 7, 20);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    run.out = test_folder_join(&folder, "out-smaller", out);
    follow_ok(&run, NULL);
    writable.writable = true;
    STORY_OK(&story, xta_array_open(scene.path, &writable, &array, &err), err);
    STORY_OK(&story, xta_array_shrink(array, &less, 1, NULL, &err), err);
    follow_ok(&run, &report);
    STORY_CHECK(&story, report.from_start && strstr(report.why, "taken away") != NULL, "%s",
                report.why);
    judge(&run);
    STORY_OK(&story, xta_array_extend(array, &wider, 1, NULL, &err), err);
    follow_ok(&run, &report);
    STORY_CHECK(&story, report.from_start && strstr(report.why, "samples") != NULL, "%s",
                report.why);
    judge(&run);
    // Cells changed in lines that are covered: only --again sees them.
    const int64_t at[3] = {5, 5, 2};
    const int16_t cell = 12345;
    STORY_OK(&story, xta_array_put(array, at, &cell, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    follow_ok(&run, &report);
    STORY_CHECK(&story, !report.changed, "nothing was new");
    xta_follow_options again = options;
    again.again = true;
    run.options = &again;
    follow_ok(&run, &report);
    run.options = &options;
    judge(&run);
    test_pair_remove(scene.path);
}

/* ---- a full disk ---- */

static void fill_the_disk(const char *disk)
{
    const xta_follow_options options = everything(XTA_FOLLOW_BY_NFINDR);
    const rig_scene scene = a_scene("large", 8, 20);
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    char out[TEST_PATH_BYTES + 8], kept[TEST_PATH_BYTES + 8], copy[4 * TEST_PATH_BYTES];
    xta_follow_report report;
    xta_error err;

    snprintf(out, sizeof out, "%s/out", disk);
    snprintf(kept, sizeof kept, "%s/kept", folder.path);
    run.out = out;
    follow_ok(&run, NULL);
    snprintf(copy, sizeof copy, "cp -r '%s' '%s'", out, kept);
    STORY_CHECK(&story, system(copy) == 0, "cp");
    // No space for new results: existing ones stay.
    rig_scene_append(&scene, 3000, XTA_BACK, &story);
    for (int k = 0; k < 3; k++) {
        STORY_FAILS(&story, rig_follow(&run, NULL, &err), XTA_ENOSPC, err);
    }
    char a[2 * TEST_PATH_BYTES], b[2 * TEST_PATH_BYTES];
    size_t n = 0, m = 0;
    snprintf(a, sizeof a, "%s/follow.state", out);
    snprintf(b, sizeof b, "%s/follow.state", kept);
    uint8_t *now = test_file_read(a, &n), *then = test_file_read(b, &m);
    STORY_CHECK(&story, n == m && n > 0 && memcmp(now, then, n) == 0, "the state has changed");
    free(now);
    free(then);
    // With more space it continues.
    STORY_CHECK(&story, mount("none", disk, "tmpfs", MS_REMOUNT, "size=64m") == 0, "more room");
    follow_ok(&run, &report);
    STORY_CHECK(&story, !report.from_start && report.lines_new == 3000, "it did not go on");
    judge(&run);
}

static void full_disk(void)
{
    char disk[TEST_PATH_BYTES];
    int status = 0;

    test_story_begin(&story, "hyper follow, a full disk", 0, 0);
    test_folder_join(&folder, "disk", disk);
    STORY_CHECK(&story, mkdir(disk, 0777) == 0, "mkdir");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) { // The mount is private to the child and ends with it.
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", disk, "tmpfs", 0, "size=1500k") != 0) {
            printf("SKIPPED: a full disk (cannot mount a small file system: needs root)\n");
            exit(0);
        }
        fill_the_disk(disk);
        exit(0);
    }
    waitpid(child, &status, 0);
    STORY_CHECK(&story, status == 0, "the child failed (status %d)", status);
}

int main(void)
{
    const uint64_t seed = test_seed("hyper_follow faults", 77);
    const int n_kills = (int)test_scale(50);

    test_folder_make_fast(&folder);
    damage();
    unfinished(false);
    unfinished(true);
    two_followers();
    other_requests();
    strangers();
    smaller_scene();
    full_disk();
    kills(seed, XTA_FOLLOW_BY_NFINDR, 0, n_kills);
    kills(seed, XTA_FOLLOW_BY_AMEE, 2, n_kills / 2 + 1);
    kills(seed, XTA_FOLLOW_BY_PPI, 0, n_kills / 2 + 1);
    test_folder_remove(&folder);
    return 0;
}
