/* Appends to data sets against a model: the list of coordinates of one dimension, and the cells of
 * two members, which are functions of the coordinate.
 *
 * New coordinates continue the dimension, leave a gap, overlap, lie between others, are out of
 * order or differ in the last bit; they come in other types, units and epochs. The oracle tries
 * every place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/calendar.h>
#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

enum { N_STEPS = 25, N_SETS = 200, MOST = N_STEPS * 5 + 16, N_X = 3 };

#define UNIT "days since 2000-01-01"

typedef struct model {
    test_story story;
    test_random random;
    char path[TEST_PATH_BYTES];
    xta_dataset *set;
    xta_type type;      /* of the coordinates: XTA_F64 or XTA_I32 */
    int64_t lo, n;      /* bounds of the dimension */
    double value[MOST]; /* of cell lo + k */
    bool regular;
    xta_regular grid;
    xta_error err;
} model;

static int64_t random_in(model *m, int64_t lo, int64_t hi)
{
    return test_random_in(&m->random, lo, hi);
}

/* The cell of both members. */
static int32_t cell_value(double coordinate, int64_t x)
{
    return (int32_t)floor(coordinate * 4) * 10 + (int32_t)x;
}

/* ---- new coordinates ---- */

typedef struct coming {
    int64_t n;
    double value[8]; /* in the unit of the dimension */
    xta_new_coordinates given;
    double f64[8];
    float f32[8];
    int32_t i32[8];
    xta_status expected_conversion; /* what the conversion alone has to say */
} coming;

/* In other words: type, unit and epoch of the same values. */
static void express(model *m, coming *c)
{
    double add = 0, factor = 1;

    c->given = (xta_new_coordinates){.n = c->n};
    switch (random_in(m, 0, 9)) {
    case 0:
        c->given.unit = "hours since 2000-01-01 00:00";
        factor = 24;
        break;
    case 1:
        c->given.unit = "days since 1999-12-31";
        add = 1;
        break;
    case 2:
        c->given.unit = "days since 2000-01-01";
        c->given.calendar = "noleap";
        c->expected_conversion = XTA_EARG;
        break;
    case 3:
        c->given.unit = test_random_chance(&m->random, 50) ? "m" : "";
        c->expected_conversion = XTA_EARG;
        break;
    case 4:
        c->given.calendar = "proleptic_gregorian";
        break;
    default:
        break;
    }
    bool whole = true, single = true;
    for (int64_t k = 0; k < c->n; k++) {
        double v = c->value[k] * factor + add;
        c->f64[k] = v;
        c->f32[k] = (float)v;
        single = single && (double)c->f32[k] == v;
        whole = whole && floor(v) == v;
        c->i32[k] = whole ? (int32_t)v : 0;
        if (m->type == XTA_I32 && floor(c->value[k]) != c->value[k] &&
            c->expected_conversion == XTA_OK) {
            c->expected_conversion = XTA_ERANGE;
        }
    }
    c->given.type = XTA_F64;
    c->given.values = c->f64;
    if (whole && test_random_chance(&m->random, 30)) {
        c->given.type = XTA_I32;
        c->given.values = c->i32;
    } else if (single && test_random_chance(&m->random, 30)) {
        c->given.type = XTA_F32;
        c->given.values = c->f32;
    }
}

static void make_coming(model *m, coming *c)
{
    int64_t n = random_in(m, 1, 5);
    double step = m->n > 1 ? m->value[1] - m->value[0] : 1;
    bool front = test_random_chance(&m->random, 50);
    double at = front ? m->value[0] - (double)n * step : m->value[m->n - 1] + step;

    step = round(step * 8) / 8;
    *c = (coming){.n = n};
    switch (random_in(m, 0, 11)) {
    case 0: // a gap
        at += (front ? -1 : 1) * step * (double)random_in(m, 1, 3);
        break;
    case 1: // some of them are there
        at = m->value[random_in(m, 0, m->n - 1)];
        break;
    case 2: // between two steps
        at += step / 2;
        break;
    case 3:
        step = -step;
        break;
    case 4:
        step /= 2;
        break;
    case 5:
        step *= 3;
        at = front ? m->value[0] - (double)n * step : at;
        break;
    default:
        break;
    }
    for (int64_t k = 0; k < n; k++) {
        // Such numbers are exact in hours, too, and as dates; some that are there are not.
        c->value[k] = round((at + (double)k * step) * 8) / 8;
    }
    if (random_in(m, 0, 15) == 0) {
        c->value[random_in(m, 0, n - 1)] += 0.25;
    }
    if (m->type == XTA_F64 && random_in(m, 0, 15) == 0) {
        int64_t k = random_in(m, 0, n - 1);
        c->value[k] = nextafter(c->value[k], INFINITY);
        // A date is exact to the microsecond, so only the same unit keeps such a value.
        c->given = (xta_new_coordinates){.n = n, .type = XTA_F64, .values = c->value};
        return;
    }
    express(m, c);
}

/* ---- the oracle ---- */

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

/* 2: fewer than two values; 0: in no order. */
static int order_of(const double *v, int64_t n)
{
    int d = n < 2 ? 2 : sign(v[1] - v[0]);

    for (int64_t k = 1; k < n; k++) {
        if (sign(v[k] - v[k - 1]) != d) {
            return 0;
        }
    }
    return d;
}

/* Whether the regular coordinates are these, and where. */
static bool on_grid(const model *m, const coming *c, int64_t *lo)
{
    double origin = m->type == XTA_I32 ? (double)m->grid.origin.i : m->grid.origin.f;
    double step = m->type == XTA_I32 ? (double)m->grid.step.i : m->grid.step.f;

    for (int64_t first = -2000; first < 2000 && m->regular; first++) {
        bool all = true;
        for (int64_t k = 0; k < c->n && all; k++) {
            all = origin + (double)(first + k) * step == c->value[k];
        }
        if (all) {
            *lo = first;
            return true;
        }
    }
    return false;
}

/* Every offset of the new values against the list is tried. */
static xta_status list_place(const model *m, const coming *c, int64_t *lo)
{
    int have = order_of(m->value, m->n), come = order_of(c->value, c->n);

    if (come == 0 || have == 0 || (have != 2 && come != 2 && have != come)) {
        return XTA_EARG;
    }
    int d = have != 2 ? have : come != 2 ? come : 1;
    for (int64_t offset = -c->n; offset <= m->n; offset++) {
        bool good = true;
        for (int64_t k = 0; k < c->n; k++) {
            int64_t j = offset + k;
            good = good && (j < 0 || j >= m->n || m->value[j] == c->value[k]);
        }
        good = good && (offset != m->n || sign(c->value[0] - m->value[m->n - 1]) == d);
        good = good && (offset != -c->n || sign(m->value[0] - c->value[c->n - 1]) == d);
        if (good) {
            *lo = m->lo + offset;
            return XTA_OK;
        }
    }
    return XTA_EBOX;
}

static xta_status expected_place(const model *m, const coming *c, int64_t *lo, bool *regular)
{
    *regular = false;
    if (c->expected_conversion != XTA_OK) {
        return c->expected_conversion;
    }
    if (on_grid(m, c, lo)) {
        *regular = true;
        return XTA_OK;
    }
    return list_place(m, c, lo);
}

/* ---- comparing ---- */

static void check_cells(model *m, const char *name, bool x_first)
{
    xta_array *array = NULL;
    int32_t cells[MOST * N_X];

    STORY_OK(&m->story, xta_dataset_member(m->set, name, &array, &m->err), m->err);
    xta_box box = xta_array_bounds(array);
    int axis = x_first ? 1 : 0;
    STORY_CHECK(&m->story, box.lo[axis] == m->lo && box.hi[axis] == m->lo + m->n,
                "%s has cells %lld to %lld", name, (long long)box.lo[axis],
                (long long)box.hi[axis]);
    STORY_OK(&m->story, xta_array_read(array, &box, NULL, cells, &m->err), m->err);
    for (int64_t k = 0; k < m->n; k++) {
        for (int64_t x = 0; x < N_X; x++) {
            int32_t got = cells[x_first ? x * m->n + k : k * N_X + x];
            STORY_CHECK(&m->story, got == cell_value(m->value[k], x),
                        "%s: cell %lld, %lld is %d, not %d", name, (long long)(m->lo + k),
                        (long long)x, got, cell_value(m->value[k], x));
        }
    }
}

static void check_all(model *m)
{
    xta_array *array = NULL;
    xta_coordinates *c = NULL;

    check_cells(m, "a", false);
    check_cells(m, "b", true);
    STORY_OK(&m->story, xta_dataset_member(m->set, "a", &array, &m->err), m->err);
    STORY_OK(&m->story, xta_coordinates_read(array, 0, &c, &m->err), m->err);
    STORY_CHECK(&m->story, xta_coordinates_type(c) == m->type, "the type has changed");
    STORY_CHECK(&m->story, strcmp(xta_coordinates_unit(c), UNIT) == 0, "the unit is %s",
                xta_coordinates_unit(c));
    STORY_CHECK(&m->story,
                xta_coordinates_kind_of(c) ==
                    (m->regular ? XTA_COORDINATES_REGULAR : XTA_COORDINATES_LISTED),
                "the kind of the coordinates is %d", (int)xta_coordinates_kind_of(c));
    for (int64_t k = 0; k < m->n; k++) {
        STORY_CHECK(&m->story, xta_coordinates_at(c, m->lo + k) == m->value[k],
                    "coordinate of cell %lld is %.17g, not %.17g", (long long)(m->lo + k),
                    xta_coordinates_at(c, m->lo + k), m->value[k]);
    }
    xta_coordinates_free(c);
}

/* ---- steps ---- */

/* Cells of `b` come in pieces. */
static xta_status write_b(void *user, xta_appending *appending, const xta_box *slab, xta_error *err)
{
    const coming *c = user;
    int32_t column[N_X];

    for (int64_t k = 0; k < c->n; k++) {
        xta_box box = *slab;
        box.lo[1] = slab->lo[1] + k;
        box.hi[1] = box.lo[1] + 1;
        for (int64_t x = 0; x < N_X; x++) {
            column[x] = cell_value(c->value[k], x);
        }
        xta_status status = xta_append_write(appending, &box, NULL, column, err);
        if (status != XTA_OK) {
            return status;
        }
    }
    return XTA_OK;
}

static void take(model *m, const coming *c, xta_side side)
{
    if (side == XTA_FRONT) {
        memmove(m->value + c->n, m->value, (size_t)m->n * sizeof m->value[0]);
        memcpy(m->value, c->value, (size_t)c->n * sizeof m->value[0]);
        m->lo -= c->n;
    } else {
        memcpy(m->value + m->n, c->value, (size_t)c->n * sizeof m->value[0]);
    }
    m->n += c->n;
}

/* What xta_dataset_append has to return on a side; *regular: the coordinates stay regular. */
static xta_status expected_append(const model *m, const coming *c, xta_side side, bool *regular)
{
    int64_t lo = 0;
    xta_status status = expected_place(m, c, &lo, regular);

    if (status != XTA_OK) {
        return status;
    }
    if (*regular && lo != (side == XTA_BACK ? m->lo + m->n : m->lo - c->n)) {
        *regular = false;
        status = list_place(m, c, &lo);
    }
    bool outside = lo >= m->lo + m->n || lo + c->n <= m->lo;
    bool beside = side == XTA_BACK ? lo == m->lo + m->n : lo + c->n == m->lo;
    if (status == XTA_OK && !beside && !(outside && c->n == 1 && m->n == 1)) {
        status = XTA_EBOX;
    }
    return status;
}

static void append(model *m, const coming *c)
{
    xta_side side = test_random_chance(&m->random, 50) ? XTA_FRONT : XTA_BACK;
    int32_t a[8 * N_X];
    const xta_member_cells cells[2] = {{.member = "a", .cells = a},
                                       {.member = "b", .fn = write_b, .user = (void *)c}};
    const xta_dataset_slab slab = {.dimension = "time",
                                   .side = side,
                                   .by = c->n,
                                   .coordinates = &c->given,
                                   .cells = cells,
                                   .n_cells = 2};
    bool regular = false;
    xta_status want = expected_append(m, c, side, &regular);
    int64_t lo = 0;

    for (int64_t k = 0; k < c->n * N_X; k++) {
        a[k] = cell_value(c->value[k / N_X], k % N_X);
    }
    xta_status got = xta_dataset_append(m->set, &slab, &lo, &m->err);
    test_story_add(&m->story, "append %s: %s", side == XTA_BACK ? "back" : "front",
                   got == XTA_OK ? "ok" : m->err.text);
    STORY_CHECK(&m->story, got == want, "%s instead of %s", xta_status_name(got),
                xta_status_name(want));
    if (got != XTA_OK) {
        return;
    }
    take(m, c, side);
    m->regular = regular;
    STORY_CHECK(&m->story, lo == (side == XTA_BACK ? m->lo + m->n - c->n : m->lo),
                "the first new cell is %lld", (long long)lo);
}

static void step(model *m)
{
    coming c;
    xta_cell_range p;
    int64_t lo = 0;
    bool regular = false;

    make_coming(m, &c);
    test_story_add(&m->story, "%lld values from %.17g to %.17g, unit %s, calendar %s, type %s",
                   (long long)c.n, c.value[0], c.value[c.n - 1],
                   c.given.unit != NULL ? c.given.unit : "-",
                   c.given.calendar != NULL ? c.given.calendar : "-", xta_type_name(c.given.type));
    xta_status want = expected_place(m, &c, &lo, &regular);
    xta_status got = xta_dataset_place(m->set, "time", &c.given, &p, &m->err);
    STORY_CHECK(&m->story, got == want, "place: %s (%s) instead of %s", xta_status_name(got),
                got != XTA_OK ? m->err.text : "", xta_status_name(want));
    STORY_CHECK(&m->story,
                got != XTA_OK || (p.lo == lo && p.hi == lo + c.n && p.regular == regular),
                "placed at %lld, not %lld", (long long)p.lo, (long long)lo);
    append(m, &c);
    check_all(m);
    if (random_in(m, 0, 9) == 0) {
        xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
        options.writable = true;
        STORY_OK(&m->story, xta_dataset_close(m->set, &m->err), m->err);
        STORY_OK(&m->story, xta_dataset_open(m->path, &options, &m->set, &m->err), m->err);
        check_all(m);
    }
}

/* ---- sets ---- */

static void list_values(model *m)
{
    const char *const names[1] = {"time"};
    xta_array *list = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    STORY_OK(&m->story,
             xta_dataset_add_member(m->set, "time", m->type, 1, names, NULL, &list, &m->err),
             m->err);
    xta_box box = xta_array_bounds(list);
    io.type = XTA_F64;
    STORY_OK(&m->story, xta_array_write(list, &box, &io, m->value, &m->err), m->err);
    STORY_OK(&m->story, xta_attribute_set_text(list, XTA_ON_ARRAY, "units", UNIT, &m->err), m->err);
}

static void make_set(model *m)
{
    const char *const a[2] = {"time", "x"}, *const b[2] = {"x", "time"};
    xta_dimension time = {.name = "time"}, x = {.name = "x", .hi = N_X};
    xta_array *array = NULL;
    int32_t cells[16 * N_X];
    bool whole = test_random_chance(&m->random, 40);
    double step = (double)random_in(m, 1, 6) * (whole ? 1 : 0.25) *
                  (test_random_chance(&m->random, 30) ? -1 : 1);
    double origin = (double)random_in(m, -40, 40) * (whole ? 1 : 0.25);

    m->type = whole ? XTA_I32 : XTA_F64;
    m->lo = random_in(m, -5, 5);
    m->n = random_in(m, 1, 4);
    m->regular = test_random_chance(&m->random, 50);
    m->grid = (xta_regular){.type = m->type};
    if (whole) {
        m->grid.origin.i = (int64_t)origin;
        m->grid.step.i = (int64_t)step;
    } else {
        m->grid.origin.f = origin;
        m->grid.step.f = step;
    }
    for (int64_t k = 0; k < m->n; k++) {
        m->value[k] = origin + (double)(m->lo + k) * step;
    }
    time.lo = m->lo;
    time.hi = m->lo + m->n;
    time.coordinates = m->regular ? XTA_COORDINATES_REGULAR : 0;
    time.regular = m->grid;
    test_story_add(&m->story, "%lld values of %s from cell %lld: %.17g + k * %g, %s",
                   (long long)m->n, xta_type_name(m->type), (long long)m->lo, m->value[0], step,
                   m->regular ? "regular" : "listed");
    STORY_OK(&m->story, xta_dataset_create(m->path, NULL, &m->set, &m->err), m->err);
    STORY_OK(&m->story, xta_dataset_set_dimension(m->set, &time, &m->err), m->err);
    STORY_OK(&m->story, xta_dataset_set_dimension(m->set, &x, &m->err), m->err);
    if (m->regular) {
        STORY_OK(&m->story, xta_dataset_set_text(m->set, "time", "units", UNIT, &m->err), m->err);
    } else {
        list_values(m);
    }
    for (int which = 0; which < 2; which++) {
        for (int64_t k = 0; k < m->n * N_X; k++) {
            int64_t t = which == 0 ? k / N_X : k % m->n, at = which == 0 ? k % N_X : k / m->n;
            cells[k] = cell_value(m->value[t], at);
        }
        STORY_OK(&m->story,
                 xta_dataset_add_member(m->set, which == 0 ? "a" : "b", XTA_I32, 2,
                                        which == 0 ? a : b, NULL, &array, &m->err),
                 m->err);
        xta_box box = xta_array_bounds(array);
        STORY_OK(&m->story, xta_array_write(array, &box, NULL, cells, &m->err), m->err);
    }
    // Coordinates are read through a handle of their own.
    STORY_OK(&m->story, xta_dataset_sync(m->set, &m->err), m->err);
}

static void run(uint64_t seed, uint64_t part, const test_folder *folder)
{
    static model m;
    char name[40];

    memset(&m, 0, sizeof m);
    m.random = test_random_make(seed, part);
    test_story_begin(&m.story, "test_dataset_append", seed, part);
    snprintf(name, sizeof name, "set%llu", (unsigned long long)part);
    test_folder_join(folder, name, m.path);
    make_set(&m);
    check_all(&m);
    for (int k = 0; k < N_STEPS; k++) {
        step(&m);
    }
    STORY_OK(&m.story, xta_dataset_close(m.set, &m.err), m.err);
}

int main(void)
{
    uint64_t seed = test_seed("test_dataset_append", 20261125);
    const char *part = getenv("XTA_PART");
    test_folder folder;

    test_folder_make_fast(&folder);
    for (uint64_t k = 0; k < test_scale(N_SETS); k++) {
        if (part == NULL || strtoull(part, NULL, 10) == k) {
            run(seed, k, &folder);
        }
    }
    test_folder_remove(&folder);
    return 0;
}
