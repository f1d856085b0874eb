/* Opening, closing and structure of an array under test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_name[] = {"back", "front"};

/* ---- limits of the array ---- */

/* The cells of the box of all coordinates so far, including those of `growth`. */
static uint64_t reach_with(const rig *r, const xta_growth *growth)
{
    uint64_t n = 1;
    for (int axis = 0; axis < r->model.bounds.ndim; axis++) {
        int64_t lo = r->reach_lo[axis];
        int64_t hi = r->reach_hi[axis];
        if (axis == growth->axis && growth->side == XTA_BACK) {
            int64_t to = r->model.bounds.hi[axis] + growth->by;
            hi = to > hi ? to : hi;
        } else if (axis == growth->axis) {
            int64_t to = r->model.bounds.lo[axis] - growth->by;
            lo = to < lo ? to : lo;
        }
        n *= (uint64_t)(hi > lo ? hi - lo : 1);
    }
    return n;
}

static void note_reach(rig *r)
{
    for (int axis = 0; axis < r->model.bounds.ndim; axis++) {
        int64_t lo = r->model.bounds.lo[axis];
        int64_t hi = r->model.bounds.hi[axis];
        r->reach_lo[axis] = lo < r->reach_lo[axis] ? lo : r->reach_lo[axis];
        r->reach_hi[axis] = hi > r->reach_hi[axis] ? hi : r->reach_hi[axis];
    }
}

static xta_growth random_growth(rig *r)
{
    xta_growth growth;
    growth.axis = (int)test_random_in(&r->random, 0, r->model.bounds.ndim - 1);
    growth.side = test_random_chance(&r->random, 50) ? XTA_BACK : XTA_FRONT;
    growth.by = test_random_in(&r->random, 0, test_random_chance(&r->random, 10) ? 12 : 3);
    while (growth.by > 0 && reach_with(r, &growth) > r->reach_limit) {
        growth.by--;
    }
    return growth;
}

/* ---- opening and closing ---- */

static const char *access_name(xta_access access)
{
    static const char *const names[] = {"auto", "mapped", "cached"};
    return names[access];
}

static xta_access random_access(rig *r, uint64_t *cache_bytes)
{
    *cache_bytes = (uint64_t)test_random_in(&r->random, 1, 20000);
    return (xta_access)test_random_in(&r->random, XTA_ACCESS_AUTO, XTA_ACCESS_CACHED);
}

static void random_shape(rig *r, int ndim, bool powers, int64_t chunk[], int64_t bounds[])
{
    static const int64_t most[] = {0, 64, 16, 8, 4, 4};
    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = test_random_in(&r->random, 1, most[ndim]);
        while (powers && (chunk[axis] & (chunk[axis] - 1)) != 0) {
            chunk[axis]++;
        }
        bounds[axis] = test_random_in(&r->random, 0, ndim < 3 ? 20 : 5);
        if (bounds[axis] == 0 && test_random_chance(&r->random, 70)) {
            bounds[axis] = 1;
        }
        test_story_add(&r->story, "  axis %d: %lld cells, chunks of %lld", axis,
                       (long long)bounds[axis], (long long)chunk[axis]);
    }
}

static void forget(rig *r)
{
    r->peer_open = false;
    r->n_notes = 0;
    r->n_steps = 0;
    r->n_added = 0;
    memset(r->axis_name, 0, sizeof(r->axis_name));
    memset(r->axis_unit, 0, sizeof(r->axis_unit));
    memset(r->reach_lo, 0, sizeof(r->reach_lo));
    memset(r->reach_hi, 0, sizeof(r->reach_hi));
}

static void random_options(rig *r, int ndim, xta_create_options *options)
{
    *options = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    options->order = (xta_order)test_random_in(&r->random, XTA_ROW, XTA_HILBERT);
    options->access = random_access(r, &options->cache_bytes);
    options->policy_amount = (uint32_t)test_random_in(&r->random, 2, 3);
    options->alignment_bytes = test_random_chance(&r->random, 20) ? 64 : 0;
    options->exclusive_writer = r->exclusive = test_random_chance(&r->random, 30);
    if (test_random_chance(&r->random, 40)) {
        int last =
            // The other policies allocate too much with many axes.
            ndim <= 3 ? XTA_SHELL : XTA_LINEAR;
        options->policy = (xta_policy)test_random_in(&r->random, XTA_EXACT, last);
    }
    r->reach_limit = options->policy == XTA_EXACT ? 20000 : 4000;
}

void rig_begin(rig *r)
{
    xta_create_options options;
    int64_t chunk[XTA_MAX_NDIM];
    int64_t bounds[XTA_MAX_NDIM];
    uint8_t fill[64];
    xta_error err;
    int ndim = (int)test_random_in(&r->random, 1, 5);
    bool file = test_random_chance(&r->random, 70);

    forget(r);
    random_options(r, ndim, &options);
    r->type = (xta_type)test_random_in(&r->random, XTA_BOOL, XTA_BYTES);
    options.cell_bytes = (uint32_t)test_random_in(&r->random, 1, 9);
    r->cell_bytes = r->type == XTA_BYTES ? options.cell_bytes : xta_type_bytes(r->type);
    uint16_t code = test_random_chance(&r->random, 50) ? rig_random_code(r, r->type) : 0;
    r->exclusive = r->exclusive && file;
    test_story_add(&r->story, "%s%s, %d axes, type %s, fill code %u, order %d, policy %d:%u",
                   r->exclusive ? "exclusive writer, " : "",
                   file ? access_name(options.access) : "memory", ndim, xta_type_name(r->type),
                   (unsigned)code, (int)options.order, (int)options.policy,
                   (unsigned)options.policy_amount);
    random_shape(r, ndim, options.order >= XTA_MORTON, chunk, bounds);
    oracle_encode(r->type, r->cell_bytes, code, fill);
    options.chunk = chunk;
    options.fill = code != 0 || r->type == XTA_BYTES ? fill : NULL;
    oracle_cells_init(&r->model, ndim, bounds, code);
    note_reach(r);
    r->path[0] = '\0';
    r->writable = true;
    if (file) {
        test_folder_join(&r->folder, "a", r->path);
        STORY_OK(&r->story,
                 xta_array_create(r->path, r->type, ndim, bounds, &options, &r->array, &err), err);
    } else {
        STORY_OK(&r->story, xta_array_new(r->type, ndim, bounds, &options, &r->array, &err), err);
    }
    rig_step_taken(r, -1, true);
}

static void open_again(rig *r, bool writable)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_error err;

    options.writable = writable;
    options.access = random_access(r, &options.cache_bytes);
    options.exclusive_writer = r->exclusive = writable && test_random_chance(&r->random, 30);
    test_story_add(&r->story, "open %s, %s, cache %llu",
                   r->exclusive ? "as exclusive writer"
                   : writable   ? "writable"
                                : "read-only",
                   access_name(options.access), (unsigned long long)options.cache_bytes);
    STORY_OK(&r->story, xta_array_open(r->path, &options, &r->array, &err), err);
    r->writable = writable;
}

static void refuse_changes(rig *r)
{
    xta_error err;
    xta_growth growth = {0, XTA_BACK, 1};
    xta_box box = rig_random_box(r, 3);
    uint8_t cell[64] = {0};

    STORY_FAILS(&r->story, xta_array_extend(r->array, &growth, 1, NULL, &err), XTA_EACCESS, err);
    STORY_FAILS(&r->story, xta_array_fill(r->array, &box, cell, &err), XTA_EACCESS, err);
    STORY_FAILS(&r->story, xta_attribute_set_text(r->array, XTA_ON_ARRAY, "x", "y", &err),
                XTA_EACCESS, err);
    STORY_FAILS(&r->story, xta_axis_set_name(r->array, 0, "x", &err), XTA_EACCESS, err);
}

void rig_reopen(rig *r)
{
    xta_error err;

    if (r->path[0] == '\0') {
        return;
    }
    test_story_add(&r->story, "close");
    STORY_OK(&r->story, xta_array_close(r->array, &err), err);
    if (test_random_chance(&r->random, 30)) {
        STORY_OK(&r->story, xta_check(r->path, NULL, NULL, &err), err);
    }
    if (test_random_chance(&r->random, 40)) {
        open_again(r, false);
        rig_compare(r, r->array);
        rig_notes_compare(r, r->array);
        refuse_changes(r);
        rig_read(r);
        STORY_OK(&r->story, xta_array_close(r->array, &err), err);
    }
    open_again(r, true);
    if (test_random_chance(&r->random, 50)) {
        rig_compare(r, r->array);
        rig_notes_compare(r, r->array);
    }
}

void rig_compact(rig *r)
{
    xta_error err;
    uint64_t before = 0;
    uint64_t after = 0;

    if (r->path[0] == '\0') {
        return;
    }
    test_story_add(&r->story, "compact");
    if (r->exclusive) {
        if (test_random_chance(&r->random, 20)) { // The call waits a while before it fails.
            STORY_FAILS(&r->story, xta_compact(r->path, &before, &after, &err), XTA_EBUSY, err);
        }
        return;
    }
    STORY_OK(&r->story, xta_compact(r->path, &before, &after, &err), err);
    bool changed = false;
    STORY_OK(&r->story, xta_array_refresh(r->array, &changed, &err), err);
    if (r->n_steps > 1) { // Only the current structure is left.
        r->steps[0] = r->steps[r->n_steps - 1];
        r->n_steps = 1;
    }
    rig_compare(r, r->array);
    rig_notes_compare(r, r->array);
}

void rig_save_load(rig *r)
{
    xta_error err;
    xta_array *copy = NULL;
    char path[TEST_PATH_BYTES];

    test_folder_join(&r->folder, "copy", path);
    test_story_add(&r->story, "save, open, load");
    STORY_OK(&r->story, xta_array_save(r->array, path, &err), err);
    STORY_OK(&r->story, xta_array_open(path, NULL, &copy, &err), err);
    rig_compare(r, copy);
    rig_notes_compare(r, copy);
    STORY_OK(&r->story, xta_array_close(copy, &err), err);
    STORY_OK(&r->story, xta_array_load(path, &copy, &err), err);
    rig_compare(r, copy);
    rig_notes_compare(r, copy);
    if (r->path[0] == '\0') { // Continue with the copy, so that loaded arrays are grown as well.
        xta_array *old = r->array;
        r->array = copy;
        copy = old;
    }
    STORY_OK(&r->story, xta_array_close(copy, &err), err);
    STORY_OK(&r->story, xta_array_delete(path, &err), err);
}

void rig_end(rig *r)
{
    xta_error err;

    rig_compare(r, r->array);
    rig_notes_compare(r, r->array);
    rig_history(r);
    rig_peer_close(r);
    STORY_OK(&r->story, xta_array_close(r->array, &err), err);
    if (r->path[0] != '\0') {
        STORY_OK(&r->story, xta_check(r->path, NULL, NULL, &err), err);
        open_again(r, false);
        rig_compare(r, r->array);
        rig_notes_compare(r, r->array);
        STORY_OK(&r->story, xta_array_close(r->array, &err), err);
        STORY_OK(&r->story, xta_array_delete(r->path, &err), err);
    }
    oracle_cells_clear(&r->model);
}

/* ---- structure ---- */

void rig_extend(rig *r)
{
    xta_growth growths[4];
    xta_box after;
    xta_error err;
    bool grew = false;
    int n = (int)test_random_in(&r->random, 1, 4);

    n = test_random_chance(&r->random, 60) ? 1 : n;
    for (int i = 0; i < n; i++) {
        growths[i] = random_growth(r);
        oracle_cells_extend(&r->model, &growths[i]);
        note_reach(r);
        grew = grew || growths[i].by > 0;
        test_story_add(&r->story, "%s axis %d %s by %lld", i == 0 ? "extend" : "  and",
                       growths[i].axis, side_name[growths[i].side], (long long)growths[i].by);
    }
    STORY_OK(&r->story, xta_array_extend(r->array, growths, n, &after, &err), err);
    STORY_CHECK(&r->story, xta_box_equal(&after, &r->model.bounds), "`after` is wrong");
    rig_step_taken(r, -1, grew);
}

void rig_shrink(rig *r)
{
    xta_growth shrinks[2];
    xta_box after;
    xta_error err;
    bool shrank = false;
    int n = (int)test_random_in(&r->random, 1, 2);

    for (int i = 0; i < n; i++) {
        int axis = (int)test_random_in(&r->random, 0, r->model.bounds.ndim - 1);
        int64_t length = r->model.bounds.hi[axis] - r->model.bounds.lo[axis];
        int64_t most = test_random_chance(&r->random, 10) ? length : length / 2;
        shrinks[i].axis = axis;
        shrinks[i].side = test_random_chance(&r->random, 50) ? XTA_BACK : XTA_FRONT;
        shrinks[i].by = test_random_in(&r->random, 0, most);
        shrank = shrank || shrinks[i].by > 0;
        oracle_cells_shrink(&r->model, &shrinks[i]);
        test_story_add(&r->story, "%s axis %d %s by %lld", i == 0 ? "shrink" : "  and", axis,
                       side_name[shrinks[i].side], (long long)shrinks[i].by);
    }
    STORY_OK(&r->story, xta_array_shrink(r->array, shrinks, n, &after, &err), err);
    STORY_CHECK(&r->story, xta_box_equal(&after, &r->model.bounds), "`after` is wrong");
    rig_step_taken(r, -1, shrank);
}

static void shift_axis_texts(char texts[][16], int ndim, int position)
{
    memmove(texts[position + 1], texts[position], (size_t)(ndim - position) * sizeof(texts[0]));
    memset(texts[position], 0, sizeof(texts[0]));
}

void rig_add_axis(rig *r)
{
    xta_error err;
    int ndim = r->model.bounds.ndim;

    if (ndim == RIG_MAX_NDIM) {
        return;
    }
    int position = (int)test_random_in(&r->random, 0, ndim);
    bool named = test_random_chance(&r->random, 50);
    char name[16];
    snprintf(name, sizeof(name), "new%d", r->n_added++);
    test_story_add(&r->story, "add axis at %d", position);
    STORY_OK(&r->story, xta_array_add_axis(r->array, position, named ? name : NULL, &err), err);
    oracle_cells_add_axis(&r->model, position);
    memmove(r->reach_lo + position + 1, r->reach_lo + position,
            (size_t)(ndim - position) * sizeof(r->reach_lo[0]));
    memmove(r->reach_hi + position + 1, r->reach_hi + position,
            (size_t)(ndim - position) * sizeof(r->reach_hi[0]));
    r->reach_lo[position] = 0;
    r->reach_hi[position] = 1;
    shift_axis_texts(r->axis_name, ndim, position);
    shift_axis_texts(r->axis_unit, ndim, position);
    if (named) {
        snprintf(r->axis_name[position], sizeof(r->axis_name[position]), "%s", name);
    }
    for (int i = 0; i < r->n_notes; i++) {
        r->notes[i].axis += r->notes[i].axis >= position;
    }
    STORY_CHECK(&r->story, xta_array_ndim(r->array) == ndim + 1, "number of axes");
    rig_step_taken(r, position, true);
}

void rig_append(rig *r)
{
    xta_error err;
    rig_memory memory;
    xta_growth growth = random_growth(r);
    xta_box slab = r->model.bounds;
    xta_box after;

    if (growth.side == XTA_BACK) {
        slab.lo[growth.axis] = slab.hi[growth.axis];
        slab.hi[growth.axis] += growth.by;
    } else {
        slab.hi[growth.axis] = slab.lo[growth.axis];
        slab.lo[growth.axis] -= growth.by;
    }
    test_story_add(&r->story, "append axis %d %s by %lld", growth.axis, side_name[growth.side],
                   (long long)growth.by);
    rig_memory_make(r, &slab, false, rig_source_type(r), &memory);
    oracle_cells_extend(&r->model, &growth);
    rig_memory_write(r, &slab, &memory);
    STORY_OK(&r->story,
             xta_array_append(r->array, &growth, &memory.options, memory.block + memory.origin,
                              &after, &err),
             err);
    STORY_CHECK(&r->story, xta_box_equal(&after, &r->model.bounds), "`after` is wrong");
    rig_memory_clear(&memory);
    note_reach(r);
    rig_step_taken(r, -1, growth.by > 0);
}
