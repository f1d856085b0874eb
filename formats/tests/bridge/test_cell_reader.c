/* Random NetCDF-4 files, read slab by slab: by the threads that decode chunks, by the library where
 * they cannot, in order or put away by the threads themselves, within random limits of memory. The
 * cells are those that NetCDF itself reads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <netcdf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/bridge.h>

#include "sets/cell_reader.h"
#include "sets/readers.h"
#include "support/folder.h"
#include "support/random.h"

#define GOOD(code) assert_int_equal(code, NC_NOERR)

enum { MOST_NDIM = 4, MOST_LENGTH = 40 };

typedef struct trial {
    test_random random;
    char path[TEST_PATH_BYTES];
    nc_type type;
    int ndim;
    size_t length[MOST_NDIM], chunk[MOST_NDIM], n_cells, cell_bytes;
    bool raw; /* threads can decode the chunks, where they were written */
    bool holes;
    bool named; /* as a dimension that it does not have */
    unsigned char *cells;
} trial;

static const nc_type types[] = {NC_BYTE, NC_SHORT, NC_INT, NC_INT64, NC_FLOAT, NC_DOUBLE, NC_UBYTE};

static void random_shape(trial *t)
{
    t->ndim = (int)test_random_in(&t->random, 1, MOST_NDIM);
    t->n_cells = 1;
    for (int axis = 0; axis < t->ndim; axis++) {
        t->length[axis] = (size_t)test_random_in(&t->random, 1, MOST_LENGTH / t->ndim);
        int64_t longest = (int64_t)t->length[axis] + (axis == 0 ? 5 : 0);
        t->chunk[axis] = (size_t)test_random_in(&t->random, 1, longest);
        t->n_cells *= t->length[axis];
    }
}

/* Filters, byte order, and whether threads can decode that. */
static void random_storage(trial *t, int file, int variable)
{
    bool shuffle = test_random_chance(&t->random, 40), sum = test_random_chance(&t->random, 15);
    int level = test_random_chance(&t->random, 60) ? (int)test_random_in(&t->random, 1, 9) : 0;
    bool turned = t->cell_bytes > 1 && test_random_chance(&t->random, 15);

    GOOD(nc_def_var_chunking(file, variable, NC_CHUNKED, t->chunk));
    GOOD(nc_def_var_deflate(file, variable, shuffle, level > 0, level));
    if (sum) {
        GOOD(nc_def_var_fletcher32(file, variable, NC_FLETCHER32));
    }
    if (turned) {
        const uint16_t one = 1;
        bool little = *(const unsigned char *)&one == 1;
        GOOD(nc_def_var_endian(file, variable, little ? NC_ENDIAN_BIG : NC_ENDIAN_LITTLE));
    }
    t->raw = !sum && !turned;
}

/* A file in groups, with a variable of random cells, some of them never written. */
static void make_file(trial *t)
{
    int file = 0, group = 0, variable = 0, dimension[MOST_NDIM];
    size_t start[MOST_NDIM] = {0}, count[MOST_NDIM];

    t->named = test_random_chance(&t->random, 20);
    t->type = types[test_random_in(&t->random, 0, 6)];
    random_shape(t);
    GOOD(nc_create(t->path, NC_NETCDF4 | NC_CLOBBER, &file));
    group = file;
    if (test_random_chance(&t->random, 40)) {
        GOOD(nc_def_grp(file, "inner", &group));
    }
    for (int axis = 0; axis < t->ndim; axis++) {
        char name[16];
        snprintf(name, sizeof name, "d%d", axis);
        size_t length = axis == 0 ? NC_UNLIMITED : t->length[axis];
        GOOD(nc_def_dim(group, name, length, &dimension[axis]));
    }
    if (t->named) {
        int other = 0;
        GOOD(nc_def_dim(group, "t", 3, &other));
    }
    GOOD(nc_def_var(group, "t", t->type, t->ndim, dimension, &variable));
    GOOD(nc_inq_type(group, t->type, NULL, &t->cell_bytes));
    random_storage(t, group, variable);
    GOOD(nc_enddef(file));
    t->cells = malloc(t->n_cells * t->cell_bytes);
    assert_non_null(t->cells);
    for (size_t k = 0; k < t->n_cells * t->cell_bytes; k++) {
        t->cells[k] = (unsigned char)(test_random_chance(&t->random, 70)
                                          ? k / 64 % 7
                                          : (uint64_t)test_random_in(&t->random, 0, 60));
    }
    memcpy(count, t->length, sizeof count);
    t->holes = test_random_chance(&t->random, 30);
    if (t->holes) { // only the last row is written, which gives the file its length
        start[0] = t->length[0] - 1;
        count[0] = 1;
    }
    GOOD(nc_put_vara(group, variable, start, count,
                     t->cells + t->n_cells / t->length[0] * start[0] * t->cell_bytes));
    GOOD(nc_close(file));
}

/* What NetCDF reads. */
static void read_oracle(trial *t)
{
    int file = 0, group = 0, variable = 0;
    size_t start[MOST_NDIM] = {0};

    GOOD(nc_open(t->path, NC_NOWRITE, &file));
    if (nc_inq_grp_ncid(file, "inner", &group) != NC_NOERR) {
        group = file;
    }
    GOOD(nc_inq_varid(group, "t", &variable));
    GOOD(nc_get_vara(group, variable, start, t->length, t->cells));
    GOOD(nc_close(file));
}

static const set_variable *find_variable(const set_group *group)
{
    for (size_t k = 0; k < group->n_variables; k++) {
        if (strcmp(group->variables[k].name, "t") == 0) {
            return &group->variables[k];
        }
    }
    return group->n_groups > 0 ? find_variable(&group->groups[0]) : NULL;
}

typedef struct result {
    const trial *t;
    xta_box box;
    unsigned char *cells;
    pthread_mutex_t lock;
    size_t n_cells; /* that were put or came */
} result;

/* Copy a slab, cell by cell, into the row-major cells of the whole box. */
static void take(result *r, const xta_box *slab, const unsigned char *cells)
{
    size_t bytes = r->t->cell_bytes, n = 0;
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, slab->lo, sizeof at);
    for (int axis = 0; axis >= 0;) {
        size_t place = 0;
        for (int d = 0; d < slab->ndim; d++) {
            place = place * (size_t)(r->box.hi[d] - r->box.lo[d]) + (size_t)(at[d] - r->box.lo[d]);
        }
        memcpy(r->cells + place * bytes, cells + n++ * bytes, bytes);
        for (axis = slab->ndim - 1; axis >= 0 && ++at[axis] == slab->hi[axis]; axis--) {
            at[axis] = slab->lo[axis];
        }
    }
    r->n_cells += n;
}

static xta_status put(void *user, const xta_box *slab, const unsigned char *cells, xta_error *err)
{
    result *r = user;

    (void)err;
    pthread_mutex_lock(&r->lock);
    take(r, slab, cells);
    pthread_mutex_unlock(&r->lock);
    return XTA_OK;
}

static void check_cells(const result *r, const int64_t origin[])
{
    const trial *t = r->t;
    size_t n = 0;
    int64_t at[XTA_MAX_NDIM];

    memcpy(at, r->box.lo, sizeof at);
    for (int axis = 0; axis >= 0;) {
        size_t place = 0;
        for (int d = 0; d < t->ndim; d++) {
            place = place * t->length[d] + (size_t)(at[d] - origin[d]);
        }
        assert_memory_equal(r->cells + n++ * t->cell_bytes, t->cells + place * t->cell_bytes,
                            t->cell_bytes);
        for (axis = t->ndim - 1; axis >= 0 && ++at[axis] == r->box.hi[axis]; axis--) {
            at[axis] = r->box.lo[axis];
        }
    }
    assert_int_equal(r->n_cells, n);
}

/* Read a random box, whose array begins at a random place. */
static void read_box(trial *t, const set_source *source, const set_variable *v)
{
    int64_t origin[MOST_NDIM], chunk[MOST_NDIM];
    result r = {.t = t, .box = {.ndim = t->ndim}, .lock = PTHREAD_MUTEX_INITIALIZER};
    cell_reader reader;
    unsigned char *cells = NULL;
    xta_box slab;
    xta_error err;

    for (int axis = 0; axis < t->ndim; axis++) {
        int64_t length = (int64_t)t->length[axis];
        origin[axis] = test_random_in(&t->random, -5, 5);
        chunk[axis] = test_random_in(&t->random, 1, length);
        r.box.lo[axis] = test_random_in(&t->random, 0, length - 1);
        r.box.hi[axis] = test_random_in(&t->random, r.box.lo[axis] + 1, length) + origin[axis];
        r.box.lo[axis] += origin[axis];
    }
    r.cells = calloc(t->n_cells, t->cell_bytes);
    assert_non_null(r.cells);
    cell_task task = {.source = source,
                      .variable = v,
                      .origin = origin,
                      .chunk = chunk,
                      .box = &r.box,
                      .memory_bytes = (uint64_t)test_random_in(&t->random, 1, 60000)};
    if (test_random_chance(&t->random, 50)) {
        task.put = put;
        task.user = &r;
    }
    assert_int_equal(xta__reader_begin(&reader, &task, &err), XTA_OK);
    assert_true(reader.raw == NULL || t->raw);
    for (;;) {
        assert_int_equal(xta__reader_next(&reader, &slab, &cells, &err), XTA_OK);
        if (cells == NULL) {
            break;
        }
        if (task.put == NULL) {
            take(&r, &slab, cells);
        }
    }
    xta__reader_end(&reader);
    check_cells(&r, origin);
    free(r.cells);
}

/* A single array, by the format's own way. */
static void import_array(const trial *t, const char *format)
{
    char path[TEST_PATH_BYTES];
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    bool inner = false;
    int file = 0, group = 0;

    GOOD(nc_open(t->path, NC_NOWRITE, &file));
    inner = nc_inq_grp_ncid(file, "inner", &group) == NC_NOERR;
    GOOD(nc_close(file));
    test_folder_join(&test_group_folder, "a", path);
    options.format = format;
    options.variable = inner ? "inner/t" : "t";
    options.memory_bytes = 20000;
    assert_int_equal(xta_import(t->path, path, &options, NULL, &err), XTA_OK);
    assert_int_equal(xta_array_open(path, NULL, &array, &err), XTA_OK);
    const xta_box bounds = xta_array_bounds(array);
    unsigned char *cells = malloc(t->n_cells * t->cell_bytes);
    assert_non_null(cells);
    assert_int_equal(xta_array_read(array, &bounds, NULL, cells, &err), XTA_OK);
    assert_memory_equal(cells, t->cells, t->n_cells * t->cell_bytes);
    free(cells);
    assert_int_equal(xta_array_close(array, &err), XTA_OK);
    test_pair_remove(path);
}

static void slabs_have_the_cells_of_the_file(void **state)
{
    uint64_t seed = test_seed("test_cell_reader", 20261125), n = test_scale(300);
    uint64_t n_raw = 0;

    (void)state;
    for (uint64_t k = 0; k < n; k++) {
        trial t = {.random = test_random_make(seed, k)};
        set_source source;
        xta_error err;
        test_folder_join(&test_group_folder, "t.nc", t.path);
        make_file(&t);
        read_oracle(&t);
        assert_int_equal(xta__set_open(t.path, false, &source, &err), XTA_OK);
        const set_variable *v = find_variable(&source.root);
        assert_non_null(v);
        raw_chunks *raw = xta__set_open_chunks(&source, v);
        assert_int_equal(raw != NULL, t.raw);
        xta__raw_chunks_close(raw);
        n_raw += raw != NULL;
        for (int box = 0; box < 4; box++) {
            read_box(&t, &source, v);
        }
        xta__set_close(&source);
        if (!t.named) { // two datasets of one name, in HDF5's eyes
            import_array(&t, k % 2 == 0 ? "netcdf" : "hdf5");
        }
        free(t.cells);
    }
    print_message("%d of %d files had chunks for threads\n", (int)n_raw, (int)n);
    assert_true(n < 50 || (n_raw > n / 3 && n_raw < n));
}

/* A byte of the cells is changed: the cells are refused with HDF5's own words. */
static void damaged_chunks_are_an_error(void **state)
{
    trial t = {.random = test_random_make(7, 0), .type = NC_INT, .ndim = 1};
    int file = 0, dimension = 0, variable = 0;
    set_source source;
    cell_reader reader;
    xta_error err;
    int32_t cells[5000];
    size_t n_bytes = 0, chunk = 500;
    unsigned char *image = NULL, *out = NULL;
    xta_box slab, box = {.ndim = 1, .lo = {0}, .hi = {5000}};
    const int64_t zero = 0, one = 1;

    (void)state;
    for (int k = 0; k < 5000; k++) {
        cells[k] = (int32_t)test_random_in(&t.random, 0, 1 << 30);
    }
    test_folder_join(&test_group_folder, "damaged.nc", t.path);
    GOOD(nc_create(t.path, NC_NETCDF4 | NC_CLOBBER, &file));
    GOOD(nc_def_dim(file, "x", 5000, &dimension));
    GOOD(nc_def_var(file, "t", NC_INT, 1, &dimension, &variable));
    GOOD(nc_def_var_chunking(file, variable, NC_CHUNKED, &chunk));
    GOOD(nc_def_var_deflate(file, variable, 0, 1, 1));
    GOOD(nc_put_var_int(file, variable, cells));
    GOOD(nc_close(file));
    image = test_file_read(t.path, &n_bytes);
    assert_non_null(image);
    for (size_t k = n_bytes / 2; k < n_bytes / 2 + 4; k++) {
        image[k] ^= 0x55;
    }
    test_file_write(t.path, image, n_bytes);
    assert_int_equal(xta__set_open(t.path, false, &source, &err), XTA_OK);
    const cell_task task = {.source = &source,
                            .variable = find_variable(&source.root),
                            .origin = &zero,
                            .chunk = &one,
                            .box = &box,
                            .memory_bytes = 30000};
    assert_int_equal(xta__reader_begin(&reader, &task, &err), XTA_OK);
    assert_non_null(reader.raw);
    xta_status status = XTA_OK;
    do {
        status = xta__reader_next(&reader, &slab, &out, &err);
    } while (status == XTA_OK && out != NULL);
    assert_int_equal(status, XTA_EFOREIGN);
    assert_non_null(strstr(err.text, "damaged.nc"));
    xta__reader_end(&reader);
    xta__set_close(&source);
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_have_the_cells_of_the_file),
        cmocka_unit_test(damaged_chunks_are_an_error),
    };
    return cmocka_run_group_tests_name("the reader of cells", tests, test_group_begin,
                                       test_group_end);
}
