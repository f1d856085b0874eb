/* Disk Resident Arrays of the Global Arrays toolkit: F.info, a line of numbers and a name, and the
 * cells in F, or in F.0 .. F.<k-1>. Read only; DRA programs themselves use libpexta_dra. There is
 * no library that reads these files without MPI and a global array, so their bytes are read here;
 * info_file.c has the text and the layout.
 *
 * An array gets the cells of the DRA, its axes as C programs see them, its chunk shape, and its
 * name. A DRA has no attributes, so nothing is lost. Cells have the byte order of the machine that
 * wrote them, assumed to be little-endian: the files do not record it. Files on separate disks
 * ("independent files") must first be copied into one folder.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "dra/dra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "description/format.h"
#include "dra/info_file.h"
#include "util/text.h"
#include "util/try.h"

#define SUFFIX       ".info"
#define MOST_TEXT    4096
#define WINDOW_BYTES ((size_t)1 << 20)
#define MOST_OPEN    64

static const char *const suffixes[] = {"info", NULL};

typedef struct dra_source {
    char *base; /* F */
    dra_info info;
    dra_layout layout;
    bridge_dense open[MOST_OPEN]; /* file k in slot k % MOST_OPEN */
    int number[MOST_OPEN];        /* -1: nothing open */
    char *window;                 /* read-ahead bytes of one file */
    const bridge_dense *window_of;
    uint64_t window_offset;
    size_t window_bytes;
} dra_source;

/* The cells of a box that lie in one tile, and how far to read ahead within it. */
typedef struct dra_piece {
    const bridge_dense *file;
    uint64_t offset;               /* offset of the tile's first cell, in bytes */
    int64_t lengths[XTA_MAX_NDIM]; /* shape of the tile */
    xta_box cells;                 /* coordinates within the tile */
    uint64_t end;                  /* where read-ahead ends; 0: none */
} dra_piece;

/* Length of the path without the suffix .info. */
static size_t base_length(const char *path)
{
    size_t n = strlen(path);
    size_t suffix = strlen(SUFFIX);
    return n > suffix && xta__ends_with(path, SUFFIX) ? n - suffix : n;
}

static bool dra_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    char why[256];
    dra_info info;
    return base_length(path) < strlen(path) &&
           xta__dra_parse((const char *)head, n_bytes, &info, why, sizeof why);
}

/* ---- the files ---- */

static char *name_of(const dra_source *source, int file)
{
    size_t n = strlen(source->base) + 16;
    char *name = malloc(n);
    if (name != NULL && source->info.n_files == 1) {
        snprintf(name, n, "%s", source->base);
    } else if (name != NULL) {
        snprintf(name, n, "%s.%d", source->base, file);
    }
    return name;
}

/* Open a data file, closing the one in its slot, and check that it contains all its cells. */
static xta_status data_file(dra_source *source, int file, const bridge_dense **out, xta_error *err)
{
    xta_status status = XTA_OK;
    int place = file % MOST_OPEN;
    bridge_dense *dense = &source->open[place];
    uint64_t file_bytes = 0;
    *out = dense;
    if (source->number[place] == file) {
        return XTA_OK;
    }
    xta__dense_close(dense);
    source->number[place] = -1;
    source->window_of = NULL;
    char *name = name_of(source, file);
    if (name == NULL) {
        return xta__bridge_no_memory(source->base, err);
    }
    XTA_TRY(xta__dense_open(dense, name, &file_bytes, err));
    uint64_t need = xta__dra_file_cells(&source->layout, file) * source->info.cell_bytes;
    if (file_bytes < need) {
        status = xta_error_set(err, XTA_EFORMAT, 0,
                               "%s: has %llu bytes where %s%s needs %llu; the file was cut short, "
                               "or the two do not belong together",
                               name, (unsigned long long)file_bytes, source->base, SUFFIX,
                               (unsigned long long)need);
        goto done;
    }
    source->number[place] = file;
done:
    free(name);
    return status;
}

static xta_status read_info(dra_source *source, xta_error *err)
{
    xta_status status = XTA_OK;
    char text[MOST_TEXT];
    char why[256] = "";
    uint64_t n_bytes = 0;
    bridge_dense file = {.fd = -1};
    char *path = xta__string("%s" SUFFIX, source->base);
    if (path == NULL) {
        return xta__bridge_no_memory(source->base, err);
    }
    XTA_TRY(xta__dense_open(&file, path, &n_bytes, err));
    if (n_bytes > sizeof text) {
        status = xta_error_set(err, XTA_EFORMAT, 0,
                               "%s: has %llu bytes, more than any F.info of DRA's; is it one?",
                               path, (unsigned long long)n_bytes);
        goto done;
    }
    XTA_TRY(xta__dense_bytes(&file, 0, text, (size_t)n_bytes, err));
    if (!xta__dra_parse(text, (size_t)n_bytes, &source->info, why, sizeof why)) {
        status = xta_error_set(err, XTA_EFORMAT, 0, "%s: %s", path, why);
    }
done:
    xta__dense_close(&file);
    free(path);
    return status;
}

static void dra_close(void *state)
{
    dra_source *source = state;
    for (int k = 0; k < MOST_OPEN; k++) {
        xta__dense_close(&source->open[k]);
    }
    xta__dra_layout_clear(&source->layout);
    free(source->window);
    free(source->base);
    free(source);
}

static xta_status describe_array(const dra_source *source, bridge_description *what, xta_error *err)
{
    const dra_info *info = &source->info;
    what->type = info->type;
    what->cell_bytes = info->cell_bytes;
    what->ndim = info->ndim;
    memcpy(what->bounds, info->bounds, sizeof what->bounds);
    memcpy(what->chunk, info->chunk, sizeof what->chunk);
    for (int k = 0; k < info->ndim; k++) { // the order of the tiles in the files
        what->slow[k] = info->n_files == 1 ? info->ndim - 1 - k : k;
    }
    if (info->name[0] == '\0') {
        return XTA_OK;
    }
    what->variable = xta__copy_foreign_name(info->name);
    return what->variable != NULL ? XTA_OK : xta__bridge_no_memory(source->base, err);
}

/* Any fault in any of the files is found here, before an array is created. */
static xta_status dra_open(const char *path, const xta_import_options *options,
                           const bridge_target *target, bridge_description *what, void **state,
                           xta_error *err)
{
    xta_status status = XTA_OK;
    const bridge_dense *file = NULL;
    dra_source *source = calloc(1, sizeof *source);
    (void)options;
    (void)target;
    if (source == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    for (int k = 0; k < MOST_OPEN; k++) {
        source->open[k].fd = -1;
        source->number[k] = -1;
    }
    source->base = xta__bridge_copy(path);
    source->window = malloc(WINDOW_BYTES);
    if (source->base == NULL || source->window == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    source->base[base_length(path)] = '\0';
    XTA_TRY(read_info(source, err));
    status = xta__dra_layout_init(&source->layout, &source->info);
    if (status != XTA_OK) {
        status = xta_error_set(err, status, 0, "%s%s: line 1, fields 2 to %d: %s", source->base,
                               SUFFIX, 1 + source->info.ndim,
                               status == XTA_ENOMEM ? "out of memory"
                                                    : "the array would have more than 2^62 bytes");
        goto done;
    }
    for (int k = 0; k < source->info.n_files; k++) {
        XTA_TRY(data_file(source, k, &file, err));
    }
    XTA_TRY(describe_array(source, what, err));
    *state = source;
    source = NULL;
done:
    if (source != NULL) {
        dra_close(source);
    }
    return status;
}

/* ---- cells ---- */

/* Read bytes of a tile, through the window if read-ahead pays off. */
static xta_status tile_bytes(dra_source *source, const dra_piece *piece, uint64_t offset, char *out,
                             size_t n, xta_error *err)
{
    xta_status status = XTA_OK;
    bool inside = source->window_of == piece->file && offset >= source->window_offset &&
                  offset + n <= source->window_offset + source->window_bytes;
    if (!inside && (n >= WINDOW_BYTES || offset + n > piece->end)) {
        return xta__dense_bytes(piece->file, offset, out, n, err);
    }
    if (!inside) {
        uint64_t left = piece->end - offset;
        size_t ahead = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
        source->window_of = NULL;
        XTA_TRY(xta__dense_bytes(piece->file, offset, source->window, ahead, err));
        source->window_of = piece->file;
        source->window_offset = offset;
        source->window_bytes = ahead;
    }
    memcpy(out, source->window + (offset - source->window_offset), n);
done:
    return status;
}

/* The requested cells as rows along the last axis: offset within the tile, in cells, of the row at
 * `at`. */
static uint64_t cell_in(const int64_t at[], const int64_t lengths[], int ndim)
{
    uint64_t cell = 0;
    for (int axis = 0; axis < ndim; axis++) {
        cell = cell * (uint64_t)lengths[axis] + (uint64_t)at[axis];
    }
    return cell;
}

/* Copy the requested cells of a tile into the memory of `box`; `corner` is the tile's first
 * cell. */
static xta_status read_piece(dra_source *source, const dra_piece *piece, const xta_box *box,
                             const int64_t corner[], char *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    int ndim = source->info.ndim;
    size_t cell_bytes = source->info.cell_bytes;
    int64_t at[XTA_MAX_NDIM];
    int64_t to[XTA_MAX_NDIM];
    int64_t lengths[XTA_MAX_NDIM];
    int axis = 0;
    size_t n = (size_t)(piece->cells.hi[ndim - 1] - piece->cells.lo[ndim - 1]) * cell_bytes;
    for (int k = 0; k < ndim; k++) {
        at[k] = piece->cells.lo[k];
        lengths[k] = box->hi[k] - box->lo[k];
    }
    do {
        for (int k = 0; k < ndim; k++) {
            to[k] = corner[k] + at[k] - box->lo[k];
        }
        uint64_t offset = piece->offset + cell_in(at, piece->lengths, ndim) * cell_bytes;
        XTA_TRY(tile_bytes(source, piece, offset, cells + cell_in(to, lengths, ndim) * cell_bytes,
                           n, err));
        for (axis = ndim - 2; axis >= 0 && ++at[axis] == piece->cells.hi[axis]; axis--) {
            at[axis] = piece->cells.lo[axis];
        }
    } while (axis >= 0);
done:
    return status;
}

/* Read the cells of `box` that lie in one tile. Read-ahead pays off if at least half of what lies
 * between the first and the last cell is needed. */
static xta_status read_tile(dra_source *source, const int64_t tile[], const xta_box *box,
                            char *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    const dra_layout *layout = &source->layout;
    size_t cell_bytes = source->info.cell_bytes;
    int64_t corner[XTA_MAX_NDIM];
    int64_t last[XTA_MAX_NDIM];
    uint64_t wanted = 1;
    dra_piece piece = {.end = 0};
    dra_location place = xta__dra_locate(layout, tile);
    piece.cells.ndim = layout->ndim;
    for (int k = 0; k < layout->ndim; k++) {
        corner[k] = tile[k] * layout->tile[k];
        int64_t end = corner[k] + layout->tile[k];
        piece.lengths[k] = (end < layout->bounds[k] ? end : layout->bounds[k]) - corner[k];
        int64_t lo = box->lo[k] - corner[k];
        int64_t hi = box->hi[k] - corner[k];
        piece.cells.lo[k] = lo > 0 ? lo : 0;
        piece.cells.hi[k] = hi < piece.lengths[k] ? hi : piece.lengths[k];
        last[k] = piece.cells.hi[k] - 1;
        wanted *= (uint64_t)(piece.cells.hi[k] - piece.cells.lo[k]);
    }
    XTA_TRY(data_file(source, place.file, &piece.file, err));
    piece.offset = place.cells * cell_bytes;
    uint64_t from = cell_in(piece.cells.lo, piece.lengths, layout->ndim);
    uint64_t to = cell_in(last, piece.lengths, layout->ndim) + 1;
    piece.end = wanted >= (to - from) / 2 ? piece.offset + to * cell_bytes : 0;
    XTA_TRY(read_piece(source, &piece, box, corner, cells, err));
done:
    return status;
}

static xta_status dra_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    dra_source *source = state;
    const dra_layout *layout = &source->layout;
    int64_t first[XTA_MAX_NDIM];
    int64_t tile[XTA_MAX_NDIM];
    int k = 0;
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    for (int axis = 0; axis < layout->ndim; axis++) {
        first[axis] = box->lo[axis] / layout->tile[axis];
        tile[axis] = first[axis];
    }
    do { // in file order
        XTA_TRY(read_tile(source, tile, box, cells, err));
        for (k = layout->ndim - 1; k >= 0; k--) {
            int axis = source->info.n_files == 1 ? layout->ndim - 1 - k : k;
            if (++tile[axis] * layout->tile[axis] < box->hi[axis]) {
                break;
            }
            tile[axis] = first[axis];
        }
    } while (k >= 0);
done:
    return status;
}

/* ---- writing, which this format does not support ---- */

static xta_status dra_create(const char *path, const xta_export_options *options,
                             bridge_description *what, void **state, xta_error *err)
{
    (void)options;
    (void)what;
    (void)state;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: files of DRA are read, not written; a DRA program linked with "
                         "libpexta_dra opens the array itself",
                         path);
}

static xta_status dra_write(void *state, const xta_box *box, const void *cells, xta_error *err)
{
    (void)state;
    (void)box;
    (void)cells;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0, "files of DRA are read, not written");
}

static xta_status dra_finish(void *state, xta_error *err)
{
    return dra_write(state, NULL, NULL, err);
}

const bridge_format xta__bridge_dra = {
    .name = "dra",
    .summary = "dra: Disk Resident Arrays of Global Arrays (.info and data), import",
    .suffixes = suffixes,
    .sniff = dra_sniff,
    .open = dra_open,
    .read = dra_read,
    .close = dra_close,
    .create = dra_create,
    .write = dra_write,
    .finish = dra_finish,
    .abandon = dra_close,
};
