/* Drawing a map of chunks in the order of their allocation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_MAPS_ALLOCATION_DRAW_H
#define XTA_PICTURE_MAPS_ALLOCATION_DRAW_H

#include <stdint.h>

#include <xta/array.h>

#include "drawing/number_text.h"

typedef struct picture_map_segment {
    uint64_t number; /* in growth order */
    xta_segment segment;
} picture_map_segment;

typedef struct picture_map {
    xta_array *array;
    const char *path;
    xta_array_info info;
    int rows, columns; /* numbers of the axes; rows is -1 for an array of one axis */
    int64_t at[XTA_MAX_NDIM];
    int64_t lo[2], n[2];           /* chunk coordinates shown: rows, columns */
    picture_map_segment *segments; /* those that the slice intersects, in growth order */
    uint64_t n_shown;
    char title[PICTURE_TEXT_BYTES];
    double cell[2]; /* height and width of a square, in units */
    double letter;  /* size of the letters of addresses; 0: none */
    double margin;  /* size of the letters of coordinates */
} picture_map;

xta_status xta__picture_map_draw(const picture_map *map, xta_error *err);

#endif
