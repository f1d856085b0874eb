/* Flat files of random arrays, read in random pieces: the bytes of each piece are those of the
 * whole file, whose cells are compared one by one with xta_array_get; and what is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/flat.h>
#include <xta/xta.h>

#include "flat/layout/cell_ranges.h"
#include "property/flat_rig.h"
#include "util/bytes.h"
#include "util/compiler.h"

enum { N_ARRAYS = 150, N_PIECES = 60, N_RANGES = 3000 };

static test_story story;
static test_folder folder;

/* ---- ranges of cells ---- */

static bool next_cell(const xta_box *box, int64_t at[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++at[axis] < box->hi[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* The position of a cell in row-major order. */
static uint64_t position_of(const xta_box *whole, const int64_t at[])
{
    uint64_t position = 0;

    for (int axis = 0; axis < whole->ndim; axis++) {
        position = position * (uint64_t)(whole->hi[axis] - whole->lo[axis]) +
                   (uint64_t)(at[axis] - whole->lo[axis]);
    }
    return position;
}

/* Boxes of a random range hold its cells, each once and in order. */
static void check_range(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    xta_box whole = {.ndim = (int)test_random_in(&random, 1, 6)}, box;
    uint64_t n = 1, n_cells = 0, n_boxes = 0;

    test_story_begin(&story, "ranges", seed, part);
    for (int axis = 0; axis < whole.ndim; axis++) {
        whole.lo[axis] = test_random_in(&random, -5, 5);
        whole.hi[axis] = whole.lo[axis] + test_random_in(&random, 1, 5);
        n *= (uint64_t)(whole.hi[axis] - whole.lo[axis]);
    }
    uint64_t at = (uint64_t)test_random_in(&random, 0, (int64_t)n);
    xta__cell_range range = {&whole, at,
                             (uint64_t)test_random_in(&random, (int64_t)at, (int64_t)n)};
    while (xta__cell_range_next(&range, &box, &n_cells)) {
        int64_t cell[XTA_MAX_NDIM];
        memcpy(cell, box.lo, sizeof cell);
        uint64_t first = at;
        do {
            STORY_CHECK(&story, position_of(&whole, cell) == at, "cell %lu is out of order",
                        (unsigned long)at);
            at++;
        } while (next_cell(&box, cell));
        STORY_CHECK(&story, at - first == n_cells, "%lu cells are said to be %lu",
                    (unsigned long)(at - first), (unsigned long)n_cells);
        n_boxes++;
    }
    STORY_CHECK(&story, at == range.end, "it ends at %lu", (unsigned long)at);
    STORY_CHECK(&story, n_boxes <= 2 * (uint64_t)whole.ndim - 1, "%lu boxes",
                (unsigned long)n_boxes);
}

/* ---- files ---- */

/* Read a whole file, for the caller to free. */
static uint8_t *read_whole(xta_flat *flat, size_t *n_bytes)
{
    size_t n = (size_t)xta_flat_bytes(flat);
    uint8_t *bytes = malloc(n + 1);
    xta_error err;

    STORY_CHECK(&story, bytes != NULL, "out of memory");
    STORY_OK(&story, xta_flat_read(flat, 0, n + 1, bytes, n_bytes, &err), err);
    STORY_CHECK(&story, *n_bytes == n, "%zu of %zu bytes", *n_bytes, n);
    return bytes;
}

static void check_pieces(test_random *random, xta_flat *flat, const uint8_t *whole, size_t n_bytes)
{
    uint8_t *piece = malloc(n_bytes + 100);
    xta_error err;

    STORY_CHECK(&story, piece != NULL, "out of memory");
    for (int k = 0; k < N_PIECES; k++) {
        size_t offset = (size_t)test_random_in(random, 0, (int64_t)n_bytes + 10), n = 0;
        size_t most = test_random_chance(random, 50) ? 20 : n_bytes + 50;
        size_t wanted = (size_t)test_random_in(random, 0, (int64_t)most);
        size_t left = offset < n_bytes ? n_bytes - offset : 0;
        STORY_OK(&story, xta_flat_read(flat, offset, wanted, piece, &n, &err), err);
        STORY_CHECK(&story, n == (wanted < left ? wanted : left), "%zu bytes from %zu: %zu", wanted,
                    offset, n);
        STORY_CHECK(&story, memcmp(piece, whole + offset * (n > 0), n) == 0,
                    "%zu bytes from %zu differ", wanted, offset);
    }
    free(piece);
}

/* The cells at the end of a file are those of the array, little-endian. */
static void check_cells(xta_array *array, const uint8_t *cells, size_t n_bytes)
{
    const xta_box bounds = xta_array_bounds(array);
    size_t bytes = xta_array_cell_bytes(array);
    xta_type type = xta_array_type(array);
    size_t unit = type == XTA_BYTES ? 1 : type == XTA_C64 || type == XTA_C128 ? bytes / 2 : bytes;
    int64_t at[XTA_MAX_NDIM];
    uint8_t cell[16];
    size_t n = 0;
    xta_error err;

    memcpy(at, bounds.lo, sizeof at);
    if (!xta_box_empty(&bounds)) {
        do {
            STORY_OK(&story, xta_array_get(array, at, cell, &err), err);
            xta__swap_bytes(cell, XTA__BIG_ENDIAN ? bytes : 0, unit);
            STORY_CHECK(&story, memcmp(cell, cells + n, bytes) == 0, "the cell at byte %zu", n);
            n += bytes;
        } while (next_cell(&bounds, at));
    }
    STORY_CHECK(&story, n == n_bytes, "%zu bytes of cells, not %zu", n_bytes, n);
}

static void check_dense(test_random *random, const char *path, xta_array *array, xta_flat_kind kind)
{
    xta_flat *flat = NULL, *again = NULL;
    xta_error err;
    size_t n = 0, head = 0;

    STORY_OK(&story, xta_flat_open(path, kind, XTA_ACCESS_AUTO, &flat, &err), err);
    uint8_t *whole = read_whole(flat, &n);
    if (kind == XTA_FLAT_NPY) {
        STORY_CHECK(&story, n >= 64 && memcmp(whole, "\x93NUMPY\1", 7) == 0, "no .npy");
        head = 10 + (size_t)xta__get_u16(whole + 8);
        STORY_CHECK(&story, head % 64 == 0, "a head of %zu bytes", head);
    }
    check_cells(array, whole + head, n - head);
    check_pieces(random, flat, whole, n);
    STORY_OK(&story, xta_flat_open(path, kind, XTA_ACCESS_AUTO, &again, &err), err);
    STORY_CHECK(&story, xta_flat_version(again) == xta_flat_version(flat), "another version");
    xta_flat_close(again);
    xta_flat_close(flat);
    free(whole);
}

static bool is_complex(xta_array *array)
{
    return xta_array_type(array) == XTA_C64 || xta_array_type(array) == XTA_C128;
}

static void check_netcdf(test_random *random, const char *path, xta_array *array)
{
    xta_flat *flat = NULL;
    xta_error err;
    size_t n = 0;

    if (is_complex(array)) {
        STORY_FAILS(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err),
                    XTA_EUNSUPPORTED, err);
        return;
    }
    STORY_OK(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err), err);
    uint8_t *whole = read_whole(flat, &n);
    STORY_CHECK(&story, n >= 4 && memcmp(whole, "CDF\5", 4) == 0, "no CDF-5");
    check_pieces(random, flat, whole, n);
    xta_flat_close(flat);
    free(whole);
}

/* Numbers of 2, 4 and 8 bytes are swapped piece by piece where a range is longer than 256 KiB. */
static void check_large(uint64_t seed)
{
    static const int64_t shapes[][3] = {
        {7, 200, 171}, {1, 1, 300001}, {90001, 2, 1}, {3, 70001, 1}};
    static const xta_type types[] = {XTA_I16, XTA_F32, XTA_F64, XTA_BYTES};

    for (size_t k = 0; k < 16; k++) {
        test_random random = test_random_make(seed, 5000 + k);
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        const int64_t *shape = shapes[k / 4];
        const int64_t chunk[3] = {(shape[0] + 1) / 2, (shape[1] + 2) / 3, (shape[2] + 1) / 2};
        char path[TEST_PATH_BYTES];
        xta_array *array = NULL;
        xta_flat *flat = NULL;
        xta_error err;
        size_t n = 0;

        test_story_begin(&story, "large flat files", seed, k);
        test_folder_join(&folder, "large", path);
        options.chunk = chunk;
        options.cell_bytes = 3;
        STORY_OK(&story, xta_array_create(path, types[k % 4], 3, shape, &options, &array, &err),
                 err);
        rig_fill(&story, &random, array);
        STORY_OK(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err), err);
        uint64_t n_bytes = xta_flat_bytes(flat);
        STORY_CHECK(&story, n_bytes > 256 << 10, "%llu bytes", (unsigned long long)n_bytes);
        // Small reads are not cut into pieces.
        uint8_t *whole = malloc((size_t)n_bytes);
        STORY_CHECK(&story, whole != NULL, "out of memory");
        for (uint64_t at = 0; at < n_bytes; at += n) {
            STORY_OK(&story, xta_flat_read(flat, at, 99991, whole + at, &n, &err), err);
        }
        check_pieces(&random, flat, whole, (size_t)n_bytes);
        free(whole);
        xta_flat_close(flat);
        STORY_OK(&story, xta_array_close(array, &err), err);
        test_pair_remove(path);
    }
}

/* An open file keeps its bounds, and a step makes another version. */
static void check_snapshot(const char *path, xta_flat_kind kind)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {.axis = 0, .side = XTA_FRONT, .by = 3};
    xta_array *array = NULL;
    xta_flat *before = NULL, *after = NULL;
    size_t n = 0;
    xta_error err;

    options.writable = true;
    STORY_OK(&story, xta_flat_open(path, kind, XTA_ACCESS_AUTO, &before, &err), err);
    uint8_t *first = read_whole(before, &n);
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    STORY_OK(&story, xta_flat_open(path, kind, XTA_ACCESS_AUTO, &after, &err), err);
    uint8_t *second = read_whole(before, &n);
    STORY_CHECK(&story, memcmp(first, second, n) == 0, "a file that is open has changed");
    STORY_CHECK(&story, xta_flat_version(before) != xta_flat_version(after), "the same version");
    growth.side = XTA_BACK;
    growth.by = 0;
    free(first);
    free(second);
    xta_flat_close(before);
    xta_flat_close(after);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void check_array(uint64_t seed, uint64_t part)
{
    test_random random = test_random_make(seed, part);
    const char *path = test_folder_path(&folder, "array");
    xta_array *array = NULL;
    xta_error err;

    test_story_begin(&story, "flat", seed, part);
    rig_array(&story, &random, path, XTA_TYPE_SAME, false);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    check_dense(&random, path, array, XTA_FLAT_NPY);
    check_dense(&random, path, array, XTA_FLAT_RAW);
    check_netcdf(&random, path, array);
    check_snapshot(path, test_random_chance(&random, 50) ? XTA_FLAT_NPY : XTA_FLAT_RAW);
    STORY_OK(&story, xta_array_close(array, &err), err);
    test_pair_remove(path);
}

/* ---- arrays without cells, and what is refused ---- */

static void check_empty(uint64_t seed)
{
    const int64_t bounds[2][2] = {{0, 3}, {3, 0}};
    const char *path = test_folder_path(&folder, "empty");
    xta_array *array = NULL;
    xta_flat *flat = NULL;
    test_random random = test_random_make(seed, 0);
    xta_error err;

    for (int k = 0; k < 2; k++) {
        test_story_begin(&story, "empty", seed, (uint64_t)k);
        STORY_OK(&story, xta_array_create(path, XTA_F32, 2, bounds[k], NULL, &array, &err), err);
        check_dense(&random, path, array, XTA_FLAT_NPY);
        check_dense(&random, path, array, XTA_FLAT_RAW);
        if (k == 0) {
            check_netcdf(&random, path, array); // no record
        } else {
            STORY_FAILS(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err),
                        XTA_EUNSUPPORTED, err);
        }
        STORY_OK(&story, xta_array_close(array, &err), err);
        test_pair_remove(path);
    }
}

static void check_description(uint64_t seed)
{
    static const char *const names[] = {"a \"b\"", NULL};
    const int64_t bounds[] = {2, 3};
    const char *path = test_folder_path(&folder, "described");
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_flat *flat = NULL;
    size_t n = 0;
    xta_error err;

    test_story_begin(&story, "description", seed, 0);
    options.names = names;
    STORY_OK(&story, xta_array_create(path, XTA_I16, 2, bounds, &options, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_flat_open(path, XTA_FLAT_JSON, XTA_ACCESS_AUTO, &flat, &err), err);
    uint8_t *text = read_whole(flat, &n);
    text[n] = '\0';
    STORY_CHECK(&story,
                strcmp((char *)text,
                       "{\"dtype\": \"<i2\", \"type\": \"i16\", \"shape\": [2, 3], \"first_cell\": "
                       "[0, 0], \"order\": \"C\", \"dimensions\": [\"a \\\"b\\\"\", \"\"]}\n") == 0,
                "%s", (char *)text);
    free(text);
    xta_flat_close(flat);
    test_pair_remove(path);
}

static void check_refusals(uint64_t seed)
{
    const int64_t bounds[] = {INT64_C(1) << 40, INT64_C(1) << 21};
    const int64_t chunk[] = {INT64_C(1) << 10, INT64_C(1) << 10};
    const char *path = test_folder_path(&folder, "refused");
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_flat *flat = NULL;
    xta_error err;

    test_story_begin(&story, "refusals", seed, 0);
    STORY_FAILS(&story, xta_flat_open(path, XTA_FLAT_NPY, XTA_ACCESS_AUTO, &flat, &err), XTA_ENOENT,
                err);
    STORY_FAILS(&story, xta_flat_open_set(path, XTA_ACCESS_AUTO, &flat, &err), XTA_ENOENT, err);
    options.chunk = chunk;
    xta_status created = xta_array_create(path, XTA_F64, 2, bounds, &options, &array, &err);
    if (created == XTA_OK) {
        STORY_OK(&story, xta_array_close(array, &err), err);
        STORY_FAILS(&story, xta_flat_open(path, XTA_FLAT_RAW, XTA_ACCESS_AUTO, &flat, &err),
                    XTA_EOVERFLOW, err);
        STORY_FAILS(&story, xta_flat_open(path, XTA_FLAT_NETCDF, XTA_ACCESS_AUTO, &flat, &err),
                    XTA_EOVERFLOW, err);
    }
    STORY_CHECK(&story, created == XTA_OK || created == XTA_EOVERFLOW, "%s", err.text);
    test_pair_remove(path);
    STORY_OK(&story, xta_array_create(path, XTA_I8, 1, &(int64_t){4}, NULL, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_FAILS(&story, xta_flat_open(path, (xta_flat_kind)9, XTA_ACCESS_AUTO, &flat, &err),
                XTA_EARG, err);
    STORY_CHECK(&story, flat == NULL, "a file after a failure");
    xta_flat_close(NULL);
    test_pair_remove(path);
}

int main(void)
{
    uint64_t seed = test_seed("test_flat", 20261125);

    test_folder_make_fast(&folder);
    for (uint64_t k = 0; k < test_scale(N_RANGES); k++) {
        check_range(seed, k);
    }
    for (uint64_t k = 0; k < test_scale(N_ARRAYS); k++) {
        check_array(seed, k);
    }
    check_large(seed);
    check_empty(seed);
    check_description(seed);
    check_refusals(seed);
    test_folder_remove(&folder);
    printf("test_flat: %lu ranges, %lu arrays of three kinds, %d pieces each\n",
           (unsigned long)test_scale(N_RANGES), (unsigned long)test_scale(N_ARRAYS), N_PIECES);
    return 0;
}
