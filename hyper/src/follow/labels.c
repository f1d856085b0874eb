/* Labels and abundances of a follower. follow_private.h explains the order in which lines are
 * written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/labels.h"

#include <stdio.h>
#include <string.h>

#include "follow/maps.h"
#include "parallel/communicator.h"
#include "scene/coverage.h"
#include "scene/tile.h"
#include "util/try.h"

/* One pass over lines, and the arrays it fills. */
typedef struct output {
    const char *name;
    bool labels, abundances;
    bool by_angle;
    bool *missing; /* it cannot be computed with these endmembers */
    coverage *have;
} output;

/* Which passes there are: a single one if labels are by abundance and abundances are wanted as
 * well. */
static int outputs(xta_follow *f, output out[2])
{
    const bool labels = (f->keep & XTA_FOLLOW_LABELS) != 0;
    const bool abundances = (f->keep & XTA_FOLLOW_ABUNDANCES) != 0;
    const bool by_abundance = f->options.label_by_abundance;
    int n = 0;

    if (labels && !(by_abundance && abundances)) {
        out[n++] = (output){"labels", true, false, !by_abundance, &f->no_labels, &f->labelled};
    }
    if (abundances) {
        out[n++] = (output){"abundances", labels && by_abundance, true,
                            false,        &f->no_abundances,      &f->unmixed};
    }
    return n;
}

static xta_status open_maps(xta_follow *f, const output *out, xta_error *err)
{
    xta_status status = XTA_OK;

    if (out->labels) {
        XTA_TRY(xta__follow_map(f, MAP_LABELS, 0, err));
    }
    if (out->abundances) {
        XTA_TRY(xta__follow_map(f, MAP_ABUNDANCES, f->endmembers.n, err));
        XTA_TRY(xta__follow_map(f, MAP_RESIDUAL, 0, err));
    }
done:
    return status;
}

/* ---- lines ---- */

static xta_status label_lines(xta_follow *f, const line_range range[], int n, xta_error *err)
{
    const xta_endmembers *e = &f->endmembers;
    xta_status status = XTA_OK;

    for (int k = 0; k < n && status == XTA_OK; k++) {
        const int64_t lines[2] = {range[k].lo, range[k].hi};
        status = xta_label_scene(f->scene, lines, e->n, e->spectra, f->map[MAP_LABELS], NULL, err);
    }
    return status;
}

static xta_status unmix_lines(xta_follow *f, const output *out, const line_range range[], int n,
                              xta_error *err)
{
    const xta_endmembers *e = &f->endmembers;
    xta_unmix_options options = XTA_UNMIX_OPTIONS_INIT;
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_unmixer *unmixer = NULL;
    xta_status status = XTA_OK;

    options.method = f->options.unmix;
    options.normalise = f->options.normalise;
    maps.abundances = out->abundances ? f->map[MAP_ABUNDANCES] : NULL;
    maps.residual = out->abundances ? f->map[MAP_RESIDUAL] : NULL;
    maps.labels = out->labels ? f->map[MAP_LABELS] : NULL;
    XTA_TRY(xta__agree(f->communicator,
                       xta_unmixer_new(e->n, e->n_bands, e->spectra, &options, &unmixer, err),
                       err));
    for (int k = 0; k < n && status == XTA_OK; k++) {
        const int64_t lines[2] = {range[k].lo, range[k].hi};
        status = xta_unmix_scene(f->scene, lines, unmixer, &maps, err);
    }
done:
    xta_unmixer_free(unmixer);
    return status;
}

static xta_status write_lines(xta_follow *f, const output *out, const line_range range[], int n,
                              xta_error *err)
{
    xta_status status = open_maps(f, out, err);

    if (status == XTA_OK) {
        status = out->by_angle ? label_lines(f, range, n, err) : unmix_lines(f, out, range, n, err);
    }
    return status;
}

/* ---- the two passes ---- */

static uint64_t n_lines(const line_range range[], int n)
{
    uint64_t lines = 0;

    for (int k = 0; k < n; k++) {
        lines += (uint64_t)(range[k].hi - range[k].lo);
    }
    return lines;
}

/* Endmembers that are zero, or linearly dependent, cannot be used for labels or abundances. That is
 * not an error, since the scene may grow and bring others. */
static xta_status report_missing(xta_follow_result *result, const output *out, const char *why)
{
    *out->missing = true;
    *out->have = (coverage){0};
    result->fate = XTA_FOLLOW_ABSENT;
    snprintf(result->why, sizeof result->why, "%.150s", why);
    return XTA_OK;
}

static xta_status label_new(xta_follow *f, const follow_step *step, const output *out,
                            xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, out->name);
    xta_error why = {0};
    xta_status status;

    *out->missing = false;
    if (f->endmembers.n == 0) {
        return report_missing(result, out, "there are no endmembers");
    }
    status = write_lines(f, out, step->fresh, step->n_fresh, &why);
    if (status == XTA_EARG) {
        return report_missing(result, out, why.text);
    }
    if (status != XTA_OK) {
        return xta_error_set(err, status, why.os_errno, "%s", why.text);
    }
    *out->have = xta__coverage_of(f->scene);
    result->fate = step->report->from_start ? XTA_FOLLOW_AGAIN : XTA_FOLLOW_MORE;
    result->n_lines = n_lines(step->fresh, step->n_fresh);
    result->seconds = xta__follow_seconds() - begin;
    return XTA_OK;
}

xta_status xta__follow_label_new(xta_follow *f, const follow_step *step, xta_error *err)
{
    output out[2];
    const int n = outputs(f, out);
    xta_status status = XTA_OK;

    for (int k = 0; k < n && status == XTA_OK; k++) {
        status = label_new(f, step, &out[k], err);
    }
    return status;
}

static xta_status remove_maps(xta_follow *f, const output *out, xta_error *err)
{
    xta_status status = XTA_OK;

    if (out->labels) {
        XTA_TRY(xta__follow_delete_map(f, MAP_LABELS, err));
    }
    if (out->abundances) {
        XTA_TRY(xta__follow_delete_map(f, MAP_ABUNDANCES, err));
        XTA_TRY(xta__follow_delete_map(f, MAP_RESIDUAL, err));
    }
done:
    return status;
}

static xta_status label_old(xta_follow *f, const follow_step *step, const output *out,
                            xta_error *err)
{
    const double begin = xta__follow_seconds();
    xta_follow_result *result = xta__follow_result(step->report, out->name);
    const line_range old = {f->before.line_lo, f->before.line_hi};
    xta_status status;

    if (*out->missing || old.lo >= old.hi) {
        return XTA_OK;
    }
    status = write_lines(f, out, &old, 1, err);
    if (status == XTA_OK) {
        result->fate = XTA_FOLLOW_AGAIN;
        result->n_lines += (uint64_t)(old.hi - old.lo);
        result->seconds += xta__follow_seconds() - begin;
        snprintf(result->why, sizeof result->why, "the endmembers have changed");
    }
    return status;
}

xta_status xta__follow_remove_missing(xta_follow *f, xta_error *err)
{
    output out[2];
    const int n = outputs(f, out);
    xta_status status = XTA_OK;

    for (int k = 0; k < n && status == XTA_OK; k++) {
        status = *out[k].missing ? remove_maps(f, &out[k], err) : XTA_OK;
    }
    return status;
}

xta_status xta__follow_label_old(xta_follow *f, const follow_step *step, xta_error *err)
{
    output out[2];
    const int n = outputs(f, out);
    xta_status status = XTA_OK;

    for (int k = 0; k < n && status == XTA_OK; k++) {
        status = label_old(f, step, &out[k], err);
    }
    return status;
}
