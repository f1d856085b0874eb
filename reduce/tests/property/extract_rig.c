/* Random arrays and regions, and a naive count of the cells that belong to each region.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "extract_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const xta_type types[] = {XTA_BOOL, XTA_I8,  XTA_U8,  XTA_I16, XTA_U16, XTA_I32,
                                 XTA_U32,  XTA_I64, XTA_U64, XTA_F16, XTA_F32, XTA_F64};

uint64_t trial_number(const xta_box *box, const int64_t at[])
{
    uint64_t number = 0;

    for (int axis = 0; axis < box->ndim; axis++) {
        number = number * (uint64_t)(box->hi[axis] - box->lo[axis]) +
                 (uint64_t)(at[axis] - box->lo[axis]);
    }
    return number;
}

bool trial_next(const xta_box *box, int64_t at[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* ---- a random array ---- */

static void random_cell(trial *t, uint8_t *cell)
{
    bool is_float = t->type == XTA_F16 || t->type == XTA_F32 || t->type == XTA_F64;
    uint64_t bits = test_random_u64(&t->random);
    double v = (double)test_random_in(&t->random, -40000, 40000) / 16;
    size_t bad;

    if (is_float) {
        v = test_random_chance(&t->random, 5) ? NAN : v;
        v = test_random_chance(&t->random, 1) ? INFINITY : v;
        (void)!xta_type_convert(XTA_F64, &v, t->type, cell, 1, &bad);
    } else if (t->type == XTA_BOOL) {
        cell[0] = bits & 1;
    } else {
        memcpy(cell, &bits, t->cell_bytes);
    }
}

void trial_make_array(trial *t)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    int64_t length[XTA_MAX_NDIM], chunk[XTA_MAX_NDIM];
    int ndim = (int)test_random_in(&t->random, 1, 4);
    int64_t most = ndim == 1 ? 600 : ndim == 2 ? 40 : ndim == 3 ? 13 : 7;
    xta_error err;

    t->type = types[test_random_in(&t->random, 0, sizeof types / sizeof types[0] - 1)];
    for (int axis = 0; axis < ndim; axis++) {
        length[axis] = test_random_in(&t->random, 1, most);
        chunk[axis] = test_random_in(&t->random, 1, test_random_chance(&t->random, 50) ? 4 : most);
    }
    create.chunk = chunk;
    if (test_random_chance(&t->random, 50)) {
        test_folder_join(&t->folder, "a", t->path);
        create.access = test_random_chance(&t->random, 50) ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
        STORY_OK(&t->story,
                 xta_array_create(t->path, t->type, ndim, length, &create, &t->array, &err), err);
    } else {
        STORY_OK(&t->story, xta_array_new(t->type, ndim, length, &create, &t->array, &err), err);
    }
    for (int k = (int)test_random_in(&t->random, 0, 4); k > 0; k--) {
        xta_growth growth = {.axis = (int)test_random_in(&t->random, 0, ndim - 1),
                             .side = test_random_chance(&t->random, 60) ? XTA_FRONT : XTA_BACK,
                             .by = test_random_in(&t->random, 1, ndim > 2 ? 1 : 5)};
        STORY_OK(&t->story, xta_array_extend(t->array, &growth, 1, NULL, &err), err);
    }
    t->bounds = xta_array_bounds(t->array);
    t->cell_bytes = xta_array_cell_bytes(t->array);
    STORY_OK(&t->story, xta_box_cells(&t->bounds, &t->n_cells), err);
    STORY_CHECK(&t->story, t->n_cells <= MOST_CELLS, "%lu cells", (unsigned long)t->n_cells);
    for (uint64_t k = 0; k < t->n_cells; k++) {
        random_cell(t, t->raw + k * t->cell_bytes);
    }
    STORY_OK(&t->story, xta_array_write(t->array, &t->bounds, NULL, t->raw, &err), err);
    test_story_add(&t->story, "%s array of %d axes, %lu cells", xta_type_name(t->type), ndim,
                   (unsigned long)t->n_cells);
}

/* ---- random regions ---- */

/* Choose the axes of the regions. */
static void choose_axes(trial *t)
{
    int ndim = t->bounds.ndim;

    t->space.ndim = 0;
    for (int axis = 0; axis < ndim; axis++) {
        bool last_chance = t->space.ndim == 0 && axis + 1 == ndim;
        if (last_chance || test_random_chance(&t->random, 65)) {
            t->axes[t->space.ndim] = axis;
            t->space.lo[t->space.ndim] = t->bounds.lo[axis];
            t->space.hi[t->space.ndim] = t->bounds.hi[axis];
            t->space.ndim++;
        }
    }
    xta_error err;
    STORY_OK(&t->story, xta_box_cells(&t->space, &t->n_space), err);
    t->n_positions = t->n_cells / t->n_space;
}

static void begin_region(trial *t)
{
    size_t k = t->n_regions++;

    t->rank[k] = malloc(t->n_space * sizeof t->rank[k][0]);
    t->n_in[k] = 0;
    memset(t->rank[k], 0xff, t->n_space * sizeof t->rank[k][0]);
}

static void add_box(trial *t)
{
    xta_box box = {.ndim = t->space.ndim};
    int64_t at[XTA_MAX_NDIM];
    xta_error err;

    for (int axis = 0; axis < box.ndim; axis++) {
        int64_t a = test_random_in(&t->random, t->space.lo[axis] - 3, t->space.hi[axis] + 3);
        int64_t b = test_random_in(&t->random, t->space.lo[axis] - 3, t->space.hi[axis] + 3);
        box.lo[axis] = a < b ? a : b;
        box.hi[axis] = a < b ? b : a;
    }
    STORY_OK(&t->story, xta_regions_add_box(t->regions, "box", &box, &err), err);
    begin_region(t);
    size_t k = t->n_regions - 1;
    memcpy(at, t->space.lo, sizeof at);
    do {
        xta_box cell = xta_box_make(box.ndim, at, at);
        for (int axis = 0; axis < box.ndim; axis++) {
            cell.hi[axis]++;
        }
        if (xta_box_contains(&box, &cell)) {
            t->rank[k][trial_number(&t->space, at)] = (int64_t)t->n_in[k]++;
        }
    } while (trial_next(&t->space, at));
}

static void add_sphere(trial *t)
{
    double centre[XTA_MAX_NDIM], spacing[XTA_MAX_NDIM];
    double radius = (double)test_random_in(&t->random, 0, 40) / 4;
    bool unit = test_random_chance(&t->random, 50);
    int64_t at[XTA_MAX_NDIM];
    xta_error err;

    for (int axis = 0; axis < t->space.ndim; axis++) {
        centre[axis] = (double)test_random_in(&t->random, 4 * (t->space.lo[axis] - 3),
                                              4 * (t->space.hi[axis] + 3)) /
                       (test_random_chance(&t->random, 50) ? 4 : 4.3);
        spacing[axis] = unit ? 1 : (double)test_random_in(&t->random, 1, 30) / 7;
    }
    STORY_OK(&t->story,
             xta_regions_add_sphere(t->regions, NULL, centre, radius, unit ? NULL : spacing, &err),
             err);
    begin_region(t);
    size_t k = t->n_regions - 1;
    memcpy(at, t->space.lo, sizeof at);
    do {
        double sum = 0;
        for (int axis = 0; axis < t->space.ndim; axis++) {
            double distance = ((double)at[axis] - centre[axis]) * spacing[axis];
            sum += distance * distance;
        }
        if (sum <= radius * radius) {
            t->rank[k][trial_number(&t->space, at)] = (int64_t)t->n_in[k]++;
        }
    } while (trial_next(&t->space, at));
}

static void make_mask(trial *t)
{
    static const xta_type whole[] = {XTA_I8, XTA_U8, XTA_I16, XTA_U32, XTA_I64, XTA_F32};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    int64_t length[XTA_MAX_NDIM], chunk[XTA_MAX_NDIM];
    int64_t *label = malloc(t->n_space * sizeof *label);
    int n_labels = (int)test_random_in(&t->random, 1, MOST_REGIONS - 1);
    bool origin = test_random_chance(&t->random, 50);
    int64_t background = test_random_chance(&t->random, 70) ? 0 : 3;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;

    for (int axis = 0; axis < t->space.ndim; axis++) {
        length[axis] = t->space.hi[axis] - t->space.lo[axis];
        chunk[axis] = test_random_in(&t->random, 1, 9);
        // Coordinates of the mask are those of the array, unless its origin is given.
        origin = origin || t->space.lo[axis] > 0;
    }
    for (int axis = 0; !origin && axis < t->space.ndim; axis++) {
        length[axis] = t->space.hi[axis];
    }
    create.chunk = chunk;
    STORY_OK(&t->story,
             xta_array_new(whole[test_random_in(&t->random, 0, 5)], t->space.ndim, length, &create,
                           &t->mask, &err),
             err);
    for (int axis = 0; !origin && axis < t->space.ndim; axis++) {
        xta_growth growth = {axis, XTA_FRONT, -t->space.lo[axis]};
        STORY_OK(&t->story, xta_array_extend(t->mask, &growth, 1, NULL, &err), err);
    }
    bool runs = test_random_chance(&t->random, 60);
    for (uint64_t k = 0; k < t->n_space; k++) {
        bool same = k > 0 && runs && test_random_chance(&t->random, 80);
        label[k] = same                                 ? label[k - 1]
                   : test_random_chance(&t->random, 50) ? background
                                                        : test_random_in(&t->random, 1, n_labels);
    }
    io.type = XTA_I64;
    xta_box all = xta_array_bounds(t->mask);
    STORY_OK(&t->story, xta_array_write(t->mask, &all, &io, label, &err), err);
    STORY_OK(
        &t->story,
        xta_regions_of_mask(t->mask, background, origin ? t->space.lo : NULL, &t->regions, &err),
        err);
    for (int64_t v = 0; v <= n_labels; v++) {
        begin_region(t);
        size_t k = t->n_regions - 1;
        for (uint64_t i = 0; v != background && i < t->n_space; i++) {
            t->rank[k][i] = label[i] == v ? (int64_t)t->n_in[k]++ : -1;
        }
        if (t->n_in[k] == 0) {
            free(t->rank[k]);
            t->n_regions--;
            continue;
        }
        STORY_CHECK(&t->story,
                    k < xta_regions_count(t->regions) && xta_regions_at(t->regions, k).label == v,
                    "label %ld is not region %zu", (long)v, k);
    }
    free(label);
}

void trial_make_regions(trial *t)
{
    xta_error err;

    choose_axes(t);
    t->n_regions = 0;
    t->mask = NULL;
    if (test_random_chance(&t->random, 40)) {
        make_mask(t);
    } else {
        STORY_OK(&t->story, xta_regions_new(t->space.ndim, &t->regions, &err), err);
        for (int k = (int)test_random_in(&t->random, 1, MOST_REGIONS); k > 0; k--) {
            if (test_random_chance(&t->random, 50)) {
                add_box(t);
            } else {
                add_sphere(t);
            }
        }
    }
    STORY_CHECK(&t->story, xta_regions_count(t->regions) == t->n_regions, "%zu regions, not %zu",
                xta_regions_count(t->regions), t->n_regions);
    test_story_add(&t->story, "%zu regions of %d axes, %s", t->n_regions, t->space.ndim,
                   t->mask != NULL ? "a mask" : "boxes and spheres");
}
