/* Every n-th allocation of ours fails while a dataset is mapped, grown and written back: the call
 * says XTA_ENOMEM, no memory is lost, and the next call finishes the work, so that the file has all
 * cells. Allocations of the foreign libraries are left alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/mapping.h>

#include "map/map_rig.h"
#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

static test_story story;

/* Map, grow at both ends, write, close; an array that could not grow has failed as well. */
static xta_status run(const map_rig *rig, rig_file *file, bool *written, xta_error *err)
{
    const xta_growth growths[2] = {{0, XTA_FRONT, 2}, {0, XTA_BACK, 1}};
    xta_mapping *map = rig->map(file, NULL, err);
    *written = false;
    if (map == NULL) {
        return err->status;
    }
    xta_status status = xta_array_extend(xta_mapping_array(map), growths, 2, NULL, err);
    if (status == XTA_OK) {
        status = rig->write(file, map);
        *written = true;
        *err = *xta_mapping_error(map);
        if (status != XTA_OK) { // the handle has all cells still
            failing_alloc_arm(false);
            STORY_CHECK(&story, rig->write(file, map) == XTA_OK, "again: %s",
                        xta_mapping_error(map)->text);
        }
    }
    failing_alloc_arm(false);
    xta_mapping_close(map, NULL);
    return status;
}

static void check_cells(const map_rig *rig, rig_file *file)
{
    int64_t bounds[3];
    int32_t cells[64];
    rig->read(file, bounds, cells);
    STORY_CHECK(&story, bounds[0] == 7 && bounds[1] == 3, "%lld x %lld", (long long)bounds[0],
                (long long)bounds[1]);
    for (int k = 0; k < 12; k++) {
        STORY_CHECK(&story, cells[6 + k] == k + 1, "cell %d is %d", k, cells[6 + k]);
    }
}

static void try_all(const map_rig *rig, const test_folder *folder, bool for_good)
{
    const int64_t bounds[2] = {4, 3};
    int32_t cells[12];
    uint64_t tried = 0, refused = 0;
    bool happened = true;
    for (int k = 0; k < 12; k++) {
        cells[k] = k + 1;
    }
    while (happened) {
        rig_file file = {.type = XTA_I32, .ndim = 2};
        xta_error err = {0};
        test_folder_join(folder, rig->name, file.path);
        rig->create(&file, bounds, cells);
        int64_t before = failing_alloc_live();
        failing_alloc_at(++tried, for_good);
        failing_alloc_arm(true);
        bool written;
        xta_status status = run(rig, &file, &written, &err);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, failing_alloc_live() == before, "%s, allocation %llu: memory is lost",
                    rig->name, (unsigned long long)tried);
        if (status != XTA_OK) {
            STORY_CHECK(&story, status == XTA_ENOMEM && happened, "%s, allocation %llu: %s",
                        rig->name, (unsigned long long)tried, err.text);
            refused++;
        }
        if (written) {
            check_cells(rig, &file);
        }
        rig->close(&file);
    }
    STORY_CHECK(&story, tried > 30 && refused > 20, "only %llu allocations",
                (unsigned long long)tried);
    printf("map_alloc: %s: %llu allocations%s, %llu refused\n", rig->name,
           (unsigned long long)tried, for_good ? " and all later ones" : "",
           (unsigned long long)refused);
}

int main(void)
{
    static const map_rig *const rigs[] = {&rig_hdf5, &rig_netcdf, &rig_fits};
    test_folder folder;
    test_folder_make_fast(&folder);
    test_story_begin(&story, "map_alloc", 0, 0);
    for (int k = 0; k < 3; k++) {
        try_all(rigs[k], &folder, false);
        try_all(rigs[k], &folder, true);
    }
    test_folder_remove(&folder);
    return 0;
}
