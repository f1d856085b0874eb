/* Helpers for picture tests: small arrays, decoded images, SVG read as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_IMAGES_H
#define XTA_TESTS_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/picture.h>
#include <xta/xta.h>

#include "support/folder.h"

/* Make a memory array of `ndim` axes; names and fill may be NULL. Ends the test if that fails. */
xta_array *test_array_of(xta_type type, int ndim, const int64_t bounds[], const int64_t chunk[],
                         const char *const names[], const void *fill);
/* Write all cells within the bounds from numbers in row-major order. */
void test_array_write(xta_array *array, const double cells[]);
/* Set numbers along an axis, or on the array. */
void test_array_numbers(xta_array *array, int axis, const char *name, const double values[],
                        size_t n);
void test_array_grow(xta_array *array, int axis, xta_side side, int64_t by);
void test_array_close(xta_array *array);

/* A decoded PNG: 0xAARRGGBB, premultiplied. */
typedef struct test_image {
    int width, height;
    uint32_t *pixel;
} test_image;

test_image test_image_decode(const char *path);
void test_image_free(test_image *image);
uint32_t test_image_pixel(const test_image *image, int x, int y);

/* Draw a quicklook into the folder and decode it. Ends the test if that fails. */
test_image test_draw(xta_array *array, const xta_quicklook_options *options,
                     const test_folder *folder);
/* Draw a quicklook, or an allocation map, as SVG; returns its text, which the caller frees. */
char *test_draw_svg(xta_array *array, const xta_quicklook_options *options,
                    const test_folder *folder);
char *test_map_svg(xta_array *array, const xta_map_options *options, const test_folder *folder);

/* The number of files in the folder. */
int test_count_files(const test_folder *folder);

#endif
