/* What the tests of pictures share: small arrays, decoded images, SVG read as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_LOOK_H
#define XTA_TESTS_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/picture.h>
#include <xta/xta.h>

#include "support/folder.h"

/* Make a memory array of `ndim` axes; names and fill may be NULL. Ends the test if that fails. */
xta_array *look_array(xta_type type, int ndim, const int64_t bounds[], const int64_t chunk[],
                      const char *const names[], const void *fill);
/* Write all cells within the bounds from numbers in row-major order. */
void look_write(xta_array *array, const double cells[]);
/* Set numbers along an axis, or on the array. */
void look_numbers(xta_array *array, int axis, const char *name, const double values[], size_t n);
void look_grow(xta_array *array, int axis, xta_side side, int64_t by);
void look_close(xta_array *array);

/* A decoded PNG: 0xAARRGGBB, premultiplied. */
typedef struct look_image {
    int width, height;
    uint32_t *pixel;
} look_image;

look_image look_decode(const char *path);
void look_free(look_image *image);
uint32_t look_pixel(const look_image *image, int x, int y);

/* Draw a quicklook into the folder and decode it. Ends the test if that fails. */
look_image look_draw(xta_array *array, const xta_quicklook_options *options,
                     const test_folder *folder);
/* Draw a quicklook, or an allocation map, as SVG, and give its text back, to be freed. */
char *look_draw_svg(xta_array *array, const xta_quicklook_options *options,
                    const test_folder *folder);
char *look_map_svg(xta_array *array, const xta_map_options *options, const test_folder *folder);

/* How many files the folder holds. */
int look_count_files(const test_folder *folder);

#endif
