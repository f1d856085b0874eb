/* Cubes of random histories of growth: answers beside a naive definition, and members, byte for
 * byte, beside a cube made afresh.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L // nanosleep, kill
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <xta/attribute.h>
#include <xta/calendar.h>
#include <xta/coordinates.h>
#include <xta/cube.h>
#include <xta/dataset.h>

#include "support/folder.h"
#include "support/must.h"
#include "support/random.h"

enum { MOST_AXES = 3, MOST_CELLS = 1 << 16 };

static xta_error error;

/* A base with the levels of its cube. */
typedef struct history {
    test_random random;
    test_folder folder;
    int ndim;
    xta_type type;
    bool time; // axis 0 has times
    const char *calendar;
    int64_t step_hours;
    char levels[200];
    char base[TEST_PATH_BYTES], cube[TEST_PATH_BYTES], fresh[TEST_PATH_BYTES];
    bool has_missing, propagate_nan, has_nan;
    bool rounds;   // sums of its cells depend on their order
    double *cells; // of the whole base, in binary64; NaN where NaN
    xta_box bounds;
} history;

static const char *const calendars[] = {
    "standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"};
static const xta_type types[] = {XTA_F32, XTA_F64, XTA_I16, XTA_U8, XTA_I64, XTA_U32, XTA_F16};
static const char *const block_levels[] = {"1>2>4", "1>3", "2>6", "4", "1>2>4>8", "1>5>10"};
static const char *const time_levels[] = {"day>month>year", "1>month>year", "month",
                                          "1>day>month",    "year",         "day>year"};

static int64_t in(history *h, int64_t lo, int64_t hi)
{
    return test_random_in(&h->random, lo, hi);
}

static bool is_float(const history *h)
{
    return h->type >= XTA_F16;
}

/* ---- the base ---- */

/* A number that every type holds, of which sums are exact; or a fraction, of which they are not. */
static double random_cell(history *h)
{
    if (h->has_nan && test_random_chance(&h->random, 8)) {
        return (double)NAN;
    }
    int64_t v = in(h, h->type == XTA_U8 || h->type == XTA_U32 ? 0 : -50, 50);
    return is_float(h) ? (double)v * (h->rounds ? 0.1 : 0.25) : (double)v;
}

/* Grow an axis by cells that are written with it. */
static void grow(history *h, xta_array *array, int axis, xta_side side, int64_t by)
{
    xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {axis, side, by};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int64_t n = by;

    for (int k = 0; k < h->ndim; k++) {
        n *= k == axis ? 1 : bounds.hi[k] - bounds.lo[k];
    }
    double *cells = calloc((size_t)n + 1, sizeof *cells);
    for (int64_t k = 0; k < n; k++) {
        cells[k] = random_cell(h);
    }
    io.type = XTA_F64;
    test_must(xta_array_append(array, &growth, &io, cells, NULL, &error), &error);
    free(cells);
}

static void set_times(history *h, xta_array *array)
{
    xta_regular regular = {.type = XTA_I64, .origin.i = in(h, -9000, 9000)};

    regular.step.i = h->step_hours;
    test_must(xta_axis_set_regular(array, 0, &regular, &error), &error);
    test_must(xta_axis_set_unit(array, 0, "hours since 2000-03-01", &error), &error);
    test_must(xta_attribute_set_text(array, 0, "calendar", h->calendar, &error), &error);
}

static void make_base(history *h)
{
    static const char *const names[] = {"t", "y", "x"};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    static const int64_t chunk[] = {5, 4, 3};
    int64_t lengths[MOST_AXES] = {0, 3, 4};
    xta_array *array = NULL;

    lengths[0] = test_random_chance(&h->random, 20) ? 0 : 2;
    o.names = names;
    o.chunk = chunk;
    test_must(xta_array_create(h->base, h->type, h->ndim, lengths, &o, &array, &error), &error);
    if (h->time) {
        set_times(h, array);
    }
    grow(h, array, 0, test_random_chance(&h->random, 50) ? XTA_FRONT : XTA_BACK, in(h, 1, 6));
    test_must(xta_array_close(array, &error), &error);
}

static void grow_base(history *h)
{
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    o.writable = true;
    test_must(xta_array_open(h->base, &o, &array, &error), &error);
    for (int64_t n = in(h, 1, 3); n > 0; n--) {
        int axis = (int)in(h, 0, h->ndim - 1);
        xta_side side = test_random_chance(&h->random, 50) ? XTA_FRONT : XTA_BACK;
        grow(h, array, axis, side, axis == 0 && h->time ? in(h, 1, 25) : in(h, 1, 7));
    }
    test_must(xta_array_close(array, &error), &error);
}

static void read_cells(history *h, xta_array *array)
{
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    uint64_t n = 0;

    h->bounds = xta_array_bounds(array);
    test_must(xta_box_cells(&h->bounds, &n), &error);
    assert_true(n < MOST_CELLS);
    free(h->cells);
    h->cells = calloc((size_t)n + 1, sizeof *h->cells);
    io.type = XTA_F64;
    test_must(xta_array_read(array, &h->bounds, &io, h->cells, &error), &error);
}

static void read_base(history *h)
{
    xta_array *array = NULL;

    test_must(xta_array_open(h->base, NULL, &array, &error), &error);
    read_cells(h, array);
    test_must(xta_array_close(array, &error), &error);
}

/* ---- a history ---- */

static void choose_levels(history *h)
{
    static const char *const names[] = {"t", "y", "x"};
    size_t n = 0;

    h->levels[0] = '\0';
    for (int k = 0; k < h->ndim && k < MOST_AXES; k++) {
        bool times = h->time && k == 0;
        if (n > 0 && test_random_chance(&h->random, 20)) {
            continue; // only its cells
        }
        n += (size_t)snprintf(h->levels + n, sizeof h->levels - n, "%s%s:%s", n > 0 ? "," : "",
                              names[k],
                              times ? time_levels[in(h, 0, 5)] : block_levels[in(h, 0, 5)]);
    }
}

static void begin(history *h, uint64_t seed, uint64_t part)
{
    memset(h, 0, sizeof *h);
    h->random = test_random_make(seed, part);
    test_folder_make_fast(&h->folder);
    test_folder_join(&h->folder, "base", h->base);
    test_folder_join(&h->folder, "cube", h->cube);
    test_folder_join(&h->folder, "fresh", h->fresh);
    h->ndim = (int)in(h, 1, MOST_AXES);
    h->rounds = test_random_chance(&h->random, 50);
    h->type = h->rounds ? XTA_F64 : types[in(h, 0, 6)];
    h->time = test_random_chance(&h->random, 60);
    h->calendar = calendars[in(h, 0, 5)];
    h->step_hours = (int64_t[]){3, 12, 24, 24 * 7, 24 * 30}[in(h, 0, 4)];
    h->has_missing = test_random_chance(&h->random, 40);
    h->has_nan = is_float(h) && test_random_chance(&h->random, 60);
    h->propagate_nan = test_random_chance(&h->random, 40);
    choose_levels(h);
    make_base(h);
}

static void end(history *h)
{
    free(h->cells);
    test_folder_remove(&h->folder);
}

static void create_cube(history *h, const char *path)
{
    xta_cube_options o = XTA_CUBE_OPTIONS_INIT;
    double seven = 7;
    uint8_t missing[8];

    test_must(xta_type_convert(XTA_F64, &seven, h->type, missing, 1, NULL), &error);
    o.levels = h->levels;
    o.missing = h->has_missing ? missing : NULL;
    o.propagate_nan = h->propagate_nan;
    test_must(xta_cube_create(h->base, path, &o, &error), &error);
}

/* ---- the naive definition ---- */

typedef struct naive {
    uint64_t count;
    double sum, min, max;
    bool nan;
} naive;

static void add_naive(const history *h, naive *to, double v)
{
    if (h->has_missing && v == 7) {
        return;
    }
    if (isnan(v)) {
        to->nan = to->nan || h->propagate_nan;
        return;
    }
    to->min = to->count == 0 || v < to->min ? v : to->min;
    to->max = to->count == 0 || v > to->max ? v : to->max;
    to->sum += v;
    to->count++;
}

static double number(const history *h, xta_cube_number n)
{
    return is_float(h) ? n.f : h->type == XTA_U8 || h->type == XTA_U32 ? (double)n.u : (double)n.i;
}

static void check_values(const history *h, const naive *want, xta_cube_values got)
{
    assert_int_equal(got.count, want->count);
    if (want->nan) {
        assert_true(isnan(got.sum.f) && isnan(got.min.f) && isnan(got.max.f));
        return;
    }
    double rounding = h->rounds ? 1e-14 * 5 * (double)want->count : 0;
    assert_true(fabs(number(h, got.sum) - want->sum) <= rounding);
    if (want->count > 0) {
        assert_true(number(h, got.min) == want->min);
        assert_true(number(h, got.max) == want->max);
    }
}

/* ---- questions ---- */

/* Which coordinate of the answer a cell belongs to, on one axis. */
typedef struct grouping {
    bool shown;
    int64_t blocks; // 0: cells, -1: months, -2: years
} grouping;

static int64_t label_of(const history *h, xta_array *base, grouping g, int64_t cell)
{
    xta_regular regular;
    xta_time_unit unit;
    xta_instant instant;
    xta_date date;

    if (g.blocks >= 0) {
        int64_t b = g.blocks == 0 ? 1 : g.blocks;
        return cell >= 0 ? cell / b : -((-cell + b - 1) / b);
    }
    test_must(xta_axis_regular(base, 0, &regular, &error), &error);
    test_must(xta_time_unit_parse("hours since 2000-03-01", h->calendar, &unit, &error), &error);
    test_must(xta_time_from_i64(&unit, regular.origin.i + cell * regular.step.i, &instant, &error),
              &error);
    test_must(xta_instant_to_date(unit.calendar, &instant, &date, &error), &error);
    return g.blocks == -2 ? date.year - 2000 : (date.year - 2000) * 12 + date.month - 1;
}

/* The number of a label in an axis of the answer. */
static int64_t position(const xta_cube_answer *answer, int k, int64_t label)
{
    for (int64_t n = 0; n < xta_cube_answer_length(answer, k); n++) {
        if (xta_cube_answer_label(answer, k, n) == label) {
            return n;
        }
    }
    fail_msg("no label %ld", (long)label);
    return 0;
}

static void check_answer(const history *h, xta_array *base, const xta_cube_answer *answer,
                         const xta_box *box, const grouping g[])
{
    int64_t n = 1, at[MOST_AXES], *labels[MOST_AXES] = {NULL};

    for (int k = 0, shown = 0; k < h->ndim; k++) {
        labels[k] = calloc((size_t)(box->hi[k] - box->lo[k]) + 1, sizeof(int64_t));
        for (int64_t c = box->lo[k]; g[k].shown && c < box->hi[k]; c++) {
            labels[k][c - box->lo[k]] = position(answer, shown, label_of(h, base, g[k], c));
        }
        n *= g[k].shown ? xta_cube_answer_length(answer, shown) : 1;
        shown += g[k].shown;
    }
    naive *want = calloc((size_t)n + 1, sizeof *want);
    memcpy(at, box->lo, sizeof at);
    for (bool more = !xta_box_empty(box); more;) {
        size_t cell = 0, to = 0;
        for (int k = 0, shown = 0; k < h->ndim; k++) {
            cell = cell * (size_t)(h->bounds.hi[k] - h->bounds.lo[k]) +
                   (size_t)(at[k] - h->bounds.lo[k]);
            if (g[k].shown) {
                to = to * (size_t)xta_cube_answer_length(answer, shown++) +
                     (size_t)labels[k][at[k] - box->lo[k]];
            }
        }
        add_naive(h, &want[to], h->cells[cell]);
        int k = h->ndim - 1;
        for (; k >= 0 && ++at[k] == box->hi[k]; k--) {
            at[k] = box->lo[k];
        }
        more = k >= 0;
    }
    for (int64_t k = 0; k < n; k++) {
        check_values(h, &want[k], xta_cube_answer_values(answer, (uint64_t)k));
    }
    free(want);
    for (int k = 0; k < h->ndim; k++) {
        free(labels[k]);
    }
}

/* A random question, and its text. */
static void choose_groups(history *h, grouping g[], char by[100])
{
    static const char *const names[] = {"t", "y", "x"};
    size_t n = 0;

    by[0] = '\0';
    for (int k = 0; k < h->ndim; k++) {
        int64_t what = in(h, 0, 3);
        g[k] = (grouping){what > 1, 0};
        if (what < 3) {
            continue;
        }
        g[k].blocks = h->time && k == 0 ? in(h, -2, -1) : in(h, 1, 6);
        n += (size_t)snprintf(by + n, 100 - n, "%s%s:", n > 0 ? "," : "", names[k]);
        n += g[k].blocks < 0
                 ? (size_t)snprintf(by + n, 100 - n, g[k].blocks == -1 ? "month" : "year")
                 : (size_t)snprintf(by + n, 100 - n, "%ld", (long)g[k].blocks);
    }
}

static void ask_cube(history *h, xta_cube *cube)
{
    xta_cube_answer *answer = NULL;
    xta_cube_question q = XTA_CUBE_QUESTION_INIT;
    grouping g[MOST_AXES];
    int over[MOST_AXES];
    char by[100];
    xta_box box = h->bounds;

    for (int k = 0; k < h->ndim; k++) {
        box.lo[k] = in(h, h->bounds.lo[k], h->bounds.hi[k]);
        box.hi[k] = in(h, box.lo[k], h->bounds.hi[k]);
        if (test_random_chance(&h->random, 30)) {
            box.lo[k] = h->bounds.lo[k];
            box.hi[k] = h->bounds.hi[k];
        }
    }
    choose_groups(h, g, by);
    for (int k = 0; k < h->ndim; k++) {
        if (!g[k].shown) {
            over[q.n_over++] = k;
        }
    }
    q.over = over;
    q.keep_all = q.n_over == 0;
    q.by = by[0] != '\0' ? by : NULL;
    q.box = &box;
    test_must(xta_cube_query(cube, &q, &answer, &error), &error);
    check_answer(h, xta_cube_base(cube), answer, &box, g);
    xta_cube_answer_free(answer);
}

static void ask(history *h)
{
    xta_cube *cube = NULL;

    test_must(xta_cube_open(h->cube, &cube, &error), &error);
    ask_cube(h, cube);
    test_must(xta_cube_close(cube, &error), &error);
}

/* ---- the same as a cube made afresh ---- */

static void compare_members(xta_array *a, xta_array *b)
{
    xta_box bounds = xta_array_bounds(a), other = xta_array_bounds(b);
    size_t bytes = xta_array_cell_bytes(a);
    uint64_t n = 0;

    assert_true(xta_box_equal(&bounds, &other));
    assert_int_equal(xta_array_type(a), xta_array_type(b));
    test_must(xta_box_cells(&bounds, &n), &error);
    uint8_t *x = malloc((size_t)n * bytes + 1), *y = malloc((size_t)n * bytes + 1);
    test_must(xta_array_read(a, &bounds, NULL, x, &error), &error);
    test_must(xta_array_read(b, &bounds, NULL, y, &error), &error);
    assert_memory_equal(x, y, (size_t)n * bytes + 1 - 1);
    free(x);
    free(y);
}

static void compare_cubes(const char *a, const char *b)
{
    xta_dataset *x = NULL, *y = NULL;

    test_must(xta_dataset_open(a, NULL, &x, &error), &error);
    test_must(xta_dataset_open(b, NULL, &y, &error), &error);
    assert_int_equal(xta_dataset_member_count(x), xta_dataset_member_count(y));
    assert_true(xta_dataset_member_count(x) > 0);
    for (size_t k = 0; k < xta_dataset_member_count(x); k++) {
        const char *name = xta_dataset_member_name(x, k);
        xta_array *p = NULL, *q = NULL;
        test_must(xta_dataset_member(x, name, &p, &error), &error);
        test_must(xta_dataset_member(y, name, &q, &error), &error);
        compare_members(p, q);
    }
    test_must(xta_dataset_close(x, &error), &error);
    test_must(xta_dataset_close(y, &error), &error);
}

static void run_history(uint64_t seed, uint64_t part)
{
    history h;

    begin(&h, seed, part);
    create_cube(&h, h.cube);
    for (int64_t rounds = in(&h, 1, 4); rounds >= 0; rounds--) {
        if (test_random_chance(&h.random, 80)) {
            test_must(xta_cube_update(h.cube, NULL, &error), &error);
        }
        read_base(&h);
        for (int k = 0; k < 3; k++) {
            ask(&h);
        }
        grow_base(&h);
    }
    read_base(&h);
    ask(&h);
    test_must(xta_cube_update(h.cube, NULL, &error), &error);
    for (int k = 0; k < 5; k++) {
        ask(&h);
    }
    create_cube(&h, h.fresh);
    test_must(xta_cube_update(h.fresh, NULL, &error), &error);
    compare_cubes(h.cube, h.fresh);
    end(&h);
}

static void test_histories(void **state)
{
    uint64_t seed = test_seed("cube histories", 38), n = test_scale(25);

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        run_history(seed, part);
    }
    print_message("cube: %lu histories equal\n", (unsigned long)n);
}

/* ---- killed ---- */

/* Update in a process of its own, which is killed after a while. Whether it was killed. */
static bool update_and_kill(const char *cube, int64_t microseconds)
{
    pid_t child = fork();
    struct timespec pause = {0, microseconds * 1000};
    int how = 0;

    if (child == 0) {
        _exit(xta_cube_update(cube, NULL, NULL) == XTA_OK ? 0 : 1);
    }
    assert_true(child > 0);
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) || WEXITSTATUS(how) == 0);
    return WIFSIGNALED(how);
}

static void test_killed(void **state)
{
    uint64_t seed = test_seed("cube killed", 50), n = test_scale(4), killed = 0;

    (void)state;
    for (uint64_t part = 0; killed < n && part < 20 * n; part++) {
        history h;
        begin(&h, seed, part);
        create_cube(&h, h.cube);
        for (int rounds = 0; rounds < 3; rounds++) {
            killed += update_and_kill(h.cube, in(&h, 100, 20000));
            read_base(&h);
            ask(&h); // right whatever was left
            grow_base(&h);
        }
        test_must(xta_cube_update(h.cube, NULL, &error), &error);
        create_cube(&h, h.fresh);
        test_must(xta_cube_update(h.fresh, NULL, &error), &error);
        compare_cubes(h.cube, h.fresh);
        end(&h);
    }
    assert_true(killed >= n);
    print_message("cube: killed %lu times, then equal\n", (unsigned long)killed);
}

/* ---- followed while the base grows ---- */

enum { LIVE_SLABS = 40 };

/* Append slabs on both sides in a process of its own. */
static pid_t append_beside(history *h)
{
    pid_t child = fork();
    xta_open_options o = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    if (child != 0) {
        return child;
    }
    o.writable = true;
    test_must(xta_array_open(h->base, &o, &array, &error), &error);
    for (int k = 0; k < LIVE_SLABS; k++) {
        grow(h, array, k % 5 == 4 ? h->ndim - 1 : 0, k % 2 == 0 ? XTA_BACK : XTA_FRONT, 1);
    }
    _exit(xta_array_close(array, &error) == XTA_OK ? 0 : 1);
}

/* An open cube sees what another handle has brought up to date. */
static void ask_refreshed(history *h, xta_cube *open)
{
    test_must(xta_cube_refresh(open, NULL, &error), &error);
    read_cells(h, xta_cube_base(open));
    ask_cube(h, open);
}

static void test_live(void **state)
{
    uint64_t seed = test_seed("cube live", 60), n = test_scale(2);
    xta_cube *open = NULL;
    int during = 0;

    (void)state;
    for (uint64_t part = 0; part < n; part++) {
        history h;
        int how = 0;
        begin(&h, seed, part);
        create_cube(&h, h.cube);
        test_must(xta_cube_update(h.cube, NULL, &error), &error);
        test_must(xta_cube_open(h.cube, &open, &error), &error);
        pid_t child = append_beside(&h);
        assert_true(child > 0);
        while (waitpid(child, &how, WNOHANG) == 0) {
            test_must(xta_cube_update(h.cube, NULL, &error), &error);
            read_base(&h);
            ask(&h);
            ask_refreshed(&h, open);
            during++;
        }
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
        test_must(xta_cube_update(h.cube, NULL, &error), &error);
        ask_refreshed(&h, open);
        assert_true(xta_cube_is_current(open));
        test_must(xta_cube_close(open, &error), &error);
        create_cube(&h, h.fresh);
        test_must(xta_cube_update(h.fresh, NULL, &error), &error);
        compare_cubes(h.cube, h.fresh);
        end(&h);
    }
    print_message("cube: %d updates while the base grew\n", during);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histories),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_live),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
