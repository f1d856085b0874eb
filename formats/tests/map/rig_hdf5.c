/* HDF5 for tests of mappings: a chunked, compressed dataset in a group, with a scale.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <string.h>

#include <xta/map_hdf5.h>

#include "hdf5/base/types.h"
#include "map/map_rig.h"

#define NONE H5P_DEFAULT

static const xta_type types[] = {XTA_U8,  XTA_I8,  XTA_I16, XTA_U16, XTA_I32, XTA_U32,
                                 XTA_I64, XTA_U64, XTA_F16, XTA_F32, XTA_F64, XTA_C64};

enum { FILE_ID, DATASET_ID };

static int n_growing(const rig_file *file)
{
    return file->ndim;
}

static hid_t file_type(const rig_file *file)
{
    hid_t type = xta__hdf5_from_xta(file->type, xta_type_bytes(file->type));
    if (file->variant == 1 && file->type != XTA_C64) {
        MUST(H5Tset_order(type, H5T_ORDER_BE) >= 0);
    }
    return type;
}

static void make_scale(const rig_file *file, hid_t dataset, int64_t n)
{
    const hsize_t length = (hsize_t)n, most = H5S_UNLIMITED, chunk = 4;
    hid_t space = H5Screate_simple(1, &length, &most);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_chunk(storage, 1, &chunk) >= 0);
    hid_t scale = H5Dcreate2(file->handle[FILE_ID], "/inner/time", H5T_IEEE_F64LE, space, NONE,
                             storage, NONE);
    double values[64];
    for (int64_t k = 0; k < n; k++) {
        values[k] = (double)k;
    }
    MUST(H5Dwrite(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, values) >= 0);
    MUST(H5DSset_scale(scale, "time") >= 0 && H5DSattach_scale(dataset, scale, 0) >= 0);
    H5Dclose(scale);
    H5Pclose(storage);
    H5Sclose(space);
}

static void create(rig_file *file, const int64_t bounds[], const void *cells)
{
    hsize_t lengths[4], most[4], chunk[4];
    for (int d = 0; d < file->ndim; d++) {
        lengths[d] = (hsize_t)bounds[d];
        most[d] = H5S_UNLIMITED;
        chunk[d] = RIG_CHUNK;
    }
    hid_t type = file_type(file);
    hid_t memory = xta__hdf5_memory_type(type);
    file->handle[FILE_ID] = H5Fcreate(file->path, H5F_ACC_TRUNC, NONE, NONE);
    hid_t group = H5Gcreate2(file->handle[FILE_ID], "inner", NONE, NONE, NONE);
    hid_t space = H5Screate_simple(file->ndim, lengths, most);
    hid_t storage = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_chunk(storage, file->ndim, chunk) >= 0 && H5Pset_shuffle(storage) >= 0 &&
         H5Pset_deflate(storage, 5) >= 0 && H5Pset_fill_value(storage, memory, file->fill) >= 0);
    hid_t dataset = H5Dcreate2(group, "data", type, space, NONE, storage, NONE);
    file->handle[DATASET_ID] = dataset;
    MUST(dataset >= 0 && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
    MUST(H5LTset_attribute_string(group, "data", "title", "kept") >= 0);
    MUST(H5LTset_attribute_string(group, ".", "of group", "also") >= 0);
    make_scale(file, dataset, bounds[0]);
    H5Pclose(storage);
    H5Sclose(space);
    H5Gclose(group);
    H5Tclose(memory);
    H5Tclose(type);
}

static void open_file(rig_file *file)
{
    file->handle[FILE_ID] = H5Fopen(file->path, H5F_ACC_RDWR, NONE);
    file->handle[DATASET_ID] = H5Dopen2(file->handle[FILE_ID], "/inner/data", NONE);
    MUST(file->handle[DATASET_ID] >= 0);
}

static void close_file(rig_file *file)
{
    MUST(H5Dclose(file->handle[DATASET_ID]) >= 0);
    // Nothing of ours may keep the file open.
    MUST(H5Fget_obj_count(file->handle[FILE_ID], H5F_OBJ_ALL) == 1);
    MUST(H5Fclose(file->handle[FILE_ID]) >= 0);
}

static xta_mapping *map_file(rig_file *file, const xta_mapping_options *options, xta_error *err)
{
    return xtaHDFmap(file->handle[DATASET_ID], options, err);
}

static xta_status write_file(rig_file *file, xta_mapping *map)
{
    return xtaHDFwrite(map, file->handle[DATASET_ID]);
}

static void read_file(rig_file *file, int64_t bounds[], void *cells)
{
    hsize_t lengths[4];
    hid_t dataset = file->handle[DATASET_ID];
    hid_t space = H5Dget_space(dataset);
    MUST(H5Sget_simple_extent_ndims(space) == file->ndim);
    H5Sget_simple_extent_dims(space, lengths, NULL);
    for (int d = 0; d < file->ndim; d++) {
        bounds[d] = (int64_t)lengths[d];
    }
    if (cells != NULL) {
        hid_t type = file_type(file);
        hid_t memory = xta__hdf5_memory_type(type);
        MUST(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, NONE, cells) >= 0);
        H5Tclose(memory);
        H5Tclose(type);
    }
    H5Sclose(space);
}

static void read_scale(rig_file *file, int64_t n, double *values)
{
    hid_t scale = H5Dopen2(file->handle[FILE_ID], "/inner/time", NONE);
    hid_t space = H5Dget_space(scale);
    MUST(H5Sget_simple_extent_npoints(space) == n);
    MUST(H5DSis_attached(file->handle[DATASET_ID], scale, 0) > 0);
    MUST(H5Dread(scale, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, values) >= 0);
    H5Sclose(space);
    H5Dclose(scale);
}

static void read_origin(rig_file *file, int64_t origin[])
{
    hid_t dataset = file->handle[DATASET_ID];
    memset(origin, 0, (size_t)file->ndim * sizeof origin[0]);
    if (H5Aexists(dataset, "xta_origin") > 0) {
        hid_t attribute = H5Aopen(dataset, "xta_origin", NONE);
        MUST(H5Aread(attribute, H5T_NATIVE_INT64, origin) >= 0);
        H5Aclose(attribute);
    }
}

static bool storage_kept(rig_file *file)
{
    hsize_t chunk[4];
    char title[16] = "";
    hid_t dataset = file->handle[DATASET_ID];
    hid_t storage = H5Dget_create_plist(dataset);
    hid_t type = H5Dget_type(dataset);
    hid_t want = file_type(file);
    bool kept = H5Pget_nfilters(storage) == 2 && H5Tequal(type, want) > 0 &&
                H5Pget_chunk(storage, file->ndim, chunk) == file->ndim;
    for (int d = 0; d < file->ndim; d++) {
        kept = kept && chunk[d] == RIG_CHUNK;
    }
    MUST(H5LTget_attribute_string(dataset, ".", "title", title) >= 0);
    H5Tclose(want);
    H5Tclose(type);
    H5Pclose(storage);
    return kept && strcmp(title, "kept") == 0;
}

const map_rig rig_hdf5 = {
    .name = "hdf5",
    .types = types,
    .n_types = sizeof types / sizeof types[0],
    .n_variants = 2,
    .scales = true,
    .n_growing = n_growing,
    .create = create,
    .open = open_file,
    .close = close_file,
    .map = map_file,
    .write = write_file,
    .read = read_file,
    .read_scale = read_scale,
    .read_origin = read_origin,
    .storage_kept = storage_kept,
};
