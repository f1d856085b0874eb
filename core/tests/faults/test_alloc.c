/* Every n-th allocation fails.
 *
 * A scenario makes the calls that allocate. It is repeated; in run n the n-th allocation is refused
 * (and, in a second pass, all later ones too, until the current call has returned). That call must
 * return XTA_ENOMEM, or succeed without the memory. Afterwards the array is as before, through the
 * same handle and after closing and opening, and no block is left at the end. Closing never fails
 * when out of memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/append.h>
#include <xta/attribute.h>

#include "oracle/cells.h"
#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

#define FILL 4

typedef struct scene {
    test_story story;
    test_folder folder;
    char path[TEST_PATH_BYTES], copy[TEST_PATH_BYTES];
    bool in_memory;
    xta_access access;
    uint64_t n; /* the allocation that fails */
    bool for_good;
    bool refused;      /* in this run */
    uint64_t failures; /* calls that returned XTA_ENOMEM */

    xta_array *array;
    oracle_cells model;
    size_t n_notes;
    xta_error err;
} scene;

/* ---- the expected array ---- */

static void compare(scene *s, xta_array *array)
{
    xta_error err;
    xta_box bounds = xta_array_bounds(array);
    int64_t coord[XTA_MAX_NDIM];

    STORY_CHECK(&s->story, xta_box_equal(&bounds, &s->model.bounds), "other bounds");
    STORY_CHECK(&s->story, xta_attribute_count(array, XTA_ON_ARRAY) == s->n_notes,
                "%zu attributes instead of %zu", xta_attribute_count(array, XTA_ON_ARRAY),
                s->n_notes);
    if (xta_box_empty(&bounds)) {
        return;
    }
    memcpy(coord, bounds.lo, sizeof(coord));
    do {
        uint16_t cell = 0;
        STORY_OK(&s->story, xta_array_get(array, coord, &cell, &err), err);
        STORY_CHECK(&s->story, cell == *oracle_cells_at(&s->model, coord),
                    "a cell is %u instead of %u", (unsigned)cell,
                    (unsigned)*oracle_cells_at(&s->model, coord));
    } while (oracle_next(&bounds, NULL, coord));
}

/* After a call under failure: whether it did its work. No more failures are injected. */
static bool went_well(scene *s, xta_status status, const char *what)
{
    bool failed = failing_alloc_happened();

    test_story_add(&s->story, "%s: %s%s", what, xta_status_name(status),
                   failed ? ", an allocation was refused" : "");
    if (failed) {
        failing_alloc_at(0, false);
        s->refused = true;
    }
    if (status == XTA_OK) {
        return true;
    }
    STORY_CHECK(&s->story, failed && status == XTA_ENOMEM, "%s: %s: %s", what,
                xta_status_name(status), s->err.text);
    STORY_CHECK(&s->story, s->err.status == XTA_ENOMEM && s->err.text[0] != '\0', "no text");
    s->failures++;
    if (s->array != NULL) {
        compare(s, s->array);
    }
    return false;
}

/* One call with the failure armed; if it fails, once more without. */
#define CARRY_OUT(s, call)                         \
    do {                                           \
        failing_alloc_arm(true);                   \
        xta_status outcome = (call);               \
        failing_alloc_arm(false);                  \
        if (!went_well(s, outcome, #call)) {       \
            STORY_OK(&(s)->story, call, (s)->err); \
        }                                          \
    } while (0)

/* Close, which may not fail. */
static void close_armed(scene *s)
{
    failing_alloc_arm(true);
    xta_status status = xta_array_close(s->array, &s->err);
    failing_alloc_arm(false);
    s->array = NULL;
    STORY_CHECK(&s->story, status == XTA_OK, "close: %s: %s", xta_status_name(status), s->err.text);
}

/* ---- the scenario ---- */

static const int64_t first_bounds[] = {5, 4};

static xta_status create(scene *s)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint16_t fill = FILL;

    options.chunk = (int64_t[]){2, 4};
    options.order = XTA_HILBERT;
    options.fill = &fill;
    options.access = s->access;
    options.cache_bytes = 100;
    options.names = (const char *const[]){"y", "x"};
    if (s->in_memory) {
        return xta_array_new(XTA_U16, 2, first_bounds, &options, &s->array, &s->err);
    }
    return xta_array_create(s->path, XTA_U16, 2, first_bounds, &options, &s->array, &s->err);
}

static xta_status reopen(scene *s)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = true;
    options.access = s->access;
    options.cache_bytes = 100;
    return xta_array_open(s->path, &options, &s->array, &s->err);
}

static void write_all(scene *s, int32_t base)
{
    int32_t cells[400];
    int64_t coord[XTA_MAX_NDIM];
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    size_t n = 0;

    xta_box box = s->model.bounds;
    memcpy(coord, box.lo, sizeof(coord));
    do {
        cells[n] = base + (int32_t)n;
        n++;
    } while (n < 400 && oracle_next(&box, NULL, coord));
    options.type = XTA_I32;
    // An interrupted write may leave new cells among the old, so it is repeated before the
    // comparison.
    xta_array *array = s->array;
    s->array = NULL;
    CARRY_OUT(s, xta_array_write(array, &box, &options, cells, &s->err));
    s->array = array;
    for (uint64_t i = 0; i < oracle_cells_count(&s->model); i++) {
        s->model.code[i] = (uint16_t)cells[i];
    }
}

static void read_all(scene *s)
{
    double cells[400];
    xta_io_options options = XTA_IO_OPTIONS_INIT;

    options.type = XTA_F64;
    options.order = XTA_COLUMN;
    CARRY_OUT(s, xta_array_read(s->array, &s->model.bounds, &options, cells, &s->err));
    CARRY_OUT(s, xta_array_read(s->array, &s->model.bounds, NULL, cells, &s->err));
}

static void grow_and_shrink(scene *s)
{
    const xta_growth growths[] = {{0, XTA_FRONT, 3}, {1, XTA_BACK, 5}, {0, XTA_BACK, 2}};
    const xta_growth shrink = {1, XTA_BACK, 3};

    CARRY_OUT(s, xta_array_extend(s->array, growths, 3, NULL, &s->err));
    for (int i = 0; i < 3; i++) {
        oracle_cells_extend(&s->model, &growths[i]);
    }
    compare(s, s->array);
    write_all(s, 100);
    CARRY_OUT(s, xta_array_shrink(s->array, &shrink, 1, NULL, &s->err));
    oracle_cells_shrink(&s->model, &shrink);
    compare(s, s->array);
}

/* Cells of the other array. */
static xta_status bring(void *user, xta_appending *appending, const xta_box *slab, xta_error *err)
{
    static const double cells[] = {1, 2, 3};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    (void)user;

    options.type = XTA_F64;
    return xta_append_write(appending, slab, &options, cells, err);
}

static void append_together(scene *s)
{
    static const int64_t length[] = {2}, chunk[] = {4};
    const xta_growth rows = {0, XTA_BACK, 2}, three = {0, XTA_FRONT, 3};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_create_options small = XTA_CREATE_OPTIONS_INIT;
    xta_append_member members[2] = {{.array = s->array, .growths = &rows, .n_growths = 1},
                                    {.growths = &three, .n_growths = 1, .fn = bring}};
    xta_array **other = &members[1].array;
    double cells[64];
    int32_t back[5];

    small.chunk = chunk;
    small.access = s->access;
    small.cache_bytes = 100;
    xta_status status = s->in_memory
                            ? xta_array_new(XTA_I32, 1, length, &small, other, &s->err)
                            : xta_array_create(s->copy, XTA_I32, 1, length, &small, other, &s->err);

    STORY_OK(&s->story, status, s->err);
    for (size_t i = 0; i < 64; i++) {
        cells[i] = (double)(3000 + i);
    }
    options.type = XTA_F64;
    members[0].options = &options;
    members[0].cells = cells;
    CARRY_OUT(s, xta_arrays_append(members, 2, NULL, &s->err));
    oracle_cells_extend(&s->model, &rows);
    const xta_box *bounds = &s->model.bounds;
    size_t n = 0;
    for (int64_t y = bounds->hi[0] - 2; y < bounds->hi[0]; y++) {
        for (int64_t x = bounds->lo[1]; x < bounds->hi[1]; x++) {
            *oracle_cells_at(&s->model, (int64_t[]){y, x}) = (uint16_t)cells[n++];
        }
    }
    compare(s, s->array);
    xta_box all = xta_array_bounds(*other);
    STORY_CHECK(&s->story, all.lo[0] == -3 && all.hi[0] == 2, "the other array has other bounds");
    STORY_OK(&s->story, xta_array_read(*other, &all, NULL, back, &s->err), s->err);
    STORY_CHECK(&s->story, memcmp(back, (int32_t[]){1, 2, 3, 0, 0}, sizeof back) == 0,
                "the other array has other cells");
    STORY_OK(&s->story, xta_array_close(*other, &s->err), s->err);
    if (!s->in_memory) {
        STORY_OK(&s->story, xta_array_delete(s->copy, &s->err), s->err);
    }
}

static void append_and_add_axis(scene *s)
{
    uint16_t slab[64];
    const xta_growth growth = {1, XTA_FRONT, 1};

    for (size_t i = 0; i < 64; i++) {
        slab[i] = (uint16_t)(2000 + i);
    }
    CARRY_OUT(s, xta_array_append(s->array, &growth, NULL, slab, NULL, &s->err));
    oracle_cells_extend(&s->model, &growth);
    int64_t coord[2] = {s->model.bounds.lo[0], s->model.bounds.lo[1]};
    for (size_t i = 0; coord[0] < s->model.bounds.hi[0]; coord[0]++) {
        *oracle_cells_at(&s->model, coord) = slab[i++];
    }
    compare(s, s->array);
    CARRY_OUT(s, xta_array_add_axis(s->array, 1, "z", &s->err));
    oracle_cells_add_axis(&s->model, 1);
    compare(s, s->array);
}

static void annotate(scene *s)
{
    CARRY_OUT(s, xta_attribute_set_text(s->array, XTA_ON_ARRAY, "title", "some text", &s->err));
    s->n_notes = 1;
    CARRY_OUT(s, xta_attribute_set_f64(s->array, 0, "scale", 2, &s->err));
    CARRY_OUT(s, xta_axis_set_name(s->array, 0, "rows", &s->err));
    CARRY_OUT(s, xta_axis_set_unit(s->array, 1, "m", &s->err));
    CARRY_OUT(s, xta_attribute_remove(s->array, XTA_ON_ARRAY, "title", &s->err));
    s->n_notes = 0;
    STORY_CHECK(&s->story, strcmp(xta_axis_name(s->array, 0), "rows") == 0, "no name");
}

static int see_chunk(void *user, const xta_chunk *chunk)
{
    (void)chunk;
    ++*(int *)user;
    return 0;
}

static int see_step(void *user, const xta_step *step)
{
    (void)step;
    ++*(int *)user;
    return 0;
}

static void inspect(scene *s)
{
    int n = 0;
    xta_array_info info;
    bool changed = true;
    CARRY_OUT(s, xta_array_each_chunk(s->array, NULL, see_chunk, &n, &s->err));
    CARRY_OUT(s, xta_array_history(s->array, see_step, &n, &s->err));
    CARRY_OUT(s, xta_array_inquire(s->array, &info, &s->err));
    CARRY_OUT(s, xta_array_refresh(s->array, &changed, &s->err));
    CARRY_OUT(s, xta_array_sync(s->array, &s->err));
}

static void copies(scene *s)
{
    xta_array *mine = s->array;
    xta_array *copy = NULL;

    CARRY_OUT(s, xta_array_save(mine, s->copy, &s->err));
    CARRY_OUT(s, xta_array_load(s->copy, &copy, &s->err));
    compare(s, copy);
    STORY_OK(&s->story, xta_array_close(copy, &s->err), s->err);
    CARRY_OUT(s, xta_check(s->copy, NULL, NULL, &s->err));
    CARRY_OUT(s, xta_compact(s->copy, NULL, NULL, &s->err));
    STORY_OK(&s->story, xta_array_open(s->copy, NULL, &copy, &s->err), s->err);
    compare(s, copy);
    STORY_OK(&s->story, xta_array_close(copy, &s->err), s->err);
    CARRY_OUT(s, xta_array_delete(s->copy, &s->err));
}

static void scenario(scene *s)
{
    s->array = NULL;
    s->n_notes = 0;
    CARRY_OUT(s, create(s));
    oracle_cells_init(&s->model, 2, first_bounds, FILL);
    write_all(s, 10);
    grow_and_shrink(s);
    append_together(s);
    append_and_add_axis(s);
    annotate(s);
    read_all(s);
    inspect(s);
    copies(s);
    if (!s->in_memory) {
        close_armed(s);
        CARRY_OUT(s, reopen(s));
        compare(s, s->array);
        read_all(s);
    }
    close_armed(s);
    if (!s->in_memory) {
        STORY_OK(&s->story, xta_array_delete(s->path, &s->err), s->err);
    }
    oracle_cells_clear(&s->model);
}

/* Let each allocation of the scenario fail, one after the other. */
static void fail_each(scene *s, const char *which)
{
    bool more = true;

    s->failures = 0;
    for (s->n = 1; more; s->n++) {
        int64_t before = failing_alloc_live();
        test_story_begin(&s->story, "test_alloc", 0, s->n);
        test_story_add(&s->story, "%s: allocation %llu fails%s", which, (unsigned long long)s->n,
                       s->for_good ? " and all after it" : "");
        failing_alloc_at(s->n, s->for_good);
        s->refused = false;
        scenario(s);
        more = s->refused || failing_alloc_happened();
        STORY_CHECK(&s->story, failing_alloc_live() == before, "%lld blocks are left",
                    (long long)(failing_alloc_live() - before));
    }
    STORY_CHECK(&s->story, s->failures > 0, "nothing failed: the allocator is not ours");
    printf("test_alloc: %s: %llu allocations, %llu calls refused\n", which,
           (unsigned long long)s->n - 2, (unsigned long long)s->failures);
}

int main(void)
{
    static scene s;

    // Otherwise most of the time goes into memory that is given back and requested again.
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    test_folder_make_fast(&s.folder);
    test_folder_join(&s.folder, "a", s.path);
    test_folder_join(&s.folder, "copy", s.copy);
    for (int pass = 0; pass < 2; pass++) {
        s.for_good = pass == 1;
        s.in_memory = true;
        fail_each(&s, "memory");
        s.in_memory = false;
        s.access = XTA_ACCESS_MAPPED;
        fail_each(&s, "mapped");
        s.access = XTA_ACCESS_CACHED;
        fail_each(&s, "cached");
    }
    test_folder_remove(&s.folder);
    return 0;
}
