/* Every n-th allocation of ours fails while a foreign file, whole or cut to some cells, is
 * described (xta_import_describe): the call says XTA_ENOMEM, leaves its answer untouched and no
 * memory behind, and the next call knows all of the file. So does an import of a whole file that is
 * cut, which leaves no folder behind. Allocations of the foreign libraries are left alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/bridge.h>
#include <xta/dataset_transfer.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

static test_story story;

typedef struct sample {
    const char *name;
    const char *format; /* as the answer has it */
    int least;          /* allocations that a description needs at least */
    const char *select; /* cells; NULL: all */
    int64_t cells;      /* of these; 0: 60 */
} sample;

static const sample samples[] = {
    {"s.npy", "npy", 3, NULL, 0},
#ifdef WITH_HDF5
    {"s.h5", "hdf5", 10, NULL, 0},   {"s.h5", "hdf5", 12, "band=[700,400],x=::2", 18},
#endif
#ifdef WITH_NETCDF
    {"s.nc", "netcdf", 10, NULL, 0}, {"s.nc", "netcdf", 12, "band=[700,400],x=::2", 18},
#endif
#ifdef WITH_FITS
    {"s.fits", "fits", 10, NULL, 0},
#endif
#ifdef WITH_NIFTI
    {"s.nii", "nifti", 10, NULL, 0},
#endif
#ifdef WITH_MATLAB
    {"s.mat", "matlab", 3, NULL, 0},
#endif
#ifdef WITH_GDAL
    {"s.tif", "gdal", 10, NULL, 0},  {"s.img", "gdal", 10, NULL, 0},
#endif
};

/* Three axes with names, units, coordinates, texts and a georeference, so that there is much to
 * describe. */
static xta_array *make_array(void)
{
    const int64_t bounds[3] = {4, 3, 5};
    const double wavelengths[4] = {400, 500, 650, 700};
    const double georeference[6] = {100, 10, 0, 500, 0, -10};
    const char *names[3] = {"band", "y", "x"};
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    const xta_attribute values = {"values", XTA_F64, 8, 4, wavelengths};
    const xta_attribute place = {"geotransform", XTA_F64, 8, 6, georeference};
    how.names = names;
    STORY_OK(&story, xta_array_new(XTA_F32, 3, bounds, &how, &array, &err), err);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "nm", &err), err);
    STORY_OK(&story, xta_attribute_set(array, 0, &values, &err), err);
    STORY_OK(&story, xta_attribute_set(array, XTA_ON_ARRAY, &place, &err), err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "a text", &err), err);
    return array;
}

static bool knows_all(const xta_source_info *info, const sample *s)
{
    return strcmp(info->format, s->format) == 0 && info->type == XTA_F32 && info->cell_bytes == 4 &&
           info->ndim == 3 &&
           info->bounds[0] * info->bounds[1] * info->bounds[2] == (s->cells > 0 ? s->cells : 60);
}

/* One call, whose n-th allocation fails. Returns whether it came to that. */
static bool run(const sample *s, const char *path, uint64_t n, bool for_good, int *refused)
{
    xta_source_info info = XTA_SOURCE_INFO_INIT;
    xta_source_info before = XTA_SOURCE_INFO_INIT;
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    xta_error err = {0};
    int64_t live = failing_alloc_live();
    options.select = s->select;
    failing_alloc_at(n, for_good);
    failing_alloc_arm(true);
    xta_status status = xta_import_describe(path, &options, &info, &err);
    failing_alloc_arm(false);
    bool happened = failing_alloc_happened();
    failing_alloc_at(0, false);
    STORY_CHECK(&story, failing_alloc_live() == live, "%s, allocation %llu: memory is lost",
                s->name, (unsigned long long)n);
    if (status == XTA_OK) {
        STORY_CHECK(&story, knows_all(&info, s), "%s, allocation %llu: not all is told", s->name,
                    (unsigned long long)n);
        return happened;
    }
    STORY_CHECK(&story, status == XTA_ENOMEM && happened, "%s, allocation %llu: %s: %s", s->name,
                (unsigned long long)n, xta_status_name(status), err.text);
    STORY_CHECK(&story, strstr(err.text, s->name) != NULL, "no name of the file in '%s'", err.text);
    STORY_CHECK(&story, memcmp(&info, &before, sizeof info) == 0, "%s: an answer after a failure",
                s->name);
    ++*refused;
    return happened;
}

static void fail_each(const sample *s, const char *path, bool for_good)
{
    uint64_t n = 1;
    int refused = 0;
    while (run(s, path, n, for_good, &refused)) {
        n++;
    }
    STORY_CHECK(&story, refused >= s->least, "%s: refused %d times only", s->name, refused);
    printf("bridge_alloc: %s: %llu allocations%s, %d refused\n", s->name, (unsigned long long)n - 1,
           for_good ? " and all later ones" : "", refused);
}

#ifdef WITH_NETCDF
/* A whole file, cut. */
static void fail_whole(const test_folder *folder)
{
    char source[TEST_PATH_BYTES], path[TEST_PATH_BYTES], name[32];
    xta_dataset_import_options options = XTA_DATASET_IMPORT_OPTIONS_INIT;
    xta_error err = {0};
    bool happened = true;
    int refused = 0;

    options.select = "band=[700,400],x=::2,y=1";
    test_folder_join(folder, "s.nc", source);
    for (uint64_t n = 1; happened; n++) {
        snprintf(name, sizeof name, "set%llu", (unsigned long long)n);
        test_folder_join(folder, name, path);
        int64_t live = failing_alloc_live();
        failing_alloc_at(n, false);
        failing_alloc_arm(true);
        xta_status status = xta_dataset_import(source, path, &options, &err);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, failing_alloc_live() == live,
                    "whole file, allocation %llu: memory is lost", (unsigned long long)n);
        STORY_CHECK(&story, status == XTA_OK || status == XTA_ENOMEM,
                    "whole file, allocation %llu: %s: %s", (unsigned long long)n,
                    xta_status_name(status), err.text);
        STORY_CHECK(&story, xta_dataset_exists(path) == (status == XTA_OK),
                    "whole file, allocation %llu: %s, and whether there is a folder: %d: %s",
                    (unsigned long long)n, xta_status_name(status), xta_dataset_exists(path),
                    err.text);
        refused += status == XTA_ENOMEM;
    }
    STORY_CHECK(&story, refused > 20, "whole file: refused %d times only", refused);
    printf("bridge_alloc: a whole file: %d refused\n", refused);
}
#endif

int main(void)
{
    test_folder folder;
    xta_error err;
    char path[TEST_PATH_BYTES];
    test_folder_make_fast(&folder);
    test_story_begin(&story, "bridge_alloc", 0, 0);
    xta_array *array = make_array();
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) {
        const sample *s = &samples[k];
        xta_source_info info = XTA_SOURCE_INFO_INIT;
        test_folder_join(&folder, s->name, path);
        if (s->select == NULL) {
            STORY_OK(&story, xta_export(array, path, NULL, &err), err);
        }
        STORY_OK(&story, xta_import_describe(path, NULL, &info, &err), err); // libraries are loaded
        fail_each(s, path, false);
        fail_each(s, path, true);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
#ifdef WITH_NETCDF
    fail_whole(&folder);
#endif
    test_folder_remove(&folder);
    return 0;
}
