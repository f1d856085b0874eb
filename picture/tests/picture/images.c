/* Helpers for picture tests: small arrays, decoded images, SVG read as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>
#include <cmocka.h>
#include <dirent.h>

static void must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err->text);
    }
}

xta_array *test_array_of(xta_type type, int ndim, const int64_t bounds[], const int64_t chunk[],
                         const char *const names[], const void *fill)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err = {XTA_OK, 0, ""};
    options.chunk = chunk;
    options.names = names;
    options.fill = fill;
    must(xta_array_new(type, ndim, bounds, &options, &array, &err), &err);
    return array;
}

void test_array_write(xta_array *array, const double cells[])
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_box bounds = xta_array_bounds(array);
    xta_error err = {XTA_OK, 0, ""};
    io.type = XTA_F64;
    must(xta_array_write(array, &bounds, &io, cells, &err), &err);
}

void test_array_numbers(xta_array *array, int axis, const char *name, const double values[],
                        size_t n)
{
    xta_attribute attribute = {name, XTA_F64, sizeof values[0], n, values};
    xta_error err = {XTA_OK, 0, ""};
    must(xta_attribute_set(array, axis, &attribute, &err), &err);
}

void test_array_grow(xta_array *array, int axis, xta_side side, int64_t by)
{
    xta_growth growth = {axis, side, by};
    xta_error err = {XTA_OK, 0, ""};
    must(xta_array_extend(array, &growth, 1, NULL, &err), &err);
}

void test_array_close(xta_array *array)
{
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
}

test_image test_image_decode(const char *path)
{
    test_image image = {0, 0, NULL};
    cairo_surface_t *png = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(png), CAIRO_STATUS_SUCCESS);
    image.width = cairo_image_surface_get_width(png);
    image.height = cairo_image_surface_get_height(png);
    // Painted on nothing, so that pictures without an alpha channel look like those with one.
    cairo_surface_t *argb =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height);
    cairo_t *cairo = cairo_create(argb);
    cairo_set_source_surface(cairo, png, 0, 0);
    cairo_paint(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(argb);
    size_t line = (size_t)image.width * sizeof *image.pixel;
    image.pixel = malloc((size_t)image.height * line);
    assert_non_null(image.pixel);
    for (int y = 0; y < image.height; y++) {
        memcpy(image.pixel + (size_t)y * (size_t)image.width,
               cairo_image_surface_get_data(argb) +
                   (size_t)y * (size_t)cairo_image_surface_get_stride(argb),
               line);
    }
    cairo_surface_destroy(argb);
    cairo_surface_destroy(png);
    return image;
}

void test_image_free(test_image *image)
{
    free(image->pixel);
    image->pixel = NULL;
}

uint32_t test_image_pixel(const test_image *image, int x, int y)
{
    assert_in_range(x, 0, image->width - 1);
    assert_in_range(y, 0, image->height - 1);
    return image->pixel[(size_t)y * (size_t)image->width + (size_t)x];
}

test_image test_draw(xta_array *array, const xta_quicklook_options *options,
                     const test_folder *folder)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    must(xta_picture_quicklook(array, options, test_folder_join(folder, "look.png", path), &err),
         &err);
    return test_image_decode(path);
}

static char *text_of(const char *path)
{
    size_t n = 0;
    char *text = (char *)test_file_read(path, &n); // has room for one byte more
    assert_non_null(text);
    text[n] = '\0';
    return text;
}

char *test_draw_svg(xta_array *array, const xta_quicklook_options *options,
                    const test_folder *folder)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    must(xta_picture_quicklook(array, options, test_folder_join(folder, "look.svg", path), &err),
         &err);
    return text_of(path);
}

char *test_map_svg(xta_array *array, const xta_map_options *options, const test_folder *folder)
{
    char path[TEST_PATH_BYTES];
    xta_error err = {XTA_OK, 0, ""};
    must(xta_picture_allocation(array, options, test_folder_join(folder, "map.svg", path), &err),
         &err);
    return text_of(path);
}

int test_count_files(const test_folder *folder)
{
    int n = 0;
    DIR *stream = opendir(folder->path);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        n += entry->d_name[0] != '.';
    }
    closedir(stream);
    return n;
}
