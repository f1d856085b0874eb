/* A follower whose n-th allocation, or that and all later ones, are refused: it fails with an
 * error, or gets the right results; nothing leaks; and the next one continues to the same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/follow_rig.h"
#include "support/failing_alloc.h"
#include "support/random.h"

static test_story story;
static test_folder folder;

static void shell(const char *format, const char *a, const char *b)
{
    char line[4 * TEST_PATH_BYTES];

    snprintf(line, sizeof line, format, a, b);
    STORY_CHECK(&story, system(line) == 0, "%s", line);
}

/* Run it with the n-th allocation refused; returns whether one was refused. */
static bool refused_at(const rig_run *run, uint64_t n, bool for_good, xta_status *status)
{
    const int64_t live = failing_alloc_live();
    xta_error err = {0};
    bool refused;

    failing_alloc_at(n, for_good);
    failing_alloc_arm(true);
    *status = rig_follow(run, NULL, &err);
    failing_alloc_arm(false);
    refused = failing_alloc_happened();
    failing_alloc_at(0, false);
    STORY_CHECK(&story, failing_alloc_live() == live, "allocation %llu: %lld are left",
                (unsigned long long)n, (long long)(failing_alloc_live() - live));
    STORY_CHECK(&story, *status == XTA_OK || *status == XTA_ENOMEM, "allocation %llu: %s: %s",
                (unsigned long long)n, xta_status_name(*status), err.text);
    return refused;
}

/* From `half`, which covers a part of the scene, to `whole`. */
static void refuse_each(xta_follow_method method, int n_members, bool for_good)
{
    xta_follow_options options = XTA_FOLLOW_OPTIONS_INIT;
    rig_scene scene = {.seed = 5, .type = XTA_F32, .n_samples = 40, .n_bands = 4, .holes = true};
    const int64_t chunk[3] = {16, 16, 4};
    char half[TEST_PATH_BYTES], whole[TEST_PATH_BYTES], out[TEST_PATH_BYTES];
    rig_run run = {.scene = scene.path, .options = &options, .n_threads = 1};
    uint64_t n_failed = 0, n_refused = 0;
    bool refused = true;
    xta_error err;

    scene.n_materials = 4;
    test_folder_join(&folder, "scene", scene.path);
    options.method = method;
    options.keep = XTA_FOLLOW_BASIS | XTA_FOLLOW_PPI | XTA_FOLLOW_MEI | XTA_FOLLOW_LABELS |
                   XTA_FOLLOW_ABUNDANCES;
    options.n_endmembers = 3;
    options.n_skewers = 10;
    rig_scene_make(&scene, 20, chunk, &story);
    run.out = test_folder_join(&folder, "half", half);
    STORY_OK(&story, rig_follow(&run, NULL, &err), err);
    rig_scene_append(&scene, 9, XTA_FRONT, &story);
    run.out = test_folder_join(&folder, "whole", whole);
    STORY_OK(&story, rig_follow(&run, NULL, &err), err);
    run.out = test_folder_join(&folder, "out", out);
    for (uint64_t n = 1; refused; n += 1 + n / 12) {
        xta_status status;
        shell("rm -rf '%s'%s", out, "");
        shell("cp -r '%s' '%s'", half, out);
        run.n_members = n_members;
        refused = refused_at(&run, n, for_good, &status);
        n_refused += refused;
        n_failed += status != XTA_OK;
        if (status != XTA_OK) {
            run.n_members = 0;
            STORY_OK(&story, rig_follow(&run, NULL, &err), err);
        }
        test_story_add(&story, "allocation %llu", (unsigned long long)n);
        rig_compare(out, whole, &story);
    }
    STORY_CHECK(&story, n_refused > 20 && n_failed > n_refused / 2, "%llu refused, %llu failed",
                (unsigned long long)n_refused, (unsigned long long)n_failed);
    shell("rm -rf '%s' '%s'", out, half);
    shell("rm -rf '%s'%s", whole, "");
    test_pair_remove(scene.path);
}

int main(void)
{
    test_folder_make_fast(&folder);
    for (int k = 0; k < 4; k++) {
        test_story_begin(&story, "hyper follow, no memory", 0, (uint64_t)k);
        refuse_each(k == 3 ? XTA_FOLLOW_BY_AMEE : XTA_FOLLOW_BY_NFINDR, k == 2 ? 2 : 0, k % 2 == 1);
    }
    test_folder_remove(&folder);
    return 0;
}
