/* What a quicklook refuses, with which messages, and that no files are left behind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "images.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

static test_folder folder;
static const double cells_of_six[] = {1, 2, 3, 4, 5, 6};

static xta_array *six_cells(void)
{
    const char *const names[] = {"y", "x"};
    xta_array *a = test_array_of(XTA_F32, 2, (int64_t[]){2, 3}, (int64_t[]){2, 2}, names, NULL);
    test_array_write(a, cells_of_six);
    return a;
}

static void refuses(xta_array *a, const xta_quicklook_options *o, const char *name,
                    xta_status expected, const char *word)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    int before = test_count_files(&folder);
    xta_status status = xta_picture_quicklook(a, o, test_folder_join(&folder, name, path), &err);
    assert_int_equal(status, expected);
    assert_int_equal(err.status, expected);
    if (strstr(err.text, word) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, word);
    }
    assert_null(strchr(err.text, '\n'));
    assert_int_equal(test_count_files(&folder), before);
}

static void cells_that_are_no_real_numbers(void **state)
{
    (void)state;
    const xta_type types[] = {XTA_C64, XTA_C128, XTA_BYTES};
    for (int k = 0; k < 3; k++) {
        xta_create_options create = XTA_CREATE_OPTIONS_INIT;
        xta_array *a = NULL;
        create.cell_bytes = 5;
        assert_int_equal(xta_array_new(types[k], 2, (int64_t[]){2, 2}, &create, &a, NULL), XTA_OK);
        refuses(a, NULL, "type.png", XTA_ETYPE, xta_type_name(types[k]));
        test_array_close(a);
    }
}

static void axes_that_are_not_there(void **state)
{
    (void)state;
    xta_array *a = six_cells();
    for (int k = 0; k < 3; k++) {
        xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
        o.rows = k == 0 ? "altitude" : NULL;
        o.columns = k == 1 ? "2" : NULL;
        o.bands = k == 2 ? "band" : NULL;
        refuses(a, &o, "axis.png", XTA_ENOENT, k == 0 ? "altitude" : k == 1 ? "2" : "band");
    }
    xta_quicklook_options twice = XTA_QUICKLOOK_OPTIONS_INIT;
    twice.rows = "x";
    twice.columns = "1";
    refuses(a, &twice, "axis.png", XTA_EARG, "columns");
    test_array_close(a);
}

static void options_out_of_range(void **state)
{
    (void)state;
    xta_array *a = six_cells();
    for (int k = 0; k < 9; k++) {
        static const char *const words[] = {"mauve",      "percent", "percent",
                                            "max_pixels", "zoom",    "2 bands",
                                            "no axis is", "finite",  "finite"};
        xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
        o.colormap = k == 0 ? "mauve" : NULL;
        o.percent = k == 1 ? 50 : k == 2 ? NAN : 0;
        o.max_pixels = k == 3 ? 1 << 20 : 0;
        o.zoom = k == 4 ? -1 : 0;
        o.n_rgb = k == 5 ? 2 : k == 6 ? 3 : 0;
        o.low = k == 7 ? NAN : 0;
        o.high = k == 8 ? INFINITY : 0;
        refuses(a, &o, "option.png", XTA_EARG, words[k]);
    }
    test_array_close(a);
}

static void boxes_that_leave_the_bounds(void **state)
{
    (void)state;
    const xta_box boxes[] = {
        {2, {0, 0}, {3, 3}}, {2, {-1, 0}, {2, 3}}, {2, {0, 1}, {2, 1}}, {3, {0, 0, 0}, {1, 1, 1}}};
    xta_array *a = six_cells();
    for (int k = 0; k < 4; k++) {
        xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
        o.box = &boxes[k];
        refuses(a, &o, "box.png", XTA_EBOX, k < 2 ? "y" : k == 2 ? "x" : "axes");
    }
    test_array_close(a);
    a = test_array_of(XTA_F32, 2, (int64_t[]){0, 3}, (int64_t[]){2, 2}, NULL, NULL);
    refuses(a, NULL, "empty.png", XTA_EBOX, "no cells");
    test_array_close(a);
}

static void bands_that_are_not_there(void **state)
{
    (void)state;
    const char *const names[] = {"band", "y", "x"};
    xta_array *a =
        test_array_of(XTA_U8, 3, (int64_t[]){3, 2, 2}, (int64_t[]){1, 2, 2}, names, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    o.n_rgb = 3;
    o.rgb[1] = 3;
    refuses(a, &o, "band.png", XTA_EBOX, "band 3");
    o.rgb[1] = -1;
    refuses(a, &o, "band.png", XTA_EBOX, "band -1");
    test_array_close(a);
}

static void names_of_other_kinds(void **state)
{
    (void)state;
    const char *const names[] = {"picture", "picture.jpg", "png", ".png.gz", "svg"};
    xta_array *a = six_cells();
    for (int k = 0; k < 5; k++) {
        refuses(a, NULL, names[k], XTA_EARG, ".png or .svg");
    }
    test_array_close(a);
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    xta_array *a = six_cells();
    refuses(a, NULL, "nowhere/picture.png", XTA_ENOENT, "nowhere");
    test_folder_join(&folder, "folder.png", path);
    assert_int_equal(mkdir(path, 0777), 0);
    refuses(a, NULL, "folder.png", XTA_EARG, "plain file");
    assert_int_equal(rmdir(path), 0);
    test_folder_join(&folder, "closed", path);
    assert_int_equal(mkdir(path, 0555), 0);
    if (geteuid() != 0) { // root may write anywhere
        refuses(a, NULL, "closed/picture.svg", XTA_EACCESS, "closed");
    }
    assert_int_equal(rmdir(path), 0);
    test_array_close(a);
}

static void what_was_there_stays_on_failure(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    xta_array *a = six_cells();
    test_folder_join(&folder, "kept.png", path);
    test_file_write(path, "old", 3);
    o.colormap = "mauve";
    refuses(a, &o, "kept.png", XTA_EARG, "mauve");
    uint8_t *bytes = test_file_read(path, &n);
    assert_int_equal(n, 3);
    free(bytes);
    assert_int_equal(xta_picture_quicklook(a, NULL, path, NULL), XTA_OK);
    test_image image = test_image_decode(path); // and is replaced on success
    assert_true(image.width > 0);
    test_image_free(&image);
    test_array_close(a);
}

static void failures_need_no_error_struct(void **state)
{
    (void)state;
    char path[TEST_PATH_BYTES];
    xta_array *a = six_cells();
    test_folder_join(&folder, "none.txt", path);
    assert_int_equal(xta_picture_quicklook(a, NULL, path, NULL), XTA_EARG);
    assert_int_equal(xta_picture_allocation(a, NULL, path, NULL), XTA_EARG);
    test_array_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_that_are_no_real_numbers),
        cmocka_unit_test(axes_that_are_not_there),
        cmocka_unit_test(options_out_of_range),
        cmocka_unit_test(boxes_that_leave_the_bounds),
        cmocka_unit_test(bands_that_are_not_there),
        cmocka_unit_test(names_of_other_kinds),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(what_was_there_stays_on_failure),
        cmocka_unit_test(failures_need_no_error_struct),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("quicklook errors", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
