/* Arrays that grow together, and what their rows must contain.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "faults/fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/append.h>

enum {
    START = 3,  /* rows and columns of a new array */
    FRONTS = 3, /* one growth out of this many is at the front */
    NOTED = 1000
};

/* ---- arrays ---- */

void fleet_paths(fleet *f)
{
    // In different folders, so that the relative path from one to another has "..".
    static const char *const names[FLEET_MOST] = {"a", "b", "deep/c", "deep/d"};
    char deep[TEST_PATH_BYTES], command[TEST_PATH_BYTES + 16];

    test_folder_join(&f->folder, "deep", deep);
    snprintf(command, sizeof command, "mkdir -p %s", deep);
    STORY_CHECK(&f->story, system(command) == 0, "no folder %s", deep);
    for (int k = 0; k < FLEET_MOST; k++) {
        test_folder_join(&f->folder, names[k], f->path[k]);
    }
}

void fleet_begin(fleet *f)
{
    static const int64_t bounds[] = {START, START}, chunk[] = {2, 2};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_error err;

    options.chunk = chunk;
    options.policy = test_random_chance(&f->random, 50) ? XTA_EXACT : XTA_LINEAR;
    f->n = (int)test_random_in(&f->random, 2, FLEET_MOST);
    f->access = test_random_chance(&f->random, 50) ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    f->length = START;
    for (int k = 0; k < f->n; k++) {
        xta_array *array = NULL;
        STORY_OK(&f->story,
                 xta_array_create(f->path[k], XTA_U16, 2, bounds, &options, &array, &err), err);
        STORY_OK(&f->story, xta_array_close(array, &err), err);
    }
}

void fleet_end(fleet *f)
{
    for (int k = 0; k < f->n; k++) {
        test_pair_remove(f->path[k]);
    }
}

xta_status fleet_open(const fleet *f, bool writable, xta_array *arrays[], xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_status status = XTA_OK;

    options.writable = writable;
    options.access = f->access;
    options.cache_bytes = 300;
    for (int k = 0; k < f->n && status == XTA_OK; k++) {
        status = xta_array_open(f->path[k], &options, &arrays[k], err);
    }
    return status;
}

void fleet_close(const fleet *f, xta_array *arrays[])
{
    for (int k = 0; k < f->n; k++) {
        xta_array_close(arrays[k], NULL);
        arrays[k] = NULL;
    }
}

int64_t fleet_length(xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);

    return bounds.hi[0] - bounds.lo[0];
}

/* ---- rows ---- */

static bool is_plain(int64_t row)
{
    return row % 3 == 0;
}

/* The cell of array k that comes with a row; `mask`: the arrays that bring cells; [lo, hi): the
 * columns. */
static uint16_t cell_at(int k, int mask, int64_t row, int64_t column, int64_t lo, int64_t hi)
{
    switch (column) {
    case 0:
        return (uint16_t)(1 + mask);
    case 1:
        return (uint16_t)(NOTED - lo);
    case 2:
        return (uint16_t)(NOTED + hi);
    default:
        return (uint16_t)(2000 + ((37 * k + 5 * row + 11 * column) & 1023));
    }
}

static void put_row(uint16_t cells[], int k, int mask, const xta_box *slab)
{
    for (int64_t column = slab->lo[1]; column < slab->hi[1]; column++) {
        cells[column - slab->lo[1]] =
            cell_at(k, mask, slab->lo[0], column, slab->lo[1], slab->hi[1]);
    }
}

/* What one array brings. */
typedef struct bringing {
    int k, mask;
    bool plain_too; /* rows that must be plain get cells: the call will fail */
    bool refuses;
} bringing;

static xta_status bring(void *user, xta_appending *appending, const xta_box *slab, xta_error *err)
{
    const bringing *b = user;
    xta_status status = XTA_OK;
    int64_t half = slab->lo[1] + (slab->hi[1] - slab->lo[1]) / 2;
    xta_box left = *slab, right = *slab;

    if (is_plain(slab->lo[0]) && !b->plain_too) {
        return XTA_OK;
    }
    uint16_t *cells = malloc((size_t)(slab->hi[1] - slab->lo[1]) * sizeof cells[0]);
    if (cells == NULL) {
        abort();
    }
    left.hi[1] = right.lo[1] = half;
    put_row(cells, b->k, b->mask, slab);
    status = xta_append_write(appending, &right, NULL, cells + (half - slab->lo[1]), err);
    if (status == XTA_OK && b->refuses) {
        status = xta_error_set(err, XTA_ECANCELLED, 0, "enough");
    }
    if (status == XTA_OK) {
        status = xta_append_write(appending, &left, NULL, cells, err);
    }
    free(cells);
    return status;
}

/* The cells of a row in memory, of another type if `wide`. */
static void *row_in_memory(const bringing *b, const xta_box *slab, bool wide)
{
    size_t n = (size_t)(slab->hi[1] - slab->lo[1]);
    uint16_t *cells = malloc(n * sizeof cells[0]);
    double *converted = malloc(n * sizeof converted[0]);

    if (cells == NULL || converted == NULL) {
        abort();
    }
    put_row(cells, b->k, b->mask, slab);
    for (size_t i = 0; i < n; i++) {
        converted[i] = cells[i];
    }
    free(wide ? (void *)cells : (void *)converted);
    return wide ? (void *)converted : (void *)cells;
}

/* ---- growth ---- */

typedef struct row_growth {
    xta_growth growths[2];
    xta_io_options wide;
    bringing bringing[FLEET_MOST];
    xta_append_member members[FLEET_MOST];
} row_growth;

/* What array k brings. */
static void plan_member(row_growth *g, int k, int mask, xta_array *array, test_random *random,
                        bool alone, bool refusing)
{
    xta_append_member *m = &g->members[k];
    xta_box slab = xta_array_bounds(array);
    bool back = g->growths[0].side == XTA_BACK;

    *m = (xta_append_member){.array = array, .growths = g->growths, .n_growths = 1};
    g->bringing[k] = (bringing){.k = k, .mask = mask, .plain_too = refusing};
    slab.lo[0] = back ? slab.hi[0] : slab.lo[0] - 1;
    if ((mask >> k & 1) == 0 || (alone && is_plain(slab.lo[0]) && !refusing)) {
        return;
    }
    if (alone && !refusing && test_random_chance(random, 50)) {
        bool wide = test_random_chance(random, 50);
        m->cells = row_in_memory(&g->bringing[k], &slab, wide);
        m->options = wide ? &g->wide : NULL;
    } else {
        m->fn = bring;
        m->user = &g->bringing[k];
    }
}

static xta_status call_either(const row_growth *g, int n, int first, bool appends, xta_box after[],
                              xta_error *err)
{
    xta_append_member members[FLEET_MOST];
    xta_array_growth growths[FLEET_MOST];

    for (int i = 0; i < n; i++) {
        members[i] = g->members[(first + i) % n];
        growths[i] = (xta_array_growth){members[i].array, members[i].growths, members[i].n_growths};
    }
    xta_status status = appends ? xta_arrays_append(members, n, after, err)
                                : xta_arrays_extend(growths, n, after, err);
    for (int i = 0; i < n && status == XTA_OK; i++) {
        xta_box bounds = xta_array_bounds(members[i].array);
        if (!xta_box_equal(&bounds, &after[i])) {
            abort();
        }
    }
    return status;
}

xta_status fleet_grow(const fleet *f, test_random *random, xta_array *arrays[], bool alone,
                      bool refusing, xta_error *err)
{
    row_growth g = {.wide = XTA_IO_OPTIONS_INIT};
    xta_box after[FLEET_MOST];
    int mask = (int)test_random_in(random, 1, (1 << f->n) - 1);
    int first = (int)test_random_in(random, 0, f->n - 1);
    bool brings = false;

    g.wide.type = XTA_F64;
    g.growths[0] = (xta_growth){
        .axis = 0, .side = test_random_in(random, 1, FRONTS) == 1 ? XTA_FRONT : XTA_BACK, .by = 1};
    g.growths[1] = (xta_growth){.axis = 1, .side = XTA_FRONT, .by = 1};
    for (int k = 0; k < f->n; k++) {
        plan_member(&g, k, mask, arrays[k], random, alone, refusing);
        brings = brings || g.members[k].cells != NULL || g.members[k].fn != NULL;
    }
    // One array grows on another axis as well, unless it brings cells.
    xta_append_member *other = &g.members[(first + 1) % f->n], *last = NULL;
    other->n_growths = alone && other->cells == NULL && other->fn == NULL ? 2 : 1;
    for (int i = 0; i < f->n && refusing; i++) {
        xta_append_member *m = &g.members[(first + i) % f->n];
        last = m->fn != NULL ? m : last; // so others have written before
    }
    if (last != NULL) {
        ((bringing *)last->user)->refuses = true;
    }
    xta_status status =
        call_either(&g, f->n, first, brings || test_random_chance(random, 50), after, err);
    for (int k = 0; k < f->n; k++) {
        free((void *)(uintptr_t)g.members[k].cells);
    }
    return status;
}

/* ---- judging ---- */

/* The mask that array k notes in a row, 0 if the whole row has the fill value; all other cells are
 * checked. `cells`: from column `lo` to `hi`. */
static int mask_of_row(const fleet *f, int k, int64_t row, const uint16_t cells[], int64_t lo,
                       int64_t hi)
{
    int mask = cells[-lo] == 0 ? 0 : cells[-lo] - 1;
    int64_t from = NOTED - cells[1 - lo], to = cells[2 - lo] - NOTED;

    STORY_CHECK(&f->story, cells[-lo] == 0 || (mask >> k & 1) == 1,
                "%s: row %lld: the cells of arrays %x", f->path[k], (long long)row, (unsigned)mask);
    for (int64_t column = lo; column < hi; column++) {
        bool given = mask != 0 && column >= from && column < to;
        uint16_t right = given ? cell_at(k, mask, row, column, from, to) : 0;
        STORY_CHECK(&f->story, cells[column - lo] == right,
                    "%s: row %lld, column %lld: %u instead of %u", f->path[k], (long long)row,
                    (long long)column, cells[column - lo], right);
    }
    return mask;
}

int fleet_mask(const fleet *f, int k, xta_array *array, int64_t row)
{
    xta_box box = xta_array_bounds(array);
    uint16_t *cells = malloc((size_t)(box.hi[1] - box.lo[1]) * sizeof cells[0]);
    xta_error err;

    STORY_CHECK(&f->story, cells != NULL, "no memory");
    box.lo[0] = row;
    box.hi[0] = row + 1;
    STORY_OK(&f->story, xta_array_read(array, &box, NULL, cells, &err), err);
    int mask = mask_of_row(f, k, row, cells, box.lo[1], box.hi[1]);
    free(cells);
    return mask;
}

void fleet_check_rows(const fleet *f, xta_array *arrays[], int64_t lo, int64_t hi)
{
    int *seen = calloc((size_t)(hi - lo) + 1, sizeof seen[0]);
    int *masks = calloc((size_t)(hi - lo) + 1, sizeof masks[0]);
    xta_error err;

    for (int k = 0; k < f->n; k++) {
        xta_box box = xta_array_bounds(arrays[k]);
        int64_t width = box.hi[1] - box.lo[1];
        uint16_t *cells = malloc((size_t)((hi - lo) * width) * sizeof cells[0] + 1);
        STORY_CHECK(&f->story, seen != NULL && masks != NULL && cells != NULL, "no memory");
        box.lo[0] = lo;
        box.hi[0] = hi;
        STORY_OK(&f->story, xta_array_read(arrays[k], &box, NULL, cells, &err), err);
        for (int64_t row = lo; row < hi; row++) {
            int mask = mask_of_row(f, k, row, cells + (row - lo) * width, box.lo[1], box.hi[1]);
            STORY_CHECK(&f->story, mask == 0 || masks[row - lo] == 0 || masks[row - lo] == mask,
                        "row %lld: of two attempts, %x and %x", (long long)row,
                        (unsigned)masks[row - lo], (unsigned)mask);
            masks[row - lo] |= mask;
            seen[row - lo] |= (mask != 0) << k;
        }
        free(cells);
    }
    for (int64_t row = lo; row < hi; row++) {
        bool plain = is_plain(row) || (row >= 0 && row < START);
        STORY_CHECK(&f->story, seen[row - lo] == masks[row - lo],
                    "row %lld: cells in arrays %x instead of %x", (long long)row,
                    (unsigned)seen[row - lo], (unsigned)masks[row - lo]);
        STORY_CHECK(&f->story, plain == (masks[row - lo] == 0), "row %lld: cells in arrays %x",
                    (long long)row, (unsigned)masks[row - lo]);
    }
    free(seen);
    free(masks);
}

static void finding(void *user, const xta_finding *found)
{
    test_story_add(user, "check: %s", found->text);
}

/* `settle`: change every array alone, which settles an announced growth. */
static int64_t judge_once(fleet *f, xta_array *arrays[], const int64_t *before, bool settle)
{
    xta_box first = xta_array_bounds(arrays[0]);
    int64_t length = first.hi[0] - first.lo[0];
    xta_error err;

    for (int k = 0; k < f->n; k++) {
        xta_box now = xta_array_bounds(arrays[k]);
        STORY_CHECK(&f->story,
                    now.lo[0] == first.lo[0] && now.hi[0] == first.hi[0] &&
                        (before == NULL || length == *before),
                    "%s has %lld, not %lld", f->path[k], (long long)fleet_length(arrays[k]),
                    (long long)(before != NULL ? *before : length));
        if (settle) {
            xta_growth one = {.axis = 1, .side = XTA_BACK, .by = 1};
            STORY_OK(&f->story, xta_array_extend(arrays[k], &one, 1, NULL, &err), err);
            STORY_CHECK(&f->story, fleet_length(arrays[k]) == length, "%s: settled otherwise",
                        f->path[k]);
        }
    }
    fleet_check_rows(f, arrays, first.lo[0], first.hi[0]);
    return length;
}

void fleet_judge(fleet *f, int64_t least, int64_t most)
{
    xta_array *arrays[FLEET_MOST] = {NULL};
    xta_error err;
    int64_t length = 0;

    for (int round = 0; round < 3; round++) {
        STORY_OK(&f->story, fleet_open(f, round == 1, arrays, &err), err);
        length = judge_once(f, arrays, round == 0 ? NULL : &length, round == 1);
        fleet_close(f, arrays);
    }
    STORY_CHECK(&f->story, least <= length && length <= most, "length %lld is not in %lld .. %lld",
                (long long)length, (long long)least, (long long)most);
    f->length = length;
    for (int k = 0; k < f->n; k++) {
        STORY_OK(&f->story, xta_check(f->path[k], finding, &f->story, &err), err);
    }
}
