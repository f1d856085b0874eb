/* Random histories of mapped datasets: growth at both ends of any axis, cells written, written back
 * into the file, mapped again; after each step the foreign library must read what a dense array
 * has that is copied whenever it grows. Coordinates and other variables along the dimensions must
 * stay beside their cells; chunks, filters and attributes must stay as they are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/mapping.h>

#include "map/dense_box.h"
#include "map/map_rig.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define N_HISTORIES 60
#define N_STEPS     5
#define MOST_CELLS  6000

static test_story story;
static xta_error err;

typedef struct history {
    const map_rig *rig;
    test_random random;
    rig_file file;
    xta_mapping *map;
    dense_box data;
    dense_box times;     /* f64 */
    dense_box companion; /* i32 */
} history;

static void random_cell(history *h, unsigned char *cell, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) {
        cell[k] = (unsigned char)test_random_in(&h->random, 0, 255);
    }
    if (h->file.type == XTA_F32 || h->file.type == XTA_F64 || h->file.type == XTA_C64 ||
        h->file.type == XTA_F16) {
        cell[bytes - 1] &= 0x3f; // no NaN, whose bits libraries may change
        cell[bytes / 2 - 1] &= h->file.type == XTA_C64 ? 0x3f : 0xff;
    }
}

static void begin(history *h, const test_folder *folder)
{
    int64_t bounds[3] = {0};
    xta_box box = {.ndim = (int)test_random_in(&h->random, 1, 3)};
    rig_file *file = &h->file;
    file->ndim = box.ndim;
    file->variant = (int)test_random_in(&h->random, 0, h->rig->n_variants - 1);
    int n_types =
        file->variant == 1 && h->rig->n_types_of_1 > 0 ? h->rig->n_types_of_1 : h->rig->n_types;
    file->type = h->rig->types[test_random_in(&h->random, 0, n_types - 1)];
    test_folder_join(folder, h->rig->name, file->path);
    for (int d = 0; d < box.ndim; d++) {
        bounds[d] = box.hi[d] = test_random_in(&h->random, 1, 5);
    }
    random_cell(h, file->fill, xta_type_bytes(file->type));
    unsigned char zeros[16] = {0};
    unsigned char cells[125 * 16];
    size_t n = 125;
    for (size_t k = 0; k < n; k++) {
        random_cell(h, cells + k * xta_type_bytes(file->type), xta_type_bytes(file->type));
    }
    h->rig->create(file, bounds, cells);
    size_t bytes = xta_type_bytes(file->type);
    dense_box_init(&h->data, &box, bytes, h->rig == &rig_fits ? zeros : file->fill);
    memcpy(h->data.cells, cells, dense_box_count(&h->data) * bytes);

    xta_box line = {1, {0}, {bounds[0]}};
    dense_box_init(&h->times, &line, sizeof(double), &h->rig->scale_fill);
    for (int64_t k = 0; k < bounds[0]; k++) {
        ((double *)h->times.cells)[k] = (double)k;
    }
    dense_box_init(&h->companion, &box, sizeof(int32_t), &h->rig->companion_fill);
    for (size_t k = 0; k < dense_box_count(&h->companion); k++) {
        ((int32_t *)h->companion.cells)[k] = (int32_t)k + 1;
    }
    test_story_add(&story, "%s: %s, %d axes, variant %d", h->rig->name, xta_type_name(file->type),
                   file->ndim, file->variant);
}

static void map_anew(history *h)
{
    static const uint64_t memory[] = {1, 50, 1000, 0};
    xta_mapping_options options = XTA_MAPPING_OPTIONS_INIT;
    options.memory_bytes = memory[test_random_in(&h->random, 0, 3)];
    test_story_add(&story, "map with %llu bytes", (unsigned long long)options.memory_bytes);
    h->map = h->rig->map(&h->file, &options, &err);
    STORY_CHECK(&story, h->map != NULL, "map: %s", err.text);
}

static void grow(history *h)
{
    xta_growth growths[4];
    int n = (int)test_random_in(&h->random, 1, 4);
    for (int k = 0; k < n; k++) {
        growths[k].axis = (int)test_random_in(&h->random, 0, h->rig->n_growing(&h->file) - 1);
        growths[k].side = test_random_chance(&h->random, 50) ? XTA_FRONT : XTA_BACK;
        growths[k].by = test_random_in(&h->random, 0, 3);
        if (dense_box_count(&h->data) > MOST_CELLS / 8) {
            growths[k].by = 0;
        }
        test_story_add(&story, "grow axis %d %s by %lld", growths[k].axis,
                       growths[k].side == XTA_FRONT ? "front" : "back", (long long)growths[k].by);
        dense_box_grow(&h->data, &growths[k]);
        dense_box_grow(&h->companion, &growths[k]);
        if (growths[k].axis == 0) {
            dense_box_grow(&h->times, &growths[k]);
        }
    }
    STORY_OK(&story, xta_array_extend(xta_mapping_array(h->map), growths, n, NULL, &err), err);
}

static void write_cells(history *h)
{
    unsigned char cell[16];
    int64_t coord[3];
    for (int k = 0; k < 8; k++) {
        for (int d = 0; d < h->data.box.ndim; d++) {
            coord[d] = test_random_in(&h->random, h->data.box.lo[d], h->data.box.hi[d] - 1);
        }
        random_cell(h, cell, h->data.cell_bytes);
        memcpy(dense_box_at(&h->data, coord), cell, h->data.cell_bytes);
        STORY_OK(&story, xta_array_put(xta_mapping_array(h->map), coord, cell, &err), err);
    }
}

/* Coordinates for all cells of axis 0: numbers that follow the cells. */
static void set_times(history *h)
{
    size_t n = dense_box_count(&h->times);
    double *times = (double *)h->times.cells;
    for (size_t k = 0; k < n; k++) {
        times[k] = 0.5 * (double)(h->times.box.lo[0] + (int64_t)k);
    }
    xta_attribute values = {"values", XTA_F64, sizeof(double), n, times};
    test_story_add(&story, "set values");
    STORY_OK(&story, xta_attribute_set(xta_mapping_array(h->map), 0, &values, &err), err);
}

static void check_file(history *h)
{
    int64_t bounds[3], origin[3];
    static unsigned char cells[MOST_CELLS * 16];
    static double times[MOST_CELLS];
    static int32_t others[MOST_CELLS];
    const xta_box *box = &h->data.box;
    size_t n = dense_box_count(&h->data);
    STORY_CHECK(&story, n <= MOST_CELLS, "the test grew to %zu cells", n);
    h->rig->read(&h->file, bounds, NULL);
    for (int d = 0; d < box->ndim; d++) {
        STORY_CHECK(&story, bounds[d] == box->hi[d] - box->lo[d], "axis %d has %lld cells", d,
                    (long long)bounds[d]);
    }
    h->rig->read(&h->file, bounds, cells);
    STORY_CHECK(&story, memcmp(cells, h->data.cells, n * h->data.cell_bytes) == 0, "cells differ");
    h->rig->read_origin(&h->file, origin);
    for (int d = 0; d < box->ndim; d++) {
        STORY_CHECK(&story, origin[d] == box->lo[d], "origin of axis %d is %lld", d,
                    (long long)origin[d]);
    }
    STORY_CHECK(&story, h->rig->storage_kept(&h->file), "storage or attributes have changed");
    if (h->rig->scales) {
        h->rig->read_scale(&h->file, bounds[0], times);
        STORY_CHECK(&story, memcmp(times, h->times.cells, (size_t)bounds[0] * sizeof times[0]) == 0,
                    "coordinates differ");
    }
    if (h->rig->read_companion != NULL) {
        h->rig->read_companion(&h->file, others);
        STORY_CHECK(&story, memcmp(others, h->companion.cells, n * sizeof others[0]) == 0,
                    "the other variable differs");
    }
}

static void run_step(history *h)
{
    grow(h);
    write_cells(h);
    if (h->rig->scales && test_random_chance(&h->random, 50)) {
        set_times(h);
    }
    test_story_add(&story, "write");
    xta_status status = h->rig->write(&h->file, h->map);
    STORY_CHECK(&story, status == XTA_OK, "write: %s", xta_mapping_error(h->map)->text);
    if (test_random_chance(&h->random, 50)) {
        STORY_OK(&story, xta_mapping_close(h->map, &err), err);
        h->rig->close(&h->file);
        h->rig->open(&h->file);
        check_file(h);
        map_anew(h);
        xta_box bounds = xta_array_bounds(xta_mapping_array(h->map));
        STORY_CHECK(&story, xta_box_equal(&bounds, &h->data.box), "mapped with other bounds");
    } else {
        check_file(h);
    }
}

static void run_history(const map_rig *rig, const test_folder *folder, uint64_t seed, uint64_t part)
{
    static history h;
    memset(&h, 0, sizeof h);
    h.rig = rig;
    h.random = test_random_make(seed, part);
    test_story_begin(&story, "map_histories", seed, part);
    begin(&h, folder);
    map_anew(&h);
    for (int step = 0; step < N_STEPS; step++) {
        run_step(&h);
    }
    STORY_OK(&story, xta_mapping_close(h.map, &err), err);
    rig->close(&h.file);
    dense_box_clear(&h.data);
    dense_box_clear(&h.times);
    dense_box_clear(&h.companion);
}

int main(void)
{
    static const map_rig *const rigs[] = {&rig_hdf5, &rig_netcdf, &rig_fits};
    test_folder folder;
    uint64_t seed = test_seed("map_histories", 20261124);
    uint64_t n = test_scale(N_HISTORIES);
    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < 3 * n; part++) {
        run_history(rigs[part % 3], &folder, seed, part);
    }
    test_folder_remove(&folder);
    printf("map_histories: %llu histories of %d steps in each of HDF5, NetCDF and FITS\n",
           (unsigned long long)n, N_STEPS);
    return 0;
}
