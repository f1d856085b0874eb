/* A follower that runs after every swath of random histories against one that reads the grown scene
 * for the first time: the same bytes, for any number of members and threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/moments.h>

#include "property/follow_rig.h"
#include "support/random.h"

static test_story story;

static const double skewers[3][4] = {{1, -1, 2, 0}, {0, 3, -1, -1}, {-2, 1, 1, 1}};
static double given[4][16];

/* The request of one history. */
static xta_follow_options request(test_random *random, uint64_t part, const rig_scene *scene)
{
    xta_follow_options o = XTA_FOLLOW_OPTIONS_INIT;

    o.method = (xta_follow_method)(part % 6);
    o.keep = (unsigned)test_random_in(random, 1, 63) | XTA_FOLLOW_ENDMEMBERS;
    o.n_endmembers = (size_t)test_random_in(random, 1, 4);
    o.seed = (uint64_t)test_random_in(random, 0, 1000);
    o.n_skewers = (size_t)test_random_in(random, 1, 60);
    o.threshold = test_random_chance(random, 30) ? 3.5 : 0;
    o.n_restarts = test_random_chance(random, 30) ? 2 : 0;
    o.radius = (int)test_random_in(random, 1, 2);
    o.iterations = (int)test_random_in(random, 1, 2);
    o.regions = test_random_chance(random, 30);
    o.label_by_abundance = test_random_chance(random, 40);
    o.unmix = (xta_unmix_method)test_random_in(random, 0, 3);
    o.normalise = test_random_chance(random, 30);
    o.noise = test_random_chance(random, 50);
    if (scene->n_bands == 4 && test_random_chance(random, 50)) {
        o.skewers = &skewers[0][0];
        o.n_skewers = 3;
        o.n_dims = 4;
    }
    if (o.method == XTA_FOLLOW_GIVEN) {
        for (size_t k = 0; k < sizeof given / sizeof given[0][0]; k++) {
            (&given[0][0])[k] = (double)test_random_in(random, 100, 1700);
        }
        o.endmembers = &given[0][0];
    }
    return o;
}

static rig_scene a_scene(test_random *random, uint64_t part, const test_folder *folder)
{
    static const xta_type types[] = {XTA_I16, XTA_F32, XTA_U16, XTA_F64};
    rig_scene scene = {.seed = test_random_u64(random)};

    test_folder_join(folder, "scene", scene.path);
    scene.type = types[test_random_in(random, 0, 3)];
    scene.n_samples = test_random_in(random, 5, 75);
    scene.n_bands = part % 3 == 0 ? 4 : test_random_in(random, 2, 12);
    scene.n_materials = (size_t)test_random_in(random, 2, 5);
    scene.holes = scene.type != XTA_U16 && test_random_chance(random, 50);
    return scene;
}

static void run_ok(const rig_run *run, xta_follow_report *report)
{
    xta_error err;

    STORY_OK(&story, rig_follow(run, report, &err), err);
}

/* A frozen basis of the current scene. */
static xta_basis *freeze(const rig_scene *scene)
{
    xta_basis_options options = XTA_BASIS_OPTIONS_INIT;
    xta_moments *moments = NULL;
    xta_basis *basis = NULL;
    xta_array *array = NULL;
    xta_scene *seen = NULL;
    xta_error err;

    STORY_OK(&story, xta_array_open(scene->path, NULL, &array, &err), err);
    STORY_OK(&story, xta_scene_open(array, NULL, &seen, &err), err);
    STORY_OK(&story, xta_moments_new(NULL, &moments, &err), err);
    STORY_OK(&story, xta_moments_update(moments, seen, &err), err);
    options.n_components = 2;
    if (xta_pct(moments, &options, &basis, &err) != XTA_OK) {
        basis = NULL; // There are too few pixels.
    }
    xta_moments_free(moments);
    xta_scene_close(seen);
    STORY_OK(&story, xta_array_close(array, &err), err);
    return basis;
}

/* Compare the results with those of a new follower in a separate folder. */
static void judge(const rig_run *run, test_random *random)
{
    test_folder fresh;
    char out[TEST_PATH_BYTES];
    rig_run again = *run;

    test_folder_make_fast(&fresh);
    again.out = test_folder_join(&fresh, "out", out);
    again.n_members = (int)test_random_in(random, 0, 4);
    again.n_threads = (int)test_random_in(random, 1, 2);
    again.memory_bytes = 0;
    test_story_add(&story, "judge: %d members, %d threads", again.n_members, again.n_threads);
    run_ok(&again, NULL);
    rig_compare(run->out, again.out, &story);
    test_folder_remove(&fresh);
}

static void grow(rig_scene *scene, bool bands, test_random *random)
{
    static const int64_t lengths[] = {1, 2, 3, 5, 7, 13, 31, 33, 50};

    if (bands && test_random_chance(random, 6) && scene->n_bands < 14) {
        test_story_add(&story, "a band");
        rig_scene_append_bands(scene, 1, &story);
        return;
    }
    const int64_t lines = lengths[test_random_in(random, 0, 8)];
    const xta_side side = test_random_chance(random, 40) ? XTA_FRONT : XTA_BACK;
    test_story_add(&story, "%lld lines at the %s", (long long)lines,
                   side == XTA_FRONT ? "front" : "back");
    rig_scene_append(scene, lines, side, &story);
}

static void history(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    test_folder folder;
    char out[TEST_PATH_BYTES];
    const int64_t chunk[3] = {test_random_in(&random, 3, 20), test_random_in(&random, 5, 40),
                              test_random_in(&random, 1, 6)};

    test_story_begin(&story, "hyper_follow", seed, part);
    test_folder_make_fast(&folder);
    rig_scene scene = a_scene(&random, part, &folder);
    xta_follow_options options = request(&random, part, &scene);
    rig_run run = {.scene = scene.path, .options = &options};
    run.out = test_folder_join(&folder, "out", out);
    test_story_add(&story, "%s, %lld samples, %lld bands, method %s, keep %u, p %zu",
                   xta_type_name(scene.type), (long long)scene.n_samples, (long long)scene.n_bands,
                   xta_follow_method_name(options.method), options.keep, options.n_endmembers);
    rig_scene_make(&scene, test_random_in(&random, 1, 60), chunk, &story);
    xta_basis *basis =
        options.skewers == NULL && test_random_chance(&random, 25) ? freeze(&scene) : NULL;
    options.basis = basis;
    const bool bands =
        options.method != XTA_FOLLOW_GIVEN && options.skewers == NULL && basis == NULL;
    for (int64_t swaths = test_random_in(&random, 1, 7); swaths >= 0; swaths--) {
        run.n_members = (int)test_random_in(&random, 0, 4);
        run.n_threads = (int)test_random_in(&random, 1, 2);
        run.n_updates = (int)test_random_in(&random, 1, 2);
        run.memory_bytes = test_random_chance(&random, 30) ? 3 << 20 : 0;
        test_story_add(&story, "follow: %d members, %d threads, %llu bytes", run.n_members,
                       run.n_threads, (unsigned long long)run.memory_bytes);
        run_ok(&run, NULL);
        if (swaths % 2 == 0) {
            judge(&run, &random);
        }
        if (swaths > 0) {
            grow(&scene, bands, &random);
        }
    }
    xta_basis_free(basis);
    test_folder_remove(&folder);
}

/* The endmembers in memory are those of the file: the last spectrum, its pixel and its score. */
static void check_endmembers(const xta_endmembers *e, const char *out)
{
    char path[TEST_PATH_BYTES + 32], wanted[64];
    size_t n = 0;
    const char *at;

    snprintf(path, sizeof path, "%s/endmembers.csv", out);
    char *text = (char *)test_file_read(path, &n);
    STORY_CHECK(&story, text != NULL && n > 1, "there is no endmembers.csv");
    text[n - 1] = '\0'; // the end of the last line
    snprintf(wanted, sizeof wanted, "em%zu: line %lld, sample %lld, score ", e->n,
             (long long)e->line[e->n - 1], (long long)e->sample[e->n - 1]);
    at = strstr(text, wanted);
    STORY_CHECK(&story, at != NULL, "no \"%s\" in the file", wanted);
    STORY_CHECK(&story, strtod(at + strlen(wanted), NULL) == e->score[e->n - 1], "another score");
    snprintf(wanted, sizeof wanted, ",em%zu\n", e->n);
    STORY_CHECK(&story, strstr(text, wanted) != NULL, "the file has not %zu columns", e->n);
    STORY_CHECK(&story, strtod(strrchr(text, ',') + 1, NULL) == e->spectra[e->n * e->n_bands - 1],
                "another spectrum");
    free(text);
}

/* Before an update there are none; after one, and in a follower that finds nothing new, those of
 * the file. */
static void endmembers_in_memory(void)
{
    const int64_t chunk[3] = {5, 7, 3};
    xta_follow_options options = XTA_FOLLOW_OPTIONS_INIT;
    test_folder folder;
    char out[TEST_PATH_BYTES];
    rig_scene made = {.seed = 4, .type = XTA_U16, .n_samples = 9, .n_bands = 6, .n_materials = 4};
    xta_error err;

    test_story_begin(&story, "hyper_follow endmembers", 4, 0);
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "scene", made.path);
    test_folder_join(&folder, "out", out);
    rig_scene_make(&made, 12, chunk, &story);
    options.n_endmembers = 3;
    for (int k = 0; k < 2; k++) {
        xta_array *array = NULL;
        xta_scene *scene = NULL;
        xta_follow *follow = NULL;
        STORY_OK(&story, xta_array_open(made.path, NULL, &array, &err), err);
        STORY_OK(&story, xta_scene_open(array, NULL, &scene, &err), err);
        STORY_OK(&story, xta_follow_open(scene, out, &options, &follow, &err), err);
        STORY_CHECK(&story, k > 0 || xta_follow_endmembers(follow)->n == 0, "before an update");
        STORY_OK(&story, xta_follow_update(follow, NULL, &err), err);
        STORY_CHECK(&story, xta_follow_endmembers(follow)->n == 3, "%zu endmembers",
                    xta_follow_endmembers(follow)->n);
        check_endmembers(xta_follow_endmembers(follow), out);
        xta_follow_close(follow);
        xta_scene_close(scene);
        STORY_OK(&story, xta_array_close(array, &err), err);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const uint64_t seed = test_seed("hyper_follow", 20260501);
    const char *only = getenv("XTA_PART");
    const uint64_t n = test_scale(60);

    endmembers_in_memory();
    for (uint64_t part = 0; part < n; part++) {
        if (only == NULL || strtoull(only, NULL, 10) == part) {
            history(seed, part);
        }
    }
    return 0;
}
