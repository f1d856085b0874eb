/* Selecting the endmembers of a follower, and finding out whether they have changed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/endmembers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "follow/options.h"
#include "parallel/communicator.h"
#include "util/text.h"
#include "util/try.h"

/* ---- where they come from ---- */

static xta_status allocate_endmembers(xta_endmembers *e, size_t n, size_t n_bands, xta_error *err)
{
    *e = (xta_endmembers){.n = n, .n_wanted = n, .n_bands = n_bands};
    e->spectra = calloc(n * n_bands, sizeof(double));
    e->line = calloc(n, sizeof(int64_t));
    e->sample = calloc(n, sizeof(int64_t));
    e->score = calloc(n, sizeof(double));
    if (e->spectra == NULL || e->line == NULL || e->sample == NULL || e->score == NULL) {
        xta_endmembers_free(e);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", n);
    }
    e->converged = true;
    return XTA_OK;
}

static xta_status use_given(xta_follow *f, xta_endmembers *found, xta_error *err)
{
    const xta_scene_info info = xta_scene_inquire(f->scene);
    const size_t n = f->options.n_endmembers;
    xta_status status;

    if (info.n_bands != f->n_given_bands) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "%s: has %zu bands in use now, and the endmembers that were given have "
            "%zu; name the bands to use",
            info.name, info.n_bands, f->n_given_bands);
    }
    status = allocate_endmembers(found, n, info.n_bands, err);
    if (status == XTA_OK) {
        memcpy(found->spectra, f->given, n * info.n_bands * sizeof(double));
    }
    return xta__agree(f->communicator, status, err);
}

static xta_status select_by_amee(xta_follow *f, xta_endmembers *found, xta_error *err)
{
    xta_amee_select_options options = XTA_AMEE_SELECT_INIT;
    xta_amee_result result = {0};
    xta_status status = XTA_OK;

    options.regions = f->options.regions;
    XTA_TRY(xta_amee_select(f->amee, f->scene, f->options.n_endmembers, &options, &result, err));
    XTA_TRY(xta__agree(f->communicator, allocate_endmembers(found, result.p, result.n_bands, err),
                       err));
    memcpy(found->spectra, result.endmembers, result.p * result.n_bands * sizeof(double));
    memcpy(found->line, result.line, result.p * sizeof(int64_t));
    memcpy(found->sample, result.sample, result.p * sizeof(int64_t));
    memcpy(found->score, result.mei, result.p * sizeof(double));
done:
    xta_amee_result_clear(&result);
    return status;
}

static xta_status select_by_simplex(xta_follow *f, const follow_step *step, xta_endmembers *found,
                                    xta_error *err)
{
    xta_follow_result *result = xta__follow_result(step->report, "endmembers");
    xta_endmembers_work work;
    xta_status status = XTA_OK;

    XTA_TRY(xta_simplex_update(f->simplex, f->scene, err));
    XTA_TRY(xta__agree(f->communicator, xta_simplex_result(f->simplex, found, err), err));
    work = xta_simplex_work(f->simplex);
    result->n_lines = work.lines_read;
    result->fate = work.steps_rescanned > 0 ? XTA_FOLLOW_AGAIN : XTA_FOLLOW_MORE;
    if (work.from_start) {
        snprintf(result->why, sizeof result->why, "%s",
                 step->report->from_start ? step->report->why : "");
    } else if (work.steps_rescanned > 0) {
        snprintf(result->why, sizeof result->why,
                 "a pixel of the new lines beat step %" PRIu64 " of %" PRIu64
                 ": selected again from there",
                 work.steps_kept + 1, found->n_steps);
    }
done:
    return status;
}

static xta_status select_endmembers(xta_follow *f, const follow_step *step, xta_endmembers *found,
                                    xta_error *err)
{
    const xta_simplex_options options = xta__follow_simplex_options(f);

    switch (f->options.method) {
    case XTA_FOLLOW_GIVEN:
        return use_given(f, found, err);
    case XTA_FOLLOW_BY_AMEE:
        return select_by_amee(f, found, err);
    case XTA_FOLLOW_BY_PPI:
        return xta_ppi_select(f->ppi, f->scene, f->options.least, &options, found, err);
    default:
        return select_by_simplex(f, step, found, err);
    }
}

/* ---- whether they have changed ---- */

static bool same_endmembers(const xta_endmembers *a, const xta_endmembers *b)
{
    return a->n == b->n && a->n_bands == b->n_bands &&
           (a->n == 0 || (memcmp(a->spectra, b->spectra, a->n * a->n_bands * sizeof(double)) == 0 &&
                          memcmp(a->line, b->line, a->n * sizeof(int64_t)) == 0 &&
                          memcmp(a->sample, b->sample, a->n * sizeof(int64_t)) == 0));
}

/* Of the same endmembers: those of AMEE depend on neighbours, which may be new. */
static bool same_scores(const xta_endmembers *a, const xta_endmembers *b)
{
    return a->n == 0 || memcmp(a->score, b->score, a->n * sizeof(double)) == 0;
}

static void report_endmembers(const xta_follow *f, const follow_step *step, bool changed,
                              xta_follow_result *result)
{
    if (result->why[0] == '\0' && step->report->from_start) {
        snprintf(result->why, sizeof result->why, "%s", step->report->why);
    } else if (result->why[0] == '\0' && changed && f->covered.line_lo < f->covered.line_hi) {
        snprintf(result->why, sizeof result->why, "the candidates have changed");
    }
    if (result->fate == XTA_FOLLOW_KEPT) {
        result->fate = changed ? XTA_FOLLOW_AGAIN : XTA_FOLLOW_MORE;
    }
}

/* Why there are none, without the name of the scene; cut between characters. */
static void report_reason(const xta_follow *f, const xta_error *why, xta_follow_result *result)
{
    const char *name = xta_scene_inquire(f->scene).name, *text = why->text;
    const size_t n_name = strlen(name), most = sizeof result->why - 1;
    size_t n = 0, length;

    if (strncmp(text, name, n_name) == 0 && strncmp(text + n_name, ": ", 2) == 0) {
        text += n_name + 2;
    }
    while (text[n] != '\0' &&
           (length = xta__utf8_length((const unsigned char *)text + n, strlen(text + n))) > 0 &&
           n + length <= most) {
        n += length;
    }
    memcpy(result->why, text, n);
    result->why[n] = '\0';
}

xta_status xta__follow_endmembers(xta_follow *f, const follow_step *step, bool *changed,
                                  xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, "endmembers");
    xta_endmembers found = {0};
    xta_error why = {0};
    xta_status status = XTA_OK;

    *changed = false;
    // The same candidates give the same endmembers, without reading anything.
    if (f->options.method == XTA_FOLLOW_BY_PPI && !f->ppi_changed && f->endmembers.n > 0) {
        goto done;
    }
    status = select_endmembers(f, step, &found, &why);
    if (status == XTA_EARG && f->options.method != XTA_FOLLOW_GIVEN) {
        // The scene is too small to select from, which may change when it grows.
        xta_endmembers_free(&found);
        result->fate = XTA_FOLLOW_ABSENT;
        report_reason(f, &why, result);
        status = XTA_OK;
    }
    if (status != XTA_OK) {
        // This member may have found endmembers while another ran out of memory.
        xta_endmembers_free(&found);
        return xta_error_set(err, status, why.os_errno, "%s", why.text);
    }
    *changed = !same_endmembers(&found, &f->endmembers);
    f->texts = f->texts && !*changed && same_scores(&found, &f->endmembers);
    xta_endmembers_free(&f->endmembers);
    f->endmembers = found;
    report_endmembers(f, step, *changed, result);
done:
    result->seconds = xta__follow_seconds() - begin;
    return status;
}
