/* Files with coordinates, appended one by one: every label is checked against an oracle, and the
 * journal must grow by the appended items, not by the whole list each time.
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

#include <cmocka.h>

#include <xta/bridge.h>
#include <xta/xta.h>

#include "description/copy_attributes.h"
#include "description/description.h"
#include "support/folder.h"
#include "support/must.h"

enum {
    N_APPENDS = 400,
    /* The most that one append may add to the journal. Its records (announcement and growth, boxes
     * and items of two or three lists) have at most 700 bytes, and checkpoints at most half of a
     * journal. */
    MOST_BYTES_EACH = 1400,
    N_OTHER = 3 /* cells of the axis that does not grow */
};

static xta_error err;
static test_folder folder;

/* The label of coordinate `at` on the growing axis. */
static double label(int64_t at)
{
    return 0.5 * (double)at;
}

static int name_of(int64_t at, char text[40])
{
    return snprintf(text, 40, "band %lld%s", (long long)at, at % 3 == 0 ? " of the third" : "");
}

/* Describe coordinates [lo, hi) as a source would. */
static void describe(bridge_description *what, int64_t lo, int64_t hi)
{
    char text[4096] = "";
    size_t used = 0;
    double values[64];
    double corners[64 * N_OTHER];
    int64_t n = hi - lo;

    assert_true(n <= 64);
    for (int64_t k = 0; k < n; k++) {
        char line[40];
        values[k] = label(lo + k);
        used += (size_t)name_of(lo + k, line) + 1;
        strcat(strcat(text, line), "\n");
        for (int64_t j = 0; j < N_OTHER; j++) {
            corners[k * N_OTHER + j] = label(lo + k) + (double)j;
        }
    }
    xta__description_init(what);
    what->type = XTA_I16;
    what->cell_bytes = 2;
    what->ndim = 2;
    what->bounds[0] = n;
    what->bounds[1] = N_OTHER;
    bridge_attribute *a = xta__description_add(what, 0, "values", XTA_F64, (size_t)n, values);
    assert_non_null(a);
    xta__attribute_spread(a, 0, 0, n);
    a = xta__description_add(what, 0, "gdal/description", XTA_TEXT, used, text);
    assert_non_null(a);
    xta__attribute_spread(a, 0, 0, n);
    a = xta__description_add(what, XTA_ON_ARRAY, "corners", XTA_F64, (size_t)n * N_OTHER, corners);
    assert_non_null(a);
    xta__attribute_spread(a, 0, 0, n);
    xta__attribute_spread(a, 1, 0, N_OTHER);
}

static void write_late(xta_array *array, int64_t lo, int64_t hi)
{
    bridge_description what;
    const int axes[2] = {0, 1};
    const int64_t at[2] = {lo, 0};

    describe(&what, lo, hi);
    test_must(xta__copy_attributes_to(array, &what, axes, at, &err), &err);
    xta__description_clear(&what);
}

/* Check that every coordinate of the array has its own label. */
static xta_array *open_labelled(const char *path, int axis, const char *name, xta_box *box,
                                xta_attribute *found)
{
    xta_array *array = NULL;

    test_must(xta_array_open(path, NULL, &array, &err), &err);
    *box = xta_array_bounds(array);
    test_must(xta_attribute_get(array, axis, name, found, &err), &err);
    return array;
}

static void expect_numbers(const char *path)
{
    xta_attribute found;
    xta_box box;
    xta_array *array = open_labelled(path, 0, "values", &box, &found);

    assert_int_equal(found.count, box.hi[0] - box.lo[0]);
    for (size_t k = 0; k < found.count; k++) {
        assert_true(((const double *)found.values)[k] == label(box.lo[0] + (int64_t)k));
    }
    test_must(xta_array_close(array, &err), &err);
}

static void expect_names(const char *path)
{
    xta_attribute found;
    xta_box box;
    xta_array *array = open_labelled(path, 0, "gdal/description", &box, &found);
    const char *text = found.values;
    char line[40];

    for (int64_t at = box.lo[0]; at < box.hi[0]; at++) {
        size_t length = (size_t)name_of(at, line);
        assert_memory_equal(text, line, length);
        assert_int_equal(text[length], '\n');
        text += length + 1;
    }
    assert_int_equal(*text, '\0');
    test_must(xta_array_close(array, &err), &err);
}

static void expect_corners(const char *path)
{
    xta_attribute found;
    xta_box box;
    xta_array *array = open_labelled(path, XTA_ON_ARRAY, "corners", &box, &found);

    assert_int_equal(found.count, (box.hi[0] - box.lo[0]) * N_OTHER);
    for (size_t k = 0; k < found.count; k++) {
        double expected = label(box.lo[0] + (int64_t)(k / N_OTHER)) + (double)(k % N_OTHER);
        assert_true(((const double *)found.values)[k] == expected);
    }
    test_must(xta_array_close(array, &err), &err);
}

static uint64_t journal_bytes(const char *path)
{
    xta_array *array = NULL;
    xta_array_info info;

    test_must(xta_array_open(path, NULL, &array, &err), &err);
    test_must(xta_array_inquire(array, &info, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    return info.journal_bytes;
}

static xta_array *make(const char *path, int64_t n)
{
    const int64_t bounds[2] = {n, N_OTHER};
    const char *const names[] = {"time", "x"};
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    how.names = names;
    test_must(xta_array_create(path, XTA_I16, 2, bounds, &how, &array, &err), &err);
    return array;
}

/* Write labels first, then cells, as an import does. */
static void append_one(const char *path, xta_side side)
{
    const int16_t cells[N_OTHER] = {1, 2, 3};
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_growth growth = {0, side, 1};

    how.writable = true;
    test_must(xta_array_open(path, &how, &array, &err), &err);
    xta_box box = xta_array_bounds(array);
    int64_t at = side == XTA_BACK ? box.hi[0] : box.lo[0] - 1;
    write_late(array, at, at + 1);
    test_must(xta_array_append(array, &growth, NULL, cells, NULL, &err), &err);
    test_must(xta_array_close(array, &err), &err);
}

static void expect_linear(const char *what, uint64_t before, uint64_t half, uint64_t after)
{
    print_message("%s: %llu bytes of journal for %d appends, %llu of them for the second half\n",
                  what, (unsigned long long)(after - before), N_APPENDS,
                  (unsigned long long)(after - half));
    assert_true(after - before <= (uint64_t)N_APPENDS * MOST_BYTES_EACH);
}

static void test_write_late(void **state)
{
    const char *path = test_folder_path(&folder, "written_late");
    xta_array *array = make(path, 2);
    uint64_t half = 0;
    (void)state;

    write_late(array, 0, 2);
    test_must(xta_array_close(array, &err), &err);
    uint64_t before = journal_bytes(path);
    for (int k = 0; k < N_APPENDS; k++) {
        append_one(path, k % 2 == 0 ? XTA_BACK : XTA_FRONT);
        half = k == N_APPENDS / 2 ? journal_bytes(path) : half;
    }
    expect_numbers(path);
    expect_names(path);
    expect_corners(path);
    expect_linear("items along one axis, and along two", before, half, journal_bytes(path));
}

/* Items left by an append that never wrote its cells are replaced, not kept. */
static void test_failed_append(void **state)
{
    const char *path = test_folder_path(&folder, "failed");
    xta_array *array = make(path, 2);
    xta_growth growth = {0, XTA_BACK, 1};
    xta_attribute found;
    (void)state;

    write_late(array, 0, 2);
    write_late(array, 2, 9); // its cells are never written
    growth.by = 2;
    write_late(array, 2, 4);
    test_must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
    test_must(xta_attribute_get(array, 0, "values", &found, &err), &err);
    assert_true(found.count >= 4);
    test_must(xta_array_close(array, &err), &err);
    for (int k = 0; k < 5; k++) { // over the meaningless items, and beyond them
        append_one(path, XTA_BACK);
    }
    append_one(path, XTA_FRONT);
    expect_numbers(path);
    expect_names(path);
    expect_corners(path);
}

/* Two processes append at once: the second has not seen what the first one did. */
static void test_two_writers(void **state)
{
    const char *path = test_folder_path(&folder, "two");
    const int16_t cells[N_OTHER] = {1, 2, 3};
    xta_array *first = make(path, 2), *second = NULL;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {0, XTA_BACK, 1};
    (void)state;

    how.writable = true;
    write_late(first, 0, 2);
    test_must(xta_array_open(path, &how, &second, &err), &err);
    write_late(first, 2, 3);
    test_must(xta_array_append(first, &growth, NULL, cells, NULL, &err), &err);
    write_late(second, 2, 3);
    test_must(xta_array_append(second, &growth, NULL, cells, NULL, &err), &err);
    write_late(second, 3, 4); // where its cells actually are
    test_must(xta_array_close(second, &err), &err);
    test_must(xta_array_close(first, &err), &err);
    expect_numbers(path);
    expect_names(path);
    expect_corners(path);
}

/* A list that was set by hand, without a newline at the end. */
static void test_list_by_hand(void **state)
{
    const char *path = test_folder_path(&folder, "hand");
    xta_array *array = make(path, 2);
    double values[2] = {label(0), label(1)};
    xta_attribute a = {"values", XTA_F64, 8, 2, values};
    (void)state;

    test_must(
        xta_attribute_set_text(array, 0, "gdal/description", "band 0 of the third\nband 1", &err),
        &err);
    test_must(xta_attribute_set(array, 0, &a, &err), &err);
    test_must(xta_array_close(array, &err), &err);
    for (int k = 0; k < 6; k++) {
        append_one(path, k < 3 ? XTA_BACK : XTA_FRONT);
    }
    expect_numbers(path);
    expect_names(path);
}

/* Foreign text becomes UTF-8 before it reaches an array, which accepts nothing else. */
static void test_foreign_text(void **state)
{
    static const struct {
        const char *from, *to;
    } texts[] = {{"plain\n", "plain\n"},
                 {"caf\303\251 \342\202\254", "caf\303\251 \342\202\254"},
                 {"20 \260C, caf\351", "20 \302\260C, caf\303\251"},
                 {"\377\200", "\303\277\302\200"},
                 {"a\033[2J", "a\357\277\275[2J"},
                 {"\260\tx\r\n\177", "\302\260\tx\r\n\357\277\275"}};
    const int axes[2] = {0, 1};
    const int64_t at[2] = {0, 0};
    (void)state;

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        xta_array *array = make(test_folder_path(&folder, "foreign"), 1);
        bridge_description what;
        xta_attribute found;
        xta__description_init(&what);
        what.ndim = 2;
        what.unit[1] = xta__copy_foreign_name(texts[k].from);
        assert_non_null(what.unit[1]);
        assert_non_null(xta__description_add_text(&what, XTA_ON_ARRAY, "note", texts[k].from));
        assert_non_null(xta__description_add_text(&what, 0, "caf\351", "x"));
        test_must(xta__copy_attributes_to(array, &what, axes, at, &err), &err);
        test_must(xta_attribute_get(array, XTA_ON_ARRAY, "note", &found, &err), &err);
        assert_string_equal(found.values, texts[k].to);
        assert_int_equal(found.count, strlen(texts[k].to));
        test_must(xta_attribute_get(array, 0, "caf\303\251", &found, &err), &err);
        xta__description_clear(&what);
        test_must(xta_array_close(array, &err), &err);
        test_must(xta_array_delete(test_folder_path(&folder, "foreign"), &err), &err);
    }
}

#if defined(WITH_NETCDF) || defined(WITH_GDAL)
/* Export a file of a foreign format with the cells and labels of `n` coordinates from `at` on:
 * times, or named bands. */
static void make_file(const char *file, int64_t at, int64_t n, bool bands)
{
    const int64_t bounds[2] = {n, N_OTHER};
    const char *const axes[] = {bands ? "band" : "time", "x"};
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_export_options out = XTA_EXPORT_OPTIONS_INIT;
    xta_array *array = NULL;
    double values[2] = {label(at), label(at + 1)};
    xta_attribute a = {"values", XTA_F64, 8, (size_t)n, values};
    char lines[80] = "";

    how.names = axes;
    test_must(xta_array_new(XTA_I16, 2, bounds, &how, &array, &err), &err);
    for (int64_t k = 0; k < n; k++) {
        char line[40];
        name_of(at + k, line);
        strcat(strcat(lines, line), "\n");
    }
    if (bands) {
        test_must(xta_array_add_axis(array, 1, "y", &err), &err);
        test_must(xta_attribute_set_text(array, 0, "gdal/description", lines, &err), &err);
    } else {
        test_must(xta_attribute_set(array, 0, &a, &err), &err);
        out.variable = "v";
    }
    remove(file);
    test_must(xta_export(array, file, &out, &err), &err);
    test_must(xta_array_close(array, &err), &err);
}

static void append_files(const char *path, const char *file, bool bands)
{
    const char *const axis[2] = {bands ? "band" : "time", bands ? "-band" : "-time"};
    xta_import_options in = XTA_IMPORT_OPTIONS_INIT;
    int64_t n = bands ? 2 : 1; // an image of one band has no band axis
    int64_t lo = 0, hi = n;
    uint64_t half = 0;

    make_file(file, 0, n, bands);
    test_must(xta_import(file, path, &in, NULL, &err), &err);
    uint64_t before = journal_bytes(path);
    in.placement = XTA_PLACE_APPEND;
    for (int k = 0; k < N_APPENDS; k++) {
        in.axis = axis[k % 2];
        make_file(file, k % 2 == 0 ? hi : lo - n, n, bands);
        test_must(xta_import(file, path, &in, NULL, &err), &err);
        hi += k % 2 == 0 ? n : 0;
        lo -= k % 2 == 1 ? n : 0;
        half = k == N_APPENDS / 2 ? journal_bytes(path) : half;
    }
    expect_linear(bands ? "names of bands" : "times", before, half, journal_bytes(path));
}
#endif

#ifdef WITH_NETCDF
static void test_netcdf(void **state)
{
    const char *path = test_folder_path(&folder, "from_netcdf");
    (void)state;

    append_files(path, test_folder_path(&folder, "one.nc"), false);
    expect_numbers(path);
}
#endif

#ifdef WITH_GDAL
static void test_band_names(void **state)
{
    const char *path = test_folder_path(&folder, "from_gdal");
    (void)state;

    append_files(path, test_folder_path(&folder, "one.tif"), true);
    expect_names(path);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_late),   cmocka_unit_test(test_failed_append),
        cmocka_unit_test(test_two_writers),  cmocka_unit_test(test_list_by_hand),
        cmocka_unit_test(test_foreign_text),
#ifdef WITH_NETCDF
        cmocka_unit_test(test_netcdf),
#endif
#ifdef WITH_GDAL
        cmocka_unit_test(test_band_names),
#endif
    };

    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
