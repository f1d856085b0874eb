/* The eccentricity index (MEI) of a scene that grows: which lines must be computed, and computing
 * them slab by slab into the map.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "amee/amee.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/scene_map.h>

#include "amee/slab.h"
#include "parallel/communicator.h"
#include "scene/pieces.h"
#include "scene/scene.h"
#include "scene/tile.h"
#include "util/try.h"

static xta_status check_map(xta_array *map, xta_error *err)
{
    if (map == NULL) {
        return XTA_OK;
    }
    xta_type type = xta_array_type(map);
    if ((type != XTA_F32 && type != XTA_F64) || xta_array_ndim(map) != 2) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s holds %s in %d axes: MEI takes f32 or f64, lines and samples",
                             xta_array_path(map), xta_type_name(type), xta_array_ndim(map));
    }
    return XTA_OK;
}

static xta_status copy_options(xta_amee *amee, const xta_amee_options *o, xta_error *err)
{
    amee->radius = o->radius != 0 ? o->radius : 1;
    amee->iterations = o->iterations != 0 ? o->iterations : 3;
    amee->radius_last = o->radius_last;
    if (amee->radius < 1 || amee->radius > AMEE_MOST_RADIUS || amee->radius_last < 0 ||
        amee->radius_last > AMEE_MOST_RADIUS) {
        return xta_error_set(err, XTA_EARG, 0, "windows of radius %d to %d: 1 to %d", amee->radius,
                             amee->radius_last, AMEE_MOST_RADIUS);
    }
    if (amee->iterations < 1 || amee->iterations > AMEE_MOST_STEPS) {
        return xta_error_set(err, XTA_EARG, 0, "%d iterations: 1 to %d", amee->iterations,
                             AMEE_MOST_STEPS);
    }
    return check_map(o->map, err);
}

static void make_plan(xta_amee *amee)
{
    amee_plan *plan = &amee->plan;

    plan->replaced = amee->radius_last <= amee->radius;
    plan->n_steps = plan->replaced ? amee->iterations : amee->radius_last - amee->radius + 1;
    for (int k = 0; k < plan->n_steps; k++) {
        plan->radius[k] = amee->radius + (plan->replaced ? 0 : k);
    }
    plan->reach = plan->replaced ? (int64_t)amee->radius * amee->iterations : amee->radius_last;
}

xta_status xta_amee_new(const xta_amee_options *options, xta_amee **amee, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_amee_options o = XTA_AMEE_OPTIONS_INIT;
    xta_amee *a = calloc(1, sizeof *a);

    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_amee_options", err));
    if (a == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for AMEE"));
    }
    XTA_TRY(copy_options(a, &o, err));
    make_plan(a);
    a->map = o.map;
    a->own_map = o.map == NULL;
done:
    if (status != XTA_OK) {
        free(a);
        a = NULL;
    }
    *amee = a;
    return status;
}

void xta_amee_free(xta_amee *amee)
{
    if (amee != NULL && amee->own_map) {
        xta_array_close(amee->map, NULL);
    }
    free(amee);
}

xta_amee_info xta_amee_inquire(const xta_amee *amee)
{
    return (xta_amee_info){.radius = amee->radius,
                           .iterations = amee->iterations,
                           .radius_last = amee->radius_last,
                           .reach = 2 * amee->plan.reach,
                           .line_lo = amee->have.line_lo,
                           .line_hi = amee->have.line_hi,
                           .n_lines_computed = amee->n_lines_computed,
                           .restarted = amee->restarted};
}

/* ---- plan ---- */

/* An update: slabs of `height` lines in one or two ranges. */
typedef struct amee_job {
    xta_scene *scene;
    const amee_plan *plan;
    xta_array *map;
    line_range range[2];
    int n_ranges;
    int64_t height;
} amee_job;

static int64_t n_lines_of(line_range range)
{
    return range.hi - range.lo;
}

/* The new lines, and the old ones whose index they change; two ranges that meet become one. */
static void choose_lines(amee_job *job, const xta_amee *amee, int n_fresh,
                         const line_range fresh[2])
{
    xta_scene_info info = xta_scene_inquire(job->scene);
    int64_t more = 2 * amee->plan.reach;

    job->n_ranges = 0;
    for (int k = 0; k < n_fresh; k++) {
        line_range range = {fresh[k].lo - more, fresh[k].hi + more};
        range.lo = range.lo < info.line_lo ? info.line_lo : range.lo;
        range.hi = range.hi > info.line_hi ? info.line_hi : range.hi;
        if (job->n_ranges == 1 && range.lo <= job->range[0].hi) {
            job->range[0].hi = range.hi;
        } else if (range.lo < range.hi) {
            job->range[job->n_ranges++] = range;
        }
    }
}

/* How many lines a slab may have within the memory limit. The strips of the scene use up to half of
 * it. */
static xta_status choose_height(amee_job *job, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(job->scene);
    uint64_t n_threads = (uint64_t)xta__scene_threads(job->scene);
    uint64_t size = (uint64_t)xta_communicator_size(xta__scene_communicator(job->scene));
    uint64_t allowed = xta__scene_memory(job->scene) / 2 / n_threads;
    uint64_t width = (uint64_t)(info.sample_hi - info.sample_lo);
    uint64_t margin = 4 * (uint64_t)job->plan->reach, n_lines = 0;

    for (int k = 0; k < job->n_ranges; k++) {
        n_lines += (uint64_t)n_lines_of(job->range[k]);
    }
    job->height = 1;
    if (n_lines == 0 || width == 0) {
        job->n_ranges = 0;
        return XTA_OK;
    }
    uint64_t all = (uint64_t)(info.line_hi - info.line_lo);
    uint64_t least = margin + 1 < all ? margin + 1 : all;
    uint64_t one = xta__amee_slab_bytes(job->plan, 1, width, info.n_bands);
    uint64_t line = xta__amee_slab_bytes(job->plan, 2, width, info.n_bands) - one;
    uint64_t need = one + (least - 1) * line;
    if (need > allowed) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "%s: AMEE needs %" PRIu64 " lines at once in each of %" PRIu64
                             " threads: give it %" PRIu64 " bytes of memory, or fewer threads",
                             info.name, least, n_threads, 2 * n_threads * need);
    }
    /* Slabs are as even as possible, so that all threads finish together. */
    uint64_t most = (allowed - (one - line)) / line;
    most = most > margin ? most - margin : 1;
    uint64_t n_shares = n_threads * size;
    uint64_t rounds = (n_lines + most * n_shares - 1) / (most * n_shares);
    rounds = rounds > 0 ? rounds : 1;
    job->height = (int64_t)((n_lines + rounds * n_shares - 1) / (rounds * n_shares));
    job->height = job->height > 0 ? job->height : 1;
    return XTA_OK;
}

static size_t n_pieces(const amee_job *job)
{
    size_t n = 0;

    for (int k = 0; k < job->n_ranges; k++) {
        n += (size_t)((n_lines_of(job->range[k]) + job->height - 1) / job->height);
    }
    return n;
}

static line_range piece_lines(const amee_job *job, size_t piece)
{
    int64_t at = (int64_t)piece * job->height;
    int k = 0;

    if (at >= n_lines_of(job->range[0])) {
        at -= (n_lines_of(job->range[0]) + job->height - 1) / job->height * job->height;
        k = 1;
    }
    line_range lines = {job->range[k].lo + at, job->range[k].lo + at + job->height};
    lines.hi = lines.hi < job->range[k].hi ? lines.hi : job->range[k].hi;
    return lines;
}

/* ---- run ---- */

static xta_box lines_box(const xta_array *map, line_range lines)
{
    xta_box box = xta_array_bounds(map);

    box.lo[0] = lines.lo;
    box.hi[0] = lines.hi;
    return box;
}

static xta_status write_lines(xta_array *map, line_range lines, double *mei, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box box = lines_box(map, lines);

    options.type = XTA_F64;
    options.threads = 1;
    return xta_array_write(map, &box, &options, mei, err);
}

static xta_status read_lines(xta_array *map, line_range lines, double *mei, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box box = lines_box(map, lines);

    options.type = XTA_F64;
    options.threads = 1;
    return xta_array_read(map, &box, &options, mei, err);
}

static size_t cells_of(const amee_job *job, line_range lines)
{
    xta_scene_info info = xta_scene_inquire(job->scene);

    return (size_t)(n_lines_of(lines) * (info.sample_hi - info.sample_lo));
}

static xta_status run_piece(void *user, size_t piece, xta_error *err)
{
    xta_status status = XTA_OK;
    const amee_job *job = user;
    line_range lines = piece_lines(job, piece);
    double *mei = malloc((cells_of(job, lines) + 1) * sizeof *mei);

    if (mei == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %" PRId64 " lines of MEI",
                              n_lines_of(lines)));
    }
    XTA_TRY(xta__amee_slab(job->scene, job->plan, lines, mei, err));
    XTA_TRY(write_lines(job->map, lines, mei, err));
done:
    free(mei);
    return status;
}

/* Whether every member sees what the others write: not if the map is in memory, or if the handle of
 * a member has a cache of its own. */
static xta_status is_shared(const amee_job *job, bool *shared, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_communicator *communicator = xta__scene_communicator(job->scene);
    xta_array_info info = {0};
    unsigned char *all = NULL;
    size_t *bytes = NULL;

    status = xta_array_inquire(job->map, &info, err);
    XTA_TRY(xta__agree(communicator, status, err));
    unsigned char mine = info.mapped;
    XTA_TRY(xta__gather(communicator, &mine, 1, &all, &bytes, err));
    *shared = memchr(all, 0, (size_t)xta_communicator_size(communicator)) == NULL;
done:
    free(all);
    free(bytes);
    return status;
}

/* Piece number `round` of a member; false if it has fewer. */
static bool piece_of(const amee_job *job, int rank, size_t round, line_range *lines)
{
    uint64_t n = n_pieces(job),
             size = (uint64_t)xta_communicator_size(xta__scene_communicator(job->scene));
    uint64_t piece = xta__share(n, size, (uint64_t)rank) + round;

    if (piece >= xta__share(n, size, (uint64_t)rank + 1)) {
        return false;
    }
    *lines = piece_lines(job, (size_t)piece);
    return true;
}

/* Write the pieces of all members in this round into the map of each member. */
static xta_status exchange_round(const amee_job *job, size_t round, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_communicator *communicator = xta__scene_communicator(job->scene);
    line_range lines = {0, 0};
    bool have = piece_of(job, xta_communicator_rank(communicator), round, &lines);
    size_t n = have ? cells_of(job, lines) : 0, *bytes = NULL, at = 0;
    unsigned char *all = NULL;
    double *mine = malloc((n + 1) * sizeof *mine);

    status = mine == NULL ? xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu MEI", n)
             : have       ? read_lines(job->map, lines, mine, err)
                          : XTA_OK;
    XTA_TRY(xta__agree(communicator, status, err));
    XTA_TRY(xta__gather(communicator, mine, n * sizeof *mine, &all, &bytes, err));
    for (int rank = 0; rank < xta_communicator_size(communicator) && status == XTA_OK; rank++) {
        if (piece_of(job, rank, round, &lines)) {
            /* A block from malloc is aligned for a double, and so are all multiples of its size. */
            status = write_lines(job->map, lines, (double *)(void *)(all + at), err);
        }
        at += bytes[rank];
    }
    XTA_TRY(xta__agree(communicator, status, err));
done:
    free(mine);
    free(all);
    free(bytes);
    return status;
}

static xta_status exchange_pieces(const amee_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t size = (size_t)xta_communicator_size(xta__scene_communicator(job->scene));
    bool shared = true;

    if (size > 1) {
        XTA_TRY(is_shared(job, &shared, err));
    }
    for (size_t round = 0; !shared && round < (n_pieces(job) + size - 1) / size; round++) {
        XTA_TRY(exchange_round(job, round, err));
    }
done:
    return status;
}

/* Bring the map to the bounds of the scene. */
static xta_status ready_map(xta_amee *amee, xta_scene *scene, xta_error *err)
{
    xta_scene_map_options options = XTA_SCENE_MAP_OPTIONS_INIT;

    if (!amee->own_map) {
        return xta_scene_map_grow(scene, amee->map, err);
    }
    if (amee->map != NULL && amee->have.line_lo < amee->have.line_hi) {
        return xta_scene_map_grow(scene, amee->map, err);
    }
    xta_array_close(amee->map, NULL);
    options.type = XTA_F64;
    return xta_scene_map_open(scene, &options, &amee->map, err);
}

xta_status xta_amee_update(xta_amee *amee, xta_scene *scene, xta_error *err)
{
    xta_status status = XTA_OK;
    amee_job job = {.scene = scene, .plan = &amee->plan};
    line_range fresh[2];
    int n_fresh = xta__coverage_new(&amee->have, scene, fresh);
    xta_scene_info info = xta_scene_inquire(scene);

    amee->restarted = n_fresh < 0;
    if (n_fresh < 0) {
        amee->have = (coverage){0};
        fresh[0] = (line_range){info.line_lo, info.line_hi};
        n_fresh = 1;
    }
    choose_lines(&job, amee, n_fresh, fresh);
    status = choose_height(&job, err);
    XTA_TRY(xta__agree(xta__scene_communicator(scene), status, err));
    XTA_TRY(ready_map(amee, scene, err));
    amee->have = (coverage){0};
    job.map = amee->map;
    XTA_TRY(xta__run_pieces(scene, "AMEE", n_pieces(&job), run_piece, &job, err));
    XTA_TRY(exchange_pieces(&job, err));
    amee->have = xta__coverage_of(scene);
    amee->n_lines_computed = 0;
    for (int k = 0; k < job.n_ranges; k++) {
        amee->n_lines_computed += n_lines_of(job.range[k]);
    }
done:
    return status;
}

xta_status xta_amee_read(xta_amee *amee, const int64_t lines[2], const int64_t samples[2],
                         double *mei, xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const int64_t lo[2] = {lines[0], samples[0]}, hi[2] = {lines[1], samples[1]};
    xta_box box = xta_box_make(2, lo, hi);

    if (amee->map == NULL || lines[0] < amee->have.line_lo || lines[1] > amee->have.line_hi ||
        lines[0] > lines[1]) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "MEI of lines %" PRId64 " to %" PRId64 ": there are those of %" PRId64
                             " to %" PRId64,
                             lines[0], lines[1], amee->have.line_lo, amee->have.line_hi);
    }
    options.type = XTA_F64;
    return xta_array_read(amee->map, &box, &options, mei, err);
}
