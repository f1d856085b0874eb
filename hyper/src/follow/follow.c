/* A follower: opening a folder of results, and the steps of an update. follow_private.h explains
 * their order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/follow.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cblas.h>

#include "follow/endmembers.h"
#include "follow/follow_private.h"
#include "follow/labels.h"
#include "follow/lock.h"
#include "follow/maps.h"
#include "follow/options.h"
#include "follow/pixels.h"
#include "follow/result.h"
#include "follow/saved_state.h"
#include "follow/text_files.h"
#include "parallel/communicator.h"
#include "scene/coverage.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "state/replace_file.h"
#include "state/state_file.h"
#include "util/crc32c.h"
#include "util/try.h"

/* ---- opening ---- */

/* Whether something of that name, with that suffix, is in the folder. */
static bool file_exists(const xta_follow *f, const char *name, const char *suffix)
{
    char whole[64];
    char *path;
    bool there;

    snprintf(whole, sizeof whole, "%s%s", name, suffix);
    path = xta__file_path(f->folder, whole);
    there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Rank 0: in a folder without a state file, a file with the name of a result belongs to something
 * else. */
static xta_status check_foreign_files(const xta_follow *f, xta_error *err)
{
    static const char *const texts[] = {"endmembers.csv", "pct.basis", "mnf.basis"};
    const char *found = NULL;

    for (int map = 0; map < N_MAPS; map++) {
        if (file_exists(f, xta__follow_map_name(map), ".xmd")) {
            found = xta__follow_map_name(map);
        }
    }
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        found = file_exists(f, texts[k], "") ? texts[k] : found;
    }
    if (found == NULL) {
        return XTA_OK;
    }
    return xta_error_set(err, XTA_EEXIST, EEXIST,
                         "%s: has \"%s\" and no follow.state, so it was not made by a follower; "
                         "choose another folder",
                         f->folder, found);
}

/* Rank 0: remove the text files when a follower starts over. */
static void remove_texts(const xta_follow *f)
{
    static const char *const texts[] = {"endmembers.csv", "pct.basis", "mnf.basis"};

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char *path = xta__file_path(f->folder, texts[k]);
        if (path != NULL) {
            unlink(path);
        }
        free(path);
    }
}

/* Collective. First the state says that nothing is covered, then the results are deleted; in the
 * other order a kill in between would leave a state without its results. */
static xta_status start_over(xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;

    xta__follow_free_objects(f);
    XTA_TRY(xta__follow_save_empty(f, err));
    for (int map = 0; map < N_MAPS; map++) {
        XTA_TRY(xta__follow_delete_map(f, map, err));
    }
    if (xta_communicator_rank(f->communicator) == 0) {
        remove_texts(f);
    }
    XTA_TRY(xta__agree(f->communicator, xta__follow_make_objects(f, err), err));
    f->loaded = f->fitted = true;
done:
    return status;
}

static void shape_of(const xta_scene *scene, int64_t shape[FOLLOW_SHAPE])
{
    const xta_scene_info info = xta_scene_inquire(scene);
    const unsigned char *bands = (const unsigned char *)info.band;
    const char *kernel = openblas_get_corename();

    shape[SHAPE_SAMPLES] = info.sample_lo;
    shape[SHAPE_SAMPLES + 1] = info.sample_hi;
    shape[SHAPE_BANDS] = info.band_lo;
    shape[SHAPE_BANDS + 1] = info.band_hi;
    shape[SHAPE_ANCHOR] = info.anchor;
    shape[SHAPE_USE] = xta__crc32c(0, bands, info.n_bands * sizeof info.band[0]);
    shape[SHAPE_KERNEL] = xta__crc32c(0, (const unsigned char *)kernel, strlen(kernel));
}

/* If the array has the same bounds but other bands are in use, the caller has asked for something
 * else. */
static xta_status check_bands(const xta_follow *f, xta_error *err)
{
    int64_t shape[FOLLOW_SHAPE];

    shape_of(f->scene, shape);
    if (f->covered.line_lo < f->covered.line_hi && shape[SHAPE_USE] != f->shape[SHAPE_USE] &&
        memcmp(shape, f->shape, SHAPE_USE * sizeof shape[0]) == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: its results were made with other bands in use: give the same "
                             "bands, or another folder, or start over with --again",
                             f->folder);
    }
    return XTA_OK;
}

/* Collective. Continue from the state in the folder, or start anew. */
static xta_status continue_or_start(xta_follow *f, xta_error *err)
{
    state_file state = {0};
    bool there = file_exists(f, "follow.state", "");
    xta_status status = XTA_OK;

    if (f->options.again) {
        status = xta_communicator_rank(f->communicator) == 0 && !there ? check_foreign_files(f, err)
                                                                       : XTA_OK;
        XTA_TRY(xta__agree(f->communicator, status, err));
        XTA_TRY(start_over(f, err));
        goto done;
    }
    XTA_TRY(xta__follow_read_state(f, &state, &there, err));
    if (there) {
        XTA_TRY(xta__follow_same_options(f, &state, err));
        XTA_TRY(xta__follow_load(f, err));
        XTA_TRY(check_bands(f, err));
        goto done;
    }
    status = xta_communicator_rank(f->communicator) == 0 ? check_foreign_files(f, err) : XTA_OK;
    XTA_TRY(xta__agree(f->communicator, status, err));
    XTA_TRY(start_over(f, err));
done:
    xta__state_file_clear(&state);
    return status;
}

xta_status xta_follow_open(xta_scene *scene, const char *folder, const xta_follow_options *options,
                           xta_follow **follow, xta_error *err)
{
    const xta_communicator *communicator = xta__scene_communicator(scene);
    xta_follow *f = calloc(1, sizeof *f);
    xta_status status = XTA_OK;

    *follow = NULL;
    XTA_TRY(xta__agree(
        communicator,
        f != NULL ? XTA_OK : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a follower"), err));
    f->scene = scene;
    f->communicator = communicator;
    f->lock = -1;
    f->folder = strdup(folder);
    status = f->folder != NULL ? xta__follow_copy_options(f, options, err)
                               : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a name");
    XTA_TRY(xta__agree(communicator, status, err));
    status = xta_communicator_rank(communicator) == 0 ? xta__follow_lock(f, err) : XTA_OK;
    XTA_TRY(xta__agree(communicator, status, err));
    XTA_TRY(continue_or_start(f, err));
    *follow = f;
    f = NULL;
done:
    xta_follow_close(f);
    return status;
}

void xta_follow_close(xta_follow *f)
{
    if (f == NULL) {
        return;
    }
    xta__follow_free_objects(f);
    xta__follow_close_maps(f);
    xta__follow_unlock(f);
    xta_basis_free(f->basis);
    free(f->given);
    free(f->skewers);
    free(f->parameters);
    free(f->folder);
    free(f);
}

const xta_endmembers *xta_follow_endmembers(const xta_follow *follow)
{
    return &follow->endmembers;
}

/* ---- an update ---- */

/* Why the results so far cannot be continued. */
static const char *why_not_continued(const xta_follow *f, bool fit)
{
    const coverage now = xta__coverage_of(f->scene);
    int64_t shape[FOLLOW_SHAPE];

    shape_of(f->scene, shape);
    if (memcmp(shape, f->shape, 2 * sizeof shape[0]) != 0) {
        return "samples have come or gone: started again";
    }
    if (memcmp(shape + SHAPE_BANDS, f->shape + SHAPE_BANDS, 2 * sizeof shape[0]) != 0) {
        return "bands have come or gone: started again";
    }
    if (!fit || now.line_lo > f->covered.line_lo || now.line_hi < f->covered.line_hi) {
        return "lines were taken away: started again";
    }
    if (shape[SHAPE_ANCHOR] != f->shape[SHAPE_ANCHOR]) {
        return "the line nearest to 0, which decides on bands, is another: started again";
    }
    if (shape[SHAPE_KERNEL] != f->shape[SHAPE_KERNEL]) {
        return "the last bits of this processor's arithmetic are others: started again";
    }
    return "the bands in use or the no-data values are others: started again";
}

/* Collective. Find the lines that the state does not cover: all lines, if it cannot be continued.
 */
static xta_status find_new(xta_follow *f, xta_follow_report *report, line_range fresh[2],
                           int *n_fresh, xta_error *err)
{
    const bool any = f->covered.line_lo < f->covered.line_hi;
    bool fit = true, same = true;
    int64_t shape[FOLLOW_SHAPE];
    xta_status status = XTA_OK;

    if (!f->fitted) {
        XTA_TRY(xta__follow_maps_fit(f, &fit, err));
    }
    f->fitted = true;
    shape_of(f->scene, shape);
    same = !any || shape[SHAPE_KERNEL] == f->shape[SHAPE_KERNEL];
    *n_fresh = xta__coverage_new(&f->covered, f->scene, fresh);
    if (*n_fresh < 0 || !fit || !same) {
        snprintf(report->why, sizeof report->why, "%s",
                 any ? why_not_continued(f, fit)
                     : "an update before this one was not finished: started again");
        XTA_TRY(start_over(f, err));
        *n_fresh = xta__coverage_new(&f->covered, f->scene, fresh);
    }
    report->from_start = f->covered.line_lo >= f->covered.line_hi;
done:
    return status;
}

/* Compute everything that comes from pixels alone. */
static xta_status find_results(xta_follow *f, const follow_step *step, bool *changed,
                               xta_error *err)
{
    xta_status status = XTA_OK;

    *changed = false;
    if (f->moments != NULL) {
        XTA_TRY(xta__follow_moments(f, step, err));
    }
    if (f->ppi != NULL) {
        XTA_TRY(xta__follow_ppi(f, step, err));
    }
    if ((f->keep & XTA_FOLLOW_MEI) != 0) {
        XTA_TRY(xta__follow_mei(f, step, err));
    }
    if ((f->keep & XTA_FOLLOW_ENDMEMBERS) != 0) {
        XTA_TRY(xta__follow_endmembers(f, step, changed, err));
    }
done:
    return status;
}

/* If the number of endmembers has changed, the array of abundances does not fit any more. */
static xta_status fit_layers(xta_follow *f, bool *relabel, xta_error *err)
{
    bool fit = true;
    xta_status status = XTA_OK;

    if ((f->keep & XTA_FOLLOW_ABUNDANCES) == 0) {
        return XTA_OK;
    }
    XTA_TRY(xta__follow_layers_fit(f, &fit, err));
    if (!fit) {
        *relabel = true;
        XTA_TRY(xta__follow_save_unlabelled(f, err));
        XTA_TRY(xta__follow_delete_map(f, MAP_ABUNDANCES, err));
    }
done:
    return status;
}

static xta_status write_texts(const xta_follow *f, bool changed, xta_error *err)
{
    xta_status status = XTA_OK;

    if ((f->keep & XTA_FOLLOW_ENDMEMBERS) != 0 && (changed || !f->texts)) {
        XTA_TRY(xta__follow_endmembers_csv(f, err));
    }
    if (f->moments != NULL) {
        XTA_TRY(xta__follow_bases(f, err));
    }
done:
    return status;
}

/* Steps 3 to 6 of an update. */
static xta_status write_results(xta_follow *f, const follow_step *step, bool changed,
                                xta_error *err)
{
    bool relabel = changed || !f->whole;
    xta_status status = XTA_OK;

    f->before = f->covered;
    XTA_TRY(fit_layers(f, &relabel, err));
    XTA_TRY(xta__follow_label_new(f, step, err));
    XTA_TRY(xta__follow_sync_maps(f, err));
    XTA_TRY(write_texts(f, changed, err));
    f->covered = xta__coverage_of(f->scene);
    shape_of(f->scene, f->shape);
    XTA_TRY(xta__follow_prepare_state(f, err));
    if (relabel) {
        XTA_TRY(xta__follow_save_unlabelled(f, err));
        XTA_TRY(xta__follow_label_old(f, step, err));
        XTA_TRY(xta__follow_sync_maps(f, err));
    }
    XTA_TRY(xta__follow_remove_missing(f, err));
    XTA_TRY(xta__follow_commit_state(f, err));
    f->whole = f->texts = true;
done:
    return status;
}

static void describe_update(const xta_follow *f, const line_range fresh[], int n_fresh,
                            xta_follow_report *report)
{
    report->line_lo = f->covered.line_lo;
    report->line_hi = f->covered.line_hi;
    report->n_endmembers = f->endmembers.n;
    for (int k = 0; k < n_fresh; k++) {
        report->lines_new += (uint64_t)(fresh[k].hi - fresh[k].lo);
    }
}

static xta_status run_update(xta_follow *f, xta_follow_report *report, xta_error *err)
{
    line_range fresh[2];
    int n_fresh = 0;
    follow_step step = {.report = report, .fresh = fresh};
    bool changed = false;
    xta_status status = XTA_OK;

    XTA_TRY(xta_scene_refresh(f->scene, NULL, err));
    if (!f->loaded) {
        XTA_TRY(xta__follow_load(f, err));
    }
    XTA_TRY(find_new(f, report, fresh, &n_fresh, err));
    if (n_fresh > 0 || (!f->whole && !report->from_start)) {
        step.n_fresh = n_fresh;
        XTA_TRY(find_results(f, &step, &changed, err));
        XTA_TRY(write_results(f, &step, changed, err));
        report->changed = true;
        report->endmembers_changed = changed;
    }
    describe_update(f, fresh, n_fresh, report);
done:
    return status;
}

xta_status xta_follow_update(xta_follow *f, xta_follow_report *report, xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_report *own = calloc(1, sizeof *own);
    xta_status status = xta__agree(
        f->communicator,
        own != NULL ? XTA_OK : xta_error_set(err, XTA_ENOMEM, 0, "no memory for a report"), err);

    if (status == XTA_OK) {
        status = run_update(f, own, err);
        own->seconds = xta__follow_seconds() - begin;
    }
    if (status != XTA_OK) {
        // Some objects may be ahead of the state file, which alone says what is valid.
        xta__follow_free_objects(f);
        xta__follow_close_maps(f);
        f->fitted = f->texts = false;
    } else if (report != NULL) {
        *report = *own;
    }
    free(own);
    return status;
}
