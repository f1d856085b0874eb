/* Shared by tests of scenes: cells with known values, and checks of tiles of them. Included by one
 * file of each test.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_UNIT_SCENE_RIG_H
#define XTA_TESTS_UNIT_SCENE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/tile.h"

static inline void ok(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        fail_msg("%s: %s", xta_status_name(status), err->text);
    }
}

static inline double value_at(int64_t line, int64_t sample, int64_t band)
{
    return (double)(line * 100 + sample * 10 + band);
}

typedef struct seen {
    uint64_t n_tiles, n_strips, n_valid;
    int64_t first_strip, last_strip;
    bool wrong;
} seen;

typedef struct expected {
    line_range lines;
    int64_t samples[2];
} expected;

static inline xta_status inspect_tile(void *user, void *part, const hyper_tile *tile,
                                      xta_error *err)
{
    const expected *e = user;
    seen *s = part;

    (void)err;
    for (size_t row = 0; row < TILE_PIXELS; row++) {
        int64_t line = xta__tile_line(tile, row), sample = xta__tile_sample(tile, row);
        bool in = line >= e->lines.lo && line < e->lines.hi && sample >= e->samples[0] &&
                  sample < e->samples[1];
        s->wrong = s->wrong || tile->valid[row] != in;
        s->n_valid += tile->valid[row];
        for (size_t b = 0; b < tile->n_bands; b++) {
            double want = in ? value_at(line, sample, (int64_t)b) : 0;
            s->wrong = s->wrong || tile->x[row * tile->n_bands + b] != want;
        }
    }
    s->wrong = s->wrong || tile->line % TILE_LINES != 0 || tile->sample % TILE_SAMPLES != 0;
    s->n_tiles++;
    return XTA_OK;
}

static inline xta_status inspect_strip(void *user, void *part, int64_t strip, xta_error *err)
{
    seen *s = part;

    (void)user;
    (void)err;
    // Tiles come in order, and from the start again in a second scan.
    s->wrong =
        s->wrong || (s->n_strips > 0 && strip != s->last_strip + 1 && strip != s->first_strip);
    s->first_strip = s->n_strips == 0 ? strip : s->first_strip;
    s->last_strip = strip;
    s->n_strips++;
    return XTA_OK;
}

#endif
