/* Import and export through the public API: what scripts cannot test. Memory is bounded, readers
 * see either a complete append or a mark that it is in progress, coordinates of cells do not
 * change, and a cancelled call leaves the array as it was.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/attribute.h>
#include <xta/bridge.h>
#include <xta/work.h>

#include "base/base.h"

static char folder[] = "bridge-import-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][200];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* Write a raw file, little-endian, of `n` 32-bit numbers from `first` on. */
static void put_numbers(const char *path, int32_t first, int n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int32_t k = 0; k < n; k++) {
        uint8_t value[4];
        xta__put_u32(value, (uint32_t)(first + k));
        assert_int_equal(fwrite(value, sizeof value, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

static xta_import_options raw_options(const int64_t bounds[2])
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    options.format = "raw";
    options.type = XTA_I32;
    options.ndim = 2;
    options.bounds = bounds;
    return options;
}

/* What the progress callback is passed: slabs no longer than the limit, and everything at the
 * end. */
typedef struct steps {
    uint64_t last;
    uint64_t longest;
    uint64_t total;
    int n;
    int stop_after;
    const char *array; /* read on each call */
    int64_t seen_hi;
    int n_live; /* number of unfinished pieces of work */
} steps;

static int note_work(void *user, const xta_unfinished *work)
{
    steps *s = user;
    assert_true(work->live);
    assert_int_equal(work->box.lo[0], 20);
    assert_int_equal(work->box.hi[0], 40);
    s->n_live++;
    return 0;
}

static int note_step(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    steps *s = user;
    uint64_t step = done_bytes - s->last;
    s->longest = step > s->longest ? step : s->longest;
    s->last = done_bytes;
    s->total = total_bytes;
    s->n++;
    if (s->array != NULL) {
        xta_array *reader = NULL;
        int32_t cell = 0;
        assert_int_equal(xta_array_open(s->array, NULL, &reader, NULL), XTA_OK);
        xta_box bounds = xta_array_bounds(reader);
        int64_t last[2] = {bounds.hi[0] - 1, bounds.hi[1] - 1};
        s->seen_hi = bounds.hi[0];
        s->n_live = 0;
        assert_int_equal(xta_array_unfinished(reader, note_work, s, NULL), XTA_OK);
        assert_int_equal(xta_array_check_finished(reader, NULL), XTA_OK); // it lives
        assert_int_equal(xta_array_get(reader, last, &cell, NULL), XTA_OK);
        // The last cell has been written, or the work is marked as unfinished.
        assert_true(cell == 10 * (bounds.hi[0] - 1) + 9 + 1 || s->n_live == 1);
        assert_int_equal(xta_array_close(reader, NULL), XTA_OK);
    }
    return s->stop_after > 0 && s->n >= s->stop_after;
}

static void test_bounded_memory(void **unused)
{
    int64_t bounds[2] = {100, 10};
    int64_t chunk[2] = {8, 4};
    xta_import_options options = raw_options(bounds);
    xta_export_options out = XTA_EXPORT_OPTIONS_INIT;
    steps s = {.n = 0};
    xta_array *array = NULL;
    xta_error err;
    (void)unused;
    put_numbers(in_folder("a.raw"), 1, 1000);
    options.chunk = chunk;
    options.memory_bytes = 8 * 10 * 4;
    options.progress = (xta_progress){note_step, &s};
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("bounded"), &options, NULL, &err),
                     XTA_OK);
    assert_int_equal(s.longest, 8 * 10 * 4);
    assert_int_equal(s.last, 4000);
    assert_int_equal(s.total, 4000);
    assert_int_equal(s.n, 13);

    s = (steps){.n = 0};
    out.memory_bytes = 100; // less than a chunk: chunks are cut
    out.progress = (xta_progress){note_step, &s};
    assert_int_equal(xta_array_open(in_folder("bounded"), NULL, &array, &err), XTA_OK);
    assert_int_equal(xta_export(array, in_folder("b.raw"), &out, &err), XTA_OK);
    assert_true(s.longest <= 100);
    assert_int_equal(s.last, 4000);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
}

static void test_readers_are_told(void **unused)
{
    int64_t bounds[2] = {20, 10};
    xta_import_options options = raw_options(bounds);
    steps s = {.n = 0};
    xta_box written;
    xta_error err;
    (void)unused;
    put_numbers(in_folder("a.raw"), 1, 200);
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("seen"), &options, NULL, &err),
                     XTA_OK);
    put_numbers(in_folder("b.raw"), 201, 200);
    options.placement = XTA_PLACE_APPEND;
    options.axis = "0";
    options.memory_bytes = 3 * 10 * 4;
    s.array = in_folder("seen");
    options.progress = (xta_progress){note_step, &s};
    assert_int_equal(xta_import(in_folder("b.raw"), in_folder("seen"), &options, &written, &err),
                     XTA_OK);
    assert_true(s.n >= 7);
    assert_int_equal(s.seen_hi, 40);
    assert_int_equal(s.n_live, 1);
    assert_int_equal(written.lo[0], 20);
    assert_int_equal(written.hi[0], 40);

    /* Within the memory limit it is one append: no reader ever sees part of it. */
    put_numbers(in_folder("c.raw"), 401, 200);
    options.memory_bytes = 0;
    s = (steps){.array = in_folder("seen")};
    options.progress = (xta_progress){note_step, &s};
    assert_int_equal(xta_import(in_folder("c.raw"), in_folder("seen"), &options, &written, &err),
                     XTA_OK);
    assert_int_equal(s.n, 2); // before and after the append
    assert_int_equal(s.n_live, 0);
    assert_int_equal(s.seen_hi, 60);

    /* If stopped before the append, nothing has changed; after it, there is nothing to stop. */
    s = (steps){.array = in_folder("seen"), .stop_after = 1};
    assert_int_equal(xta_import(in_folder("c.raw"), in_folder("seen"), &options, &written, &err),
                     XTA_ECANCELLED);
    assert_int_equal(s.seen_hi, 60);
    s = (steps){.stop_after = 2};
    assert_int_equal(xta_import(in_folder("c.raw"), in_folder("seen"), &options, &written, &err),
                     XTA_OK);
    assert_int_equal(written.hi[0], 80);
}

static void test_stopped(void **unused)
{
    int64_t bounds[2] = {20, 10};
    xta_import_options options = raw_options(bounds);
    steps s = {.stop_after = 2};
    xta_array *array = NULL;
    int64_t first[2] = {0, 0};
    int32_t cell = 0;
    xta_error err;
    (void)unused;
    put_numbers(in_folder("a.raw"), 1, 200);
    options.memory_bytes = 100;
    options.progress = (xta_progress){note_step, &s};
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("stopped"), &options, NULL, &err),
                     XTA_ECANCELLED);
    assert_int_equal(xta_array_open(in_folder("stopped"), NULL, &array, NULL), XTA_ENOENT);

    options.progress.report = NULL;
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("stopped"), &options, NULL, &err),
                     XTA_OK);
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("stopped"), &options, NULL, &err),
                     XTA_EEXIST);
    s = (steps){.stop_after = 2};
    options.progress = (xta_progress){note_step, &s};
    options.placement = XTA_PLACE_APPEND;
    options.axis = "-0";
    assert_int_equal(xta_import(in_folder("a.raw"), in_folder("stopped"), &options, NULL, &err),
                     XTA_ECANCELLED);
    assert_int_equal(xta_array_open(in_folder("stopped"), NULL, &array, NULL), XTA_OK);
    assert_int_equal(xta_array_get(array, first, &cell, NULL), XTA_OK);
    assert_int_equal(cell, 1);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

/* Names, units, attributes and fill value of an array are exported without a foreign source; npy,
 * which stores none of them, must not fail. */
static void test_memory_array(void **unused)
{
    int64_t bounds[2] = {2, 3};
    int16_t fill = -7;
    uint8_t cells[16][2];
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    xta_growth growth = {0, XTA_FRONT, 1};
    (void)unused;
    how.fill = &fill;
    assert_int_equal(xta_array_new(XTA_I16, 2, bounds, &how, &array, &err), XTA_OK);
    assert_int_equal(xta_axis_set_name(array, 0, "time", &err), XTA_OK);
    assert_int_equal(xta_attribute_set_text(array, 0, "values", "not numbers", &err), XTA_OK);
    assert_int_equal(xta_array_extend(array, &growth, 1, NULL, &err), XTA_OK);
    assert_int_equal(xta_export(array, in_folder("m.raw"), NULL, &err), XTA_OK);
    assert_int_equal(xta_export(array, in_folder("m.npy"), NULL, &err), XTA_OK);
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
    FILE *file = fopen(in_folder("m.raw"), "rb");
    assert_non_null(file);
    assert_int_equal(fread(cells, 2, 16, file), 9);
    assert_int_equal(xta__get_u16(cells[0]), (uint16_t)fill);
    fclose(file);
}

static void test_registry(void **unused)
{
    int n = 0;
    (void)unused;
    for (; xta_bridge_name(n) != NULL; n++) {
        assert_non_null(strstr(xta_bridge_summary(n), xta_bridge_name(n)));
    }
    assert_true(n >= 2);
    assert_string_equal(xta_bridge_name(0), "raw");
    assert_string_equal(xta_bridge_name(1), "npy");
    assert_null(xta_bridge_summary(n));
    assert_null(xta_bridge_name(-1));
}

/* A description has the shape after folding. */
static void test_describe(void **state)
{
    static const int64_t bounds[] = {6, 4}, fold[] = {2, 3};
    xta_import_options options = raw_options(bounds);
    xta_source_info info = XTA_SOURCE_INFO_INIT, other;
    xta_error err;
    (void)state;

    put_numbers(in_folder("described.raw"), 0, 24);
    assert_int_equal(xta_import_describe(in_folder("described.raw"), &options, &info, &err),
                     XTA_OK);
    assert_string_equal(info.format, "raw");
    assert_string_equal(info.variable, "");
    assert_int_equal(info.type, XTA_I32);
    assert_int_equal(info.cell_bytes, 4);
    assert_int_equal(info.ndim, 2);
    assert_memory_equal(info.bounds, bounds, sizeof bounds);
    assert_false(info.chunked);

    options.n_fold = 2;
    options.fold = fold;
    assert_int_equal(xta_import_describe(in_folder("described.raw"), &options, &info, &err),
                     XTA_OK);
    assert_int_equal(info.ndim, 3);
    assert_int_equal(info.bounds[0] * 100 + info.bounds[1] * 10 + info.bounds[2], 234);

    // What fails leaves the description as it was.
    other = info;
    assert_int_equal(xta_import_describe(in_folder("none.raw"), &options, &other, &err),
                     XTA_ENOENT);
    assert_memory_equal(&other, &info, sizeof info);
    other.struct_size--;
    assert_int_equal(xta_import_describe(in_folder("described.raw"), &options, &other, &err),
                     XTA_EARG);
    assert_non_null(strstr(err.text, "XTA_SOURCE_INFO_INIT"));
    assert_int_equal(xta_import_describe(in_folder("described.raw"), &options, NULL, NULL),
                     XTA_EARG);
    remove(in_folder("described.raw"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounded_memory), cmocka_unit_test(test_readers_are_told),
        cmocka_unit_test(test_stopped),        cmocka_unit_test(test_memory_array),
        cmocka_unit_test(test_registry),       cmocka_unit_test(test_describe),
    };
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 ? 1 : failed;
}
