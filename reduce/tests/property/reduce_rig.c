/* Random arrays and options for reductions, and the naive form of their definition: the cells of a
 * result, one by one; every node of the tree over all blocks between the first and the last.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduce_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const xta_type types[] = {XTA_BOOL, XTA_I8,  XTA_U8,  XTA_I16, XTA_U16, XTA_I32,
                                 XTA_U32,  XTA_I64, XTA_U64, XTA_F16, XTA_F32, XTA_F64,
                                 XTA_F32,  XTA_F64, XTA_F32, XTA_F64};

bool rig_next(const xta_box *box, int64_t at[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static bool is_float(xta_type type)
{
    return type == XTA_F16 || type == XTA_F32 || type == XTA_F64;
}

/* ---- cells ---- */

static void random_cell(reduce_trial *t, int style, uint8_t *cell)
{
    uint64_t bits = test_random_u64(&t->random);
    double v = (double)test_random_in(&t->random, -40000, 40000) / 16;
    size_t bad;

    if (is_float(t->type)) {
        // All digits, so that every order of additions rounds in another way.
        v *= 1 + (double)(bits >> 12) * 0x1p-52;
        double spread = t->type == XTA_F16 ? 1 : ldexp(1, (int)test_random_in(&t->random, -20, 20));
        v = style == 0 ? v : style == 1 ? v * spread : 30000 + v / 4096;
        v = test_random_chance(&t->random, 3) ? -0.0 : v;
        v = style < 2 && test_random_chance(&t->random, 4) ? NAN : v;
        if (style == 1 && test_random_in(&t->random, 0, 4000) == 0) {
            v = bits & 1 ? INFINITY : -INFINITY;
        }
        (void)!xta_type_convert(XTA_F64, &v, t->type, cell, 1, &bad);
    } else if (t->type == XTA_BOOL) {
        cell[0] = bits & 1;
    } else if (style == 0) {
        memcpy(cell, &bits, t->cell_bytes);
    } else {
        int64_t small = (int64_t)(bits % 90);
        (void)!xta_type_convert(XTA_I64, &small, t->type, cell, 1, &bad);
    }
}

/* Bounds of few cells, long on one axis, with coordinates on both sides of 0. */
static void random_bounds(reduce_trial *t)
{
    int ndim = (int)test_random_in(&t->random, 1, 4);
    int axis_long = (int)test_random_in(&t->random, 0, ndim - 1);
    int64_t left = RIG_CELLS;
    int64_t most = test_random_chance(&t->random, 40) ? 7900 : 300;

    t->bounds.ndim = ndim;
    for (int k = 0; k < ndim; k++) {
        int axis = (axis_long + k) % ndim;
        int64_t length = test_random_in(&t->random, 1, k == 0 ? most : 18);
        length = length < left ? length : left;
        left = left / length > 0 ? left / length : 1;
        int64_t front =
            test_random_chance(&t->random, 70) ? test_random_in(&t->random, 0, length - 1) : 0;
        t->bounds.lo[axis] = -front;
        t->bounds.hi[axis] = length - front;
    }
    t->n_cells = 1;
    for (int axis = 0; axis < ndim; axis++) {
        t->n_cells *= (uint64_t)(t->bounds.hi[axis] - t->bounds.lo[axis]);
    }
}

/* ---- options ---- */

enum { MAX_LABEL = 84 };

static void random_groups(reduce_trial *t)
{
    xta_reduce_options *o = &t->options;
    int k = (int)test_random_in(&t->random, 0, o->n_axes - 1);
    int64_t length, n_groups = test_random_in(&t->random, 1, MAX_LABEL / 7);

    o->group_axis = t->axes[k];
    length = t->bounds.hi[o->group_axis] - t->bounds.lo[o->group_axis];
    if (test_random_chance(&t->random, 50)) {
        o->group_length =
            test_random_in(&t->random, 1, test_random_chance(&t->random, 70) ? 40 : 3000);
        return;
    }
    for (int64_t i = 0; i < length; i++) {
        t->labels[i] = 7 * test_random_in(&t->random, 0, n_groups);
        t->labels[i] =
            i > 0 && test_random_chance(&t->random, 60) ? t->labels[i - 1] : t->labels[i];
        t->labels[i] = test_random_chance(&t->random, 5) ? -1 : t->labels[i];
    }
    t->labels[0] = 5;
    o->labels = t->labels;
    o->n_labels = length;
}

static void random_options(reduce_trial *t)
{
    xta_reduce_options *o = &t->options;

    *o = (xta_reduce_options)XTA_REDUCE_OPTIONS_INIT;
    o->axes = t->axes;
    for (int axis = 0; axis < t->bounds.ndim; axis++) {
        bool last_chance = o->n_axes == 0 && axis + 1 == t->bounds.ndim;
        if (last_chance || test_random_chance(&t->random, 60)) {
            t->axes[o->n_axes++] = axis;
        }
    }
    if (test_random_chance(&t->random, 40)) {
        random_groups(t);
    }
    if (test_random_chance(&t->random, 35)) {
        uint64_t k = (uint64_t)test_random_in(&t->random, 0, (int64_t)t->n_cells - 1);
        memcpy(t->missing, t->raw + k * t->cell_bytes, t->cell_bytes);
        o->missing = t->missing;
    }
    o->propagate_nan = test_random_chance(&t->random, 30);
    o->min_count =
        test_random_chance(&t->random, 25) ? (uint64_t)test_random_in(&t->random, 1, 40) : 0;
    o->ddof = test_random_chance(&t->random, 25);
}

/* The group of each coordinate: how many smaller labels occur. */
static void find_groups(reduce_trial *t)
{
    const xta_reduce_options *o = &t->options;
    int64_t lo = t->bounds.lo[o->group_axis], length = t->bounds.hi[o->group_axis] - lo;
    bool occurs[MAX_LABEL + 1] = {false};

    for (int64_t i = 0; i < o->n_labels; i++) {
        if (o->labels[i] >= 0) {
            occurs[o->labels[i]] = true;
        }
    }
    for (int64_t i = 0; i < length; i++) {
        if (o->labels == NULL) {
            t->group[i] = floor_div(lo + i, o->group_length);
            continue;
        }
        t->group[i] = o->labels[i] < 0 ? -1 : 0;
        for (int64_t l = 0; l < o->labels[i]; l++) {
            t->group[i] += occurs[l];
        }
    }
}

/* The bounds of the results, as the test knows them. */
static void find_result(reduce_trial *t)
{
    const xta_reduce_options *o = &t->options;
    bool grouped = o->labels != NULL || o->group_length > 0;

    t->result = (xta_box){.ndim = 0};
    if (grouped) {
        find_groups(t);
    }
    for (int axis = 0; axis < t->bounds.ndim; axis++) {
        bool reduced = false;
        for (int k = 0; k < o->n_axes; k++) {
            reduced = reduced || t->axes[k] == axis;
        }
        int64_t lo = t->bounds.lo[axis], hi = t->bounds.hi[axis];
        if (grouped && axis == o->group_axis && o->labels == NULL) {
            lo = floor_div(lo, o->group_length);
            hi = floor_div(hi - 1, o->group_length) + 1;
        } else if (grouped && axis == o->group_axis) {
            int64_t *distinct = NULL;
            size_t n = 0;
            xta_error err;
            STORY_OK(&t->story,
                     xta_reduce_distinct_labels(o->labels, o->n_labels, &distinct, &n, &err), err);
            free(distinct);
            lo = 0;
            hi = (int64_t)n;
        } else if (reduced) {
            continue;
        }
        t->result.lo[t->result.ndim] = lo;
        t->result.hi[t->result.ndim++] = hi;
    }
    if (t->result.ndim == 0) {
        t->result.hi[t->result.ndim++] = 1;
    }
    xta_error err;
    STORY_OK(&t->story, xta_box_cells(&t->result, &t->n_results), err);
}

void rig_make(reduce_trial *t)
{
    int style = (int)test_random_in(&t->random, 0, 2);

    t->type = types[test_random_in(&t->random, 0, sizeof types / sizeof types[0] - 1)];
    t->cell_bytes = xta_type_bytes(t->type);
    random_bounds(t);
    for (uint64_t k = 0; k < t->n_cells; k++) {
        random_cell(t, style, t->raw + k * t->cell_bytes);
    }
    random_options(t);
    find_result(t);
    test_story_add(&t->story, "%s, %d axes, %lu cells, style %d, over %d from axis %d",
                   xta_type_name(t->type), t->bounds.ndim, (unsigned long)t->n_cells, style,
                   t->options.n_axes, t->axes[0]);
    test_story_add(&t->story, "groups of %ld, labels %d, on axis %d, missing %d, propagate %d",
                   (long)t->options.group_length, t->options.labels != NULL, t->options.group_axis,
                   t->options.missing != NULL, t->options.propagate_nan);
}

/* ---- arrays ---- */

/* Grow to the bounds of the trial, at random ends, by random amounts. */
static void grow(reduce_trial *t, xta_array *array)
{
    xta_error err;

    for (;;) {
        xta_box now = xta_array_bounds(array);
        xta_growth open[2 * XTA_MAX_NDIM];
        int n = 0;
        for (int axis = 0; axis < now.ndim; axis++) {
            if (now.lo[axis] > t->bounds.lo[axis]) {
                open[n++] = (xta_growth){axis, XTA_FRONT, now.lo[axis] - t->bounds.lo[axis]};
            }
            if (now.hi[axis] < t->bounds.hi[axis]) {
                open[n++] = (xta_growth){axis, XTA_BACK, t->bounds.hi[axis] - now.hi[axis]};
            }
        }
        if (n == 0) {
            return;
        }
        xta_growth growth = open[test_random_in(&t->random, 0, n - 1)];
        growth.by = test_random_chance(&t->random, 40)
                        ? growth.by
                        : test_random_in(&t->random, (growth.by + 3) / 4, growth.by);
        STORY_OK(&t->story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    }
}

xta_array *rig_array(reduce_trial *t, int number)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    int64_t length[XTA_MAX_NDIM], chunk[XTA_MAX_NDIM];
    uint8_t fill[8];
    char name[16];
    xta_array *array = NULL;
    xta_error err;

    create.order =
        test_random_chance(&t->random, 60) ? XTA_ROW : (xta_order)test_random_in(&t->random, 1, 3);
    for (int axis = 0; axis < t->bounds.ndim; axis++) {
        int64_t most = t->bounds.hi[axis] - t->bounds.lo[axis];
        length[axis] = test_random_in(&t->random, 1, t->bounds.hi[axis]);
        chunk[axis] = test_random_in(&t->random, 1, test_random_chance(&t->random, 50) ? 7 : most);
        chunk[axis] = most > 1000 && chunk[axis] < 16 ? 16 + chunk[axis] : chunk[axis];
        if (create.order >= XTA_MORTON) {
            chunk[axis] = (int64_t)1 << test_random_in(&t->random, most > 1000 ? 4 : 0, 5);
        }
    }
    create.chunk = chunk;
    if (test_random_chance(&t->random, 25)) {
        memcpy(fill, t->raw, t->cell_bytes);
        create.fill = fill;
    }
    if (test_random_chance(&t->random, 50)) {
        snprintf(name, sizeof name, "a%d", number);
        create.access = test_random_chance(&t->random, 50) ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
        STORY_OK(&t->story,
                 xta_array_create(test_folder_path(&t->folder, name), t->type, t->bounds.ndim,
                                  length, &create, &array, &err),
                 err);
    } else {
        STORY_OK(&t->story, xta_array_new(t->type, t->bounds.ndim, length, &create, &array, &err),
                 err);
    }
    grow(t, array);
    STORY_OK(&t->story, xta_array_write(array, &t->bounds, NULL, t->raw, &err), err);
    test_story_add(&t->story, "array %d: order %d, chunk %ld,%ld,%ld,%ld", number,
                   (int)create.order, (long)chunk[0], (long)chunk[1], (long)chunk[2],
                   (long)chunk[3]);
    return array;
}

/* ---- the definition ---- */

typedef struct cell_list {
    const reduce_trial *t;
    const int64_t *at; // the result cell
    int n_reduced;
    int axes[XTA_MAX_NDIM];
} cell_list;

/* The cell at `coord` as a double, 0 if it does not belong to the result or does not count. */
static double counted(const cell_list *list, const int64_t coord[], bool *counts, bool *is_nan,
                      const uint8_t **raw)
{
    const reduce_trial *t = list->t;
    const xta_reduce_options *o = &t->options;
    uint64_t k = 0;
    double v, m = 0;
    size_t bad;
    int to = 0;

    *counts = *is_nan = false;
    for (int axis = 0; axis < t->bounds.ndim; axis++) {
        bool reduced = false;
        if (coord[axis] < t->bounds.lo[axis] || coord[axis] >= t->bounds.hi[axis]) {
            return 0;
        }
        for (int j = 0; j < list->n_reduced; j++) {
            reduced = reduced || list->axes[j] == axis;
        }
        if ((o->labels != NULL || o->group_length > 0) && axis == o->group_axis) {
            int64_t group = t->group[coord[axis] - t->bounds.lo[axis]];
            if (group != list->at[to++]) {
                return 0;
            }
        } else if (!reduced && coord[axis] != list->at[to++]) {
            return 0;
        }
        k = k * (uint64_t)(t->bounds.hi[axis] - t->bounds.lo[axis]) +
            (uint64_t)(coord[axis] - t->bounds.lo[axis]);
    }
    *raw = t->raw + k * t->cell_bytes;
    (void)!xta_type_convert(t->type, *raw, XTA_F64, &v, 1, &bad);
    if (o->missing != NULL) {
        (void)!xta_type_convert(t->type, o->missing, XTA_F64, &m, 1, &bad);
        bool same = is_float(t->type) ? v == m || (isnan(v) && isnan(m))
                                      : memcmp(*raw, o->missing, t->cell_bytes) == 0;
        if (same) {
            return 0;
        }
    }
    *is_nan = isnan(v);
    *counts = !isnan(v);
    return *counts ? v : 0;
}

/* The sum of one block, given the blocks on all reduced axes. */
static double sum_level(const cell_list *list, int level, int64_t coord[], const int64_t block[])
{
    int axis = list->axes[level];
    const uint8_t *raw;
    bool counts, is_nan;
    double lane[8] = {0}, sum = 0;

    for (int64_t c = block[level] * 1024; c < (block[level] + 1) * 1024; c++) {
        if (c < list->t->bounds.lo[axis] || c >= list->t->bounds.hi[axis]) {
            continue;
        }
        coord[axis] = c;
        if (level == list->n_reduced - 1) {
            lane[((c % 8) + 8) % 8] += counted(list, coord, &counts, &is_nan, &raw);
        } else {
            sum += sum_level(list, level + 1, coord, block);
        }
    }
    return level == list->n_reduced - 1 ? ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
                                              ((lane[1] + lane[5]) + (lane[3] + lane[7]))
                                        : sum;
}

static double sum_axis(const cell_list *list, int level, int64_t coord[], int64_t block[]);

/* The node of level `height` and number `index` of an axis; blocks outside the bounds are 0. */
static double sum_node(const cell_list *list, int level, int height, int64_t index, int64_t coord[],
                       int64_t block[])
{
    int axis = list->axes[level];
    int64_t first = floor_div(list->t->bounds.lo[axis], 1024);
    int64_t last = floor_div(list->t->bounds.hi[axis] - 1, 1024);

    if ((index + 1) * ((int64_t)1 << height) <= first || index * ((int64_t)1 << height) > last) {
        return 0;
    }
    if (height > 0) {
        double lower = sum_node(list, level, height - 1, 2 * index, coord, block);
        return lower + sum_node(list, level, height - 1, 2 * index + 1, coord, block);
    }
    block[level] = index;
    return level == list->n_reduced - 1 ? sum_level(list, 0, coord, block)
                                        : sum_axis(list, level + 1, coord, block);
}

static double sum_axis(const cell_list *list, int level, int64_t coord[], int64_t block[])
{
    double negative = sum_node(list, level, 8, -1, coord, block);

    return negative + sum_node(list, level, 8, 0, coord, block);
}

static void take_cell(const reduce_trial *t, const uint8_t *raw, double v, reduce_answer *a)
{
    int64_t i = 0;
    uint64_t u = 0;
    size_t bad;

    a->scale += fabsl((long double)v);
    if (is_float(t->type)) {
        a->least = a->count == 0 || v < a->least ? v : a->least;
        a->most = a->count == 0 || v > a->most ? v : a->most;
    } else if (xta_type_convert(t->type, raw, XTA_I64, &i, 1, &bad) == XTA_OK) {
        a->exact += i;
    } else if (xta_type_convert(t->type, raw, XTA_U64, &u, 1, &bad) == XTA_OK) {
        a->exact += u;
    }
    if (xta_type_convert(t->type, raw, XTA_U64, &u, 1, &bad) == XTA_OK) {
        a->least_u = a->count == 0 || u < a->least_u ? u : a->least_u;
        a->most_u = a->count == 0 || u > a->most_u ? u : a->most_u;
    }
    if (xta_type_convert(t->type, raw, XTA_I64, &i, 1, &bad) == XTA_OK) {
        a->least_i = a->count == 0 || i < a->least_i ? i : a->least_i;
        a->most_i = a->count == 0 || i > a->most_i ? i : a->most_i;
    }
    a->count++;
}

void rig_answer(const reduce_trial *t, const int64_t at[], reduce_answer *a)
{
    cell_list list = {.t = t, .at = at, .n_reduced = t->options.n_axes};
    xta_box box = t->bounds;
    int64_t coord[XTA_MAX_NDIM], block[XTA_MAX_NDIM];
    const uint8_t *raw = NULL;
    int to = 0;

    memset(a, 0, sizeof *a);
    memcpy(list.axes, t->axes, sizeof list.axes);
    for (int axis = 0; axis < box.ndim; axis++) {
        bool reduced = false;
        for (int k = 0; k < t->options.n_axes; k++) {
            reduced = reduced || t->axes[k] == axis;
        }
        bool grouped = (t->options.labels != NULL || t->options.group_length > 0) &&
                       axis == t->options.group_axis;
        if (!reduced) {
            box.lo[axis] = at[to];
            box.hi[axis] = at[to] + 1;
        }
        to += !reduced || grouped;
    }
    for (int pass = 0; pass < 2; pass++) {
        memcpy(coord, box.lo, sizeof coord);
        do {
            bool counts, is_nan;
            double v = counted(&list, coord, &counts, &is_nan, &raw);
            a->has_nan |= is_nan;
            if (counts && pass == 0) {
                take_cell(t, raw, v, a);
                a->mean += (long double)v;
            } else if (counts) {
                a->m2 += ((long double)v - a->mean) * ((long double)v - a->mean);
            }
        } while (rig_next(&box, coord));
        a->mean = pass == 0 && a->count > 0 ? a->mean / (long double)a->count : a->mean;
    }
    memcpy(coord, box.lo, sizeof coord);
    a->sum = sum_axis(&list, 0, coord, block);
}
