/* Opening and creating block grids of every kind; the path selects the kind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/blocks.h>

#include <xta/options.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "common/missing_formats.h"
#include "description/format.h"
#include "grids/common/grid.h"
#include "grids/common/grid_kind.h"
#include "grids/common/name_pattern.h"
#include "grids/common/target_spec.h"
#include "registry/registry.h"
#include "util/checked.h"

#define BLOCKS(name) extern const blocks_kind xta__blocks_##name;
#include "blocks.def"
#undef BLOCKS

static const blocks_kind *const kinds[] = {
#define BLOCKS(name) &xta__blocks_##name,
#include "blocks.def"
#undef BLOCKS
};

#define N_KINDS (sizeof kinds / sizeof kinds[0])

static const struct {
    const char *ending;
    const char *kind;
} endings[] = {
    {".npy", "npy"},      {".raw", "raw"},    {".bin", "raw"},       {".h5", "hdf5"},
    {".hdf5", "hdf5"},    {".he5", "hdf5"},   {".hdf", "hdf5"},      {".nc", "netcdf"},
    {".nc4", "netcdf"},   {".cdf", "netcdf"}, {".netcdf", "netcdf"}, {".nii", "nifti"},
    {".nii.gz", "nifti"},
};

static const blocks_kind *kind_named(const char *name)
{
    for (size_t k = 0; k < N_KINDS; k++) {
        if (strcasecmp(kinds[k]->name, name) == 0) {
            return kinds[k];
        }
    }
    return NULL;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path);
    size_t m = strlen(ending);
    return n > m && strcasecmp(path + n - m, ending) == 0;
}

static bool array_is_there(const char *path)
{
    struct stat facts;
    char name[4096];
    int n = snprintf(name, sizeof name, "%s.xmd", path);
    return n > 0 && (size_t)n < sizeof name && stat(name, &facts) == 0;
}

/* The kind that a path selects; NULL: none. */
static const char *name_by_path(const char *path)
{
    if (xta__blocks_is_pattern(path)) {
        return ends_in(path, ".npy") ? "npy-blocks" : "raw-blocks";
    }
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        if (ends_in(path, endings[k].ending)) {
            return endings[k].kind;
        }
    }
    return NULL;
}

/* The kind that the content of a source selects, as the formats recognise it. */
static const char *name_by_content(const char *path, xta_error *err)
{
    const bridge_format *format = NULL;
    xta_import_options how = XTA_IMPORT_OPTIONS_INIT;
    return xta__format_for_import(path, &how, &format, err) == XTA_OK ? format->name : NULL;
}

static xta_status no_such_kind(const char *path, const char *name, xta_error *err)
{
    char names[200] = "", absent[XTA__MISSING_FORMAT_BYTES];
    size_t n = 0;
    for (size_t k = 0; k < N_KINDS && n < sizeof names; k++) {
        n += (size_t)snprintf(names + n, sizeof names - n, k == 0 ? "%s" : ", %s", kinds[k]->name);
    }
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: this build has no blocks of format '%s'; it has %s%s", path, name,
                         names, xta__missing_format_text(name, NULL, absent, sizeof absent));
}

static xta_status select_kind(const char *path, const char *format, bool source,
                              const blocks_kind **out, xta_error *err)
{
    const char *name = format;
    if (name == NULL && source && array_is_there(path)) {
        name = "xta";
    }
    if (name == NULL) {
        name = name_by_path(path);
    }
    if (name == NULL && source) {
        struct stat facts;
        if (stat(path, &facts) != 0) {
            return xta_error_set(err, XTA_ENOENT, 0, "%s: there is no such array or file", path);
        }
        name = name_by_content(path, err);
        if (name == NULL) {
            return err != NULL ? err->status : XTA_EFORMAT;
        }
    }
    name = name != NULL ? name : "xta";
    *out = kind_named(name);
    if (*out == NULL) {
        return no_such_kind(path, name, err);
    }
    bool folder = strstr((*out)->name, "-blocks") != NULL;
    if (folder != xta__blocks_is_pattern(path)) {
        return xta_error_set(err, XTA_EARG, 0,
                             folder ? "%s: %s need a name with placeholders, like b/{0}_{1}.npy"
                                    : "%s: has placeholders, which %s does not know",
                             path, (*out)->name);
    }
    return XTA_OK;
}

xta_status xta_blocks_open(const char *path, const xta_blocks_options *options, xta_blocks *blocks,
                           xta_error *err)
{
    const blocks_kind *kind = NULL;
    xta_error mine;
    xta_blocks_options how = XTA_BLOCKS_OPTIONS_INIT;
    err = err != NULL ? err : &mine; // its status is read below
    memset(blocks, 0, sizeof *blocks);
    xta_status status = xta_options_read(&how, sizeof how, options, "xta_blocks_options", err);
    if (status == XTA_OK) {
        status = select_kind(path, how.format, true, &kind, err);
    }
    return status == XTA_OK ? kind->open(path, &how, blocks, err) : status;
}

/* The requested blocks: irregular ones, a shape, or those of the source. */
static xta_status requested_partition(const xta_blocks *like, const xta_blocks_options *options,
                                      const char *path, xta_partition *out, xta_error *err)
{
    int ndim = like->bounds.ndim;
    *out = like->partition;
    if (options->partition != NULL) {
        *out = *options->partition;
    } else if (options->block != NULL) {
        *out = xta_partition_regular(ndim, options->block, like->bounds.lo);
    }
    for (int axis = 0; axis < ndim; axis++) {
        const xta_cuts *cuts = &out->axis[axis];
        bool good = cuts->length > 0 || (cuts->n_edges >= 2 && cuts->edges != NULL &&
                                         cuts->edges[0] == like->bounds.lo[axis] &&
                                         cuts->edges[cuts->n_edges - 1] == like->bounds.hi[axis]);
        if (out->ndim != ndim || !good) {
            return xta_error_set(
                err, XTA_EARG, 0,
                "%s: axis %d: the blocks asked for do not cut the source's %lld to "
                "%lld; give a length of 1 or more for each of its %d axes",
                path, axis, (long long)like->bounds.lo[axis], (long long)like->bounds.hi[axis],
                ndim);
        }
    }
    return XTA_OK;
}

xta_status xta_blocks_create(const char *path, const xta_blocks *like,
                             const xta_blocks_options *options, xta_blocks *blocks, xta_error *err)
{
    const blocks_kind *kind = NULL;
    xta_blocks_options how = XTA_BLOCKS_OPTIONS_INIT;
    target_spec spec = {.path = path,
                        .options = &how,
                        .bounds = like->bounds,
                        .type = like->type,
                        .cell_bytes = like->cell_bytes,
                        .source = like};
    memset(blocks, 0, sizeof *blocks);
    xta_status status = xta_options_read(&how, sizeof how, options, "xta_blocks_options", err);
    if (status == XTA_OK) {
        status = select_kind(path, how.format, false, &kind, err);
    }
    if (status == XTA_OK) {
        status = requested_partition(like, &how, path, &spec.partition, err);
    }
    if (status != XTA_OK) {
        return status;
    }
    if (like->calls != NULL && like->calls->close == xta__blocks_close) {
        spec.like = &((const blocks_grid *)like->self)->what;
        spec.source_path = ((const blocks_grid *)like->self)->path;
    }
    return kind->create(&spec, blocks, err);
}
