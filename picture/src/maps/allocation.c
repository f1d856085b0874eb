/* Allocation maps: the address of each chunk in a slice, and the growth that allocated it.
 *
 * Here the slice and its segments are gathered and the size of a square is decided;
 * allocation_draw.c draws. The intersection of a slice and a segment is a rectangle, so the cost of
 * colours depends on the number of segments, not of chunks; only letters cost time for each chunk.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/picture.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "drawing/canvas.h"
#include "drawing/number_text.h"
#include "drawing/output.h"
#include "facts/array_facts.h"
#include "maps/allocation_draw.h"
#include "quicklook/axes.h"
#include "util/try.h"
#include "util/vector.h"

#define MOST_UNITS        1000.0 /* longest side of a map without letters */
#define MOST_LETTER_UNITS 1500.0
#define MOST_LETTERED     20000.0
#define LARGEST_LETTER    15.0
#define SMALLEST_LETTER   8.0  /* smaller letters are not readable */
#define WIDEST_CELL       24.0 /* in a map without letters */
#define NARROWEST_STRIP   16.0

static xta_status settle_slice(picture_map *map, const int64_t *at, xta_error *err)
{
    const xta_box *box = &map->info.allocated;
    for (int axis = 0; axis < box->ndim; axis++) {
        bool shown = axis == map->rows || axis == map->columns;
        if (box->lo[axis] >= box->hi[axis]) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: no chunk is allocated yet; extend the array first",
                                 xta_array_path(map->array));
        }
        bool has_zero = box->lo[axis] <= 0 && box->hi[axis] > 0;
        map->at[axis] = at != NULL && !shown ? at[axis] : has_zero ? 0 : box->lo[axis];
        if (map->at[axis] < box->lo[axis] || map->at[axis] >= box->hi[axis]) {
            char name[PICTURE_TEXT_BYTES];
            xta__picture_axis_name(map->array, axis, name);
            return xta_error_set(
                err, XTA_EBOX, 0,
                "%s: chunk %" PRId64 " is not on %s, which has chunks %" PRId64 " to %" PRId64,
                xta_array_path(map->array), map->at[axis], name, box->lo[axis], box->hi[axis] - 1);
        }
    }
    int axes[2] = {map->rows, map->columns};
    for (int side = 0; side < 2; side++) {
        map->lo[side] = axes[side] < 0 ? 0 : box->lo[axes[side]];
        map->n[side] = axes[side] < 0 ? 1 : box->hi[axes[side]] - box->lo[axes[side]];
    }
    return XTA_OK;
}

static bool meets_slice(const picture_map *map, const xta_box *chunks)
{
    for (int axis = 0; axis < chunks->ndim; axis++) {
        bool shown = axis == map->rows || axis == map->columns;
        if (!shown && (map->at[axis] < chunks->lo[axis] || map->at[axis] >= chunks->hi[axis])) {
            return false;
        }
    }
    return !xta_box_empty(chunks);
}

static xta_status gather_segments(picture_map *map, xta_error *err)
{
    size_t capacity = 0;
    for (uint64_t k = 0; k < map->info.n_segments; k++) {
        if (!XTA__RESERVE(map->segments, capacity, (size_t)map->n_shown + 1)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory",
                                 xta_array_path(map->array));
        }
        picture_map_segment *place = &map->segments[map->n_shown];
        xta_status status = xta_array_segment(map->array, k, &place->segment, err);
        if (status != XTA_OK) {
            return status;
        }
        place->number = k;
        map->n_shown += meets_slice(map, &place->segment.chunks) ? 1 : 0;
    }
    return XTA_OK;
}

static bool fits(const picture_map *map, double height, double width)
{
    return height * (double)map->n[0] <= MOST_LETTER_UNITS &&
           width * (double)map->n[1] <= MOST_LETTER_UNITS;
}

/* Choose the largest letters for which every address can be read; squares if possible, else flat
 * cells. */
static bool choose_letters(picture_map *map)
{
    char widest[32];
    if ((double)map->n[0] * (double)map->n[1] > MOST_LETTERED) {
        return false;
    }
    snprintf(widest, sizeof widest, "%" PRIu64, map->info.n_chunks);
    memset(widest, '0', strlen(widest));
    double width_of_one = xta__canvas_text_width(100, false, widest) / 100;
    for (int flat = 0; flat < 2; flat++) {
        const int n_steps = (int)(2 * (LARGEST_LETTER - SMALLEST_LETTER));
        for (int step = 0; step <= n_steps; step++) {
            double letter = LARGEST_LETTER - 0.5 * step;
            double width = width_of_one * letter + 0.7 * letter;
            double height = 1.45 * letter;
            double side = width > 3 * letter ? width : (flat ? width : 3 * letter);
            if (!flat && letter < 11) { // small letters are set closer
                side = width > height ? width : height;
            }
            if (fits(map, flat ? height : side, side)) {
                map->letter = letter;
                map->cell[0] = flat ? height : side;
                map->cell[1] = side;
                return true;
            }
        }
    }
    return false;
}

/* Without letters: squares as large as fit, in whole units unless they are smaller than one. */
static void choose_cells(picture_map *map)
{
    double most = (double)(map->n[0] > map->n[1] ? map->n[0] : map->n[1]);
    double cell = MOST_UNITS / most;
    cell = cell > WIDEST_CELL ? WIDEST_CELL : cell;
    cell = cell >= 1 ? (double)(int)cell : cell;
    for (int side = 0; side < 2; side++) {
        map->cell[side] = cell;
        if (cell * (double)map->n[side] < NARROWEST_STRIP) {
            map->cell[side] = NARROWEST_STRIP / (double)map->n[side];
        }
    }
}

xta_status xta_picture_allocation(xta_array *array, const xta_map_options *options,
                                  const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    bool svg = false;
    xta_map_options known = XTA_MAP_OPTIONS_INIT;
    picture_map *map = calloc(1, sizeof *map);
    if (map == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    XTA_TRY(xta_options_read(&known, sizeof known, options, "xta_map_options", err));
    map->array = array;
    map->path = path;
    XTA_TRY(xta__picture_suffix(path, &svg, err));
    XTA_TRY(xta_array_inquire(array, &map->info, err));
    XTA_TRY(xta__picture_choose_map(array, &known, &map->info.allocated, &map->rows, &map->columns,
                                    err));
    XTA_TRY(settle_slice(map, known.at, err));
    XTA_TRY(gather_segments(map, err));
    xta__picture_title(array, known.title, map->title);
    if (!choose_letters(map)) {
        choose_cells(map);
    }
    map->margin = map->letter > 0 && map->letter < 12 ? (map->letter > 9 ? map->letter : 9) : 12;
    status = xta__picture_map_draw(map, err);
done:
    free(map->segments);
    free(map);
    return status;
}
