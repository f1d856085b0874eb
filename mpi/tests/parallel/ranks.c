/* Opening, closing and structure of an array shared by the ranks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/ranks.h"

#include <stdio.h>
#include <string.h>

/* ---- choosing a growth ---- */

static void apply(xta_box *bounds, const xta_growth *growth, int64_t by)
{
    if (growth->side == XTA_BACK) {
        bounds->hi[growth->axis] += by;
    } else {
        bounds->lo[growth->axis] -= by;
    }
}

/* The cells of the box of all coordinates so far, including `bounds`. */
static uint64_t reach_with(const ranks *t, const xta_box *bounds)
{
    uint64_t n = 1;
    for (int axis = 0; axis < bounds->ndim; axis++) {
        int64_t lo =
            t->rig.reach_lo[axis] < bounds->lo[axis] ? t->rig.reach_lo[axis] : bounds->lo[axis];
        int64_t hi =
            t->rig.reach_hi[axis] > bounds->hi[axis] ? t->rig.reach_hi[axis] : bounds->hi[axis];
        n *= (uint64_t)(hi > lo ? hi - lo : 1);
    }
    return n;
}

static void note_reach(ranks *t)
{
    for (int axis = 0; axis < t->coming.ndim; axis++) {
        int64_t lo = t->coming.lo[axis];
        int64_t hi = t->coming.hi[axis];
        t->rig.reach_lo[axis] = lo < t->rig.reach_lo[axis] ? lo : t->rig.reach_lo[axis];
        t->rig.reach_hi[axis] = hi > t->rig.reach_hi[axis] ? hi : t->rig.reach_hi[axis];
    }
}

/* A growth of the pending bounds that keeps the array small; the bounds are updated. */
static xta_growth random_growth(ranks *t, const char *what)
{
    test_random *random = &t->rig.random;
    xta_growth growth = {(int)test_random_in(random, 0, t->coming.ndim - 1),
                         test_random_chance(random, 50) ? XTA_BACK : XTA_FRONT,
                         test_random_in(random, 0, test_random_chance(random, 20) ? 12 : 4)};
    xta_box bounds = t->coming;

    apply(&bounds, &growth, growth.by);
    while (growth.by > 0 && reach_with(t, &bounds) > t->rig.reach_limit) {
        apply(&bounds, &growth, -1);
        growth.by--;
    }
    t->coming = bounds;
    note_reach(t);
    test_story_add(&t->rig.story, "%s axis %d %s by %lld", what, growth.axis,
                   growth.side == XTA_BACK ? "back" : "front", (long long)growth.by);
    return growth;
}

/* All ranks have read the pending changes. */
static void catch_up(ranks *t)
{
    for (int k = 0; k < t->n_pending; k++) {
        oracle_cells_extend(&t->rig.model, &t->pending[k]);
    }
    t->n_pending = 0;
    t->news = false;
}

static void check_bounds(ranks *t)
{
    xta_box bounds = xta_parallel_bounds(t->p);
    STORY_CHECK(&t->rig.story, xta_box_equal(&bounds, &t->rig.model.bounds),
                "rank %d does not see the model's bounds", t->rank);
}

/* ---- opening and closing ---- */

/* Hints for MPI-IO: small ranges and windows, so that even small arrays have many owners. */
static void random_hints(ranks *t)
{
    static const char *const keys[] = {"striping_unit", "cb_buffer_size", "cb_nodes"};
    char value[24];

    MPI_Info_create(&t->hints);
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        int most = k < 2 ? 4000 : t->n_ranks + 1;
        snprintf(value, sizeof value, "%d", (int)test_random_in(&t->rig.random, 1, most));
        if (test_random_chance(&t->rig.random, 70)) {
            MPI_Info_set(t->hints, keys[k], value);
            test_story_add(&t->rig.story, "hint %s %s", keys[k], value);
        }
    }
    t->options.has_info = true;
    t->options.info = t->hints;
}

static void drop_hints(ranks *t)
{
    if (t->hints != MPI_INFO_NULL) {
        MPI_Info_free(&t->hints);
    }
    t->hints = MPI_INFO_NULL;
}

static void random_parallel_options(ranks *t)
{
    test_random *random = &t->rig.random;

    drop_hints(t);
    t->options = (xta_parallel_options)XTA_PARALLEL_OPTIONS_INIT;
    t->options.writable = true;
    t->options.io = test_random_chance(random, 50) ? XTA_IO_AUTO : XTA_IO_MPI;
    t->options.buffer_bytes =
        test_random_chance(random, 60) ? (uint64_t)test_random_in(random, 1, 3000) : 0;
    t->options.timeout_s = test_random_chance(random, 20) ? 60 : 0;
    if (test_random_chance(random, 60)) {
        random_hints(t);
    }
    test_story_add(&t->rig.story, "%s, buffer %llu, time limit %g",
                   t->options.io == XTA_IO_MPI ? "MPI-IO" : "any way",
                   (unsigned long long)t->options.buffer_bytes, t->options.timeout_s);
}

static void random_shape(ranks *t, int ndim, bool powers, int64_t chunk[], int64_t bounds[])
{
    static const int64_t most_cells[] = {0, 60, 24, 10, 6};
    static const int64_t most_chunk[] = {0, 16, 6, 4, 3};

    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = test_random_in(&t->rig.random, 1, most_chunk[ndim]);
        while (powers && (chunk[axis] & (chunk[axis] - 1)) != 0) {
            chunk[axis]++;
        }
        bounds[axis] = test_random_in(&t->rig.random, 0, most_cells[ndim]);
        if (bounds[axis] == 0 && test_random_chance(&t->rig.random, 80)) {
            bounds[axis] = most_cells[ndim];
        }
        test_story_add(&t->rig.story, "  axis %d: %lld cells, chunks of %lld", axis,
                       (long long)bounds[axis], (long long)chunk[axis]);
    }
}

static void random_create_options(ranks *t, int ndim, xta_create_options *options)
{
    test_random *random = &t->rig.random;

    *options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    options->order = (xta_order)test_random_in(random, XTA_ROW, XTA_HILBERT);
    options->alignment_bytes = test_random_chance(random, 20) ? 64 : 0;
    options->cell_bytes = (uint32_t)test_random_in(random, 1, 9);
    options->policy_amount = (uint32_t)test_random_in(random, 2, 3);
    if (test_random_chance(random, 30)) {
        int last = ndim <= 2 ? XTA_SHELL : XTA_LINEAR; // The other policies allocate too much.
        options->policy = (xta_policy)test_random_in(random, XTA_EXACT, last);
    }
    t->rig.reach_limit = options->policy == XTA_EXACT ? 6000 : 2000;
}

void ranks_begin(ranks *t)
{
    rig *r = &t->rig;
    xta_create_options create;
    int64_t chunk[XTA_MAX_NDIM], bounds[XTA_MAX_NDIM];
    uint8_t fill[64];
    xta_error err;
    int ndim = (int)test_random_in(&r->random, 1, 4);

    memset(r->reach_lo, 0, sizeof r->reach_lo);
    memset(r->reach_hi, 0, sizeof r->reach_hi);
    t->n_pending = 0;
    t->news = false;
    r->n_added = 0;
    random_create_options(t, ndim, &create);
    r->type = (xta_type)test_random_in(&r->random, XTA_BOOL, XTA_BYTES);
    r->cell_bytes = r->type == XTA_BYTES ? create.cell_bytes : xta_type_bytes(r->type);
    uint16_t code = test_random_chance(&r->random, 50) ? rig_random_code(r, r->type) : 0;
    test_story_add(&r->story, "%d ranks, %d axes, type %s, fill code %u, order %d, policy %d:%u",
                   t->n_ranks, ndim, xta_type_name(r->type), (unsigned)code, (int)create.order,
                   (int)create.policy, (unsigned)create.policy_amount);
    random_shape(t, ndim, create.order >= XTA_MORTON, chunk, bounds);
    random_parallel_options(t);
    oracle_encode(r->type, r->cell_bytes, code, fill);
    create.chunk = chunk;
    create.fill = code != 0 || r->type == XTA_BYTES ? fill : NULL;
    oracle_cells_init(&r->model, ndim, bounds, code);
    t->coming = r->model.bounds;
    note_reach(t);
    STORY_OK(&r->story,
             xta_parallel_create(MPI_COMM_WORLD, r->path, r->type, ndim, bounds, &create,
                                 &t->options, &t->p, &err),
             err);
    check_bounds(t);
}

/* The serial library must read the array as the ranks left it. */
static void compare_serially(ranks *t)
{
    rig *r = &t->rig;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    STORY_OK(&r->story, xta_check(r->path, NULL, NULL, &err), err);
    options.access = test_random_chance(&r->random, 50) ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
    STORY_OK(&r->story, xta_array_open(r->path, &options, &array, &err), err);
    rig_compare(r, array);
    STORY_OK(&r->story, xta_array_close(array, &err), err);
}

static void close_and_compare(ranks *t)
{
    rig *r = &t->rig;
    xta_error err;

    ranks_compare(t);
    STORY_OK(&r->story, xta_parallel_close(t->p, &err), err);
    catch_up(t);
    test_random before = r->random;
    if (t->rank == 0) {
        compare_serially(t);
    }
    r->random = before;
    MPI_Barrier(MPI_COMM_WORLD);
}

void ranks_end(ranks *t)
{
    xta_error err;

    close_and_compare(t);
    if (t->rank == 0) {
        STORY_OK(&t->rig.story, xta_array_delete(t->rig.path, &err), err);
    }
    oracle_cells_clear(&t->rig.model);
    drop_hints(t);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void refuse_changes(ranks *t)
{
    rig *r = &t->rig;
    xta_growth growth = {0, XTA_BACK, 1};
    xta_error err;
    uint8_t cell[64] = {0};
    xta_box one = rig_random_box(r, 1);

    STORY_FAILS(&r->story, xta_parallel_extend(t->p, &growth, 1, NULL, &err), XTA_EACCESS, err);
    STORY_FAILS(&r->story, xta_parallel_extend_alone(t->p, &growth, 1, NULL, &err), XTA_EACCESS,
                err);
    STORY_FAILS(&r->story, xta_parallel_write_all(t->p, &one, NULL, cell, &err), XTA_EACCESS, err);
    STORY_FAILS(&r->story, xta_parallel_write(t->p, &one, NULL, cell, &err), XTA_EACCESS, err);
}

void ranks_reopen(ranks *t)
{
    rig *r = &t->rig;
    xta_error err;

    test_story_add(&r->story, "close, open again");
    close_and_compare(t);
    random_parallel_options(t);
    if (test_random_chance(&r->random, 30)) {
        t->options.writable = false;
        STORY_OK(&r->story, xta_parallel_open(MPI_COMM_WORLD, r->path, &t->options, &t->p, &err),
                 err);
        ranks_compare(t);
        refuse_changes(t);
        STORY_OK(&r->story, xta_parallel_close(t->p, &err), err);
        t->options.writable = true;
    }
    STORY_OK(&r->story, xta_parallel_open(MPI_COMM_WORLD, r->path, &t->options, &t->p, &err), err);
    check_bounds(t);
}

/* ---- structure ---- */

void ranks_extend(ranks *t)
{
    rig *r = &t->rig;
    xta_growth growths[4];
    xta_box after;
    xta_error err;
    int n = test_random_chance(&r->random, 60) ? 1 : (int)test_random_in(&r->random, 2, 4);

    for (int k = 0; k < n; k++) {
        growths[k] = random_growth(t, k == 0 ? "extend" : "  and");
    }
    STORY_OK(&r->story, xta_parallel_extend(t->p, growths, n, &after, &err), err);
    catch_up(t);
    for (int k = 0; k < n; k++) {
        oracle_cells_extend(&r->model, &growths[k]);
    }
    STORY_CHECK(&r->story, xta_box_equal(&after, &t->coming), "`after` is wrong");
    check_bounds(t);
}

/* Growth that the ranks do not see before they refresh. The barrier makes it precede the next step
 * of the others. */
static void make_pending(ranks *t, int n, const xta_growth growths[])
{
    for (int k = 0; k < n; k++) {
        t->pending[t->n_pending++] = growths[k];
        t->news = t->news || growths[k].by > 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check_bounds(t);
}

void ranks_extend_alone(ranks *t)
{
    rig *r = &t->rig;
    xta_growth growths[2];
    xta_box after = t->coming;
    xta_error err;
    int who = (int)test_random_in(&r->random, 0, t->n_ranks - 1);
    int n = (int)test_random_in(&r->random, 1, 2);

    if (t->n_pending + n > RANKS_MAX_PENDING) {
        return;
    }
    test_story_add(&r->story, "rank %d alone:", who);
    for (int k = 0; k < n; k++) {
        growths[k] = random_growth(t, "  extend");
    }
    if (t->rank == who) {
        STORY_OK(&r->story, xta_parallel_extend_alone(t->p, growths, n, &after, &err), err);
        STORY_CHECK(&r->story, xta_box_equal(&after, &t->coming), "`after` is wrong");
    }
    make_pending(t, n, growths);
}

/* Another process, which uses the serial library: it grows the array, or compacts the journal. */
void ranks_foreign(ranks *t)
{
    rig *r = &t->rig;
    xta_growth growth;
    xta_error err;

    if (t->n_pending + 1 > RANKS_MAX_PENDING) {
        return;
    }
    bool compact = test_random_chance(&r->random, 20);
    test_story_add(&r->story, "the serial library%s:", compact ? " compacts and" : "");
    growth = random_growth(t, "  extends");
    if (t->rank == t->n_ranks - 1) {
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        options.writable = true;
        if (compact) {
            STORY_OK(&r->story, xta_compact(r->path, NULL, NULL, &err), err);
        }
        STORY_OK(&r->story, xta_array_open(r->path, &options, &array, &err), err);
        STORY_OK(&r->story, xta_array_extend(array, &growth, 1, NULL, &err), err);
        STORY_OK(&r->story, xta_array_close(array, &err), err);
    }
    make_pending(t, 1, &growth);
}

void ranks_refresh(ranks *t)
{
    rig *r = &t->rig;
    xta_error err;
    bool changed = false;

    test_story_add(&r->story, "refresh");
    STORY_OK(&r->story, xta_parallel_refresh(t->p, &changed, &err), err);
    STORY_CHECK(&r->story, changed || !t->news, "rank %d saw nothing new", t->rank);
    catch_up(t);
    check_bounds(t);
    STORY_OK(&r->story, xta_parallel_refresh(t->p, &changed, &err), err);
    STORY_CHECK(&r->story, !changed, "rank %d saw a change where there was none", t->rank);
}

void ranks_shrink(ranks *t)
{
    rig *r = &t->rig;
    xta_growth shrink;
    xta_box after;
    xta_error err;

    shrink.axis = (int)test_random_in(&r->random, 0, t->coming.ndim - 1);
    shrink.side = test_random_chance(&r->random, 50) ? XTA_BACK : XTA_FRONT;
    int64_t length = t->coming.hi[shrink.axis] - t->coming.lo[shrink.axis];
    shrink.by = test_random_in(&r->random, 0, length / 2);
    test_story_add(&r->story, "shrink axis %d %s by %lld", shrink.axis,
                   shrink.side == XTA_BACK ? "back" : "front", (long long)shrink.by);
    STORY_OK(&r->story, xta_parallel_shrink(t->p, &shrink, 1, &after, &err), err);
    catch_up(t);
    oracle_cells_shrink(&r->model, &shrink);
    apply(&t->coming, &shrink, -shrink.by);
    STORY_CHECK(&r->story, xta_box_equal(&after, &t->coming), "`after` is wrong");
    check_bounds(t);
}

void ranks_add_axis(ranks *t)
{
    rig *r = &t->rig;
    xta_error err;
    char name[16];

    if (t->coming.ndim >= RIG_MAX_NDIM - 1) {
        return;
    }
    int position = (int)test_random_in(&r->random, 0, t->coming.ndim);
    snprintf(name, sizeof name, "added%d", r->n_added++);
    test_story_add(&r->story, "a new axis at %d", position);
    STORY_OK(&r->story, xta_parallel_add_axis(t->p, position, name, &err), err);
    catch_up(t);
    oracle_cells_add_axis(&r->model, position);
    t->coming = r->model.bounds;
    for (int axis = t->coming.ndim - 1; axis > position; axis--) {
        r->reach_lo[axis] = r->reach_lo[axis - 1];
        r->reach_hi[axis] = r->reach_hi[axis - 1];
    }
    r->reach_lo[position] = 0;
    r->reach_hi[position] = 1;
    check_bounds(t);
}
