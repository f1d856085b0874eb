/* Finding the block files of a folder.
 *
 * The names give the number of blocks on an axis, or where they begin; the headers of the .npy
 * files along the axes give their lengths. Then every file is opened and its length checked, so
 * that a missing or short block is found before a cell is moved.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "grids/find_block_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "dense/npy_file.h"
#include "description/description.h"
#include "grids/common/grid.h"
#include "grids/common/name_pattern.h"
#include "grids/common/unfinished_files.h"
#include "util/npy_header.h"
#include "util/try.h"
#include "util/vector.h"

/* The distinct values in the names on one axis, ascending. */
typedef struct value_list {
    int64_t *values;
    size_t n;
    size_t capacity;
} value_list;

char *xta__folder_of(const blocks_pattern *pattern)
{
    const char *first = pattern->literal[0];
    const char *slash = strrchr(first, '/');
    if (slash == NULL) {
        return xta__bridge_copy(".");
    }
    char *folder = xta__bridge_copy(first);
    if (folder != NULL) {
        folder[slash == first ? 1 : slash - first] = '\0';
    }
    return folder;
}

bool xta__folder_next(const folder_grid *grid, int64_t block[])
{
    for (int axis = grid->bounds.ndim - 1; axis >= 0; axis--) {
        if (++block[axis] < xta__blocks_count(&grid->bounds, &grid->partition.axis[axis], axis)) {
            return true;
        }
        block[axis] = 0;
    }
    return false;
}

char *xta__folder_name(const folder_grid *grid, const int64_t block[])
{
    xta_box box = xta__blocks_box(&grid->bounds, &grid->partition, block);
    return xta__blocks_pattern_name(&grid->pattern, block, box.lo);
}

/* Call `each` with every path in the folder; it returns false to stop. */
static xta_status for_each_name(const folder_grid *grid,
                                bool (*each)(void *user, const folder_grid *grid, const char *name),
                                void *user, xta_error *err)
{
    const char *first = grid->pattern.literal[0];
    const char *slash = strrchr(first, '/');
    size_t n = slash != NULL ? (size_t)(slash - first) + 1 : 0;
    DIR *folder = opendir(grid->folder);
    if (folder == NULL) {
        return xta__blocks_io_error(grid->folder, "list it", errno, err);
    }
    xta_status status = XTA_OK;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        int length = snprintf(name, sizeof name, "%.*s%s", (int)n, first, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof name) {
            continue;
        }
        if (!each(user, grid, name)) {
            break;
        }
    }
    closedir(folder);
    return status;
}

typedef struct begun_search {
    bool begun;
    char *found;
    size_t capacity;
} begun_search;

static bool note_begun(void *user, const folder_grid *grid, const char *name)
{
    begun_search *s = user;
    int64_t values[XTA_MAX_NDIM];
    char plain[4096];
    size_t n = strlen(name);
    size_t m = strlen(UNFINISHED_SUFFIX);
    bool is_unfinished = n > m && strcmp(name + n - m, UNFINISHED_SUFFIX) == 0;
    snprintf(plain, sizeof plain, "%.*s", (int)(is_unfinished ? n - m : n), name);
    if (!xta__blocks_pattern_match(&grid->pattern, plain, values)) {
        return true;
    }
    s->begun = true;
    snprintf(s->found, s->capacity, "%s", name);
    return true;
}

xta_status xta__folder_is_started(const folder_grid *grid, bool *begun, char *found,
                                  size_t capacity, xta_error *err)
{
    begun_search s = {.found = found, .capacity = capacity};
    xta_error mine;
    xta_status status = for_each_name(grid, note_begun, &s, &mine);
    *begun = s.begun;
    if (status == XTA_ENOENT) { // no folder, no files
        return XTA_OK;
    }
    if (status != XTA_OK && err != NULL) {
        *err = mine;
    }
    return status;
}

static bool put_value(value_list *list, int64_t value)
{
    size_t lo = 0;
    size_t hi = list->n;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (list->values[middle] < value) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    if (lo < list->n && list->values[lo] == value) {
        return true;
    }
    if (!XTA__RESERVE(list->values, list->capacity, list->n + 1)) {
        return false;
    }
    memmove(list->values + lo + 1, list->values + lo, (list->n - lo) * sizeof *list->values);
    list->values[lo] = value;
    list->n++;
    return true;
}

typedef struct name_search {
    value_list axis[XTA_MAX_NDIM];
    bool full;
} name_search;

static bool note_name(void *user, const folder_grid *grid, const char *name)
{
    name_search *s = user;
    int64_t values[XTA_MAX_NDIM];
    if (!xta__blocks_pattern_match(&grid->pattern, name, values)) {
        return true;
    }
    for (int axis = 0; axis < grid->pattern.ndim && !s->full; axis++) {
        s->full = !put_value(&s->axis[axis], values[axis]);
    }
    return !s->full;
}

static bool by_coordinate(const folder_grid *grid, int axis)
{
    for (int k = 0; k < grid->pattern.ndim; k++) {
        if (grid->pattern.placeholder[k].axis == axis) {
            return grid->pattern.placeholder[k].coordinate;
        }
    }
    return false;
}

/* Numbers of blocks must be 0, 1, 2 ... */
static xta_status check_numbers(const folder_grid *grid, const name_search *s, xta_error *err)
{
    for (int axis = 0; axis < grid->pattern.ndim; axis++) {
        const value_list *list = &s->axis[axis];
        if (list->n == 0) {
            return xta_error_set(err, XTA_ENOENT, 0, "%s: no file has a name like this",
                                 grid->grid.path);
        }
        for (size_t k = 0; k < list->n && !by_coordinate(grid, axis); k++) {
            if (list->values[k] != (int64_t)k) {
                return xta_error_set(err, XTA_ENOENT, 0,
                                     "%s: axis %d: there is a block number %lld, but none of "
                                     "number %zu",
                                     grid->grid.path, axis, (long long)list->values[k], k);
            }
        }
    }
    return XTA_OK;
}

/* The name of the file at position `k` of one axis and at the first position of the others. */
static char *name_along(const folder_grid *grid, const name_search *s, int axis, size_t k)
{
    int64_t values[XTA_MAX_NDIM];
    for (int d = 0; d < grid->pattern.ndim; d++) {
        values[d] = s->axis[d].values[d == axis ? k : 0];
    }
    return xta__blocks_pattern_name(&grid->pattern, values, values);
}

static xta_status open_along(const folder_grid *grid, const name_search *s, int axis, size_t k,
                             xta__npy_header *header, bridge_description *what, xta_error *err)
{
    bridge_dense file = {.fd = -1};
    char *name = name_along(grid, s, axis, k);
    if (name == NULL) {
        return xta__bridge_no_memory(grid->grid.path, err);
    }
    xta_status status = xta__npy_open(&file, name, header, err);
    if (status == XTA_ENOENT) {
        status = xta_error_set(err, XTA_ENOENT, 0,
                               "%s: is missing; other blocks of axis %d are there", name, axis);
    }
    if (status == XTA_OK && header->ndim != grid->pattern.ndim) {
        status = xta_error_set(err, XTA_EBOX, 0, "%s: has %d axes, its name tells of %d", name,
                               header->ndim, grid->pattern.ndim);
    }
    if (status == XTA_OK && what != NULL) {
        status = xta__npy_describe(header, &file, what, err);
    }
    xta__dense_close(&file);
    free(name);
    return status;
}

/* Cuts are regular if all lengths are equal, except the last, which may be shorter. */
static void make_cuts(const int64_t *edges, int64_t n_edges, xta_cuts *cuts)
{
    int64_t length = edges[1] - edges[0];
    memset(cuts, 0, sizeof *cuts);
    for (int64_t k = 1; k + 1 < n_edges; k++) {
        int64_t n = edges[k + 1] - edges[k];
        if (n > length || (n < length && k + 2 < n_edges)) {
            cuts->n_edges = n_edges;
            cuts->edges = edges;
            return;
        }
    }
    cuts->length = length;
    cuts->origin = edges[0];
}

/* The cuts of one axis, from headers. `edges` has one entry more than there are blocks. */
static xta_status cut_axis(folder_grid *grid, const name_search *s, int axis, int64_t *edges,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    const value_list *list = &s->axis[axis];
    xta__npy_header header;
    edges[0] = by_coordinate(grid, axis) ? list->values[0] : 0;
    for (size_t k = 0; k < list->n; k++) {
        XTA_TRY(open_along(grid, s, axis, k, &header, NULL, err));
        int64_t n = header.shape[axis];
        edges[k + 1] = edges[k] + n;
        bool gap =
            k + 1 < list->n && by_coordinate(grid, axis) && list->values[k + 1] != edges[k + 1];
        if (n < 1 || gap) {
            char *name = name_along(grid, s, axis, k);
            status = xta_error_set(
                err, XTA_EBOX, 0,
                gap ? "%s: has %lld cells on axis %d, but the next block begins at %lld"
                    : "%s: has %lld cells on axis %d; a block has 1 or more",
                name != NULL ? name : grid->grid.path, (long long)n, axis,
                (long long)(gap ? list->values[k + 1] : 0));
            free(name);
            goto done;
        }
    }
    grid->bounds.lo[axis] = edges[0];
    grid->bounds.hi[axis] = edges[list->n];
    make_cuts(edges, (int64_t)list->n + 1, &grid->partition.axis[axis]);
done:
    return status;
}

static xta_status find_npy(folder_grid *grid, const name_search *s, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__npy_header header;
    size_t total = 0;
    XTA_TRY(open_along(grid, s, 0, 0, &header, &grid->grid.what, err));
    grid->type = header.type;
    grid->cell_bytes = header.cell_bytes;
    grid->order = header.fortran ? XTA_COLUMN : XTA_ROW;
    for (int axis = 0; axis < grid->pattern.ndim; axis++) {
        total += s->axis[axis].n + 1;
    }
    grid->grid.edges = calloc(total, sizeof *grid->grid.edges);
    if (grid->grid.edges == NULL) {
        status = xta__bridge_no_memory(grid->grid.path, err);
        goto done;
    }
    int64_t *edges = grid->grid.edges;
    for (int axis = 0; axis < grid->pattern.ndim; axis++) {
        XTA_TRY(cut_axis(grid, s, axis, edges, err));
        edges += s->axis[axis].n + 1;
    }
done:
    return status;
}

static xta_status find_raw(folder_grid *grid, const name_search *s,
                           const xta_blocks_options *options, xta_error *err)
{
    int ndim = grid->pattern.ndim;
    bridge_description *what = &grid->grid.what;
    grid->type = options->type;
    grid->cell_bytes =
        options->type == XTA_BYTES ? options->cell_bytes : xta_type_bytes(options->type);
    bool shaped = options->block != NULL || options->partition != NULL;
    if (grid->cell_bytes == 0 || options->bounds == NULL || options->ndim != ndim || !shaped) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: raw blocks need their type, the bounds of all (%d axes) and the "
                             "shape of a block to be given",
                             grid->grid.path, ndim);
    }
    for (int axis = 0; axis < ndim; axis++) {
        int64_t lo = by_coordinate(grid, axis) ? s->axis[axis].values[0] : 0;
        if (options->bounds[axis] < 1 || (options->block != NULL && options->block[axis] < 1)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "%s: axis %d: bounds and blocks must be 1 or more",
                                 grid->grid.path, axis);
        }
        grid->bounds.lo[axis] = lo;
        grid->bounds.hi[axis] = lo + options->bounds[axis];
    }
    if (options->partition != NULL) {
        return xta__blocks_keep_partition(&grid->grid, options->partition, &grid->partition, err);
    }
    grid->partition = xta_partition_regular(ndim, options->block, grid->bounds.lo);
    what->type = grid->type;
    return XTA_OK;
}

/* Check that every file exists and has the right length. */
static xta_status check_files(const folder_grid *grid, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t block[XTA_MAX_NDIM] = {0};
    char *name = NULL;
    do {
        xta_box box = xta__blocks_box(&grid->bounds, &grid->partition, block);
        uint64_t cells = 0;
        uint64_t bytes = 0;
        free(name);
        name = xta__folder_name(grid, block);
        if (name == NULL) {
            status = xta__bridge_no_memory(grid->grid.path, err);
            goto done;
        }
        XTA_TRY(xta_box_cells(&box, &cells));
        cells *= grid->cell_bytes;
        status = xta__file_bytes(name, &bytes, err);
        if (status == XTA_ENOENT) {
            status = xta_error_set(err, XTA_ENOENT, 0,
                                   "%s: is missing; the grid of blocks needs it, with %llu bytes "
                                   "of cells",
                                   name, (unsigned long long)cells);
        }
        if (status == XTA_OK && (grid->npy ? bytes < cells : bytes != cells)) {
            status = xta_error_set(err, XTA_EBOX, 0, "%s: has %llu bytes; its block needs %llu%s",
                                   name, (unsigned long long)bytes, (unsigned long long)cells,
                                   grid->npy ? " and a header" : "");
        }
    } while (status == XTA_OK && xta__folder_next(grid, block));
done:
    free(name);
    return status;
}

xta_status xta__folder_find(folder_grid *grid, const xta_blocks_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    name_search s = {.full = false};
    grid->bounds.ndim = grid->pattern.ndim;
    grid->partition.ndim = grid->pattern.ndim;
    XTA_TRY(for_each_name(grid, note_name, &s, err));
    if (s.full) {
        status = xta__bridge_no_memory(grid->grid.path, err);
        goto done;
    }
    XTA_TRY(check_numbers(grid, &s, err));
    XTA_TRY(grid->npy ? find_npy(grid, &s, err) : find_raw(grid, &s, options, err));
    XTA_TRY(check_files(grid, err));
done:
    for (int axis = 0; axis < XTA_MAX_NDIM; axis++) {
        free(s.axis[axis].values);
    }
    return status;
}
