/* Damaged files: a journal cut at every byte, every byte of it flipped, a data file cut short,
 * and records that are wrong with a good checksum.
 *
 * A small array gets every kind of record, and its state after each step is kept. Each damaged copy
 * must either be refused with a text that names the file, or open in the state after some step: a
 * cut journal in the state after the last step whose record is complete. Opening may never crash,
 * show any other state, or change a file that it refuses. An array that opens must accept a further
 * step, and open again with it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "base/base.h"
#include "oracle/cells.h"
#include "support/folder.h"
#include "support/report.h"

#define MAX_STATES 32
#define FILL       5

/* The state of the array when its journal had a given length. */
typedef struct state {
    size_t journal_bytes;
    xta_box bounds;
    size_t n_notes; /* attributes of the array */
    char unit[16];
} state;

static test_story story;
static test_folder folder;
static xta_error err;
static char path[TEST_PATH_BYTES], xmd[TEST_PATH_BYTES + 8], xta[TEST_PATH_BYTES + 8];
static state states[MAX_STATES];
static int n_states;
static oracle_cells final; /* the cells at the end */
static uint8_t *journal, *data;
static size_t journal_bytes, data_bytes;

/* ---- the states of the array ---- */

static void remember(xta_array *array)
{
    size_t n = 0;
    free(test_file_read(xmd, &n));
    STORY_CHECK(&story, n_states < MAX_STATES, "too many states");
    state *s = &states[n_states++];
    s->journal_bytes = n;
    s->bounds = xta_array_bounds(array);
    s->n_notes = xta_attribute_count(array, XTA_ON_ARRAY);
    snprintf(s->unit, sizeof(s->unit), "%s", xta_axis_unit(array, 0));
}

static void grow(xta_array *array, int axis, xta_side side, int64_t by)
{
    xta_growth growth = {axis, side, by};
    STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
    remember(array);
}

static void live(void)
{
    xta_array *array = NULL;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint8_t fill = FILL;

    options.chunk = (int64_t[]){2, 3};
    options.fill = &fill;
    options.names = (const char *const[]){"y", "x"};
    STORY_OK(&story, xta_array_create(path, XTA_U8, 2, (int64_t[]){3, 4}, &options, &array, &err),
             err);
    remember(array);
    grow(array, 0, XTA_BACK, 2);
    grow(array, 1, XTA_FRONT, 4);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "a small array", &err),
             err);
    remember(array);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "m", &err), err);
    remember(array);
    xta_growth growths[] = {{0, XTA_FRONT, 1}, {1, XTA_BACK, 2}};
    STORY_OK(&story, xta_array_extend(array, growths, 2, NULL, &err), err);
    remember(array);
    STORY_OK(&story, xta_attribute_set_f64(array, 1, "scale", 0.5, &err), err);
    remember(array);
    xta_growth shrink = {1, XTA_FRONT, 1};
    STORY_OK(&story, xta_array_shrink(array, &shrink, 1, NULL, &err), err);
    remember(array);
    STORY_OK(&story, xta_attribute_remove(array, XTA_ON_ARRAY, "title", &err), err);
    remember(array);

    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* Every cell gets a value, the same in all states that have the cell. */
static void write_cells(void)
{
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    int64_t coord[XTA_MAX_NDIM];

    options.writable = true;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    oracle_cells_init(&final, 2, (int64_t[]){0, 0}, FILL);
    free(final.code);
    final.bounds = xta_array_bounds(array);
    final.code = calloc((size_t)oracle_cells_count(&final), sizeof(uint16_t));
    memcpy(coord, final.bounds.lo, sizeof(coord));
    do {
        uint8_t cell = (uint8_t)(100 + 11 * coord[0] + coord[1]);
        *oracle_cells_at(&final, coord) = cell;
        STORY_OK(&story, xta_array_put(array, coord, &cell, &err), err);
    } while (oracle_next(&final.bounds, NULL, coord));
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void put_files(const uint8_t *some_journal, size_t n_journal, size_t n_data)
{
    test_file_write(xmd, some_journal, n_journal);
    test_file_write(xta, data, n_data);
}

/* ---- comparing ---- */

static void check_cells(xta_array *array, const xta_box *bounds)
{
    int64_t coord[XTA_MAX_NDIM];

    if (xta_box_empty(bounds)) {
        return;
    }
    memcpy(coord, bounds->lo, sizeof(coord));
    do {
        uint8_t cell = 0;
        const uint16_t *expected = oracle_cells_at(&final, coord);
        STORY_OK(&story, xta_array_get(array, coord, &cell, &err), err);
        STORY_CHECK(&story, cell == (expected != NULL ? *expected : FILL), "cell %lld,%lld is %u",
                    (long long)coord[0], (long long)coord[1], cell);
    } while (oracle_next(bounds, NULL, coord));
}

/* The state that an open array shows, the latest that fits; -1: none. */
static int state_of(xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);
    for (int i = n_states - 1; i >= 0; i--) {
        if (xta_box_equal(&bounds, &states[i].bounds) &&
            xta_attribute_count(array, XTA_ON_ARRAY) == states[i].n_notes &&
            strcmp(xta_axis_unit(array, 0), states[i].unit) == 0) {
            return i;
        }
    }
    return -1;
}

static bool same_state(const state *a, const state *b)
{
    return xta_box_equal(&a->bounds, &b->bounds) && a->n_notes == b->n_notes &&
           strcmp(a->unit, b->unit) == 0;
}

static void check_refusal(const uint8_t *some_journal, size_t n)
{
    size_t n_now = 0;
    uint8_t *now = test_file_read(xmd, &n_now);
    STORY_CHECK(&story, n_now == n && memcmp(now, some_journal, n) == 0,
                "a refused journal was changed");
    free(now);
    STORY_CHECK(&story, strstr(err.text, "/small.") != NULL, "the text does not name the file: %s",
                err.text);
    STORY_CHECK(&story, strchr(err.text, '\n') == NULL, "the text has several lines");
}

/* An array that opened accepts a step, and still has it when it is opened again. */
static void go_on(int at, bool sound)
{
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {0, XTA_BACK, 1};
    xta_box after;

    options.writable = true;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    STORY_OK(&story, xta_array_extend(array, &growth, 1, &after, &err), err);
    STORY_CHECK(&story, after.hi[0] == states[at].bounds.hi[0] + 1, "the further step is wrong");
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    xta_box has = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&has, &after), "the further step was lost");
    STORY_OK(&story, xta_array_close(array, &err), err);
    if (sound) { // A loss that is detected is detected again.
        STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    }
}

static void count_finding(void *user, const xta_finding *finding)
{
    int *n = user;
    STORY_CHECK(&story, strchr(finding->text, '\n') == NULL && finding->text[0] != '\0',
                "a finding is not one line");
    ++*n;
}

/* The state that a damaged journal shows, -1 if it is refused. */
static int judge(const uint8_t *some_journal, size_t n)
{
    xta_array *array = (xta_array *)&err;
    int findings = 0;

    put_files(some_journal, n, data_bytes);
    xta_status checked = xta_check(path, count_finding, &findings, &err);
    xta_status status = xta_array_open(path, NULL, &array, &err);
    if (status != XTA_OK) {
        STORY_CHECK(&story, array == NULL, "a failed open leaves a handle");
        STORY_CHECK(&story, checked != XTA_OK, "check finds nothing in what open refuses: %s",
                    err.text);
        check_refusal(some_journal, n);
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        options.writable = true;
        STORY_CHECK(&story, xta_array_open(path, &options, &array, &err) == status,
                    "refused for reading, but not for writing");
        check_refusal(some_journal, n);
        return -1;
    }
    int at = state_of(array);
    STORY_CHECK(&story, at >= 0, "the array is as it never was");
    check_cells(array, &states[at].bounds);
    STORY_CHECK(&story, xta_array_close(array, &err) == XTA_OK, "close");
    STORY_CHECK(&story, findings > 0 || same_state(&states[at], &states[n_states - 1]),
                "check has nothing to say of a journal that lost steps");
    go_on(at, checked == XTA_OK);
    return at;
}

static void cut_everywhere(void)
{
    int refused = 0;

    for (size_t n = 0; n <= journal_bytes; n++) {
        test_story_begin(&story, "test_bad_files", 0, n);
        test_story_add(&story, "the journal of %zu bytes is cut to %zu", journal_bytes, n);
        int expected = -1;
        for (int i = 0; i < n_states; i++) {
            expected = states[i].journal_bytes <= n ? i : expected;
        }
        int at = judge(journal, n);
        refused += at < 0;
        // Creation writes all of state 0 at once; an array with part of it may open.
        if (expected < 0) {
            STORY_CHECK(&story, at <= 0, "state %d of half a creation", at);
            continue;
        }
        STORY_CHECK(&story, at >= 0 && same_state(&states[at], &states[expected]),
                    "state %d instead of %d", at, expected);
    }
    printf("test_bad_files: %zu cuts, %d refused\n", journal_bytes + 1, refused);
}

static void flip_everywhere(void)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xff, 0x10};
    int refused = 0;
    uint8_t *copy = malloc(journal_bytes);

    for (size_t at = 0; at < journal_bytes; at++) {
        for (size_t m = 0; m < sizeof(masks); m++) {
            test_story_begin(&story, "test_bad_files", 0, at);
            test_story_add(&story, "byte %zu of the journal is flipped by %02x", at, masks[m]);
            memcpy(copy, journal, journal_bytes);
            copy[at] ^= masks[m];
            refused += judge(copy, journal_bytes) < 0;
        }
    }
    free(copy);
    printf("test_bad_files: %zu flips, %d refused\n", journal_bytes * sizeof(masks), refused);
}

/* ---- records that are wrong but have good checksums ---- */

/* Whatever a journal with good checksums contains, nothing may crash or access anything but the two
 * files. */
static void use_somehow(void)
{
    xta_array *array = NULL;
    xta_array_info info;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    uint8_t cell[64] = {0};
    xta_chunk chunk;
    xta_segment segment;
    xta_growth growth = {0, XTA_FRONT, 1};

    options.writable = true;
    STORY_CHECK(&story, xta_check(path, NULL, NULL, &err) == XTA_OK || err.text[0] != '\0',
                "check fails without text");
    if (xta_array_open(path, &options, &array, &err) != XTA_OK) {
        STORY_CHECK(&story, err.text[0] != '\0', "no text");
        return;
    }
    xta_box bounds = xta_array_bounds(array);
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    STORY_CHECK(&story, info.ndim >= 1 && info.ndim <= XTA_MAX_NDIM, "%d axes", info.ndim);
    if (info.cell_bytes <= sizeof(cell)) {
        bool empty = xta_box_empty(&bounds);
        STORY_CHECK(&story, xta_array_get(array, bounds.lo, cell, &err) == XTA_OK || empty,
                    "no first cell: %s", err.text);
        int64_t last[XTA_MAX_NDIM];
        for (int axis = 0; axis < info.ndim; axis++) {
            last[axis] = bounds.hi[axis] - 1;
        }
        STORY_CHECK(&story, xta_array_put(array, last, cell, &err) == XTA_OK || empty,
                    "no last cell: %s", err.text);
    }
    if (info.n_chunks > 0) {
        STORY_OK(&story, xta_array_chunk_at(array, info.n_chunks - 1, &chunk, &err), err);
    }
    for (uint64_t k = 0; k < info.n_segments; k++) {
        STORY_OK(&story, xta_array_segment(array, k, &segment, &err), err);
    }
    STORY_CHECK(&story, xta_array_extend(array, &growth, 1, NULL, &err) == XTA_OK || err.text[0],
                "a failure without text");
    STORY_CHECK(&story, xta_array_close(array, &err) == XTA_OK, "close: %s", err.text);
}

/* Correct the checksum of the record at `at`; docs/FORMAT.md has the layout. */
static void mend(uint8_t *record, size_t total)
{
    uint32_t crc = xta__crc32c(0, record, 20);
    crc = xta__crc32c(crc, record + 24, total - 24);
    xta__put_u32(record + 20, crc);
}

static void mend_everywhere(void)
{
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    uint8_t *copy = malloc(journal_bytes);
    size_t n = 0;

    for (size_t at = 128; at + 24 <= journal_bytes;) {
        size_t total = 24 + (xta__get_u32(journal + at) + 7) / 8 * 8;
        STORY_CHECK(&story, at + total <= journal_bytes, "the layout of records is another");
        for (size_t k = 4; k < total; k++) {
            for (size_t v = 0; v < sizeof(values) && (k < 20 || k >= 24); v++, n++) {
                test_story_begin(&story, "test_bad_files", 0, at + k);
                test_story_add(&story, "byte %zu becomes %02x, the checksum is right", at + k,
                               values[v]);
                memcpy(copy, journal, journal_bytes);
                copy[at + k] = values[v];
                mend(copy + at, total);
                put_files(copy, journal_bytes, data_bytes);
                use_somehow();
            }
        }
        at += total;
    }
    free(copy);
    put_files(journal, journal_bytes, data_bytes);
    printf("test_bad_files: %zu wrong records with good checksums\n", n);
}

/* ---- the data file ---- */

/* The data file may be longer than its chunks; cutting bytes after them does no harm. */
static size_t bytes_of_chunks(void)
{
    xta_array *array = NULL;
    xta_array_info info;

    put_files(journal, journal_bytes, data_bytes);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    return (size_t)(info.data_offset + info.n_chunks * info.slot_bytes);
}

static void cut_data(void)
{
    size_t needed = bytes_of_chunks();

    // There are no bytes between the header and the first chunk.
    for (size_t n = 0; n < needed; n += n == 80 ? needed - n - 100 : 1) {
        xta_array *array = (xta_array *)&err;
        test_story_begin(&story, "test_bad_files", 0, n);
        test_story_add(&story, "the data file of %zu bytes is cut to %zu", data_bytes, n);
        put_files(journal, journal_bytes, n);
        STORY_FAILS(&story, xta_array_open(path, NULL, &array, &err), XTA_ECORRUPT, err);
        STORY_CHECK(&story, strstr(err.text, "small.xta") != NULL, "the text does not name it: %s",
                    err.text);
        STORY_CHECK(&story, array == NULL, "a failed open leaves a handle");
        STORY_CHECK(&story, xta_check(path, NULL, NULL, &err) == XTA_ECORRUPT,
                    "check does not find it");
    }
    printf("test_bad_files: %zu cuts of the data file\n", needed);
    STORY_CHECK(&story, judge(journal, journal_bytes) == n_states - 1, "the whole is not whole");
    put_files(journal, journal_bytes, needed);
    STORY_CHECK(&story, xta_check(path, NULL, NULL, &err) == XTA_OK, "the chunks are all there: %s",
                err.text);
    put_files(journal, journal_bytes, data_bytes);
}

static void damage_all(void)
{
    journal = test_file_read(xmd, &journal_bytes);
    data = test_file_read(xta, &data_bytes);
    cut_everywhere();
    flip_everywhere();
    mend_everywhere();
    cut_data();
    free(journal);
    free(data);
}

int main(void)
{
    test_story_begin(&story, "test_bad_files", 0, 0);
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "small", path);
    snprintf(xmd, sizeof(xmd), "%s.xmd", path);
    snprintf(xta, sizeof(xta), "%s.xta", path);
    live();
    write_cells();
    damage_all();

    // The same for a journal of one checkpoint and one step after it.
    xta_array *array = NULL;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    test_story_begin(&story, "test_bad_files", 0, 0);
    STORY_OK(&story, xta_compact(path, NULL, NULL, &err), err);
    options.writable = true;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    n_states = 0;
    remember(array);
    STORY_OK(&story, xta_axis_set_unit(array, 0, "km", &err), err);
    remember(array);
    STORY_OK(&story, xta_array_close(array, &err), err);
    damage_all();
    oracle_cells_clear(&final);
    test_folder_remove(&folder);
    return 0;
}
