/* Boxes moved by several threads: the same bytes in memory and on disk as by one.
 *
 * Two arrays with the same history get the same calls, one with a single thread and one with up to
 * five; what is read is compared, and at the end the data files are. Then several callers, each
 * with threads of its own, share an array that grows meanwhile; and an append, whose caller has the
 * lock of the array, looks up addresses that need that lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/array.h"

#include <xta/append.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

#define MIB ((size_t)1 << 20)

/* ---- two arrays of one history ---- */

typedef struct pair {
    test_story story;
    test_random random;
    xta_array *array[2]; /* moved by one thread, and by several */
    char path[2][TEST_PATH_BYTES];
    xta_type type;
    int ndim, mode;
    xta_box bounds;
} pair;

/* A box, the layout of its cells in memory, and that memory, once for each array. */
typedef struct move {
    xta_box box;
    xta_io_options io;
    int64_t step[XTA_MAX_NDIM], strides[XTA_MAX_NDIM], count[XTA_MAX_NDIM];
    size_t bytes, first, n_cells;
    uint8_t *memory[2];
} move;

static const char *const modes[] = {"mapped", "cached", "memory"};

static int64_t root_of(int64_t n, int k)
{
    for (int64_t r = 1;; r++) {
        int64_t power = 1;
        for (int i = 0; i < k; i++) {
            power *= r + 1;
        }
        if (power > n) {
            return r;
        }
    }
}

static void choose_chunk(pair *p, bool powers, int64_t chunk[])
{
    static const int64_t most[] = {0, 8192, 128, 32, 8};

    for (int axis = 0; axis < p->ndim; axis++) {
        chunk[axis] = test_random_in(&p->random, most[p->ndim] / 4, most[p->ndim]);
        if (powers) {
            chunk[axis] = most[p->ndim] >> test_random_in(&p->random, 0, 2);
        }
    }
}

static void make_pair(pair *p, const test_folder *folder)
{
    static const xta_type types[] = {XTA_U8, XTA_I16, XTA_F32, XTA_F64, XTA_C128};
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN, XTA_MORTON, XTA_HILBERT};
    int64_t chunk[4], lengths[4];
    uint8_t fill[16] = {0};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_error err;

    p->mode = (int)(p->story.part % 3);
    p->ndim = (int)test_random_in(&p->random, 1, 4);
    p->type = types[test_random_in(&p->random, 0, 4)];
    options.order = orders[test_random_in(&p->random, 0, 3)];
    choose_chunk(p, options.order >= XTA_MORTON, chunk);
    int64_t cells = test_random_in(&p->random, 2, 5) * (int64_t)(MIB / xta_type_bytes(p->type));
    int64_t root = root_of(cells, p->ndim);
    for (int axis = 0; axis < p->ndim; axis++) {
        lengths[axis] = test_random_in(&p->random, (root + 1) / 2, root);
    }
    fill[0] = (uint8_t)test_random_in(&p->random, 0, 1);
    options.chunk = chunk;
    options.fill = fill;
    options.cache_bytes = 300000;
    options.access = p->mode == 1 ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    test_story_add(&p->story, "%s, %s, order %d, %d axes, about %lld cells", modes[p->mode],
                   xta_type_name(p->type), (int)options.order, p->ndim, (long long)cells);
    for (int k = 0; k < 2; k++) {
        test_folder_join(folder, k == 0 ? "one" : "many", p->path[k]);
        STORY_OK(&p->story,
                 p->mode == 2
                     ? xta_array_new(p->type, p->ndim, lengths, &options, &p->array[k], &err)
                     : xta_array_create(p->path[k], p->type, p->ndim, lengths, &options,
                                        &p->array[k], &err),
                 err);
    }
    p->bounds = xta_array_bounds(p->array[0]);
}

static void grow(pair *p)
{
    xta_error err;
    int axis = (int)test_random_in(&p->random, 0, p->ndim - 1);
    int64_t length = p->bounds.hi[axis] - p->bounds.lo[axis];
    const xta_growth growth = {axis, test_random_chance(&p->random, 50) ? XTA_BACK : XTA_FRONT,
                               test_random_in(&p->random, 1, length / 3 + 1)};

    for (int k = 0; k < 2; k++) {
        STORY_OK(&p->story, xta_array_extend(p->array[k], &growth, 1, &p->bounds, &err), err);
    }
}

/* ---- cells to move ---- */

static void choose_box(pair *p, move *m)
{
    bool steps = test_random_chance(&p->random, 35);

    m->box = p->bounds;
    for (int axis = 0; axis < p->ndim; axis++) {
        int64_t length = p->bounds.hi[axis] - p->bounds.lo[axis];
        int64_t off = test_random_chance(&p->random, 60) ? length / 20 : length / 2;
        m->box.lo[axis] += test_random_in(&p->random, 0, off);
        m->box.hi[axis] -= test_random_in(&p->random, 0, length - 1 - off > 0 ? off / 2 : 0);
        m->step[axis] = 1;
        if (steps && test_random_chance(&p->random, 40)) {
            m->step[axis] = test_random_in(&p->random, 1, 3);
        }
        m->count[axis] = (m->box.hi[axis] - m->box.lo[axis] - 1) / m->step[axis] + 1;
    }
    m->io.step = steps ? m->step : NULL;
}

/* Dense, or with gaps, backwards, or (for reads) with overlapping cells. */
static void choose_strides(pair *p, move *m, size_t cell, bool reading)
{
    bool column = test_random_chance(&p->random, 40), own = test_random_chance(&p->random, 50);
    int64_t stride = (int64_t)cell;

    m->io.order = column ? XTA_COLUMN : XTA_ROW;
    m->first = 0;
    m->n_cells = 1;
    for (int k = 0; k < p->ndim; k++) {
        int axis = column ? k : p->ndim - 1 - k;
        m->strides[axis] = stride;
        m->n_cells *= (size_t)m->count[axis];
        stride *= m->count[axis] + (own ? test_random_in(&p->random, 0, 2) : 0);
    }
    m->bytes = (size_t)stride;
    int axis = (int)test_random_in(&p->random, 0, p->ndim - 1);
    if (own && test_random_chance(&p->random, 40)) {
        m->first = (size_t)((m->count[axis] - 1) * m->strides[axis]);
        m->strides[axis] = -m->strides[axis];
    } else if (own && reading && test_random_chance(&p->random, 30)) {
        m->strides[axis] = test_random_in(&p->random, 0, 1) * (int64_t)cell;
    }
    m->io.strides = own ? m->strides : NULL;
    m->first = own ? m->first : 0;
}

static void choose_move(pair *p, move *m, bool reading)
{
    m->io = (xta_io_options)XTA_IO_OPTIONS_INIT;
    choose_box(p, m);
    if (p->type != XTA_C128 && test_random_chance(&p->random, 35)) {
        m->io.type = XTA_F64;
    }
    size_t cell = xta_type_bytes(m->io.type != XTA_TYPE_SAME ? m->io.type : p->type);
    choose_strides(p, m, cell, reading);
    for (int k = 0; k < 2; k++) {
        m->memory[k] = malloc(m->bytes);
        STORY_CHECK(&p->story, m->memory[k] != NULL, "no memory");
        memset(m->memory[k], 0x55, m->bytes);
    }
}

static int choose_threads(pair *p)
{
    return (int)test_random_in(&p->random, 2, 5);
}

static void read_both(pair *p)
{
    move m;
    xta_error err[2];
    xta_status status[2];

    choose_move(p, &m, true);
    for (int k = 0; k < 2; k++) {
        m.io.threads = k == 0 ? 1 : choose_threads(p);
        status[k] = xta_array_read(p->array[k], &m.box, &m.io, m.memory[k] + m.first, &err[k]);
    }
    test_story_add(&p->story, "read %zu cells by %d threads: %d", m.n_cells, m.io.threads,
                   (int)status[0]);
    STORY_CHECK(&p->story, status[0] == status[1], "status %d by one thread, %d by %d: %s",
                (int)status[0], (int)status[1], m.io.threads, err[1].text);
    STORY_CHECK(&p->story, status[0] == XTA_OK || status[0] == XTA_ERANGE, "%s", err[0].text);
    STORY_CHECK(&p->story, status[0] != XTA_OK || memcmp(m.memory[0], m.memory[1], m.bytes) == 0,
                "other cells by %d threads", m.io.threads);
    free(m.memory[0]);
    free(m.memory[1]);
}

/* Numbers that fit into each type; with conversion, sometimes one that fits into none. */
static void fill_memory(pair *p, move *m)
{
    uint8_t *to = m->memory[0];

    if (m->io.type == XTA_F64) {
        for (size_t i = 0; i + 8 <= m->bytes; i += 8) {
            double value = (double)(test_random_u64(&p->random) % 100);
            memcpy(to + i, &value, 8);
        }
        if (test_random_chance(&p->random, 30)) {
            const double bad = 1e300;
            memcpy(to + m->bytes / 16 * 8, &bad, 8);
        }
        return;
    }
    for (size_t i = 0; i + 8 <= m->bytes; i += 8) {
        uint64_t word = test_random_u64(&p->random);
        memcpy(to + i, &word, 8);
    }
}

static void write_both(pair *p)
{
    move m;
    xta_error err[2];
    xta_status status[2];

    choose_move(p, &m, false);
    fill_memory(p, &m);
    for (int k = 0; k < 2; k++) {
        m.io.threads = k == 0 ? 1 : choose_threads(p);
        status[k] = xta_array_write(p->array[k], &m.box, &m.io, m.memory[0] + m.first, &err[k]);
    }
    test_story_add(&p->story, "wrote %zu cells by %d threads: %d", m.n_cells, m.io.threads,
                   (int)status[0]);
    STORY_CHECK(&p->story, status[0] == status[1], "status %d by one thread, %d by %d: %s",
                (int)status[0], (int)status[1], m.io.threads, err[1].text);
    STORY_CHECK(&p->story, status[0] == XTA_OK || status[0] == XTA_ERANGE, "%s", err[0].text);
    free(m.memory[0]);
    free(m.memory[1]);
}

static void append_both(pair *p)
{
    xta_error err;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int axis = (int)test_random_in(&p->random, 0, p->ndim - 1);
    int64_t length = p->bounds.hi[axis] - p->bounds.lo[axis];
    const xta_growth growth = {axis, test_random_chance(&p->random, 50) ? XTA_BACK : XTA_FRONT,
                               length / 2 + 1};
    xta_box slab = p->bounds;
    uint64_t n = 0;

    slab.lo[axis] = 0;
    slab.hi[axis] = growth.by;
    STORY_CHECK(&p->story, xta_box_cells(&slab, &n) == XTA_OK, "a slab overflows");
    size_t bytes = (size_t)n * xta_type_bytes(p->type);
    uint8_t *cells = malloc(bytes);
    STORY_CHECK(&p->story, cells != NULL, "no memory");
    for (size_t i = 0; i < bytes; i++) {
        cells[i] = (uint8_t)(i * 7 / 3);
    }
    test_story_add(&p->story, "appended %zu bytes", bytes);
    for (int k = 0; k < 2; k++) {
        io.threads = k == 0 ? 1 : choose_threads(p);
        STORY_OK(&p->story, xta_array_append(p->array[k], &growth, &io, cells, &p->bounds, &err),
                 err);
    }
    free(cells);
}

/* The data files are the same from their first cell on. */
static void compare_files(pair *p)
{
    xta_error err;
    xta_array_info info;
    uint8_t *bytes[2];
    size_t n[2];

    STORY_OK(&p->story, xta_array_inquire(p->array[0], &info, &err), err);
    for (int k = 0; k < 2; k++) {
        char name[TEST_PATH_BYTES + 8];
        STORY_OK(&p->story, xta_array_close(p->array[k], &err), err);
        if (p->mode == 2) {
            continue;
        }
        STORY_OK(&p->story, xta_check(p->path[k], NULL, NULL, &err), err);
        snprintf(name, sizeof name, "%s.xta", p->path[k]);
        bytes[k] = test_file_read(name, &n[k]);
        STORY_OK(&p->story, xta_array_delete(p->path[k], &err), err);
    }
    if (p->mode != 2) {
        STORY_CHECK(&p->story, n[0] == n[1] && n[0] > info.data_offset,
                    "files of %zu and %zu bytes", n[0], n[1]);
        STORY_CHECK(&p->story,
                    memcmp(bytes[0] + info.data_offset, bytes[1] + info.data_offset,
                           n[0] - (size_t)info.data_offset) == 0,
                    "the data files differ");
        free(bytes[0]);
        free(bytes[1]);
    }
}

static void run_pair(uint64_t seed, uint64_t part, const test_folder *folder)
{
    static pair p;

    test_story_begin(&p.story, "test_slabs", seed, part);
    p.random = test_random_make(seed, part);
    make_pair(&p, folder);
    for (int k = 0; k < 3; k++) {
        write_both(&p);
        read_both(&p);
        grow(&p);
        write_both(&p);
        read_both(&p);
    }
    append_both(&p);
    read_both(&p);
    compare_files(&p);
}

/* ---- several callers ---- */

enum { N_CALLERS = 3, ROWS = 1100, COLUMNS = 300 };

typedef struct caller {
    test_story *story;
    xta_array *array;
    pthread_t thread;
    atomic_int *running;
    int64_t number;
} caller;

static void *call_often(void *user)
{
    caller *c = user;
    const xta_box own = {
        .ndim = 2, .lo = {0, c->number * COLUMNS}, .hi = {ROWS, (c->number + 1) * COLUMNS}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;
    int64_t *cells = malloc(sizeof(int64_t) * ROWS * COLUMNS);

    STORY_CHECK(c->story, cells != NULL, "no memory");
    io.threads = 2 + (int)c->number % 2;
    for (int64_t round = 0; round < (int64_t)test_scale(12); round++) {
        for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
            cells[i] = i * 1000 + round * 10 + c->number;
        }
        STORY_OK(c->story, xta_array_write(c->array, &own, &io, cells, &err), err);
        memset(cells, 0, sizeof(int64_t) * ROWS * COLUMNS);
        STORY_OK(c->story, xta_array_read(c->array, &own, &io, cells, &err), err);
        for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
            STORY_CHECK(c->story, cells[i] == i * 1000 + round * 10 + c->number,
                        "cell %lld of caller %d is %lld", (long long)i, (int)c->number,
                        (long long)cells[i]);
        }
    }
    atomic_fetch_sub(c->running, 1);
    free(cells);
    return NULL;
}

static void run_callers(uint64_t seed, uint64_t part, const test_folder *folder)
{
    static test_story story;
    caller callers[N_CALLERS];
    const int64_t chunk[2] = {64, 64}, lengths[2] = {ROWS, N_CALLERS * COLUMNS};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    atomic_int running = N_CALLERS;
    char path[TEST_PATH_BYTES];

    test_story_begin(&story, "test_slabs", seed, 1000 + part);
    test_folder_join(folder, "shared", path);
    options.chunk = chunk;
    options.access = part % 2 == 0 ? XTA_ACCESS_MAPPED : XTA_ACCESS_CACHED;
    options.order = part < 2 ? XTA_ROW : XTA_HILBERT;
    STORY_OK(&story, xta_array_create(path, XTA_I64, 2, lengths, &options, &array, &err), err);
    for (int k = 0; k < N_CALLERS; k++) {
        callers[k] = (caller){.story = &story, .array = array, .running = &running, .number = k};
        STORY_CHECK(&story, pthread_create(&callers[k].thread, NULL, call_often, &callers[k]) == 0,
                    "no thread");
    }
    for (int k = 0; atomic_load(&running) > 0; k++) {
        const xta_growth growth = {k % 2, k % 4 < 2 ? XTA_BACK : XTA_FRONT, 5};
        if (k < 60) {
            STORY_OK(&story, xta_array_extend(array, &growth, 1, NULL, &err), err);
        }
        STORY_OK(&story, xta_array_sync(array, &err), err);
    }
    for (int k = 0; k < N_CALLERS; k++) {
        pthread_join(callers[k].thread, NULL);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
}

/* ---- an append with addresses that are in no table ---- */

enum { LONG = (1 << 22) + 5, WIDE = 64, MORE = 8000, N_APPENDS = 12 };

typedef struct appended {
    test_story *story;
    xta_array *array;
    int64_t *cells, *back;
} appended;

static int64_t number_at(int64_t row, int64_t column)
{
    return row * 3 + column * 5;
}

static void fill_rows(appended *a, int64_t first)
{
    for (int64_t i = 0; i < (int64_t)WIDE * MORE; i++) {
        a->cells[i] = number_at(first + i / WIDE, i % WIDE);
    }
}

static void check_rows(appended *a, int64_t lo, int64_t hi)
{
    const xta_box box = {.ndim = 2, .lo = {lo, 0}, .hi = {hi, WIDE}};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_error err;

    io.threads = 3;
    STORY_OK(a->story, xta_array_read(a->array, &box, &io, a->back, &err), err);
    for (int64_t i = 0; i < (hi - lo) * WIDE; i++) {
        STORY_CHECK(a->story, a->back[i] == number_at(lo + i / WIDE, i % WIDE),
                    "row %lld is another", (long long)(lo + i / WIDE));
    }
}

static xta_status bring(void *user, xta_appending *appending, const xta_box *slab, xta_error *err)
{
    appended *a = user;
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    io.threads = 3;
    check_rows(a, slab->lo[0] - MORE, slab->lo[0]);
    fill_rows(a, slab->lo[0]);
    return xta_append_write(appending, slab, &io, a->cells, err);
}

static void run_append(uint64_t seed, const test_folder *folder)
{
    static test_story story;
    const int64_t chunk[2] = {1, WIDE}, lengths[2] = {LONG, WIDE};
    const int64_t last[XTA_MAX_NDIM] = {LONG - 1};
    const xta_growth growth = {0, XTA_BACK, MORE};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    appended a = {.story = &story};
    xta_error err;
    uint64_t address = 0;
    char path[TEST_PATH_BYTES];

    test_story_begin(&story, "test_slabs", seed, 2000);
    test_folder_join(folder, "long", path);
    options.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_I64, 2, lengths, &options, &a.array, &err), err);
    a.cells = malloc(sizeof(int64_t) * WIDE * MORE);
    a.back = malloc(sizeof(int64_t) * WIDE * MORE);
    STORY_CHECK(&story, a.cells != NULL && a.back != NULL, "no memory");
    STORY_CHECK(&story,
                !xta__mapping_try_address(&xta__structure_of(a.array)->mapping, last, &address),
                "a table has these addresses: the test tests nothing");
    io.threads = 3;
    for (int64_t row = LONG; row < LONG + (int64_t)N_APPENDS * MORE; row += MORE) {
        if (row % 3 == 1) { // not the first one
            STORY_OK(&story, xta_array_append_from(a.array, &growth, bring, &a, NULL, &err), err);
        } else {
            fill_rows(&a, row);
            STORY_OK(&story, xta_array_append(a.array, &growth, &io, a.cells, NULL, &err), err);
        }
        check_rows(&a, row, row + MORE);
    }
    STORY_OK(&story, xta_array_close(a.array, &err), err);
    STORY_OK(&story, xta_array_delete(path, &err), err);
    free(a.cells);
    free(a.back);
}

int main(void)
{
    test_folder folder;
    uint64_t seed = test_seed("test_slabs", 20261123);
    const char *only = getenv("XTA_PART");

    test_folder_make_fast(&folder);
    for (uint64_t part = 0; part < test_scale(36); part++) {
        if (only == NULL || strtoull(only, NULL, 10) == part) {
            run_pair(seed, part, &folder);
        }
    }
    for (uint64_t part = 0; part < 4; part++) {
        run_callers(seed, part, &folder);
    }
    run_append(seed, &folder);
    test_folder_remove(&folder);
    return 0;
}
