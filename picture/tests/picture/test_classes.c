/* Maps of classes, marks and counts, for arrays whose every pixel is known; and the distance
 * between the colours of classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static test_folder folder;

static uint32_t class_pixel(size_t k)
{
    unsigned char rgb[3];
    xta_class_colour(k, rgb);
    return 0xff000000U | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static xta_status draw(xta_array *array, const xta_classes_options *options, const char *name,
                       xta_error *err)
{
    char path[TEST_PATH_BYTES];
    return xta_picture_classes(array, options, test_folder_join(&folder, name, path), err);
}

static test_image drawn(xta_array *array, const xta_classes_options *options)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    if (draw(array, options, "classes.png", &err) != XTA_OK) {
        fail_msg("%s", err.text);
    }
    return test_image_decode(test_folder_join(&folder, "classes.png", path));
}

static char *svg_of(xta_array *array, const xta_classes_options *options)
{
    char path[TEST_PATH_BYTES];
    size_t n = 0;
    assert_int_equal(draw(array, options, "classes.svg", NULL), XTA_OK);
    char *text = (char *)test_file_read(test_folder_join(&folder, "classes.svg", path), &n);
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

static bool shows(const char *svg, const char *text)
{
    char element[256];
    snprintf(element, sizeof element, ">%s</text>", text);
    return strstr(svg, element) != NULL;
}

static xta_array *small(void)
{
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){2, 3}, (int64_t[]){2, 2}, NULL, NULL);
    test_array_write(a, (const double[]){1, 2, 0, 3, 3, 9});
    return a;
}

static void each_class_has_its_colour(void **state)
{
    (void)state;
    xta_array *a = small();
    xta_classes_options o = XTA_CLASSES_OPTIONS_INIT;
    o.zoom = 3;
    test_image image = drawn(a, &o);
    const size_t classes[] = {1, 2, 0, 3, 3, 9};
    assert_int_equal(image.width, 9);
    assert_int_equal(image.height, 6);
    for (int y = 0; y < 6; y++) {
        for (int x = 0; x < 9; x++) {
            size_t k = classes[y / 3 * 3 + x / 3];
            assert_int_equal(test_image_pixel(&image, x, y), k == 0 ? 0 : class_pixel(k));
        }
    }
    test_image_free(&image);
    o.zero_is_class = true; // class 0 is then the first to get a colour
    image = drawn(a, &o);
    assert_int_equal(test_image_pixel(&image, 8, 0), class_pixel(1));
    assert_int_equal(test_image_pixel(&image, 0, 0), class_pixel(2));
    test_image_free(&image);
    test_array_close(a);
}

static void colours_and_names_come_from_attributes(void **state)
{
    (void)state;
    const unsigned char colours[] = {0, 0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90};
    const unsigned char given[] = {0, 0, 0, 200, 100, 0};
    const char *const names[] = {NULL, "first"};
    xta_attribute attribute = {"class_colours", XTA_U8, 1, sizeof colours, colours};
    xta_array *a = small();
    xta_classes_options o = XTA_CLASSES_OPTIONS_INIT;
    assert_int_equal(xta_attribute_set(a, XTA_ON_ARRAY, &attribute, NULL), XTA_OK);
    assert_int_equal(xta_attribute_set_text(a, XTA_ON_ARRAY, "class_names",
                                            "none\nsoil\ntree & bush\n\nrock", NULL),
                     XTA_OK);
    o.zoom = 1;
    test_image image = drawn(a, &o);
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xff0a141eU);
    assert_int_equal(test_image_pixel(&image, 1, 0), 0xff28323cU);
    assert_int_equal(test_image_pixel(&image, 0, 1), 0xff46505aU);
    assert_int_equal(test_image_pixel(&image, 2, 1), class_pixel(9)); // beyond the attribute
    test_image_free(&image);

    o.zoom = 0;
    o.legend = true;
    o.title = "Land <cover>";
    char *svg = svg_of(a, &o);
    assert_true(shows(svg, "soil"));
    assert_true(shows(svg, "tree &amp; bush"));
    assert_true(shows(svg, "class 3")); // an empty line names nothing
    assert_true(shows(svg, "class 9"));
    assert_true(shows(svg, "not labelled"));
    assert_true(shows(svg, "Land &lt;cover&gt;"));
    assert_true(shows(svg, "20.0 %")); // one cell of five with a label
    assert_true(shows(svg, "40.0 %"));
    assert_false(shows(svg, "rock")); // does not occur
    free(svg);

    o.names = names;
    o.colours = given;
    o.n_classes = 2;
    svg = svg_of(a, &o);
    assert_true(shows(svg, "first"));
    assert_false(shows(svg, "soil"));
    free(svg);
    o.legend = false;
    o.zoom = 1;
    image = drawn(a, &o);
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xffc86400U);
    assert_int_equal(test_image_pixel(&image, 1, 0), class_pixel(2)); // given colours replace all
    test_image_free(&image);
    test_array_close(a);
}

/* The number of pixels of a colour, and their mean position. */
static int find(const test_image *image, uint32_t colour, double *x, double *y)
{
    int n = 0;
    *x = *y = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        if (image->pixel[k] == colour) {
            n++;
            *x += k % image->width;
            *y += (double)(k - k % image->width) / image->width;
        }
    }
    *x /= n;
    *y /= n;
    return n;
}

static void legends_stand_where_there_is_room(void **state)
{
    (void)state;
    // Twelve classes beside a tall scene and below a flat one; each patch is in its colour.
    for (int flat = 0; flat < 2; flat++) {
        int64_t bounds[] = {flat ? 12 : 600, flat ? 600 : 12};
        double *cells = malloc(7200 * sizeof *cells);
        xta_array *a = test_array_of(XTA_U16, 2, bounds, (int64_t[]){32, 32}, NULL, NULL);
        xta_classes_options o = XTA_CLASSES_OPTIONS_INIT;
        for (int k = 0; k < 7200; k++) {
            cells[k] = k < 11 ? k + 2 : 1;
        }
        test_array_write(a, cells);
        o.legend = true;
        test_image image = drawn(a, &o);
        double x, y;
        int scene = find(&image, class_pixel(1), &x, &y);
        assert_in_range(scene, 7000, image.width * image.height);
        double last_x, last_y;
        assert_true(find(&image, class_pixel(12), &last_x, &last_y) > 50);
        assert_true(flat ? last_y > y + 50 : last_x > x + 20);
        test_image_free(&image);
        test_array_close(a);
        free(cells);
    }
}

static void what_is_no_class_is_refused(void **state)
{
    (void)state;
    xta_error err = {XTA_OK, 0, ""};
    const double bad[] = {-1, 0.5, 70000};
    for (int k = 0; k < 3; k++) {
        xta_array *a = test_array_of(XTA_F32, 2, (int64_t[]){1, 2}, (int64_t[]){1, 2}, NULL, NULL);
        test_array_write(a, (const double[]){1, bad[k]});
        assert_int_equal(draw(a, NULL, "bad.png", &err), XTA_ERANGE);
        assert_non_null(strstr(err.text, "no class"));
        test_array_close(a);
    }
    xta_array *a = test_array_of(XTA_C64, 2, (int64_t[]){1, 2}, (int64_t[]){1, 2}, NULL, NULL);
    assert_int_equal(draw(a, NULL, "bad.png", NULL), XTA_ETYPE);
    test_array_close(a);
    a = small();
    assert_int_equal(draw(a, NULL, "bad.gif", NULL), XTA_EARG);
    test_array_close(a);
    char path[TEST_PATH_BYTES];
    assert_null(test_file_read(test_folder_join(&folder, "bad.png", path), &(size_t){0}));
}

static void counts_are_seen_on_a_logarithmic_scale(void **state)
{
    (void)state;
    xta_array *a = test_array_of(XTA_U32, 2, (int64_t[]){1, 4}, (int64_t[]){1, 4}, NULL, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    test_array_write(a, (const double[]){0, 1, 9, 99});
    o.colormap = "gray";
    o.zoom = 1;
    o.log_counts = true;
    o.fill_is_data = true;
    test_image image = test_draw(a, &o, &folder);
    const double cells[] = {0, 1, 9, 99};
    for (int k = 0; k < 4; k++) {
        unsigned level = (unsigned)lround(255 * log(1 + cells[k]) / log(100));
        assert_int_equal(test_image_pixel(&image, k, 0) & 0xff, level);
    }
    assert_int_equal(test_image_pixel(&image, 0, 0), 0xff000000U); // not transparent
    test_image_free(&image);
    o.zoom = 0;
    o.legend = true;
    o.label = "times";
    char *svg = test_draw_svg(a, &o, &folder);
    assert_true(shows(svg, "times"));
    free(svg);
    test_array_close(a);
}

static void single_counts_survive_sampling(void **state)
{
    (void)state;
    // 60 x 90 cells in a picture of 30: one cell in three is sampled, but none is lost.
    double cells[60 * 90] = {0};
    xta_array *a = test_array_of(XTA_U32, 2, (int64_t[]){60, 90}, (int64_t[]){16, 16}, NULL, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    cells[1 * 90 + 2] = 5;
    cells[59 * 90 + 89] = 7;
    cells[31 * 90 + 45] = 3;
    test_array_write(a, cells);
    o.colormap = "gray";
    o.max_pixels = 30;
    o.zoom = 1;
    o.log_counts = true;
    o.fill_is_data = true;
    test_image image = test_draw(a, &o, &folder);
    assert_int_equal(image.width, 30);
    assert_int_equal(image.height, 20);
    int n = 0;
    for (int k = 0; k < 600; k++) {
        n += image.pixel[k] != 0xff000000U;
    }
    assert_int_equal(n, 3);
    assert_int_equal(test_image_pixel(&image, 29, 19), 0xffffffffU);
    assert_int_equal(test_image_pixel(&image, 0, 0) & 0xff, lround(255 * log(6) / log(8)));
    assert_int_equal(test_image_pixel(&image, 15, 10) & 0xff, lround(255 * log(4) / log(8)));
    test_image_free(&image);
    test_array_close(a);
}

static void marks_are_rings_round_their_cells(void **state)
{
    (void)state;
    double cells[20 * 20];
    const xta_picture_mark marks[] = {{5, 7, "A"}, {100, 100, "outside"}};
    xta_array *a = test_array_of(XTA_U8, 2, (int64_t[]){20, 20}, (int64_t[]){8, 8}, NULL, NULL);
    xta_quicklook_options o = XTA_QUICKLOOK_OPTIONS_INIT;
    for (int k = 0; k < 400; k++) {
        cells[k] = 100;
    }
    test_array_write(a, cells);
    o.colormap = "gray";
    o.high = 255;
    o.zoom = 20;
    o.marks = marks;
    o.n_marks = 2;
    test_image image = test_draw(a, &o, &folder);
    int dark = 0;
    for (int y = 0; y < image.height; y++) {
        for (int x = 0; x < image.width; x++) {
            bool near = abs(x - 150) < 60 && abs(y - 110) < 25;
            uint32_t pixel = test_image_pixel(&image, x, y);
            dark += (pixel & 0xff) < 50;
            assert_true(near || pixel == 0xff646464U);
        }
    }
    assert_true(dark > 30);
    assert_int_equal(test_image_pixel(&image, 150, 110), 0xff646464U); // the cell is not covered
    test_image_free(&image);
    test_array_close(a);
}

/* ---- how far colours are apart ---- */

static void lab_of(const double linear[3], double lab[3])
{
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1, 1.08883};
    double f[3];
    for (int k = 0; k < 3; k++) {
        double t = 0;
        for (int j = 0; j < 3; j++) {
            t += to_xyz[k][j] * fmin(fmax(linear[j], 0), 1);
        }
        t /= white[k];
        f[k] = t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

/* A colour as normal eyes see it, and as those without one kind of cone do: the matrices in
 * the supplement of [MACHADO09], severity 1, on linear light. */
static void seen(size_t k, int eyes, double lab[3])
{
    static const double matrices[4][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                             {{0.152286, 1.052583, -0.204868},
                                              {0.114503, 0.786281, 0.099216},
                                              {-0.003882, -0.048116, 1.051998}},
                                             {{0.367322, 0.860646, -0.227968},
                                              {0.280085, 0.672501, 0.047413},
                                              {-0.011820, 0.042940, 0.968881}},
                                             {{1.255528, -0.076749, -0.178779},
                                              {-0.078411, 0.930809, 0.147602},
                                              {0.004733, 0.691367, 0.303900}}};
    unsigned char rgb[3];
    double linear[3], mixed[3] = {0, 0, 0};
    xta_class_colour(k, rgb);
    for (int j = 0; j < 3; j++) {
        double c = rgb[j] / 255.0;
        linear[j] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    for (int j = 0; j < 9; j++) {
        mixed[j / 3] += matrices[eyes][j / 3][j % 3] * linear[j % 3];
    }
    lab_of(mixed, lab);
}

/* The least distance between two of the first `n` classes, and between any class and the grey of no
 * label. */
static double least_distance(size_t n, int eyes)
{
    double least = INFINITY;
    for (size_t a = 0; a <= n; a++) {
        for (size_t b = a + 1; b <= n; b++) {
            double p[3], q[3];
            seen(a, eyes, p);
            seen(b, eyes, q);
            least = fmin(least, hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]));
        }
    }
    return least;
}

static void classes_are_told_apart_by_everybody(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double least[4]; // normal, no red, no green, no blue cones
    } promises[] = {{3, {45, 26, 25, 30}},
                    {8, {30, 25, 25, 22}},
                    {16, {20, 16, 16, 15}},
                    {24, {16, 13, 13, 12}}};
    for (size_t k = 0; k < 4; k++) {
        for (int eyes = 0; eyes < 4; eyes++) {
            double least = least_distance(promises[k].n, eyes);
            if (least < promises[k].least[eyes]) {
                fail_msg("%zu classes, eyes %d: %.1f", promises[k].n, eyes, least);
            }
        }
    }
    for (size_t k = 25; k < 200; k++) { // no two neighbours alike, however many there are
        assert_int_not_equal(class_pixel(k), class_pixel(k + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_has_its_colour),
        cmocka_unit_test(colours_and_names_come_from_attributes),
        cmocka_unit_test(legends_stand_where_there_is_room),
        cmocka_unit_test(what_is_no_class_is_refused),
        cmocka_unit_test(counts_are_seen_on_a_logarithmic_scale),
        cmocka_unit_test(single_counts_survive_sampling),
        cmocka_unit_test(marks_are_rings_round_their_cells),
        cmocka_unit_test(classes_are_told_apart_by_everybody),
    };
    test_folder_make_fast(&folder);
    int failed = cmocka_run_group_tests_name("classes", tests, NULL, NULL);
    test_folder_remove(&folder);
    return failed;
}
