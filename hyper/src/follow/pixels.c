/* The results of a follower that do not need endmembers: moments, purity counts, eccentricities.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/pixels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amee/saved_state.h"
#include "follow/maps.h"
#include "follow/saved_state.h"
#include "parallel/communicator.h"
#include "state/blob.h"
#include "util/try.h"

static uint64_t n_lines(const follow_step *step)
{
    uint64_t n = 0;

    for (int k = 0; k < step->n_fresh; k++) {
        n += (uint64_t)(step->fresh[k].hi - step->fresh[k].lo);
    }
    return n;
}

static void report_result(xta_follow_result *result, const follow_step *step, uint64_t lines)
{
    result->n_lines = lines;
    result->fate = step->report->from_start ? XTA_FOLLOW_AGAIN
                   : lines > 0              ? XTA_FOLLOW_MORE
                                            : XTA_FOLLOW_KEPT;
    if (step->report->from_start) {
        snprintf(result->why, sizeof result->why, "%s", step->report->why);
    }
}

/* ---- moments ---- */

xta_status xta__follow_moments(xta_follow *f, const follow_step *step, xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, "basis");
    xta_status status = xta_moments_update(f->moments, f->scene, err);

    if (status == XTA_OK) {
        report_result(result, step, n_lines(step));
        result->seconds = xta__follow_seconds() - begin;
    }
    return status;
}

/* ---- purity counts ---- */

/* Write the count of one pixel. */
static xta_status put_count(xta_array *map, const xta_ppi_pixel *pixel, uint64_t count,
                            xta_error *err)
{
    const int64_t coord[2] = {pixel->line, pixel->sample};
    const uint32_t cell = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;

    return xta_array_put(map, coord, &cell, err);
}

/* Rank 0 writes the counts. Earlier counts are set to zero, and so are new lines, where an update
 * that was killed may have left something. */
static xta_status write_counts(const xta_follow *f, const follow_step *step,
                               const xta_ppi_pixel *before, size_t n_before, xta_error *err)
{
    const xta_scene_info info = xta_scene_inquire(f->scene);
    const uint32_t none = 0;
    const xta_ppi_pixel *now = NULL;
    size_t n_now = 0;
    xta_array *map = f->map[MAP_PPI];
    xta_status status = XTA_OK;

    for (int k = 0; k < step->n_fresh && status == XTA_OK; k++) {
        const int64_t lo[2] = {step->fresh[k].lo, info.sample_lo};
        const int64_t hi[2] = {step->fresh[k].hi, info.sample_hi};
        const xta_box box = xta_box_make(2, lo, hi);
        status = xta_array_fill(map, &box, &none, err);
    }
    for (size_t k = 0; k < n_before && status == XTA_OK; k++) {
        status = put_count(map, &before[k], 0, err);
    }
    xta_ppi_pixels(f->ppi, &now, &n_now);
    for (size_t k = 0; k < n_now && status == XTA_OK; k++) {
        status = put_count(map, &now[k], now[k].count, err);
    }
    return status;
}

static bool same_pixels(const xta_ppi *ppi, const xta_ppi_pixel *before, size_t n_before)
{
    const xta_ppi_pixel *now = NULL;
    size_t n_now = 0;

    xta_ppi_pixels(ppi, &now, &n_now);
    for (size_t k = 0; k < n_now && n_now == n_before; k++) {
        if (now[k].line != before[k].line || now[k].sample != before[k].sample ||
            now[k].count != before[k].count) {
            return false;
        }
    }
    return n_now == n_before;
}

/* Copy the pixels that have counts, since the list changes with the next update. */
static xta_status copy_pixels(const xta_ppi *ppi, xta_ppi_pixel **copy, size_t *n, xta_error *err)
{
    const xta_ppi_pixel *pixels = NULL;

    xta_ppi_pixels(ppi, &pixels, n);
    *copy = malloc((*n + 1) * sizeof **copy);
    if (*copy == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu pixels", *n);
    }
    if (*n > 0) {
        memcpy(*copy, pixels, *n * sizeof **copy);
    }
    return XTA_OK;
}

xta_status xta__follow_ppi(xta_follow *f, const follow_step *step, xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, "ppi");
    xta_ppi_pixel *before = NULL;
    size_t n_before = 0;
    xta_status status = XTA_OK;

    XTA_TRY(xta__agree(f->communicator, copy_pixels(f->ppi, &before, &n_before, err), err));
    XTA_TRY(xta__follow_map(f, MAP_PPI, 0, err));
    XTA_TRY(xta_ppi_update(f->ppi, f->scene, err));
    f->ppi_changed = !same_pixels(f->ppi, before, n_before);
    if (xta_communicator_rank(f->communicator) == 0) {
        status = write_counts(f, step, before, n_before, err);
    }
    XTA_TRY(xta__agree(f->communicator, status, err));
    report_result(result, step, xta_ppi_work(f->ppi).lines_read);
    result->seconds = xta__follow_seconds() - begin;
done:
    free(before);
    return status;
}

/* ---- eccentricities ---- */

/* Make the object and load its state, once its array is open. */
static xta_status begin_amee(xta_follow *f, xta_error *err)
{
    blob_reader r = {.bytes = f->saved[SECTION_MEI].bytes, .n = f->saved[SECTION_MEI].n};
    xta_status status = xta__follow_make_amee(f, err);

    if (status == XTA_OK && r.n > 0) {
        status = xta__amee_get(f->amee, &r, err);
    }
    return xta__agree(f->communicator, status, err);
}

xta_status xta__follow_mei(xta_follow *f, const follow_step *step, xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, "mei");
    xta_status status = XTA_OK;

    XTA_TRY(xta__follow_map(f, MAP_MEI, 0, err));
    if (f->amee == NULL) {
        XTA_TRY(begin_amee(f, err));
    }
    XTA_TRY(xta_amee_update(f->amee, f->scene, err));
    report_result(result, step, (uint64_t)xta_amee_inquire(f->amee).n_lines_computed);
    result->seconds = xta__follow_seconds() - begin;
done:
    return status;
}
