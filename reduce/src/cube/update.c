/* A cube is brought up to date.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/cube.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cube/covered.h"
#include "cube/cube.h"
#include "util/checked.h"
#include "util/os.h"
#include "util/text.h"
#include "util/try.h"

/* Groups, or cells, that are read at once to compute coarser groups: 16 MiB of four measures. */
#define TILE_GROUPS ((uint64_t)1 << 19)

/* Cells of a chunk of a member. */
#define CHUNK_CELLS 8192

typedef struct update {
    xta_cube *cube;
    int level[XTA_MAX_NDIM];  // of the combination that is computed
    int source[XTA_MAX_NDIM]; // of that which it is computed from
    xta_box from;             // all groups of the source
    xta_cube_facts facts;
} update;

/* ---- dimensions and members ---- */

static xta_status no_memory(const xta_cube *cube, xta_error *err)
{
    return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for an update", cube->path);
}

static void wanted_bounds(const xta_cube *cube, int axis, int level, int64_t range[2])
{
    xta__level_groups(&cube->axes[axis], level, cube->bounds.lo[axis], cube->bounds.hi[axis],
                      range);
}

static xta_status ensure_dimension(xta_cube *cube, int axis, int level, xta_error *err)
{
    char *name = xta__cube_dimension_name(cube, axis, level);
    xta_dimension d;
    int64_t range[2];
    xta_status status = name != NULL ? XTA_OK : no_memory(cube, err);

    if (status == XTA_OK && xta_dataset_dimension(cube->set, name, &d, NULL) == XTA_ENOENT) {
        wanted_bounds(cube, axis, level, range);
        d = (xta_dimension){.name = name, .lo = range[0], .hi = range[1], .unlimited = true};
        status = xta_dataset_set_dimension(cube->set, &d, err);
    }
    free(name);
    return status;
}

static bool has_member(xta_cube *cube, const char *name)
{
    for (size_t k = 0; k < xta_dataset_member_count(cube->set); k++) {
        if (strcmp(xta_dataset_member_name(cube->set, k), name) == 0) {
            return true;
        }
    }
    return false;
}

static void free_names(char *names[], int n)
{
    for (int k = 0; k < n; k++) {
        free(names[k]);
    }
}

/* Chunks are cubes of powers of two. */
static void choose_chunk(int ndim, int64_t chunk[])
{
    int64_t length = 1;

    for (bool fits = true; fits; length *= 2) {
        int64_t cells = 1;
        for (int k = 0; k < ndim && cells <= CHUNK_CELLS; k++) {
            cells *= length * 2;
        }
        fits = cells <= CHUNK_CELLS;
        if (!fits) {
            break;
        }
    }
    for (int k = 0; k < ndim; k++) {
        chunk[k] = length;
    }
}

static xta_status add_member(xta_cube *cube, const int level[], xta_cube_measure measure,
                             const char *name, xta_error *err)
{
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_cube_number identity = xta__identity(&cube->arithmetic, measure);
    xta_type type = xta__measure_type(cube->type, measure);
    char *dimensions[XTA_MAX_NDIM] = {NULL};
    int64_t chunk[XTA_MAX_NDIM];
    uint8_t fill[8];
    xta_status status = XTA_OK;

    for (int k = 0; k < cube->ndim; k++) {
        dimensions[k] = xta__cube_dimension_name(cube, k, level[k]);
        if (dimensions[k] == NULL) {
            XTA_TRY(no_memory(cube, err));
        }
    }
    XTA_TRY(xta_type_convert(measure == XTA_CUBE_COUNT ? XTA_U64
                                                       : xta__arithmetic_type(&cube->arithmetic),
                             &identity, type, fill, 1, NULL));
    choose_chunk(cube->ndim, chunk);
    o.fill = fill;
    o.chunk = chunk;
    XTA_TRY(xta_dataset_add_member(cube->set, name, type, cube->ndim,
                                   (const char *const *)dimensions, &o, NULL, err));
done:
    free_names(dimensions, cube->ndim);
    return status;
}

/* Make the members of a combination that are missing. */
static xta_status ensure_members(xta_cube *cube, const int level[], xta_error *err)
{
    xta_status status = XTA_OK;

    for (int m = 0; status == XTA_OK && m < XTA_CUBE_MEASURES; m++) {
        if ((cube->arithmetic.measures >> m & 1) == 0) {
            continue;
        }
        char *name = xta__cube_member_name(cube, level, (xta_cube_measure)m);
        if (name == NULL) {
            status = no_memory(cube, err);
        } else if (!has_member(cube, name)) {
            status = add_member(cube, level, (xta_cube_measure)m, name, err);
        }
        free(name);
    }
    return status;
}

static xta_status ensure_all(xta_cube *cube, xta_error *err)
{
    int level[XTA_MAX_NDIM] = {0};
    xta_status status = XTA_OK;

    for (int k = 0; k < cube->ndim; k++) {
        for (int l = cube->axes[k].first; l < cube->axes[k].n_levels; l++) {
            XTA_TRY(ensure_dimension(cube, k, l, err));
        }
    }
    do {
        if (xta__cube_is_kept(cube, level)) {
            XTA_TRY(ensure_members(cube, level, err));
        }
    } while (xta__cube_next(cube, level));
done:
    return status;
}

/* How much a dimension has to grow: adds to `growths`, whose names the caller frees. */
static xta_status add_growth(xta_cube *cube, int axis, int level, xta_dimension_growth growths[],
                             int *n, xta_error *err)
{
    char *name = xta__cube_dimension_name(cube, axis, level);
    xta_dimension d;
    int64_t range[2];
    xta_status status =
        name != NULL ? xta_dataset_dimension(cube->set, name, &d, err) : no_memory(cube, err);

    if (status != XTA_OK) {
        free(name);
        return status;
    }
    wanted_bounds(cube, axis, level, range);
    if (d.lo < range[0] || d.hi > range[1]) {
        status = xta__fail(err, XTA_ESTATE, 0,
                           "%s: dimension %s is longer than its base, which has shrunk; make the "
                           "cube again",
                           cube->path, name);
        free(name);
        return status;
    }
    growths[*n] = (xta_dimension_growth){name, XTA_FRONT, d.lo - range[0]};
    growths[*n + 1] = (xta_dimension_growth){name, XTA_BACK, range[1] - d.hi};
    *n += 2;
    return XTA_OK;
}

/* Extend the dimensions of an axis. */
static xta_status extend_axis(xta_cube *cube, int axis, xta_error *err)
{
    xta_dimension_growth growths[2 * XTA__CUBE_MOST_LEVELS];
    int n = 0;
    bool grows = false;
    xta_status status = XTA_OK;

    for (int l = cube->axes[axis].first; l < cube->axes[axis].n_levels; l++) {
        XTA_TRY(add_growth(cube, axis, l, growths, &n, err));
    }
    for (int k = 0; k < n; k++) {
        grows = grows || growths[k].by > 0;
    }
    if (grows) {
        XTA_TRY(xta_dataset_extend(cube->set, growths, n, err));
    }
done:
    for (int k = 0; k < n; k += 2) {
        free((char *)growths[k].dimension);
    }
    return status;
}

/* ---- computing ---- */

/* The groups of the source that make up a box of groups. */
static xta_box source_box(const update *u, const xta_box *box)
{
    xta_box from = u->from;

    for (int k = 0; k < from.ndim; k++) {
        const xta__cube_axis *axis = &u->cube->axes[k];
        from.lo[k] = xta__level_lower_bound(axis, u->source[k], u->level[k], u->from.lo[k],
                                            u->from.hi[k], box->lo[k]);
        from.hi[k] = xta__level_lower_bound(axis, u->source[k], u->level[k], from.lo[k],
                                            u->from.hi[k], box->hi[k]);
    }
    return from;
}

static xta_status overflow(const update *u, int axis, const xta_box *box, xta_error *err)
{
    char *name = xta__cube_member_name(u->cube, u->level, XTA_CUBE_SUM);
    xta_status status = xta__fail(err, XTA_ERANGE, 0,
                                  "%s: a sum of %s, axis %s from group %" PRId64
                                  " on, leaves 64 bits; make a cube without sums",
                                  u->cube->path, name != NULL ? name : "?",
                                  u->cube->axes[axis].name, box->lo[axis]);

    free(name);
    return status;
}

/* Add planes that cover `have` to planes that cover the groups of `box` on one axis. */
static xta_status add_axis(const update *u, int axis, const xta_box *box, const xta_box *have,
                           const xta__planes *planes, xta__planes *to, xta_error *err)
{
    size_t n = (size_t)(have->hi[axis] - have->lo[axis]);
    xta__fold_shape shape = {1, n, 1, (size_t)(box->hi[axis] - box->lo[axis]), NULL};
    int64_t *parent = xta__calloc(n + 1, sizeof *parent);

    if (parent == NULL) {
        return no_memory(u->cube, err);
    }
    for (int k = 0; k < have->ndim; k++) {
        size_t *side = k < axis ? &shape.outer : &shape.inner;
        *side *= k != axis ? (size_t)(have->hi[k] - have->lo[k]) : 1;
    }
    for (size_t j = 0; j < n; j++) {
        parent[j] = xta__level_parent(&u->cube->axes[axis], u->source[axis], u->level[axis],
                                      have->lo[axis] + (int64_t)j) -
                    box->lo[axis];
    }
    shape.parent = parent;
    bool fits = xta__planes_fold(&u->cube->arithmetic, planes, &shape, to);
    free(parent);
    return fits ? XTA_OK : overflow(u, axis, box, err);
}

/* Fold one axis of planes that cover `have`, so that they cover the groups of `box` there. */
static xta_status fold_axis(const update *u, int axis, const xta_box *box, xta_box *have,
                            xta__planes *planes, xta_error *err)
{
    const xta__cube_arithmetic *arithmetic = &u->cube->arithmetic;
    xta_box then = *have;
    xta__planes folded = {0};
    uint64_t n = 0;
    xta_status status = XTA_OK;

    then.lo[axis] = box->lo[axis];
    then.hi[axis] = box->hi[axis];
    if (xta_box_cells(&then, &n) != XTA_OK ||
        !xta__planes_make(&folded, arithmetic->measures, (size_t)n)) {
        return no_memory(u->cube, err);
    }
    xta__planes_reset(&folded, arithmetic);
    status = add_axis(u, axis, box, have, planes, &folded, err);
    xta__planes_clear(planes);
    *planes = folded;
    *have = then;
    return status;
}

/* Read groups of the source, and fold the axes behind `first`. */
static xta_status read_and_fold(update *u, int first, const xta_box *box, xta_box *have,
                                xta__planes *planes, xta_error *err)
{
    uint64_t n = 0;
    xta_status status = XTA_OK;

    if (xta_box_cells(have, &n) != XTA_OK ||
        !xta__planes_make(planes, u->cube->arithmetic.measures, (size_t)n)) {
        return no_memory(u->cube, err);
    }
    XTA_TRY(xta__cube_read(u->cube, u->source, have, planes, err));
    *(xta__cube_is_kept(u->cube, u->source) ? &u->facts.n_cube_cells : &u->facts.n_base_cells) += n;
    for (int axis = have->ndim - 1; axis > first; axis--) {
        if (u->source[axis] != u->level[axis]) {
            XTA_TRY(fold_axis(u, axis, box, have, planes, err));
        }
    }
done:
    return status;
}

static xta_status write_groups(update *u, const xta_box *box, xta__planes *planes, xta_error *err)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_status status = XTA_OK;

    xta__planes_canonical(planes, &u->cube->arithmetic);
    for (int m = 0; status == XTA_OK && m < XTA_CUBE_MEASURES; m++) {
        xta_array *array = NULL;
        if (planes->at[m] == NULL) {
            continue;
        }
        io.type = m == XTA_CUBE_COUNT ? XTA_U64 : xta__arithmetic_type(&u->cube->arithmetic);
        status = xta__cube_member(u->cube, u->level, (xta_cube_measure)m, &array, err);
        if (status == XTA_OK) {
            status = xta_array_write(array, box, &io, planes->at[m], err);
        }
    }
    return status;
}

/* Add the source `from` of a single group to it, in slabs: in the order in which whole axes would
 * be folded, so that the sum has the same bits. */
static xta_status add_slabs(update *u, const xta_box *box, xta_box from, xta__planes *to,
                            xta_error *err)
{
    xta__planes planes = {0};
    xta_box slab = from, one = *box;
    uint64_t row = 0;
    int axis = 0;
    xta_status status = XTA_OK;

    while (axis < from.ndim - 1 && from.hi[axis] - from.lo[axis] == 1) {
        axis++;
    }
    slab.hi[axis] = slab.lo[axis] + 1;
    bool large = xta_box_cells(&slab, &row) != XTA_OK || row > TILE_GROUPS;
    int64_t rows = large ? 1 : (int64_t)(TILE_GROUPS / row);
    for (; slab.lo[axis] < from.hi[axis]; slab.lo[axis] = slab.hi[axis]) {
        int64_t left = from.hi[axis] - slab.lo[axis];
        xta_box have = slab;
        slab.hi[axis] = have.hi[axis] = slab.lo[axis] + (left < rows ? left : rows);
        if (large) {
            one.lo[axis] = slab.lo[axis];
            one.hi[axis] = slab.hi[axis];
            if (!xta__planes_make(&planes, u->cube->arithmetic.measures, 1)) {
                XTA_TRY(no_memory(u->cube, err));
            }
            xta__planes_reset(&planes, &u->cube->arithmetic);
            XTA_TRY(add_slabs(u, &one, have, &planes, err));
            for (int k = axis + 1; k < have.ndim; k++) {
                have.lo[k] = box->lo[k];
                have.hi[k] = box->hi[k];
            }
        } else {
            XTA_TRY(read_and_fold(u, axis, box, &have, &planes, err));
        }
        XTA_TRY(add_axis(u, axis, box, &have, &planes, to, err));
        xta__planes_clear(&planes);
    }
done:
    xta__planes_clear(&planes);
    return status;
}

/* Compute the groups of a box from the n groups of its source: all at once, or, of a single group
 * that has too many, in slabs. */
static xta_status compute(update *u, const xta_box *box, const xta_box *from, uint64_t n,
                          xta_error *err)
{
    xta__planes planes = {0};
    xta_box have = *from;
    uint64_t n_groups = 0;
    xta_status status = XTA_OK;

    if (n <= TILE_GROUPS) {
        XTA_TRY(read_and_fold(u, -1, box, &have, &planes, err));
    } else {
        if (!xta__planes_make(&planes, u->cube->arithmetic.measures, 1)) {
            XTA_TRY(no_memory(u->cube, err));
        }
        xta__planes_reset(&planes, &u->cube->arithmetic);
        XTA_TRY(add_slabs(u, box, *from, &planes, err));
    }
    XTA_TRY(write_groups(u, box, &planes, err));
    XTA_TRY(xta_box_cells(box, &n_groups));
    u->facts.n_groups += n_groups;
done:
    xta__planes_clear(&planes);
    return status;
}

/* The axis on which a box of several groups is cut: that with the longest source; -1: one group. */
static int axis_to_cut(const xta_box *box, const xta_box *from)
{
    int best = -1;

    for (int k = 0; k < box->ndim; k++) {
        if (box->hi[k] - box->lo[k] > 1 &&
            (best < 0 || from->hi[k] - from->lo[k] > from->hi[best] - from->lo[best])) {
            best = k;
        }
    }
    return best;
}

/* Compute the groups of a box, in tiles. */
static xta_status compute_tiles(update *u, xta_box box, xta_error *err)
{
    xta_status status = XTA_OK;

    while (!xta_box_empty(&box)) {
        xta_box tile = box, from = source_box(u, &tile);
        uint64_t n = 0;
        int axis = -1;
        while (xta_box_cells(&from, &n) != XTA_OK || n > TILE_GROUPS) {
            int cut = axis_to_cut(&tile, &from);
            if (cut < 0) {
                break;
            }
            if (axis >= 0 && cut != axis) {
                // A tile that is cut on two axes: its part on the first is done by itself.
                XTA_TRY(compute_tiles(u, tile, err));
                n = 0;
                break;
            }
            axis = cut;
            tile.hi[cut] = tile.lo[cut] + (tile.hi[cut] - tile.lo[cut]) / 2;
            from = source_box(u, &tile);
        }
        if (n > 0) {
            XTA_TRY(compute(u, &tile, &from, n, err));
        }
        if (axis < 0) {
            break;
        }
        box.lo[axis] = tile.hi[axis];
    }
done:
    return status;
}

/* The combination that the present one is computed from. */
static void find_source(update *u)
{
    const xta_cube *cube = u->cube;

    memset(u->source, 0, sizeof u->source);
    for (int k = cube->ndim - 1; k >= 0; k--) {
        if (u->level[k] > cube->axes[k].first) {
            memcpy(u->source, u->level, sizeof u->source);
            u->source[k]--;
            break;
        }
    }
    if (!xta__cube_is_kept(cube, u->source)) {
        memset(u->source, 0, sizeof u->source);
    }
    u->from = xta__cube_groups(cube, u->source);
}

/* The groups of an axis whose cells were all in the cube before. */
static void settled(const update *u, int axis, int64_t range[2])
{
    const xta_cube *cube = u->cube;
    const xta__cube_axis *a = &cube->axes[axis];
    int level = u->level[axis];
    int64_t lo = cube->covered.lo[axis], hi = cube->covered.hi[axis];

    xta__level_groups(a, level, lo, hi, range);
    if (lo > a->lo && xta__level_parent(a, 0, level, lo - 1) == range[0]) {
        range[0]++;
    }
    if (hi < a->hi && xta__level_parent(a, 0, level, hi) == range[1] - 1) {
        range[1]--;
    }
    range[1] = range[1] < range[0] ? range[0] : range[1];
}

/* Compute the groups of a combination that are not settled. */
static xta_status compute_combination(update *u, xta_error *err)
{
    xta_box rest = xta__cube_groups(u->cube, u->level);
    xta_status status = XTA_OK;

    find_source(u);
    if (xta_box_empty(&u->cube->covered)) {
        return compute_tiles(u, rest, err);
    }
    for (int k = 0; k < rest.ndim; k++) {
        int64_t range[2];
        xta_box below = rest, above = rest;
        settled(u, k, range);
        below.hi[k] = range[0];
        above.lo[k] = range[1];
        XTA_TRY(compute_tiles(u, below, err));
        XTA_TRY(compute_tiles(u, above, err));
        rest.lo[k] = range[0];
        rest.hi[k] = range[1];
    }
done:
    return status;
}

/* ---- the walk ---- */

/* Lock a cube against other updates. */
static xta_status lock_cube(const char *path, xta__file *lock, xta_error *err)
{
    char *name = xta__string("%s/update.lock", path);
    xta_status status = XTA_OK;

    if (name == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for a name", path);
    }
    status = xta__file_open(name, XTA__FILE_CREATE_NEW, lock, NULL);
    if (status == XTA_EEXIST) {
        status = xta__file_open(name, XTA__FILE_WRITE, lock, err);
    } else if (status != XTA_OK) {
        status = xta__fail(err, status, 0, "%s: cannot be locked for an update", path);
    }
    if (status == XTA_OK) {
        status = xta__file_lock(lock, err);
    }
    free(name);
    return status;
}

static xta_status update_cube(update *u, xta_error *err)
{
    xta_cube *cube = u->cube;
    xta_status status = XTA_OK;

    u->facts.before = cube->covered;
    u->facts.bounds = cube->bounds;
    if (xta_box_empty(&cube->bounds) || xta_box_equal(&cube->bounds, &cube->covered)) {
        return XTA_OK;
    }
    if (xta_box_empty(&cube->covered)) {
        XTA_TRY(ensure_all(cube, err));
    }
    for (int k = 0; k < cube->ndim; k++) {
        XTA_TRY(extend_axis(cube, k, err));
    }
    do {
        if (xta__cube_is_kept(cube, u->level)) {
            XTA_TRY(compute_combination(u, err));
            u->facts.n_combinations++;
        }
    } while (xta__cube_next(cube, u->level));
    XTA_TRY(xta_dataset_sync(cube->set, err));
    XTA_TRY(xta__covered_record(cube, err));
done:
    return status;
}

xta_status xta_cube_update(const char *path, xta_cube_facts *facts, xta_error *err)
{
    xta__file lock = XTA__FILE_CLOSED;
    update u = {0};
    xta_status status = XTA_OK, closed;

    xta__clear(err);
    if (facts != NULL) {
        memset(facts, 0, sizeof *facts);
    }
    if (!xta_dataset_exists(path)) {
        return xta__fail(err, XTA_ENOENT, 0, "%s: no cube; xta cube BASE CUBE makes one", path);
    }
    XTA_TRY(lock_cube(path, &lock, err));
    XTA_TRY(xta__cube_open(path, true, &u.cube, err));
    XTA_TRY(update_cube(&u, err));
    if (facts != NULL) {
        *facts = u.facts;
    }
done:
    closed = xta_cube_close(u.cube, status == XTA_OK ? err : NULL);
    xta__file_close(&lock);
    return status == XTA_OK ? closed : status;
}
