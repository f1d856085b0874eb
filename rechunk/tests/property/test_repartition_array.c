/* Arrays as sides of a repartition: all orders inside chunks, fill values, alignments, negative
 * bounds, files and memory; and repartitioning in place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/repartition.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

static test_story story;
static xta_error err;
static test_folder folder;

/* ---- random arrays ---- */

static void random_options(test_random *random, int ndim, const int64_t longest[],
                           xta_create_options *o, int64_t chunk[], uint8_t fill[16])
{
    *o = (xta_create_options)XTA_CREATE_OPTIONS_INIT;
    o->order = (xta_order)test_random_in(random, 0, 3);
    for (int a = 0; a < ndim; a++) {
        chunk[a] = test_random_in(random, 1, longest[a] + 2);
        while (o->order >= XTA_MORTON && (chunk[a] & (chunk[a] - 1)) != 0) {
            chunk[a] &= chunk[a] - 1;
        }
    }
    o->chunk = chunk;
    o->alignment_bytes = test_random_chance(random, 25) ? 64 : 0;
    o->access = (xta_access)test_random_in(random, 0, 2);
    if (test_random_chance(random, 40)) {
        for (int k = 0; k < 16; k++) {
            fill[k] = (uint8_t)test_random_in(random, 0, 255);
        }
        o->fill = fill;
    }
}

/* An array that has grown at both ends, so that its addresses have no simple order. */
static xta_array *random_array(test_random *random, const char *path, bool in_memory)
{
    static const xta_type types[] = {XTA_U8, XTA_U16, XTA_F32, XTA_F64, XTA_C128};
    static const int64_t most[] = {0, 500, 60, 20, 9, 6};
    int ndim = (int)test_random_in(random, 1, 5);
    int64_t bounds[5], longest[5], chunk[5];
    uint8_t fill[16];
    xta_create_options o;
    xta_array *array = NULL;

    for (int a = 0; a < ndim; a++) {
        bounds[a] = test_random_in(random, 1, most[ndim]);
        longest[a] = bounds[a];
    }
    random_options(random, ndim, longest, &o, chunk, fill);
    xta_type type = types[test_random_in(random, 0, 4)];
    STORY_OK(&story,
             in_memory ? xta_array_new(type, ndim, bounds, &o, &array, &err)
                       : xta_array_create(path, type, ndim, bounds, &o, &array, &err),
             err);
    for (int k = (int)test_random_in(random, 0, 3); k > 0; k--) {
        const xta_growth growth = {(int)test_random_in(random, 0, ndim - 1),
                                   (xta_side)test_random_in(random, 0, 1),
                                   test_random_in(random, 0, 5)};
        STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    }
    if (test_random_chance(random, 20)) {
        const xta_growth shrink = {0, (xta_side)test_random_in(random, 0, 1), 1};
        xta_box after;
        STORY_OK(&story, xta_array_shrink(array, &shrink, 1, &after, &err), err);
    }
    return array;
}

static size_t bytes_of(const xta_array *array)
{
    const xta_box box = xta_array_bounds(array);
    uint64_t n = 0;

    STORY_CHECK(&story, xta_box_cells(&box, &n) == XTA_OK, "too many cells");
    return (size_t)n * xta_array_cell_bytes(array);
}

/* Some boxes get random cells, with fill and holes in between. */
static void write_random(test_random *random, xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    size_t bytes = bytes_of(array);
    uint8_t *cells = malloc(bytes + 1);

    for (int k = (int)test_random_in(random, 0, 3); k > 0 && !xta_box_empty(&bounds); k--) {
        xta_box box = bounds;
        for (int a = 0; a < box.ndim; a++) {
            box.lo[a] = test_random_in(random, bounds.lo[a], bounds.hi[a] - 1);
            box.hi[a] = test_random_in(random, box.lo[a] + 1, bounds.hi[a]);
        }
        for (size_t i = 0; i < bytes; i++) {
            cells[i] = (uint8_t)test_random_u64(random);
        }
        STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
    }
    free(cells);
}

static uint8_t *all_cells(xta_array *array)
{
    const xta_box bounds = xta_array_bounds(array);
    uint8_t *cells = malloc(bytes_of(array) + 1);

    STORY_OK(&story, xta_array_read(array, &bounds, NULL, cells, &err), err);
    return cells;
}

static void check_same(xta_array *one, xta_array *other)
{
    const xta_box a = xta_array_bounds(one), b = xta_array_bounds(other);
    uint8_t *cells = all_cells(one), *others = all_cells(other);

    STORY_CHECK(&story, xta_box_equal(&a, &b), "bounds differ");
    STORY_CHECK(&story, memcmp(cells, others, bytes_of(one)) == 0, "cells differ");
    free(cells);
    free(others);
}

/* Cells beyond the bounds have stayed fill: growing over them shows it. */
static void check_ghosts(xta_array *array)
{
    xta_box before = xta_array_bounds(array);
    size_t cell = xta_array_cell_bytes(array);

    for (int a = 0; a < before.ndim; a++) {
        const xta_growth growth = {a, XTA_BACK, 3};
        xta_box slab;
        STORY_OK(&story, xta_array_extend(array, &growth, 1, &slab, &err), err);
        slab.lo[a] = slab.hi[a] - 3;
        uint64_t n = 0;
        STORY_CHECK(&story, xta_box_cells(&slab, &n) == XTA_OK, "too many cells");
        uint8_t *cells = malloc((size_t)n * cell + 1);
        STORY_OK(&story, xta_array_read(array, &slab, NULL, cells, &err), err);
        for (uint64_t k = 0; k < n; k++) {
            STORY_CHECK(&story, memcmp(cells + k * cell, xta_array_fill_value(array), cell) == 0,
                        "a cell beyond the bounds was not fill");
        }
        free(cells);
    }
}

/* ---- from array to array ---- */

static xta_repartition_options random_run(test_random *random, size_t bytes)
{
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;

    o.strategy = (xta_rechunk_strategy)test_random_in(random, 0, 4);
    o.n_threads = (int)test_random_in(random, 1, 2);
    o.memory_bytes = 3 * bytes + 4096;
    o.memory_bytes >>= test_random_in(random, 0, 4);
    o.verify = test_random_chance(random, 50);
    return o;
}

/* With the given limit, or with the one that the error message says is enough. */
static void run_with(xta_blocks *from, xta_blocks *to, xta_repartition_options *o)
{
    xta_repartition_report report;
    xta_status status = xta_repartition_run(from, to, o, &report, &err);
    unsigned long long bytes = 0;

    if (status == XTA_ENOMEM) {
        const char *enough = strrchr(err.text, ';');
        STORY_CHECK(&story, enough != NULL && sscanf(enough, "; %llu bytes", &bytes) == 1,
                    "\"%s\" does not say what is enough", err.text);
        o->memory_bytes = bytes;
        status = xta_repartition_run(from, to, o, &report, &err);
    }
    STORY_OK(&story, status, err);
    STORY_CHECK(&story, report.peak_bytes <= o->memory_bytes, "above the limit");
}

static void one_pair(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    char one[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
    xta_blocks from, to;
    xta_create_options changes;
    xta_array *target = NULL;
    int64_t longest[5], chunk[5];
    uint8_t fill[16];

    test_story_begin(&story, "test_repartition_array", seed, part);
    test_folder_join(&folder, "one", one);
    test_folder_join(&folder, "other", other);
    bool in_memory = test_random_chance(&random, 15);
    xta_array *source = random_array(&random, one, in_memory);
    write_random(&random, source);
    const xta_box bounds = xta_array_bounds(source);
    for (int a = 0; a < bounds.ndim; a++) {
        longest[a] = bounds.hi[a] - bounds.lo[a];
    }
    random_options(&random, bounds.ndim, longest, &changes, chunk, fill);
    STORY_OK(&story, xta_array_create_like(source, other, &changes, &target, &err), err);
    STORY_OK(&story, xta_blocks_of_array(source, &from, &err), err);
    STORY_OK(&story, xta_blocks_into_array(target, &to, &err), err);
    xta_repartition_options o = random_run(&random, bytes_of(source));
    run_with(&from, &to, &o);
    STORY_OK(&story, xta_blocks_close(&from, true, &err), err);
    STORY_OK(&story, xta_blocks_close(&to, true, &err), err);
    check_same(source, target);
    STORY_OK(&story, xta_array_close(target, &err), err);
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    writable.writable = true;
    STORY_OK(&story, xta_array_open(other, &writable, &target, &err), err);
    check_same(source, target);
    check_ghosts(target);
    STORY_OK(&story, xta_array_close(source, &err), err);
    STORY_OK(&story, xta_array_close(target, &err), err);
    test_pair_remove(one);
    test_pair_remove(other);
}

/* Chunks that are longer than the buffers of the array's blocks. */
static void large_chunks(xta_order from_order, xta_order to_order, bool filled)
{
    const int64_t bounds[3] = {130, 200, 150}, one_chunk[3] = {128, 128, 256};
    const int64_t other_chunk[3] = {64, 256, 128};
    const float fill = 2.5f;
    char one[TEST_PATH_BYTES], other[TEST_PATH_BYTES];
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_repartition_options run = XTA_REPARTITION_OPTIONS_INIT;
    xta_array *source = NULL, *target = NULL;
    test_random random = test_random_make(1, 1);
    xta_blocks from, to;

    test_story_begin(&story, "test_repartition_array large chunks", (uint64_t)from_order,
                     (uint64_t)to_order);
    o.chunk = one_chunk;
    o.order = from_order;
    o.fill = filled ? &fill : NULL;
    test_folder_join(&folder, "one", one);
    test_folder_join(&folder, "other", other);
    STORY_OK(&story, xta_array_create(one, XTA_F32, 3, bounds, &o, &source, &err), err);
    write_random(&random, source);
    o.chunk = other_chunk;
    o.order = to_order;
    STORY_OK(&story, xta_array_create_like(source, other, &o, &target, &err), err);
    STORY_OK(&story, xta_blocks_of_array(source, &from, &err), err);
    STORY_OK(&story, xta_blocks_into_array(target, &to, &err), err);
    run.memory_bytes = (uint64_t)24 << 20;
    run.verify = true;
    run_with(&from, &to, &run);
    STORY_OK(&story, xta_blocks_close(&from, true, &err), err);
    STORY_OK(&story, xta_blocks_close(&to, true, &err), err);
    check_same(source, target);
    check_ghosts(target);
    STORY_OK(&story, xta_array_close(source, &err), err);
    STORY_OK(&story, xta_array_close(target, &err), err);
    test_pair_remove(one);
    test_pair_remove(other);
}

/* ---- in place ---- */

static int stop_at_once(void *user, const xta_repartition_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void check_attributes(xta_array *array)
{
    xta_attribute attribute;

    STORY_CHECK(&story, strcmp(xta_axis_name(array, 0), "first") == 0, "the name of axis 0 is '%s'",
                xta_axis_name(array, 0));
    STORY_CHECK(&story, strcmp(xta_axis_unit(array, 0), "mm") == 0, "the unit of axis 0 is '%s'",
                xta_axis_unit(array, 0));
    STORY_OK(&story, xta_attribute_get(array, XTA_ON_ARRAY, "what", &attribute, &err), err);
    STORY_CHECK(&story, strcmp(attribute.values, "a test") == 0, "the attribute is '%s'",
                (const char *)attribute.values);
    STORY_OK(&story, xta_attribute_get(array, 0, "scale", &attribute, &err), err);
    STORY_CHECK(&story, attribute.type == XTA_F64 && *(const double *)attribute.values == 1.5,
                "the attribute of axis 0 is lost");
}

static void check_gone(const char *path, const char *suffix)
{
    char name[TEST_PATH_BYTES + 32];
    size_t n = 0;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    uint8_t *bytes = test_file_read(name, &n);
    STORY_CHECK(&story, bytes == NULL, "%s is left behind", name);
}

static void check_nothing_left(const char *path)
{
    check_gone(path, ".rechunk.xmd");
    check_gone(path, ".rechunk.xta");
    check_gone(path, ".rechunk.notes");
    check_gone(path, ".xmd.next");
}

/* An array with everything that must be preserved. */
static xta_array *annotated_array(test_random *random, const char *path)
{
    xta_array *array = random_array(random, path, false);

    write_random(random, array);
    STORY_OK(&story, xta_axis_set_name(array, 0, "first", &err), err);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "mm", &err), err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "what", "a test", &err), err);
    STORY_OK(&story, xta_attribute_set_f64(array, 0, "scale", 1.5, &err), err);
    return array;
}

/* Handles of the old array: one continues to read the old cells, the other may not change it
 * (F-94). */
static void check_old_handles(xta_array *old, xta_array *reader, const uint8_t *cells, size_t bytes)
{
    const xta_growth growth = {0, XTA_BACK, 1};
    uint8_t *again = all_cells(reader);
    bool changed = false;

    STORY_CHECK(&story, memcmp(cells, again, bytes) == 0, "an old handle reads other cells");
    free(again);
    STORY_FAILS(&story, xta_array_extend(old, &growth, 1, NULL, &err), XTA_ESTATE, err);
    STORY_FAILS(&story, xta_array_refresh(reader, &changed, &err), XTA_ESTATE, err);
    xta_array_close(old, NULL);
    xta_array_close(reader, NULL);
}

/* The array at `path` is the one it was, in other chunks. */
static void check_new_array(const char *path, const xta_array_info *before, const uint8_t *cells,
                            const xta_create_options *changes)
{
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *fresh = NULL;
    xta_array_info after;

    writable.writable = true;
    STORY_OK(&story, xta_array_open(path, &writable, &fresh, &err), err);
    STORY_OK(&story, xta_array_inquire(fresh, &after, &err), err);
    STORY_CHECK(&story, xta_box_equal(&before->bounds, &after.bounds), "the bounds have changed");
    uint8_t *again = all_cells(fresh);
    STORY_CHECK(&story, memcmp(cells, again, bytes_of(fresh)) == 0, "the cells have changed");
    free(again);
    STORY_CHECK(&story,
                memcmp(after.chunk, changes->chunk, (size_t)after.ndim * sizeof after.chunk[0]) ==
                        0 &&
                    after.order == changes->order && after.policy == before->policy &&
                    after.policy_amount == before->policy_amount,
                "the new array is not as asked for");
    check_attributes(fresh);
    check_ghosts(fresh);
    STORY_OK(&story, xta_array_close(fresh, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    check_nothing_left(path);
}

static void one_in_place(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    char path[TEST_PATH_BYTES];
    xta_create_options changes;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *reader = NULL;
    xta_array_info before;
    int64_t longest[5], chunk[5];
    uint8_t fill[16];

    test_story_begin(&story, "test_repartition_array in place", seed, part);
    test_folder_join(&folder, "here", path);
    xta_array *old = annotated_array(&random, path);
    size_t bytes = bytes_of(old);
    uint8_t *cells = all_cells(old);
    STORY_OK(&story, xta_array_inquire(old, &before, &err), err);
    STORY_OK(&story, xta_array_close(old, &err), err);
    writable.writable = true;
    STORY_OK(&story, xta_array_open(path, &writable, &old, &err), err);
    STORY_OK(&story, xta_array_open(path, NULL, &reader, &err), err);

    for (int a = 0; a < before.ndim; a++) {
        longest[a] = before.bounds.hi[a] - before.bounds.lo[a];
    }
    random_options(&random, before.ndim, longest, &changes, chunk, fill);
    changes.fill = NULL;
    xta_repartition_options o = random_run(&random, bytes + 65536);
    o.memory_bytes = 3 * bytes + 65536;
    o.strategy = XTA_RECHUNK_SWEEP;
    if (test_random_chance(&random, 30)) {
        o.report = stop_at_once;
        xta_status stopped = xta_array_rechunk(path, &changes, &o, NULL, &err);
        STORY_CHECK(&story, stopped == (bytes == 0 ? XTA_OK : XTA_ECANCELLED), "stopped: %s",
                    xta_status_name(stopped));
        o.report = NULL;
        o.resume = test_random_chance(&random, 50);
    }
    STORY_OK(&story, xta_array_rechunk(path, &changes, &o, NULL, &err), err);
    check_old_handles(old, reader, cells, bytes);
    check_new_array(path, &before, cells, &changes);
    free(cells);
    test_pair_remove(path);
}

/* Cells written while it runs are not lost: the array is not replaced. */
typedef struct meddler {
    xta_array *array;
    int n_calls;
} meddler;

static int meddle(void *user, const xta_repartition_progress *progress)
{
    meddler *m = user;
    const uint16_t value = 4711;

    (void)progress;
    if (m->n_calls++ == 0) {
        STORY_OK(&story, xta_array_put(m->array, (int64_t[]){3, 4}, &value, &err), err);
        STORY_OK(&story, xta_array_put(m->array, (int64_t[]){29, 39}, &value, &err), err);
    }
    return 0;
}

static void written_meanwhile(xta_access access)
{
    const int64_t bounds[2] = {30, 40}, chunk[2] = {7, 5};
    char path[TEST_PATH_BYTES];
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_open_options again = XTA_OPEN_OPTIONS_INIT;
    meddler m = {.n_calls = 0};
    xta_array_info info;
    uint16_t value = 0;

    test_story_begin(&story, "test_repartition_array written meanwhile", (uint64_t)access, 0);
    test_folder_join(&folder, "here", path);
    changes.access = access;
    STORY_OK(&story, xta_array_create(path, XTA_U16, 2, bounds, &changes, &m.array, &err), err);
    changes.chunk = chunk;
    o.report = meddle;
    o.user = &m;
    STORY_FAILS(&story, xta_array_rechunk(path, &changes, &o, NULL, &err), XTA_ESTATE, err);
    STORY_OK(&story, xta_array_close(m.array, &err), err);
    STORY_OK(&story, xta_array_open(path, &again, &m.array, &err), err);
    STORY_OK(&story, xta_array_get(m.array, (int64_t[]){3, 4}, &value, &err), err);
    STORY_OK(&story, xta_array_inquire(m.array, &info, &err), err);
    STORY_CHECK(&story, value == 4711 && info.chunk[0] != 7, "what was written is lost");
    STORY_OK(&story, xta_array_close(m.array, &err), err);
    check_nothing_left(path);
    o.report = NULL;
    STORY_OK(&story, xta_array_rechunk(path, &changes, &o, NULL, &err), err);
    test_pair_remove(path);
}

int main(void)
{
    uint64_t seed = test_seed("test_repartition_array", 4), n = test_scale(150);
    const char *only = getenv("XTA_PART");

    test_folder_make_fast(&folder);
    for (uint64_t k = only != NULL ? strtoull(only, NULL, 10) : 0; k < n; k++) {
        one_pair(seed, k);
        one_in_place(seed, k);
        if (only != NULL) {
            break;
        }
    }
    // All pairs of orders, except into columns; fewer in a short run, but of all kinds.
    for (uint64_t i = 0, left = test_scale(120); i < 16 && left > 0; i++) {
        int k = (int)(i * 5 % 16);
        if (k % 4 != 1) {
            large_chunks((xta_order)(k / 4), (xta_order)(k % 4), k % 3 == 1);
            left--;
        }
    }
    test_folder_remove(&folder);
    // If files can be mapped.
    test_folder_make(&folder);
    written_meanwhile(XTA_ACCESS_MAPPED);
    for (uint64_t k = 0; k < (only != NULL ? 0 : n / 10); k++) {
        one_pair(seed + 1, k);
        one_in_place(seed + 1, k);
    }
    test_folder_remove(&folder);
    printf("test_repartition_array: %llu pairs\n", (unsigned long long)n);
    return 0;
}
