/* F.info of a Disk Resident Array, and the layout of the cells it describes.
 *
 * The text has two lines,
 *
 *     ndim dims... type layout chunk... files processes
 *     name
 *
 * with axes in Fortran's order. Here axis 0 is the first axis as C programs see it, Fortran's last;
 * a block that is dense in Fortran's order is row-major here.
 *
 * One file. The tiles are the chunks, except that none is cut along axis 0. The last axis is the
 * slowest one: all tiles of its first row of chunks come before those of the second.
 *
 * Several files. A tile is a chunk; the last axis is the fastest. Tile number q lies in file q mod
 * k, after all tiles of that file with a lower number, and tiles at the edge of the array are cut.
 * So the position of a tile is a sum over tiles q' < q with q' = q (mod k). It need not be computed
 * term by term. The tiles before q form boxes of whole grids: for each axis d, those that agree
 * with q on the slower axes, lie before it on d, and are arbitrary on the faster ones. Let W[d][r]
 * be the number of cells, counted over the axes faster than d, of the tiles of such a whole grid
 * whose numbers are r (mod k). Then W of the next axis is a sum over shifts of W of this one, and
 * so is the position; the shifts repeat after at most k terms.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dra/info_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 18
#define ROW_LAYOUT  1

/* ---- the text ---- */

typedef struct reader {
    const char *at;
    const char *end;
    int field; /* from 1 */
    char *why;
    size_t capacity;
} reader;

static bool refuse_text(reader *r, const char *what, const char *text)
{
    snprintf(r->why, r->capacity, "line 1, field %d (%s): %s", r->field, what, text);
    return false;
}

/* Parse the next number of line 1, between `least` and `most`. */
static bool parse_number(reader *r, const char *what, int64_t least, int64_t most, int64_t *out)
{
    char text[128];
    int64_t value = 0;
    r->field++;
    while (r->at < r->end && *r->at == ' ') {
        r->at++;
    }
    const char *begin = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - begin < MOST_DIGITS) {
        value = value * 10 + (*r->at++ - '0');
    }
    if (begin == r->end) {
        return refuse_text(r, what, "is missing; copy the file again from where DRA wrote it");
    }
    bool ends = r->at == r->end || *r->at == ' ';
    if (r->at == begin || !ends) { // a digit beyond the limit does not end the number either
        return refuse_text(r, what,
                           "is no number of at most 18 digits; is this file one of DRA's?");
    }
    if (value < least || value > most) {
        snprintf(text, sizeof text, "is %lld and must be %lld to %lld", (long long)value,
                 (long long)least, (long long)most);
        return refuse_text(r, what, text);
    }
    *out = value;
    return true;
}

/* Parse one number for each axis; the first one in the file is for our last axis. */
static bool parse_axes(reader *r, const char *what, int ndim, int64_t out[])
{
    for (int axis = ndim - 1; axis >= 0; axis--) {
        if (!parse_number(r, what, 1, INT64_MAX / 4, &out[axis])) {
            return false;
        }
    }
    return true;
}

/* The types a DRA can have, by their numbers in the toolkit's macommon.h. */
static bool parse_type(reader *r, dra_info *info)
{
    static const xta_type types[] = {XTA_TYPE_SAME, XTA_I32,       XTA_I64, XTA_F32,
                                     XTA_F64,       XTA_TYPE_SAME, XTA_C64, XTA_C128};
    int64_t number = 0;
    char text[128];
    if (!parse_number(r, "type", 0, INT64_MAX, &number)) {
        return false;
    }
    bool known = number >= 1000 && number < 1000 + (int64_t)(sizeof types / sizeof types[0]);
    info->type = known ? types[number - 1000] : XTA_TYPE_SAME;
    if (info->type == XTA_TYPE_SAME) {
        snprintf(text, sizeof text,
                 "is %lld; DRA has 1001 (int), 1002 (long), 1003 (float), 1004 (double), 1006 and "
                 "1007 (complex)",
                 (long long)number);
        return refuse_text(r, "type", text);
    }
    info->cell_bytes = xta_type_bytes(info->type);
    return true;
}

static bool parse_files(reader *r, dra_info *info)
{
    int64_t files = 0;
    int64_t processes = 0;
    if (!parse_number(r, "number of files", 1, DRA_MOST_FILES, &files) ||
        !parse_number(r, "number of I/O processes", 1, INT64_MAX, &processes)) {
        return false;
    }
    if (files > 1 && processes != files) {
        return refuse_text(
            r, "number of I/O processes",
            "is not the number of files; DRA writes several files by one process each");
    }
    while (r->at < r->end && *r->at == ' ') {
        r->at++;
    }
    if (r->at != r->end) {
        r->field++;
        return refuse_text(r, "none", "there should be no more fields; is this file one of DRA's?");
    }
    info->n_files = (int)files;
    return true;
}

/* Parse line 2. Empty lines may follow: a name read by NDRA_Inquire ends with a newline of its
 * own. */
static bool parse_name(const char *at, const char *end, dra_info *info, char *why, size_t capacity)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((newline != NULL ? newline : end) - at);
    const char *problem = NULL;
    if (n >= sizeof info->name) {
        problem = "is longer than DRA's names, of at most 72 bytes";
    }
    for (size_t k = 0; problem == NULL && k < n; k++) {
        if ((unsigned char)at[k] < ' ' || at[k] == 0x7f) {
            problem = "holds a control character; is this file one of DRA's?";
        }
    }
    for (const char *c = newline; problem == NULL && c != NULL && c < end; c++) {
        if (*c != '\n') {
            problem = "is followed by more; is this file one of DRA's?";
        }
    }
    if (problem != NULL) {
        snprintf(why, capacity, "line 2 (name): %s", problem);
        return false;
    }
    memcpy(info->name, at, n);
    info->name[n] = '\0';
    return true;
}

bool xta__dra_parse(const char *text, size_t n_bytes, dra_info *info, char *why, size_t capacity)
{
    const char *newline = memchr(text, '\n', n_bytes);
    const char *end = text + n_bytes;
    reader r = {text, newline != NULL ? newline : end, 0, why, capacity};
    int64_t ndim = 0;
    int64_t layout = 0;

    memset(info, 0, sizeof *info);
    if (!parse_number(&r, "number of axes", 1, XTA_MAX_NDIM, &ndim)) {
        return false;
    }
    info->ndim = (int)ndim;
    if (!parse_axes(&r, "length of an axis", info->ndim, info->bounds) || !parse_type(&r, info) ||
        !parse_number(&r, "layout", ROW_LAYOUT, ROW_LAYOUT, &layout) ||
        !parse_axes(&r, "chunk length", info->ndim, info->chunk) || !parse_files(&r, info)) {
        return false;
    }
    if (newline == NULL) {
        snprintf(why, capacity,
                 "line 2 (name): is missing; copy the file again from where DRA "
                 "wrote it");
        return false;
    }
    return parse_name(newline + 1, end, info, why, capacity);
}

/* ---- the layout ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Cells of a tile along an axis; tiles at the edge are cut. */
static int64_t length_of(const dra_layout *layout, int axis, int64_t tile)
{
    return least(layout->tile[axis], layout->bounds[axis] - tile * layout->tile[axis]);
}

/* The sum over 0 <= b < n of W[(r - b * step) mod k]. */
static uint64_t sum_of_shifts(const uint64_t *w, int64_t k, int64_t step, int64_t n, int64_t r)
{
    uint64_t period_sum = 0;
    uint64_t rest_sum = 0;
    int64_t period = 0;
    int64_t at = r;
    do { // one full period, which divides k
        period_sum += w[at];
        at = at >= step ? at - step : at - step + k;
        period++;
    } while (at != r && period < n);
    if (period >= n) {
        return period_sum;
    }
    for (int64_t b = n % period; b > 0; b--) {
        rest_sum += w[at];
        at = at >= step ? at - step : at - step + k;
    }
    return period_sum * (uint64_t)(n / period) + rest_sum;
}

/* Compute W for the grid with one more axis. */
static void widen_grid(dra_layout *layout, int fast_axes)
{
    int64_t k = layout->n_files;
    int axis = layout->ndim - 1 - fast_axes;
    int64_t step = layout->step[fast_axes];
    int64_t n = layout->n_tiles[axis];
    int64_t back = (int64_t)((uint64_t)((n - 1) % k) * (uint64_t)step % (uint64_t)k);
    const uint64_t *w = layout->before + (size_t)fast_axes * (size_t)k;
    uint64_t *wider = layout->before + (size_t)(fast_axes + 1) * (size_t)k;
    for (int64_t r = 0; r < k; r++) {
        uint64_t whole = n > 1 ? sum_of_shifts(w, k, step, n - 1, r) : 0;
        int64_t at = r >= back ? r - back : r - back + k;
        wider[r] =
            whole * (uint64_t)layout->tile[axis] + w[at] * (uint64_t)length_of(layout, axis, n - 1);
    }
    layout->step[fast_axes + 1] = (int64_t)((uint64_t)step * (uint64_t)(n % k) % (uint64_t)k);
}

xta_status xta__dra_layout_init(dra_layout *layout, const dra_info *info)
{
    uint64_t bytes = info->cell_bytes;
    memset(layout, 0, sizeof *layout);
    layout->ndim = info->ndim;
    layout->n_files = info->n_files;
    for (int axis = 0; axis < info->ndim; axis++) {
        int64_t n = info->bounds[axis];
        bool uncut = axis == 0 && info->n_files == 1;
        if (bytes > ((uint64_t)1 << 62) / (uint64_t)n) {
            return XTA_EOVERFLOW;
        }
        bytes *= (uint64_t)n;
        layout->bounds[axis] = n;
        layout->tile[axis] = uncut ? n : least(info->chunk[axis], n);
        layout->n_tiles[axis] = (n - 1) / layout->tile[axis] + 1;
    }
    if (info->n_files == 1) {
        return XTA_OK;
    }
    layout->before = calloc((size_t)(info->ndim + 1) * (size_t)info->n_files, sizeof(uint64_t));
    if (layout->before == NULL) {
        return XTA_ENOMEM;
    }
    layout->before[0] = 1; // no axes: one tile, number 0, of one cell
    layout->step[0] = 1;
    for (int fast_axes = 0; fast_axes < info->ndim; fast_axes++) {
        widen_grid(layout, fast_axes);
    }
    return XTA_OK;
}

void xta__dra_layout_clear(dra_layout *layout)
{
    free(layout->before);
    layout->before = NULL;
}

/* One file: go over the axes from the last one, the slowest, to axis 0; on each, whole rows of
 * chunks come before the tile. */
static dra_location locate_in_one(const dra_layout *layout, const int64_t tile[])
{
    dra_location place = {0, 0};
    uint64_t faster = 1;
    uint64_t slower = 1; // cells of this tile along the slower axes
    for (int axis = 0; axis < layout->ndim; axis++) {
        faster *= (uint64_t)layout->bounds[axis];
    }
    for (int axis = layout->ndim - 1; axis >= 0; axis--) {
        faster /= (uint64_t)layout->bounds[axis];
        place.cells += slower * (uint64_t)(tile[axis] * layout->tile[axis]) * faster;
        slower *= (uint64_t)length_of(layout, axis, tile[axis]);
    }
    return place;
}

static dra_location locate_in_many(const dra_layout *layout, const int64_t tile[])
{
    int64_t k = layout->n_files;
    uint64_t number = 0; // modulo k
    for (int axis = 0; axis < layout->ndim; axis++) {
        uint64_t grid = (uint64_t)(layout->n_tiles[axis] % k);
        number = (number * grid + (uint64_t)(tile[axis] % k)) % (uint64_t)k;
    }
    dra_location place = {(int)number, 0};
    int64_t rest = (int64_t)number; // the remainder that the remaining axes must have
    uint64_t slower = 1;
    for (int axis = 0; axis < layout->ndim; axis++) {
        int fast_axes = layout->ndim - 1 - axis;
        int64_t step = layout->step[fast_axes];
        const uint64_t *w = layout->before + (size_t)fast_axes * (size_t)k;
        if (tile[axis] > 0) {
            place.cells +=
                slower * (uint64_t)layout->tile[axis] * sum_of_shifts(w, k, step, tile[axis], rest);
        }
        slower *= (uint64_t)length_of(layout, axis, tile[axis]);
        rest = (int64_t)(((uint64_t)rest + (uint64_t)k -
                          (uint64_t)(tile[axis] % k) * (uint64_t)step % (uint64_t)k) %
                         (uint64_t)k);
    }
    return place;
}

dra_location xta__dra_locate(const dra_layout *layout, const int64_t tile[])
{
    return layout->n_files == 1 ? locate_in_one(layout, tile) : locate_in_many(layout, tile);
}

uint64_t xta__dra_file_cells(const dra_layout *layout, int file)
{
    uint64_t cells = 1;
    if (layout->n_files > 1) {
        return layout->before[(size_t)layout->ndim * (size_t)layout->n_files + (size_t)file];
    }
    for (int axis = 0; axis < layout->ndim; axis++) {
        cells *= (uint64_t)layout->bounds[axis];
    }
    return cells;
}
